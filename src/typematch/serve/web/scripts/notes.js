// The line above the hits: their number, and what the search has to say.

import { counted, element } from "/scripts/elements.js";

/** Return "20 of 134 hits". */
export function countOfHits({ total, at_least: atLeast, undecided, hits }) {
  if (!total) return "No hits";
  const noun = total === 1 ? "hit" : "hits";
  const all = `${atLeast ? "at least " : ""}${counted(total)} ${noun}`;
  const deep = undecided ? `, ${undecided} too deep to decide` : "";
  return hits.length < total ? `${counted(hits.length)} of ${all}${deep}` : `${all}${deep}`;
}

/** Return the notices of an answer, folded to one line. */
export function notes({ relaxed, notices }) {
  const texts = [...relaxed, ...notices];
  if (!texts.length) return [];
  const more = texts.length > 1 ? `${texts.length} notes: ` : "";
  return [element("details", { class: "notes" },
    element("summary", {}, element("span", {}, `${more}${texts[0]}`)),
    element("ul", {}, ...texts.map((text) => element("li", {}, text))))];
}
