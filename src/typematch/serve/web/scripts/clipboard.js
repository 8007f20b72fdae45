// Copying to the clipboard.

import { element, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";

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

/** Return a text as code, with a button that copies it; `pre` for several lines. */
export function copying(text, label, id, tag = "code") {
  const button = element("button", { type: "button", class: "quiet", id }, label);
  const status = element("span", { role: "status" });
  button.addEventListener("click", async () => {
    const done = await copied(text);
    button.textContent = done ? "Copied" : "Not copied";
    status.replaceChildren(unseen(done ? "Copied" : "It could not be copied"));
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return element("div", { class: tag === "pre" ? "adapter" : "import" },
    code(text.trimEnd(), tag), button, status);
}
