// The page: searches as the user types, shows the answer, and keeps its state in the address.

import { Problem, requestWithRetry, entryAddress, searchAddress, useToken } from "/scripts/client.js";
import { chips } from "/scripts/chips.js";
import { counted, element } from "/scripts/elements.js";
import { facetGroups } from "/scripts/facets.js";
import { hitLists } from "/scripts/hits.js";
import { listenToKeys } from "/scripts/keys.js";
import { panelContents } from "/scripts/panel.js";
import { sortedBy, withFacet } from "/scripts/query.js";
import { startPage } from "/scripts/start.js";
import { readState, writeState } from "/scripts/state.js";

const SERVICES = 5; // services that are listed
const PAUSE = 180; // milliseconds after the last key until the search starts

const at = (id) => document.getElementById(id);
const box = at("query");
let state = { query: "", open: "" };
let answer = null; // the document that is shown
let next = ""; // the address of its next page
let pending = null; // AbortController of the running request
let timer = 0;

// Requests -----------------------------------------------------------------------------------------

/** Search and show the answer; `step` adds an entry to the history. */
async function search(query, { step = true, open = "" } = {}) {
  clearTimeout(timer);
  pending?.abort();
  pending = new AbortController();
  const { signal } = pending;
  if (box.value !== query) box.value = query;
  state = { query: query.trim() ? query : "", open };
  writeState(state, { step });
  document.title = state.query ? `${state.query} – typematch` : "typematch";
  box.form.classList.add("waiting");
  try {
    if (state.query) {
      const result = await requestWithRetry(searchAddress(query), signal);
      showAnswer(result.document, result.next);
    } else {
      const { document: stats } = await requestWithRetry("/api/stats", signal);
      showStart(stats);
    }
    box.form.classList.remove("waiting");
    await showPanel(state.open, { focus: false });
  } catch (error) {
    if (signal.aborted) return;
    box.form.classList.remove("waiting");
    showProblem(error);
  }
}

async function showMore() {
  const { signal } = pending;
  at("more").disabled = true;
  try {
    const page = await requestWithRetry(next, signal);
    const first = document.querySelectorAll(".hit").length;
    next = page.next;
    answer = { ...answer, hits: [...answer.hits, ...page.document.hits] };
    at("hits").append(...hitLists({ ...page.document, query_signature: answer.query_signature }, openHit));
    at("result-count").textContent = status();
    activate(document.querySelectorAll(".hit")[first], { focus: true });
  } catch (error) {
    if (!signal.aborted) showProblem(error, { keep: true });
  } finally {
    at("more").disabled = false;
    at("more").hidden = !next;
  }
}

// Showing ------------------------------------------------------------------------------------------

function showAnswer(document_, nextAddress) {
  [answer, next] = [document_, nextAddress];
  at("columns").classList.remove("bare");
  at("start").replaceChildren();
  at("chips").replaceChildren(...chips(answer, (query) => search(query)));
  at("notes").replaceChildren(
    ...answer.relaxed.map((text) => element("p", { class: "note relaxed" }, text)),
    ...answer.notices.map((text) => element("p", { class: "note" }, text)),
    ...(answer.services.length > 1 ? [serviceLinks()] : []),
  );
  at("facet-groups").replaceChildren(
    ...facetGroups(answer, (query) => search(query)).filter(Boolean),
  );
  at("hits").replaceChildren(...hitLists(answer, openHit));
  at("result-count").textContent = status();
  at("more").hidden = !next;
  at("sorting").hidden = !answer.hits.length;
  const sort = answer.parts.find((part) => part.kind === "facet" && part.key === "sort");
  at("sort").value = sort ? sort.values[0].replace("relevance", "") : "";
  activate(hitOf(state.open) ?? document.querySelector(".hit"));
}

function hitOf(id) {
  return document.querySelector(`.hit[data-id="${CSS.escape(id)}"]`);
}

/** Return the best services as buttons that restrict the search to one of them. */
function serviceLinks() {
  return element("p", { class: "services" }, "Best services: ",
    ...answer.services.slice(0, SERVICES).map((title) => element("button", {
      type: "button", class: "quiet",
      on: { click: () => search(withFacet(answer.query, answer.parts, "service", title)) },
    }, title)));
}

function status() {
  const { total, at_least: atLeast, undecided, hits } = answer;
  if (!total) return "No hits";
  const noun = total === 1 ? "hit" : "hits";
  const all = `${atLeast ? "at least " : ""}${counted(total)} ${noun}`;
  const deep = undecided ? `, ${undecided} too deep to decide` : "";
  return hits.length < total ? `${counted(hits.length)} of ${all}${deep}` : `${all}${deep}`;
}

