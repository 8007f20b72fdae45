// Settings of the page, kept in the browser: the address of sources.  It is empty until the user
// sets it: an index does not know where sources are published.

import { element } from "/scripts/elements.js";

const KEY = "typematch-source-address";
const SCHEMES = /^(?:https?|file|vscode|vscodium|cursor|idea|zed):/iu;
const FIELDS = ["package", "version", "path", "file", "line", "name"];

/** Return the place of an entry: a link if the address of sources is set. */
export function sourceLink(entry) {
  const text = `${entry.path}:${entry.line}`;
  const address = sourceAddress(localStorage.getItem(KEY) ?? "", entry);
  return address
    ? element("a", { class: "source", href: address, rel: "noopener noreferrer", target: "_blank" }, text) : text;
}

/**
 * Return the address of an entry's source; empty without a template, and for other schemes.
 * @param {string} template with {package}, {version}, {path}, {file} (the path without the
 *   package), {line} and {name}
 */
export function sourceAddress(template, entry) {
  if (!SCHEMES.test(template)) return "";
  const inPackage = entry.path.startsWith(`${entry.package}/`);
  const values = { ...entry, file: inPackage ? entry.path.slice(entry.package.length + 1) : entry.path };
  return template.replace(/\{(\w+)\}/gu, (whole, name) => (
    FIELDS.includes(name) ? String(values[name]).split("/").map(encodeURIComponent).join("/") : whole));
}

/** Return the form of the settings. */
export function settingsForm() {
  const field = element("input", {
    id: "source-address", type: "text", spellcheck: "false", autocomplete: "off",
    placeholder: "https://HOST/{package}@{version}/{file}#L{line}",
  });
  field.value = localStorage.getItem(KEY) ?? "";
  field.addEventListener("change", () => {
    const template = field.value.trim();
    const isValid = !template || SCHEMES.test(template);
    field.setAttribute("aria-invalid", String(!isValid));
    if (template && isValid) localStorage.setItem(KEY, template);
    else localStorage.removeItem(KEY);
  });
  return element("p", { class: "settings" },
    element("label", { for: "source-address" }, "Address of sources, for links in the panel; empty: no links"),
    field, element("small", {}, "It may hold ", ...FIELDS.flatMap((name, i) => [i ? ", " : "", element("code", {}, `{${name}}`)]), "."));
}
