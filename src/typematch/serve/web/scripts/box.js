// The search box.  Its text is transparent above a copy of the same size, which has the colours of
// types, facets and words, and underlines the place that cannot be read.

import { CONTROLS } from "/scripts/elements.js";
import { tokens } from "/scripts/highlight.js";
import { queryParts } from "/scripts/query_parts.js";

const MAX_COLOURED = 2_000; // characters; the rest has the colour of words

const at = (id) => document.getElementById(id);
const box = at("query");

/** Write a query into the box. */
export function writeQuery(query) {
  if (box.value !== query) box.value = query;
  showColours();
}

/** Colour the text of the box, and underline the character that cannot be read, if any. */
export function showColours(column = null) {
  const text = box.value;
  // Controls and marks of direction are drawn by the browser alone: a copy could differ.
  const isPlain = text.search(CONTROLS) < 0 && !/[\u0590-\u08ff]/u.test(text);
  box.form.classList.toggle("coloured", isPlain && text !== "");
  const wrong = column === null ? null : offsetOf(text, column);
  const spans = isPlain || wrong !== null ? colours(text.slice(0, MAX_COLOURED)) : [];
  at("colours").replaceChildren(...pieces(text, spans, wrong));
  follow();
}

/** Return the offset in the string of a column, which counts characters. */
function offsetOf(text, column) {
  return [...text].slice(0, column).join("").length;
}

/** Return (start, end, class) of the parts of a query that have a colour. */
function colours(text) {
  return queryParts(text).flatMap(({ kind, start, end, key }) => {
    if (kind === "type" || (kind === "value" && ["param", "returns", "mentions"].includes(key))) {
      return tokens(text.slice(start, end)).map((each) => [start + each.start, start + each.end, each.kind]);
    }
    return [[start, end, kind]];
  });
}

/** Return the nodes of a text with its coloured parts; the character at `wrong` is underlined. */
function pieces(text, spans, wrong) {
  const length = wrong === null ? 0 : (text.codePointAt(wrong) ?? 0) > 0xffff ? 2 : 1;
  const cuts = new Set([0, text.length, ...spans.flatMap(([start, end]) => [start, end])]);
  if (wrong !== null) [wrong, Math.min(wrong + length, text.length)].forEach((cut) => cuts.add(cut));
  const places = [...cuts].sort((a, b) => a - b);
  const nodes = places.slice(0, -1).map((start, i) => {
    const shown = text.slice(start, places[i + 1]);
    const kind = spans.find(([from, to]) => from <= start && start < to)?.[2];
    return start === wrong ? span(shown, `${kind ?? ""} wrong`.trim()) : span(shown, kind);
  });
  return wrong === text.length ? [...nodes, span("\u00a0", "wrong")] : nodes;
}

function span(text, kind) {
  if (!kind) return document.createTextNode(text);
  const shown = document.createElement("span");
  shown.className = kind;
  shown.textContent = text;
  return shown;
}

/** Scroll the copy as the text in the box. */
function follow() {
  at("colours").style.transform = box.scrollLeft ? `translateX(${-box.scrollLeft}px)` : "";
}

box.addEventListener("input", () => showColours());
for (const event of ["scroll", "keydown", "keyup", "click", "select"]) box.addEventListener(event, follow);
addEventListener("resize", follow);
addEventListener("pageshow", () => showColours()); // a browser may have restored the text
