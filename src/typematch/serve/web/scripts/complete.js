// Completions of facets, their values and types, in a list below the box.

import { completionsAddress, request } from "/scripts/client.js";
import { element } from "/scripts/elements.js";
import { queryParts } from "/scripts/query_parts.js";

const PAUSE = 120; // milliseconds after the last key until completions are requested
const WORD = /(?:^|\s)-?[a-z]{2,}$/i; // perhaps the beginning of a facet
const NAME = /[\p{L}_][\p{L}\p{N}_$]+$/u; // in a type

/** Offer completions while the user types; `use` is called with the completed query. */
export function offerCompletions(box, list, use) {
  let timer = 0;
  let pending = new AbortController();

  const close = () => {
    clearTimeout(timer);
    pending.abort();
    list.hidden = true;
    list.replaceChildren();
    box.removeAttribute("aria-activedescendant");
  };

  const open = async (query) => {
    pending = new AbortController();
    try {
      const { document: { completions } } = await request(completionsAddress(query), pending.signal);
      const others = completions.filter((completion) => completion !== query);
      if (!others.length || box.value !== query) return;
      list.replaceChildren(...others.map((completion, i) => row(query, completion, i)));
      list.hidden = false;
    } catch {
      // Without completions one can type on.
    }
  };

  const accept = (completion) => {
    close();
    box.focus();
    use(completion);
  };

  const row = (query, completion, i) => {
    const start = Math.min(query.search(/\S*$/u), completion.length);
    return element("li", {
      role: "option", id: `completion-${i}`, "aria-selected": "false", "data-query": completion,
      on: { mousedown: (event) => { event.preventDefault(); accept(completion); } },
    }, element("span", { class: "of" }, query.slice(start)), completion.slice(query.length));
  };

  const select = (by) => {
    const rows = [...list.children];
    const before = rows.findIndex((each) => each.ariaSelected === "true");
    const index = (before + by + rows.length + (before < 0 && by < 0 ? 1 : 0)) % rows.length;
    rows.forEach((each, i) => { each.ariaSelected = String(i === index); });
    box.setAttribute("aria-activedescendant", rows[index].id);
  };

  box.addEventListener("input", () => {
    close();
    const query = box.value;
    const atEnd = box.selectionStart === query.length;
    if (atEnd && canBeCompleted(query)) {
      timer = setTimeout(() => open(query), PAUSE);
    }
  });
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    const selected = list.querySelector("[aria-selected=true]");
    if (event.key === "Enter" && !selected) close();
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") select(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && selected) accept(selected.dataset.query);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Return whether the end of a query can be the beginning of a facet, a value or a type. */
function canBeCompleted(query) {
  const last = queryParts(query).at(-1);
  if (last?.end !== query.length) return false;
  if (last.kind === "type") return NAME.test(query) || WORD.test(query);
  return last.kind === "words" ? WORD.test(query) : last.kind !== "separator";
}
