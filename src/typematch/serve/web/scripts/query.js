// Edits of the query text: adding, removing and sorting.

/** Return `query` with the facet `key:value` added; values of one facet are alternatives. */
export function withFacet(query, parts, key, value) {
  const facet = parts.find((part) => part.kind === "facet" && part.key === key && !part.negated);
  const values = facet ? [...facet.values, value] : [value];
  const rest = facet ? facet.without : query.trim();
  return `${rest}  ${key}:${values.map((each) => quoted(key, each)).join(",")}`.trim();
}

/** Return `query` without one value of a facet. */
export function withoutFacet(query, parts, key, value) {
  const facet = parts.find((part) => part.kind === "facet" && part.key === key && !part.negated);
  if (!facet) return query;
  const values = facet.values.filter((each) => each !== value);
  if (!values.length) return facet.without;
  return `${facet.without}  ${key}:${values.map((each) => quoted(key, each)).join(",")}`.trim();
}

/** Return `query` sorted by `order`, "" for relevance. */
export function sortedBy(query, parts, order) {
  const facet = parts.find((part) => part.kind === "facet" && part.key === "sort");
  const rest = facet ? facet.without : query.trim();
  return order ? `${rest}  sort:${order}`.trim() : rest;
}

const TYPED = new Set(["returns", "param", "mentions", "has"]);

function quoted(key, value) {
  return !TYPED.has(key) && /[\s",]/u.test(value) ? `"${value}"` : value;
}
