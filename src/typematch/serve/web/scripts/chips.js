// The parts of the parsed query, which can be removed or relaxed.

import { element, unseen } from "/scripts/elements.js";

const LABELS = {
  name: "name", parameter: "takes", result: "returns", type: "type", words: "words",
  sentence: "understood", facet: "",
};

/** Return the chips of an answer; `change` is called with the query after a click on a chip. */
export function chips(answer, change) {
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

function button(part, what, sign, label, change) {
  return element("button", {
    type: "button",
    title: part[what] ? `${label}: ${part[what]}` : label,
    "aria-label": `${label} ${part.text}`,
    on: { click: () => change(part[what]) },
  }, sign);
}
