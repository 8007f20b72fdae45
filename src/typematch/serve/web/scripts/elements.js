// Constructors of elements.  Indexed texts are untrusted: they become text nodes, never markup, and
// their control characters and bidirectional marks are shown as escapes.

export const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Return a text with control characters and bidirectional marks as escapes: `\u202e`. */
export function visible(text) {
  return text.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

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
  for (const child of children) {
    if (child !== null && child !== undefined) {
      target.append(typeof child === "string" ? visible(child) : child);
    }
  }
  return target;
}

/** Return a line of documentation as nodes; what is between backticks is code. */
export function line(text) {
  return text.split(/`([^`]+)`/u).map((part, i) => (i % 2 ? element("code", {}, part) : visible(part)));
}

/** Return text for screen readers only. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

export const counted = (number) => number.toLocaleString("en");
