// Focus while parts of the page are shown anew.

/**
 * Call `change`, then focus what has the same `data-focus` as the focused element had; the next
 * element that can be changed if that is gone, else `fallback`.
 */
export function keepFocus(fallback, change) {
  const before = document.activeElement?.closest?.("[data-focus]");
  const group = before?.closest(".chips, .facets")?.id;
  const index = before ? [...before.parentElement.parentElement.children].indexOf(before.parentElement) : 0;
  change();
  if (!before || before.isConnected) return;
  const same = document.querySelector(`[data-focus="${CSS.escape(before.dataset.focus)}"]`);
  const others = [...document.querySelectorAll(`#${group} [data-focus]`)];
  (same ?? others[Math.min(index, others.length - 1)] ?? fallback).focus({ preventScroll: true });
}
