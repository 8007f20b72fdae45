// Documentation as elements, made from the blocks that the server has read.

import { element } from "/scripts/elements.js";

/**
 * Return the elements of a documentation.
 * @param {object[]} blocks `doc_blocks` of a document `typematch.entry/1`
 * @param {(name: string, text: string) => HTMLElement} reference returns the element for a name
 */
export function documentation(blocks, reference) {
  const shown = [];
  for (const block of blocks) {
    if (block.kind === "item") itemsOf(shown, block).append(item(block, reference));
    else shown.push(elementOf(block, reference));
  }
  return shown;
}

/** Return the list that the item belongs to: the last one, or a new one. */
function itemsOf(shown, { marker }) {
  const last = shown.at(-1);
  if (last?.classList.contains("items")) return last;
  shown.push(element(marker === "-" ? "ul" : "ol", { class: "items" }));
  return shown.at(-1);
}

function item(block, reference) {
  const shown = element("li", {}, ...block.spans.map((span) => inline(span, reference)));
  if (block.marker !== "-") shown.value = Number.parseInt(block.marker, 10);
  shown.style.marginLeft = `${Math.max(0, block.depth - 1) * 1.2}em`;
  return shown;
}

function elementOf({ kind, spans, depth }, reference) {
  const children = spans.map((span) => (kind === "code" ? span.text : inline(span, reference)));
  const name = { code: "pre", quote: "blockquote", heading: "h4" }[kind] ?? "p";
  const shown = element(name, kind === "code" ? { tabindex: 0 } : {}, ...children);
  if (depth) shown.style.marginLeft = `${depth * 1.2}em`;
  return shown;
}

function inline({ kind, text, target }, reference) {
  switch (kind) {
    case "code": return reference(text, text);
    case "reference": return reference(target, text);
    case "strong": return element("strong", {}, text);
    case "emphasis": return element("em", {}, text);
    case "link": return element("a", { href: target, rel: "noopener noreferrer", target: "_blank" }, text);
    default: return text;
  }
}
