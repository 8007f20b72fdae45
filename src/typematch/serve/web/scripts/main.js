// The page: what is typed is asked, what is answered is shown, and the address says which.

import { Problem, askPatiently, entryAddress, searchAddress, useToken } from "/scripts/asking.js";
import { chips } from "/scripts/chips.js";
import { counted, element } from "/scripts/elements.js";
import { facetGroups } from "/scripts/facets.js";
import { hitLists } from "/scripts/hits.js";
import { listenToKeys } from "/scripts/keys.js";
import { panelContents } from "/scripts/panel.js";
import { sortedBy, withFacet } from "/scripts/query.js";
import { startPage } from "/scripts/start.js";
import { readState, writeState } from "/scripts/state.js";

const SERVICES = 5; // that are named
const PAUSE = 180; // milliseconds without a key, after which the question is asked

const at = (id) => document.getElementById(id);
const box = at("query");
let state = { query: "", open: "" };
let answer = null; // what is shown
let next = ""; // the address of its next page
let asking = null; // ends the question that is on its way
let timer = 0;

// Asking -------------------------------------------------------------------------------------------

/** Ask `query` and show the answer; `step` leaves the one before to "back". */
async function search(query, { step = true, open = "" } = {}) {
  clearTimeout(timer);
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (box.value !== query) box.value = query;
  state = { query: query.trim() ? query : "", open };
  writeState(state, { step });
  document.title = state.query ? `${state.query} – typematch` : "typematch";
  box.form.classList.add("waiting");
  try {
    if (state.query) {
      const found = await askPatiently(searchAddress(query), signal);
      showAnswer(found.document, found.next);
    } else {
      const { document: stats } = await askPatiently("/api/stats", signal);
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
  const { signal } = asking;
  at("more").disabled = true;
  try {
    const page = await askPatiently(next, signal);
    const first = document.querySelectorAll(".hit").length;
    next = page.next;
    answer = { ...answer, hits: [...answer.hits, ...page.document.hits] };
    at("hits").append(...hitLists({ ...page.document, asked: answer.asked }, openHit));
    at("said").textContent = status();
    activate(document.querySelectorAll(".hit")[first], { focus: true });
  } catch (error) {
    if (!signal.aborted) showProblem(error, { keep: true });
  } finally {
    at("more").disabled = false;
    at("more").hidden = !next;
  }
}

// Showing ------------------------------------------------------------------------------------------

function showAnswer(found, further) {
  [answer, next] = [found, further];
  at("columns").classList.remove("bare");
  at("start").replaceChildren();
  at("chips").replaceChildren(...chips(found, (query) => search(query)));
  at("notes").replaceChildren(
    ...found.relaxed.map((text) => element("p", { class: "note relaxed" }, text)),
    ...found.notices.map((text) => element("p", { class: "note" }, text)),
    ...(found.services.length > 1 ? [serviceLinks(found)] : []),
  );
  at("facet-groups").replaceChildren(
    ...facetGroups(found, (query) => search(query)).filter(Boolean),
  );
  at("hits").replaceChildren(...hitLists(found, openHit));
  at("said").textContent = status();
  at("more").hidden = !next;
  at("sorting").hidden = !found.hits.length;
  const sort = found.parts.find((part) => part.sort === "facet" && part.key === "sort");
  at("sort").value = sort ? sort.values[0].replace("relevance", "") : "";
  activate(hitOf(state.open) ?? document.querySelector(".hit"));
}

function hitOf(id) {
  return document.querySelector(`.hit[data-id="${CSS.escape(id)}"]`);
}

/** Return the services that do best, each a link to what it alone answers. */
function serviceLinks(found) {
  return element("p", { class: "services" }, "Services that do best: ",
    ...found.services.slice(0, SERVICES).map((title) => element("button", {
      type: "button", class: "quiet",
      on: { click: () => search(withFacet(found.query, found.parts, "service", title)) },
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
  for (const id of ["chips", "notes", "hits", "facet-groups", "said"]) at(id).replaceChildren();
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
    at("said").textContent = "";
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

/** Make a hit the one that keys act on, and draw its match. */
function activate(shown, { focus = false } = {}) {
  for (const one of document.querySelectorAll(".hit.active")) {
    one.classList.remove("active");
    one.tabIndex = -1;
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
    const { document: shown } = await askPatiently(entryAddress(id), asking.signal);
    if (state.open !== id) return; // another one was opened meanwhile
    const hit = answer?.hits.find((one) => one.entry.id === shown.entry.id);
    panel.replaceChildren(...panelContents(shown, {
      overload: hit?.overload, close, search: (query) => search(query),
    }));
  } catch (error) {
    if (asking.signal.aborted || state.open !== id) return;
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

// On wide pages facets stand open, and cannot be folded.
const wide = matchMedia("(min-width: 1001px)");
const unfold = () => { at("facets").open = wide.matches; };
wide.addEventListener("change", unfold);
unfold();
restore();
