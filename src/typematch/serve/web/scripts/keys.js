// Keys: `/` focuses the search box, arrows move through the hits, Enter opens one, Esc closes.

/**
 * @param {{box: HTMLInputElement, activate: Function, open: Function, close: Function,
 *   copyImport: Function, compose: Function, help: Function, isOpen: () => boolean, more: () => HTMLButtonElement}} page
 */
export function listenToKeys({ box, activate, open, close, copyImport, compose, help, isOpen, more }) {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "k") {
      event.preventDefault();
      help();
      return;
    }
    if (document.querySelector("dialog[open]")) return; // it has the keys, also where nothing has the focus
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.matches("input, select, textarea");
    const inBox = event.target === box;
    switch (event.key) {
      case "/":
        if (typing) return;
        box.focus();
        box.select();
        break;
      case "ArrowDown":
      case "ArrowUp":
        if ((typing && !inBox) || event.target.closest(".panel")) return;
        if (!step(event.key === "ArrowDown" ? 1 : -1, inBox)) return;
        break;
      case "Enter":
        if (!event.target.matches(".hit")) return;
        open(event.target.dataset.id);
        break;
      case "Escape":
        // In the box the browser would delete the query.
        if (isOpen()) close();
        else box.focus();
        break;
      case "?":
        if (typing) return;
        help();
        break;
      case "c":
        if (typing) return;
        copyImport();
        break;
      case "p":
        if (typing) return;
        compose();
        break;
      default:
        return;
    }
    event.preventDefault();
  });

  /** Move to the next or previous hit; return whether the key was handled. */
  function step(by, inBox) {
    const hits = [...document.querySelectorAll(".hit")];
    if (!hits.length) return false;
    if (inBox) {
      if (by > 0) activate(hits[0], { focus: true });
      return by > 0;
    }
    const index = hits.findIndex((hit) => hit.classList.contains("active")) + by;
    if (index < 0) box.focus();
    else if (index < hits.length) activate(hits[index], { focus: true });
    else if (!more().hidden) more().click();
    return true;
  }
}
