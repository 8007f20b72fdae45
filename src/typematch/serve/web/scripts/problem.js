// Problems: the message of an error is a card below the box.

import { Problem } from "/scripts/client.js";
import { element } from "/scripts/elements.js";

const at = (id) => document.getElementById(id);

export function clearProblem() {
  at("problem").hidden = true;
  at("problem").replaceChildren();
  at("query").removeAttribute("aria-invalid");
}

/**
 * Show an error in the card; it covers the page and moves nothing.
 * @param {{use: (query: string) => void, token?: (token: string) => void}} actions
 */
export function showProblem(error, { use, token }) {
  const problem = error instanceof Problem ? error : new Problem({ detail: String(error) }, 0);
  if (problem !== error) console.error(error);
  const { detail, where, hint, column, suggestion, status } = problem;
  if (column !== null) at("query").setAttribute("aria-invalid", "true");
  const [first, ...lines] = detail.split("\n");
  const rest = suggestion ? lines.filter((line) => !line.startsWith("Try: ")) : lines;
  at("problem").replaceChildren(...[
    element("p", {}, where ? `${where}: ${first}` : first),
    rest.length ? element("pre", { tabindex: 0 }, rest.join("\n")) : null,
    hint ? element("p", {}, hint) : null,
    suggestion ? proposal(suggestion, use) : null,
    status === 401 ? tokenForm(token) : null,
  ].filter(Boolean));
  at("problem").hidden = false;
}

function proposal(query, use) {
  return element("p", {}, element("button", {
    type: "button", class: "quiet", id: "suggestion", on: { click: () => use(query) },
  }, "Search for ", element("code", {}, query)));
}

/** Return a form for the token; `use` is called with it. */
export function tokenForm(use) {
  const field = element("input", { type: "password", "aria-label": "Token", required: true });
  const form = element("form", {}, field, element("button", { class: "quiet" }, "Use this token"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    use(field.value);
  });
  return form;
}
