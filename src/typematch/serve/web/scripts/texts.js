// Documentation as paragraphs, lists and code; other markup stays text.

import { element } from "/scripts/elements.js";

const INLINE = new RegExp(
  [
    /`(?<code>[^`\n]+)`/,
    /\{@link(?:code|plain)?\s+(?<link>[^}\n]+)\}/,
    /\[(?<text>[^\]\n]+)\]\((?<address>[^)\s]+)\)/,
    /\*\*(?<strong>[^*\n]+)\*\*/,
  ].map((part) => part.source).join("|"),
  "g",
);

/** Return the elements of a text. */
export function written(text) {
  return text.split(/^```[^\n]*\n([\s\S]*?)^```\s*$/m).flatMap((part, i) => (
    i % 2 ? [element("pre", {}, element("code", {}, part.trimEnd()))] : blocks(part)
  ));
}

function blocks(text) {
  return text.split(/\n\s*\n/).filter((block) => block.trim()).map((block) => {
    const items = block.trim().split(/^\s*[-*]\s+/m);
    if (items.length > 1 && !items[0].trim()) {
      return element("ul", {}, ...items.slice(1).map((item) => element("li", {}, ...inline(item))));
    }
    return element("p", {}, ...inline(block));
  });
}

/** Return the nodes of a line. */
export function inline(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    nodes.push(text.slice(end, match.index), node(match));
    end = match.index + match[0].length;
  }
  return [...nodes, text.slice(end)];
}

function node(match) {
  const { code, link, text, address, strong } = match.groups;
  if (code !== undefined) return element("code", {}, code);
  if (link !== undefined) return element("code", {}, link.split(/[|\s]/).at(-1) || link);
  if (strong !== undefined) return element("strong", {}, strong);
  if (!isWeb(address)) return match[0]; // javascript:, data: or not a URL
  return element("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, text);
}

function isWeb(address) {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}
