// The parts of a query, for its colours: facets, words, and the text of a signature or type.  The
// server reads a query in `query/split.py`; a test compares the two.

const FACETS = new Set(
  ("kind name pkg path module lang source param returns mentions arity has http service tag like is " +
    "limit sort strict").split(" "),
);
const TYPED = new Set(["param", "returns", "mentions", "has"]); // facets whose value is a type
const KEY = /(-?)([\p{L}_][\p{L}\p{N}_]*):(?![:/])/uy;
const LETTERS = /[\p{L}\p{N}_]+/uy;
const OPERATOR = /\s*(?:=>|->|\||&)\s*/uy; // a type continues after these
const BRACKETS = { "(": ")", "[": "]", "{": "}", "<": ">" };

/**
 * Return the parts of a query in order; blanks between them belong to none.
 * @returns {{kind: "facet" | "value" | "type" | "words" | "separator", start: number, end: number,
 *   key?: string}[]} offsets are those of the string; `key` of a facet and of its value
 */
export function queryParts(text) {
  const facets = [];
  let stack = [];
  let separator = -1;
  let arrow = -1;
  for (let at = 0; at < text.length;) {
    let end = at + 1;
    if (!stack.length && (at === 0 || /\s/u.test(text[at - 1]))) {
      const facet = facetAt(text, at);
      if (facet) {
        facets.push(...facet);
        at = facet.at(-1).end;
        continue;
      }
    }
    if ("\"'`".includes(text[at])) end = quotationEnd(text, at);
    else if (text.startsWith("=>", at) || text.startsWith("->", at)) {
      if (!stack.length && arrow < 0) arrow = at;
      end = at + 2;
    } else if (text.startsWith("::", at) && !stack.length) {
      if (separator < 0) separator = at;
      end = at + 2;
    } else if (matchAt(LETTERS, text, at)) end = at + matchAt(LETTERS, text, at)[0].length;
    else stack = nested(text[at], stack);
    at = end;
  }
  return [...facets, ...bodyParts(text, facets, separator, arrow)].sort((a, b) => a.start - b.start);
}

/** Return the parts outside of facets: words before `::`, a signature or type, or words. */
function bodyParts(text, facets, separator, arrow) {
  const gaps = [];
  let start = 0;
  for (const { start: from, end } of [...facets, { start: text.length, end: text.length }]) {
    if (from > start) gaps.push([start, from]);
    start = end;
  }
  const body = gaps.map(([from, to]) => text.slice(from, to)).join("").trim();
  const isType = separator >= 0 || arrow >= 0 || /^(?:new\s*)?[(<]/u.test(body);
  return gaps.flatMap(([from, to]) => {
    if (separator < from || separator >= to) {
      const isName = separator >= 0 && to <= separator;
      return part(text, isType && !isName ? "type" : "words", from, to);
    }
    return [...part(text, "words", from, separator),
      { kind: "separator", start: separator, end: separator + 2 }, ...part(text, "type", separator + 2, to)];
  });
}

function part(text, kind, from, to) {
  const shown = text.slice(from, to);
  const start = from + shown.length - shown.trimStart().length;
  const end = from + shown.trimEnd().length;
  return start < end ? [{ kind, start, end }] : [];
}

/** Return the key and the values of the facet at a place; null for none. */
function facetAt(text, at) {
  const match = matchAt(KEY, text, at);
  if (!match || !FACETS.has(match[2]) || text.slice(0, at).trimEnd().endsWith("?")) return null;
  const key = match[2];
  const start = at + match[0].length;
  let end = start;
  do end = valueEnd(text, end === start ? start : end + 1, TYPED.has(key)); while (text[end] === ",");
  const head = { kind: "facet", key, start: at, end: start };
  return end > start ? [head, { kind: "value", key, start, end }] : [head];
}

/** Return the end of a value: a comma or blank outside of brackets. */
function valueEnd(text, start, isTyped) {
  let stack = [];
  let at = start;
  while (at < text.length) {
    const operator = isTyped && matchAt(OPERATOR, text, at);
    if (operator) {
      at += operator[0].length;
      continue;
    }
    if (!stack.length && /[\s,]/u.test(text[at])) break;
    if ("\"'`".includes(text[at])) {
      at = quotationEnd(text, at);
      continue;
    }
    if (text[at] !== "<" || isTyped) stack = nested(text[at], stack); // arity:<3
    at += 1;
  }
  return at;
}

/** Return the stack of open brackets after a character; a `<` that another closes is an operator. */
function nested(character, stack) {
  if (Object.hasOwn(BRACKETS, character)) return [...stack, BRACKETS[character]];
  if (")]}".includes(character)) {
    const rest = stack.slice(0, stack.findLastIndex((each) => each !== ">") + 1);
    return rest.at(-1) === character ? rest.slice(0, -1) : rest;
  }
  return character === ">" && stack.at(-1) === ">" ? stack.slice(0, -1) : stack;
}

/** Return the end of a quotation; an apostrophe is a character of its own. */
function quotationEnd(text, at) {
  if (text[at] === "'" && at && /[\p{L}\p{N}_]/u.test(text[at - 1])) return at + 1;
  const end = text.indexOf(text[at], at + 1);
  return end < 0 ? at + 1 : end + 1;
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
