// The query as it was read, in pieces that can be taken away or softened.

import { element, unseen } from "/scripts/elements.js";

const SAYS = {
  name: "called", parameter: "takes", result: "gives", type: "fits", words: "words", said: "heard",
  facet: "",
};

/** Return the chips of an answer; `change` is called with the query that a chip makes. */
export function chips(answer, change) {
  return answer.parts.map((part) => {
    const shown = element("span", {},
      SAYS[part.sort] ? element("span", { class: "sort" }, SAYS[part.sort]) : null,
      element("code", {}, part.text));
    if (part.likely) shown.append(unseen(", likely"));
    const chip = element("li", {
      class: `chip ${part.sort}${part.likely ? " likely" : ""}`,
      title: part.likely ? "read off the sentence; it may be meant otherwise" : null,
    }, shown);
    if (part.softer !== null) chip.append(button(part, "softer", "≈", "Ask less of", change));
    if (part.without !== null) chip.append(button(part, "without", "×", "Take away", change));
    return chip;
  });
}

function button(part, what, sign, says, change) {
  return element("button", {
    type: "button",
    title: part[what] ? `${says}: ${part[what]}` : says,
    "aria-label": `${says} ${part.text}`,
    on: { click: () => change(part[what]) },
  }, sign);
}
