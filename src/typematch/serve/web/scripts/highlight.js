// Syntax highlighting of TypeScript types.

import { element, visible } from "/scripts/elements.js";

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
const KEYWORDS = new Set(
  ("any unknown never void null undefined string number boolean bigint symbol object this true " +
    "false keyof typeof readonly unique infer extends is asserts new abstract in out as const " +
    "interface class type enum function export declare static get set async").split(" "),
);

/** Return `text` in a <code> with coloured parts; the text itself is unchanged. */
export function code(text, name = "code") {
  const shown = element(name, { class: "code" });
  let before = 0;
  for (const { start, end, kind } of tokens(text)) {
    shown.append(visible(text.slice(before, start)), element("span", { class: kind }, text.slice(start, end)));
    before = end;
  }
  shown.append(visible(text.slice(before)));
  return shown;
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
