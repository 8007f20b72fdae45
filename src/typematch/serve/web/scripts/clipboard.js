// Copying to the clipboard.

import { element } from "/scripts/elements.js";

/** Copy a text; return whether that was possible. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API needs a secure context; this works without.
    const before = document.activeElement;
    const field = element("textarea", { class: "unseen", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    before?.focus?.({ preventScroll: true });
    return done;
  }
}
