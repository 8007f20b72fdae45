// The state of the page is in its address, so that it can be linked.

/** Return the query, and the id of the entry in the panel, "" for none. */
export function readState() {
  const parameters = new URLSearchParams(location.search);
  return { query: parameters.get("q") ?? "", open: parameters.get("open") ?? "" };
}

/** Write both into the address; `step` adds an entry to the history. */
export function writeState({ query, open }, { step = false } = {}) {
  const parameters = new URLSearchParams();
  if (query) parameters.set("q", query);
  if (open) parameters.set("open", open);
  const address = parameters.size ? `?${parameters}` : location.pathname;
  if (address === (location.search || location.pathname)) return;
  if (step) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}
