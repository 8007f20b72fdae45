// The parts of the parsed query, which can be removed or relaxed.

import { element, unseen } from "/scripts/elements.js";
import { withFacet } from "/scripts/query.js";

const LABELS = {
  name: "name", parameter: "takes", result: "returns", type: "type", words: "words",
  sentence: "understood", facet: "",
};

const SERVICES = 5; // services that are listed

/** Return the chips of an answer; `change` is called with the query after a click on a chip. */
export function chips(answer, change) {
  return [...parts(answer, change), ...services(answer, change)];
}

/** Return the best services as chips that restrict the search to one of them. */
function services(answer, change) {
  if (answer.services.length < 2) return [];
  return answer.services.slice(0, SERVICES).map((title) => element("li", { class: "chip service" },
    element("button", {
      type: "button",
      title: `Search only in ${title}`,
      "data-focus": `service ${title}`,
      on: { click: () => change(withFacet(answer.query, answer.parts, "service", title)) },
    }, title)));
}

function parts(answer, change) {
  return answer.parts.map((part) => {
    const shown = element("span", {},
      LABELS[part.kind] ? element("span", { class: "sort" }, LABELS[part.kind]) : null,
      element("code", {}, part.text));
    if (part.likely) shown.append(unseen(", likely"));
    const chip = element("li", {
      class: `chip ${part.kind}${part.likely ? " likely" : ""}`,
      title: part.likely ? "inferred from the sentence; may be wrong" : null,
    }, shown);
    if (part.softer !== null) chip.append(button(part, "softer", "≈", "Relax", change));
    if (part.without !== null) chip.append(button(part, "without", "×", "Remove", change));
    return chip;
  });
}

/** Return buttons that search without one part of the query; null if it has hits. */
export function withoutParts({ hits, parts }, change) {
  const removable = hits.length ? [] : parts.filter(({ without }) => without);
  if (!removable.length) return null;
  return element("div", { class: "without" }, element("p", {}, "Search without"),
    ...removable.map((part) => element("button", {
      type: "button", class: "quiet", on: { click: () => change(part.without) },
    }, element("code", {}, part.text))));
}

function button(part, what, sign, label, change) {
  return element("button", {
    type: "button",
    title: part[what] ? `${label}: ${part[what]}` : label,
    "aria-label": `${label} ${part.text}`,
    "data-focus": `${what} ${part.text}`,
    on: { click: () => change(part[what]) },
  }, sign);
}
