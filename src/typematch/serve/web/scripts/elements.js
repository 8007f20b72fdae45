// Constructors of elements.  Indexed texts are untrusted: they become text nodes, never markup.

/**
 * Return an element; attributes that are null, undefined or false are left out.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes] `on` holds listeners by event
 * @param {...(Node | string | null)} children
 */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function drawn(name, attributes = {}) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, []);
}

function filled(target, { on = {}, ...attributes }, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      target.setAttribute(key, value === true ? "" : String(value));
    }
  }
  for (const [event, listener] of Object.entries(on)) target.addEventListener(event, listener);
  target.append(...children.filter((child) => child !== null && child !== undefined));
  return target;
}

/** Return text for screen readers only. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

export const counted = (number) => number.toLocaleString("en");
