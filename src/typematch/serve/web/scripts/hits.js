// The list of hits.

import { element, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";
import { chosen, match } from "/scripts/drawing.js";
import { inline } from "/scripts/texts.js";

const CHANNELS = { structural: "type", lexical: "words", dense: "meaning" };
const LONGEST = 400; // characters of a signature; the panel has it whole
const DEEPEST = 100; // the rank at which a channel's bar is empty

/**
 * Return the hits of an answer as elements, under the clause that they serve where there are several.
 * @param {(hit: object, shown: HTMLElement) => void} open what a click on one does
 */
export function hitLists(answer, open) {
  const groups = new Map((answer.clauses ?? []).map((clause) => [clause, []]));
  for (const hit of answer.hits) {
    const clause = groups.has(hit.clause) ? hit.clause : "";
    groups.set(clause, [...(groups.get(clause) ?? []), hit]);
  }
  return [...groups].filter(([, hits]) => hits.length).flatMap(([clause, hits]) => [
    clause || groups.size > 1
      ? element("h2", { class: "clause" }, clause ? `for: ${clause}` : "all of it")
      : null,
    element("ol", { class: "hits" }, ...hits.map((hit) => item(answer, hit, open))),
  ]).filter(Boolean);
}

function item(answer, hit, open) {
  const { entry } = hit;
  const shown = element("li", { class: "hit", tabindex: "-1", "data-id": entry.id },
    element("div", { class: "hit-head" },
      title(entry),
      element("span", { class: "badge" }, entry.kind),
      entry.deprecated ? element("span", { class: "badge warning" }, "deprecated") : null,
      entry.exported ? null : element("span", { class: "badge" }, "internal"),
      entry.http ? element("span", { class: "badge" }, entry.http) : null,
      channels(hit), cost(hit)),
    signature(hit));
  const why = reason(answer, hit);
  if (why) shown.append(why);
  const said = hit.snippet || entry.summary;
  if (said) shown.append(element("p", { class: "hit-doc" }, ...inline(said)));
  shown.draw = () => {
    if (shown.querySelector(".match")) return;
    const picture = match(answer.asked, hit);
    if (!picture) return;
    why?.remove();
    shown.querySelector(".hit-signature").after(picture);
  };
  shown.addEventListener("click", (event) => {
    // Who marks text or follows a link does not ask for the panel.
    if (!event.target.closest("a, .match") && !String(getSelection())) open(hit, shown);
  });
  return shown;
}

function title(entry) {
  const end = entry.id.length - entry.name.length;
  const named = entry.id.endsWith(entry.name) && end > 0;
  return element("h3", {},
    named ? element("span", { class: "of" }, entry.id.slice(0, end)) : null,
    named ? entry.name : entry.id);
}

function signature(hit) {
  const text = (chosen(hit)?.text ?? hit.entry.signature).replace(/\s+/gu, " ");
  const shown = code(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text, "p");
  shown.classList.add("hit-signature");
  return shown;
}

function cost({ cost: price, undecided }) {
  if (undecided) return element("span", { class: "cost" }, "too deep to decide");
  if (price === null) return null;
  return price
    ? element("span", { class: "cost" }, `cost ${price}`)
    : element("span", { class: "cost free" }, "fits as it is");
}

/** Return a bar for each channel that found a hit: the fuller the nearer to its first place. */
function channels({ channels: ranks }) {
  const known = Object.entries(CHANNELS).filter(([name]) => ranks[name]);
  if (!known.length) return null;
  return element("ul", { class: "channels", "aria-label": "Places by channel" },
    ...known.map(([name, word]) => {
      const full = Math.max(4, 100 * (1 - Math.log(ranks[name]) / Math.log(DEEPEST)));
      const bar = element("i");
      bar.style.width = `${Math.min(100, full)}%`;
      return element("li", { class: name, title: `${word}: place ${ranks[name]}` },
        element("span", { class: "bar" }, bar), word, unseen(`: place ${ranks[name]}`));
    }));
}

function reason(answer, hit) {
  const edits = hit.edits.filter((edit) => edit.price);
  const parts = edits.map((edit) => edit.sentence);
  if (hit.undecided) parts.push(`undecided: ${hit.undecided}`);
  if (hit.supplies) parts.push(`gives what ${hit.supplies} needs`);
  return parts.length ? element("p", { class: "hit-why" }, parts.join("; ")) : null;
}
