// The sidebar: facet counts of the result.

import { counted, element, unseen } from "/scripts/elements.js";
import { withFacet, withoutFacet } from "/scripts/query.js";

const TITLES = {
  kind: "Kind", pkg: "Package", service: "Service", arity: "Arguments", returns: "Result",
  is: "Is", tag: "Tag",
};
const FIRST = 7; // values of a facet shown initially

/** Return the groups of an answer's facets; `change` is called with the narrowed query. */
export function facetGroups(answer, change) {
  return Object.entries(TITLES).map(([key, title]) => group(answer, key, title, change));
}

function group(answer, key, title, change) {
  const counts = answer.facets?.[key] ?? {};
  const chosen = answer.parts
    .filter((part) => part.kind === "facet" && part.key === key && !part.negated)
    .flatMap((part) => part.values);
  const values = [...new Set([...chosen, ...Object.keys(counts)])];
  if (!values.length || (values.length === 1 && !chosen.length && key !== "is")) return null;
  const list = element("ul");
  const show = (shown) => list.replaceChildren(
    ...shown.map((value) => row(answer, key, value, counts[value], chosen.includes(value), change)),
  );
  show(values.slice(0, FIRST));
  const name = `facet-${key}`;
  const section = element("section", { "aria-labelledby": name },
    element("h2", { id: name }, title), list);
  if (values.length > FIRST) {
    const all = element("button", { type: "button" }, `${values.length - FIRST} more`,
      unseen(` of ${title}`));
    all.addEventListener("click", () => {
      show(values);
      all.remove();
      list.children[FIRST].querySelector("input").focus();
    });
    section.append(all);
  }
  return section;
}

function row(answer, key, value, count, chosen, change) {
  const box = element("input", {
    type: "checkbox", checked: chosen, "data-focus": `${key}:${value}`,
  });
  box.addEventListener("change", () => {
    const { query, parts } = answer;
    change(chosen ? withoutFacet(query, parts, key, value) : withFacet(query, parts, key, value));
  });
  return element("li", {}, element("label", { title: value }, box,
    element("span", { class: key === "returns" ? "value code" : "value" }, value),
    count === undefined ? null : element("span", { class: "count" }, counted(count))));
}
