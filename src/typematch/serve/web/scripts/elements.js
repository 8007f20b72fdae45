// Make elements.  Texts become text nodes, never markup: what is indexed was written by anybody.

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

function filled(made, { on = {}, ...attributes }, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Text for who cannot see the page. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

export const counted = (number) => number.toLocaleString("en");
