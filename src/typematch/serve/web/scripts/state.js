// The state of the page: what can be linked is in its address, the place in the list in the history.

/** Return the query, the id of the entry in the panel ("" for none), and whether pipelines are shown. */
export function readState() {
  const parameters = new URLSearchParams(location.search);
  return {
    query: parameters.get("q") ?? "", open: parameters.get("open") ?? "",
    composed: parameters.has("compose"),
  };
}

/**
 * Write them into the address.
 * @param {"add" | "replace" | "draft"} how a draft is replaced by the next query that is typed
 */
export function writeState({ query, open, composed }, how) {
  const parameters = new URLSearchParams();
  if (query) parameters.set("q", query);
  if (composed) parameters.set("compose", "1");
  if (open) parameters.set("open", open);
  const address = parameters.size ? `?${parameters}` : location.pathname;
  const isSame = address === (location.search || location.pathname);
  const entry = { isDraft: how === "draft", place: isSame ? place() : null };
  if (isSame || how === "replace" || (how === "draft" && history.state?.isDraft)) {
    history.replaceState(entry, "", address);
  } else {
    history.pushState(entry, "", address);
  }
}

/** Keep the query in the history: the next one that is typed does not replace it. */
export function keepDraft() {
  if (history.state?.isDraft) history.replaceState({ ...history.state, isDraft: false }, "");
}

/** Return whether the query may be typed on. */
export function isDraft() {
  return Boolean(history.state?.isDraft);
}

/** Return where the user was in the list: { hits, active, scroll }; null if unknown. */
export function place() {
  return history.state?.place ?? null;
}

export function writePlace(value) {
  history.replaceState({ ...history.state, place: value }, "");
}
