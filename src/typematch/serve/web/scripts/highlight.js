// Syntax highlighting of TypeScript types.

import { element, visible } from "/scripts/elements.js";
import { entryLink } from "/scripts/links.js";

const TOKEN = new RegExp(
  [
    /(?<comment>\/\/.*)/,
    /(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/,
    /(?<number>\b\d[\w.]*)/,
    /(?<name>[\p{L}_$][\p{L}\p{N}_$]*(?=\??\s*:(?!:)))/u,
    /(?<word>[\p{L}_$?][\p{L}\p{N}_$]*)/u,
    /(?<sign>=>|\.\.\.|[^\s\p{L}\p{N}_$"'`])/u,
  ].map((part) => part.source).join("|"),
  "gu",
);
const QUALIFIED = /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/uy;
const KEYWORDS = new Set(
  ("any unknown never void null undefined string number boolean bigint symbol object this true " +
    "false keyof typeof readonly unique infer extends is asserts new abstract in out as const " +
    "interface class type enum function export declare static get set async").split(" "),
);

/**
 * Return `text` in a <code> with coloured parts; the text itself is unchanged.
 * @param {string} text
 * @param {string} [name] the name of the element
 * @param {Record<string, string>} [types] names of types -> ids of the entries that declare them
 * @param {boolean} [inOrder] whether the Tab key stops at the links
 */
export function code(text, name = "code", types = {}, inOrder = true) {
  const shown = element(name, { class: "code" });
  let before = 0;
  for (const { start, end, kind } of tokens(text)) {
    if (start < before) continue; // a part of a qualified name
    const linked = ["name", "string", "sign", "keyword"].includes(kind) ? "" : linkedName(text, start, types);
    shown.append(visible(text.slice(before, start)), linked
      ? entryLink(types[linked], { class: kind, tabindex: inOrder ? null : -1 }, linked)
      : element("span", { class: kind }, text.slice(start, end)));
    before = linked ? start + linked.length : end;
  }
  shown.append(visible(text.slice(before)));
  return shown;
}

/** Return the name of a type at a place, qualified if possible; empty if nothing declares it. */
function linkedName(text, start, types) {
  QUALIFIED.lastIndex = start;
  const whole = QUALIFIED.exec(text)?.[0] ?? "";
  return [whole, whole.split(".")[0]].find((name) => Object.hasOwn(types, name)) ?? "";
}

/**
 * Return the tokens of a type; blanks between them belong to none.
 * @returns {{start: number, end: number, kind: string}[]} `kind` is a class of `.code` in tokens.css
 */
export function tokens(text) {
  return [...text.matchAll(TOKEN)].map((match) => {
    const group = Object.keys(match.groups).find((key) => match.groups[key] !== undefined);
    const kind = group === "word" ? classOfWord(match[0]) : CLASSES[group];
    return { start: match.index, end: match.index + match[0].length, kind };
  });
}

const CLASSES = { comment: "sign", string: "string", number: "string", name: "name", sign: "sign" };

function classOfWord(word) {
  if (KEYWORDS.has(word)) return "keyword";
  return /^\??[A-Z]\d?$/u.test(word) || word === "_" ? "variable" : "type";
}
