// Links to entries: a click shows the entry in the panel, with a modifier key it opens a new tab.

import { element } from "/scripts/elements.js";

/** Return a link to an entry. */
export function entryLink(id, attributes, ...children) {
  return element("a", { href: `?open=${encodeURIComponent(id)}`, "data-open": id, ...attributes }, ...children);
}

/** Call `open` with the id when a link to an entry is clicked. */
export function listenToLinks(open) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-open]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link.dataset.open, link.closest(".hit"));
  });
}