function showStart(stats) {
  [answer, next] = [null, ""];
  at("columns").classList.add("bare");
  for (const id of ["chips", "notes", "hits", "facet-groups", "result-count"]) at(id).replaceChildren();
  at("more").hidden = at("sorting").hidden = true;
  at("start").replaceChildren(startPage(stats, (query) => search(query)));
}

function showProblem(error, { keep = false } = {}) {
  const { what, where, hint, status: code } = error instanceof Problem
    ? error : { what: String(error), where: "", hint: "" };
  if (!(error instanceof Problem)) console.error(error);
  const lines = what.split("\n");
  const shown = element("div", { class: "problem" },
    lines.length > 1 ? element("pre", { tabindex: 0 }, what) : element("p", {}, where ? `${where}: ${what}` : what),
    hint ? element("p", {}, hint) : null, code === 401 ? tokenForm() : null);
  at("notes").replaceChildren(shown);
  if (!keep) {
    at("result-count").textContent = "";
    at("chips").replaceChildren();
    at("start").replaceChildren();
  }
}

function tokenForm() {
  const field = element("input", { type: "password", "aria-label": "Token", required: true });
  const form = element("form", {}, field, element("button", { class: "quiet" }, "Use this token"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useToken(field.value);
    search(state.query, { step: false, open: state.open });
  });
  return form;
}

// Hits and panel -----------------------------------------------------------------------------------

/** Make a hit the active one, which keys act on, and draw its alignment. */
function activate(shown, { focus = false } = {}) {
  for (const hit of document.querySelectorAll(".hit.active")) {
    hit.classList.remove("active");
    hit.tabIndex = -1;
  }
  if (!shown) return;
  shown.classList.add("active");
  shown.tabIndex = 0;
  shown.draw();
  if (focus) {
    shown.focus({ preventScroll: true });
    shown.scrollIntoView({ block: "nearest" });
  }
}

function openHit(hit, shown) {
  activate(shown);
  open(hit.entry.id);
}

function open(id) {
  state = { ...state, open: id };
  writeState(state, { step: true });
  return showPanel(id, { focus: true });
}

async function showPanel(id, { focus }) {
  const panel = at("panel");
  if (!id) {
    panel.hidden = true;
    at("columns").classList.remove("open");
    return;
  }
  try {
    const { document: shown } = await requestWithRetry(entryAddress(id), pending.signal);
    if (state.open !== id) return; // another entry was opened meanwhile
    const hit = answer?.hits.find(({ entry }) => entry.id === shown.entry.id);
    panel.replaceChildren(...panelContents(shown, {
      overload: hit?.overload, close, search: (query) => search(query),
    }));
  } catch (error) {
    if (pending.signal.aborted || state.open !== id) return;
    panel.replaceChildren(
      element("div", { class: "panel-head" }, element("h2", { tabindex: "-1" }, id),
        element("button", { type: "button", class: "quiet", on: { click: close } }, "Close")),
      element("p", { class: "problem" }, error.message));
  }
  panel.hidden = false;
  panel.scrollTop = 0;
  at("columns").classList.remove("bare");
  at("columns").classList.add("open");
  if (focus) panel.querySelector("h2").focus({ preventScroll: true });
}

function close() {
  state = { ...state, open: "" };
  writeState(state, { step: true });
  showPanel("", { focus: false });
  if (!answer) at("columns").classList.add("bare");
  (document.querySelector(".hit.active") ?? box).focus();
}

// Wiring -------------------------------------------------------------------------------------------

box.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => search(box.value, { step: false }), PAUSE);
});
box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (box.value !== state.query || !answer) search(box.value);
  else if (document.querySelector(".hit.active")) open(document.querySelector(".hit.active").dataset.id);
});
at("more").addEventListener("click", showMore);
at("sort").addEventListener("change", () => search(sortedBy(answer.query, answer.parts, at("sort").value)));
at("theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const other = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = other;
  localStorage.setItem("typematch-theme", other);
});
addEventListener("popstate", restore);
listenToKeys({ box, activate, open, close, isOpen: () => Boolean(state.open), more: () => at("more") });

function restore() {
  const { query, open: id } = readState();
  if (answer && query === state.query) {
    state = { query, open: id };
    showPanel(id, { focus: Boolean(id) });
  } else {
    search(query, { step: false, open: id });
  }
}

// On wide pages the facets are always open.
const wide = matchMedia("(min-width: 1001px)");
const unfold = () => { at("facets").open = wide.matches; };
wide.addEventListener("change", unfold);
unfold();
restore();
