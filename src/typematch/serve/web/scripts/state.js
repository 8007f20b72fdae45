// What the page shows is in its address, so that a link shows it again.

/** Return the query, and the id of the entry in the panel, "" for none. */
export function readState() {
  const asked = new URLSearchParams(location.search);
  return { query: asked.get("q") ?? "", open: asked.get("open") ?? "" };
}

/** Write both into the address; `step` makes it one that "back" returns from. */
export function writeState({ query, open }, { step = false } = {}) {
  const asked = new URLSearchParams();
  if (query) asked.set("q", query);
  if (open) asked.set("open", open);
  const address = asked.size ? `?${asked}` : location.pathname;
  if (address === (location.search || location.pathname)) return;
  if (step) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}
