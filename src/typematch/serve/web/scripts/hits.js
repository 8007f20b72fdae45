// The list of hits.

import { element, line } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";
import { entryLink } from "/scripts/links.js";
import { chosen, isDeprecated, match } from "/scripts/drawing.js";

const CHANNELS = { structural: "type", lexical: "words", dense: "meaning" };
const LONGEST = 400; // characters of a signature; the panel shows all of it

/**
 * Return the hits of an answer as elements, grouped by clause if the request has several.
 * @param {(hit: object, shown: HTMLElement) => void} open called when a hit is clicked
 */
export function hitLists(answer, open) {
  const groups = new Map((answer.clauses ?? []).map((clause) => [clause, []]));
  for (const hit of answer.hits) {
    const clause = groups.has(hit.clause) ? hit.clause : "";
    groups.set(clause, [...(groups.get(clause) ?? []), hit]);
  }
  return [...groups].filter(([, hits]) => hits.length).flatMap(([clause, hits]) => [
    clause || groups.size > 1
      ? element("h2", { class: "clause" }, clause ? `for: ${clause}` : "for the whole request")
      : null,
    element("ol", { class: "hits" }, ...hits.map((hit) => item(answer, hit, open, groups.size > 1 ? "h3" : "h2"))),
  ]).filter(Boolean);
}

function item(answer, hit, open, level) {
  const { entry } = hit;
  const deprecated = entry.deprecated || isDeprecated(entry.signatures[hit.overload]);
  const shown = element("li", { class: "hit", tabindex: "-1", "data-id": entry.id },
    element("div", { class: "hit-head" },
      title(entry, level),
      element("span", { class: "badge" }, entry.kind),
      deprecated ? element("span", { class: "badge warning" }, "deprecated") : null,
      entry.exported ? null : element("span", { class: "badge" }, "internal"),
      entry.http ? element("span", { class: "badge" }, entry.http) : null,
      channels(hit), cost(hit)),
    signature(hit));
  const why = reason(hit);
  if (why) shown.append(why);
  const doc = hit.snippet || entry.summary;
  if (doc) shown.append(element("p", { class: "hit-doc" }, ...line(doc)));
  shown.draw = () => {
    if (shown.querySelector(".match")) return;
    const picture = match(answer.query_signature, hit);
    if (!picture) return;
    why?.remove();
    shown.querySelector(".hit-signature").after(picture);
  };
  shown.addEventListener("click", (event) => {
    // A click that selects text or follows a link does not open the panel.
    if (!event.target.closest("a, .match") && !String(getSelection())) open(hit, shown);
  });
  return shown;
}

/** Return the name with its package, as a link to the entry. */
function title(entry, level) {
  const name = entry.qualified_name || entry.name;
  const end = name.length - entry.name.length;
  const link = entryLink(entry.id, { tabindex: "-1" },
    name.endsWith(entry.name) && end ? element("span", { class: "of" }, name.slice(0, end)) : null,
    name.endsWith(entry.name) ? entry.name : name);
  return element(level, { title: entry.id }, link, " ",
    element("span", { class: "of" }, entry.service || entry.package));
}

function signature(hit) {
  const text = (chosen(hit)?.text ?? hit.entry.signature).replace(/\s+/gu, " ");
  const shown = code(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text, "p", hit.types, false);
  shown.classList.add("hit-signature");
  return shown;
}

/** Return the changes in words, with the sum of their costs behind. */
function cost({ cost: units, undecided, edits }) {
  if (undecided) return element("span", { class: "cost" }, "too deep to decide");
  if (units === null) return null;
  if (!units) return element("span", { class: "cost free" }, "fits as it is");
  const kinds = [...new Set(edits.filter((edit) => edit.cost).map(({ kind }) => kind.replaceAll("-", " ")))];
  const count = kinds.length === 1 ? "1 change" : `${kinds.length} changes`;
  return element("span", { class: "cost", title: "the sum of the costs of the changes, from 0" },
    `${count}: ${kinds.slice(0, 3).join(", ")}${kinds.length > 3 ? ", …" : ""} `, element("span", { class: "units" }, `cost ${units}`));
}

/** Return the channels that found the hit. */
function channels({ channels: ranks }) {
  const known = Object.entries(CHANNELS).filter(([name]) => ranks[name]);
  if (!known.length) return null;
  return element("ul", { class: "channels", "aria-label": "Found by" },
    ...known.map(([name, word]) => element("li", {
      class: name, title: `number ${ranks[name]} by ${word}`,
    }, word)));
}

// "URL is URL": two declarations of one name.
const SAME = /^(.+) is \1$/;

function reason(hit) {
  const edits = hit.edits.filter((edit) => edit.cost && !SAME.test(edit.sentence));
  const parts = [...new Set(edits.map((edit) => edit.sentence))];
  if (hit.undecided) parts.push(`undecided: ${hit.undecided}`);
  if (hit.provides_for) parts.push(`returns an argument of ${hit.provides_for}`);
  if (hit.more) parts.push(`and ${hit.more} more ${hit.more === 1 ? "place" : "places"}`);
  return parts.length ? element("p", { class: "hit-why" }, parts.join("; ")) : null;
}
