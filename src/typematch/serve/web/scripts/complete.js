// Completions of facets and their values, in a list below the box.

import { completionsAddress, request } from "/scripts/client.js";
import { element } from "/scripts/elements.js";

const PAUSE = 120; // milliseconds after the last key until completions are requested
const LAST_WORD = /(?:^|\s)(-?[a-z]{2,}(?::\S*)?)$/i;

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
    const start = query.search(/\S*$/);
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
    if (atEnd && LAST_WORD.test(query) && isOutsideBrackets(query)) {
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

function isOutsideBrackets(query) {
  let depth = 0;
  for (const character of query.replaceAll("=>", "").replaceAll("->", "")) {
    if ("([{<".includes(character)) depth += 1;
    if (")]}>".includes(character)) depth -= 1;
  }
  return depth === 0;
}
