// Write queries: what the box holds after something was taken out of it or put in.

/** Return `query` with the facet `key:value` added; values of one facet are alternatives. */
export function withFacet(query, parts, key, value) {
  const there = parts.find((part) => part.sort === "facet" && part.key === key && !part.negated);
  const values = there ? [...there.values, value] : [value];
  const rest = there ? there.without : query.trim();
  return `${rest}  ${key}:${values.map((one) => quoted(key, one)).join(",")}`.trim();
}

/** Return `query` without that value of a facet. */
export function withoutFacet(query, parts, key, value) {
  const there = parts.find((part) => part.sort === "facet" && part.key === key && !part.negated);
  if (!there) return query;
  const values = there.values.filter((one) => one !== value);
  if (!values.length) return there.without;
  return `${there.without}  ${key}:${values.map((one) => quoted(key, one)).join(",")}`.trim();
}

/** Return `query` sorted by `order`, "" for relevance. */
export function sortedBy(query, parts, order) {
  const there = parts.find((part) => part.sort === "facet" && part.key === "sort");
  const rest = there ? there.without : query.trim();
  return order ? `${rest}  sort:${order}`.trim() : rest;
}

const TYPED = new Set(["returns", "param", "mentions", "has"]);

function quoted(key, value) {
  return !TYPED.has(key) && /[\s",]/u.test(value) ? `"${value}"` : value;
}
