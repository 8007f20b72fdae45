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
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    shown.append(visible(text.slice(end, match.index)), coloured(match));
    end = match.index + match[0].length;
  }
  shown.append(visible(text.slice(end)));
  return shown;
}

function coloured(match) {
  const kind = Object.keys(match.groups).find((key) => match.groups[key] !== undefined);
  return element("span", { class: kind === "word" ? classOfWord(match[0]) : CLASSES[kind] }, match[0]);
}

const CLASSES = { comment: "sign", string: "string", number: "string", name: "name", sign: "sign" };

function classOfWord(word) {
  if (KEYWORDS.has(word)) return "keyword";
  return /^\??[A-Z]\d?$/u.test(word) || word === "_" ? "variable" : "type";
}
