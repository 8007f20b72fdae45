// The page: searches as the user types, shows the answer, and keeps its state in the address.

import { Problem, composeAddress, requestWithRetry, entryAddress, searchAddress, useToken } from "/scripts/client.js";
import { showColours, writeQuery } from "/scripts/box.js";
import { chips, withoutParts } from "/scripts/chips.js";
import { copied } from "/scripts/clipboard.js";
import { offerCompletions } from "/scripts/complete.js";
import { element } from "/scripts/elements.js";
import { facetGroups } from "/scripts/facets.js";
import { keepFocus } from "/scripts/focus.js";
import { helpContents } from "/scripts/help.js";
import { hitLists } from "/scripts/hits.js";
import { listenToKeys } from "/scripts/keys.js";
import { listenToLinks } from "/scripts/links.js";
import { countOfHits, notes } from "/scripts/notes.js";
import { panelContents } from "/scripts/panel.js";
import { hasSignature, pipelineList, pipelineNote, pipelineOffer } from "/scripts/pipelines.js";
import { clearProblem, showProblem } from "/scripts/problem.js";
import { sortedBy } from "/scripts/query.js";
import { startPage } from "/scripts/start.js";
import { isDraft, keepDraft, place, readState, writePlace, writeState } from "/scripts/state.js";

const PAUSE = 180; // milliseconds after the last key until the search starts
const LONG_PAUSE = 1500; // until a problem of what was typed is shown, and the query is kept
const PLACE_PAUSE = 200; // milliseconds after the last scrolling until the place is kept

// Elements that an answer fills.
const PARTS = ["chips", "notes", "hits", "facet-groups", "result-count"];
const COMPOSED = ["offer", "later-offer", "pipelines"];

const at = (id) => document.getElementById(id);
const box = at("query");
let state = { query: "", open: "", composed: false };
let answer = null; // the document that is shown
let next = ""; // the address of its next page
let pending = new AbortController(); // of the running request
let timers = [];

// Requests -----------------------------------------------------------------------------------------

/**
 * Search and show the answer.
 * @param {"add" | "replace" | "draft"} how the address is written; a draft is still being typed
 * @param {{hits: number, active: string, scroll: number} | null} to the place in the list
 */
async function search(query, { how = "add", open = "", composed = false, to = null } = {}) {
  stopTimers();
  pending.abort();
  pending = new AbortController();
  const { signal } = pending;
  const isTyped = how === "draft";
  writeQuery(query);
  if (!isTyped) begin({ query, open, composed }, how);
  box.form.classList.add("waiting");
  try {
    if (query.trim()) {
      const result = await requestWithRetry(searchAddress(query), signal);
      if (isTyped) begin({ query, open, composed }, how);
      showAnswer(result.document, result.next);
      if (to) await goTo(to, signal);
    } else {
      const { document: stats } = await requestWithRetry("/api/stats", signal);
      if (isTyped) begin({ query: "", open, composed: false }, how);
      showStart(stats);
    }
    clearProblem();
    await showPanel(state.open, { focus: false });
    if (state.composed) showPipelines();
    if (isTyped) timers.push(setTimeout(keepDraft, LONG_PAUSE));
  } catch (error) {
    if (signal.aborted) return;
    showFailure(error, query, { isTyped });
  } finally {
    if (!signal.aborted) box.form.classList.remove("waiting");
  }
}

function begin({ query, open, composed }, how) {
  state = { query: query.trim() ? query : "", open, composed };
  writeState(state, how);
  document.title = state.query ? `${state.query} – typematch` : "typematch";
}

function stopTimers() {
  timers.forEach(clearTimeout);
  timers = [];
}

/** Show a failed search: what cannot be read yet is underlined at once, and said after a pause. */
function showFailure(error, query, { isTyped }) {
  const show = () => showProblem(error, {
    use: (suggestion) => search(suggestion),
    token: (token) => {
      useToken(token);
      search(query, { how: "replace", open: state.open, composed: state.composed });
    },
  });
  const isSyntax = error instanceof Problem && error.column !== null;
  setStale(Boolean(answer));
  if (isSyntax) showColours(error.column);
  if (isSyntax && isTyped) timers.push(setTimeout(show, LONG_PAUSE));
  else show();
}

async function showMore({ focus = true } = {}) {
  const { signal } = pending;
  at("more").disabled = true;
  try {
    const page = await requestWithRetry(next, signal);
    const first = document.querySelectorAll(".hit").length;
    next = page.next;
    answer = { ...answer, hits: [...answer.hits, ...page.document.hits] };
    at("hits").append(...hitLists({ ...page.document, query_signature: answer.query_signature }, openHit));
    at("result-count").textContent = countOfHits(answer);
    if (focus) activate(document.querySelectorAll(".hit")[first], { focus: true });
  } catch (error) {
    if (!signal.aborted) showProblem(error, {});
  } finally {
    at("more").disabled = false;
    at("more").hidden = !next;
  }
}

/** Return to a place in the list: load as many hits, then scroll. */
async function goTo({ hits, active, scroll }, signal) {
  while (next && answer.hits.length < hits && !signal.aborted) {
    const before = next;
    await showMore({ focus: false });
    if (next === before) break; // it could not be loaded
  }
  activate(hitOf(state.open) ?? hitOf(active) ?? document.querySelector(".hit"));
  scrollTo(0, scroll);
}

// Showing ------------------------------------------------------------------------------------------

/** Dim what belongs to another query than that in the box; its parts cannot be changed. */
function setStale(isStale) {
  at("columns").classList.toggle("stale", isStale);
  for (const id of ["chips", "notes", "facets", "sorting", "more", "offer", "later-offer"]) at(id).inert = isStale;
  at("chips").classList.toggle("stale", isStale);
}

function showAnswer(document_, nextAddress) {
  [answer, next] = [document_, nextAddress];
  const change = (query) => search(query);
  keepFocus(box, () => {
    setStale(false);
    at("columns").classList.remove("bare");
    at("start").replaceChildren(...[withoutParts(answer, change)].filter(Boolean));
    at("chips").replaceChildren(...chips(answer, change));
    at("notes").replaceChildren(...notes(answer));
    at("facet-groups").replaceChildren(...facetGroups(answer, change).filter(Boolean));
    at("hits").replaceChildren(...hitLists(answer, openHit));
    at("title").textContent = `Hits for ${answer.query}`;
    at("title").hidden = false;
    at("result-count").textContent = countOfHits(answer);
    at("more").hidden = !next;
    at("sorting").hidden = !answer.hits.length;
    const sort = answer.parts.find((part) => part.kind === "facet" && part.key === "sort");
    showOffer();
    at("sort").value = sort ? sort.values[0].replace("relevance", "") : "";
  });
  activate(hitOf(state.open) ?? document.querySelector(".hit"));
}

function hitOf(id) {
  return id ? document.querySelector(`.hit[data-id="${CSS.escape(id)}"]`) : null;
}

function showStart(stats) {
  [answer, next] = [null, ""];
  setStale(false);
  at("columns").classList.add("bare");
  for (const id of [...PARTS, ...COMPOSED]) at(id).replaceChildren();
  at("more").hidden = at("sorting").hidden = at("title").hidden = true;
  at("start").replaceChildren(startPage(stats, (query) => search(query)));
}

// Pipelines ----------------------------------------------------------------------------------------

/** Offer pipelines above the hits if none is cheap, else below them; typing moves no hits. */
function showOffer() {
  for (const id of COMPOSED) at(id).replaceChildren();
  const offer = pipelineOffer(answer, compose);
  if (offer) at(offer.isDear && !isDraft() ? "offer" : "later-offer").append(offer.line);
}

/** Show the pipelines of the query, as asked for. */
function compose() {
  if (!hasSignature(answer) || at("columns").classList.contains("stale")) return;
  keepDraft();
  state = { ...state, composed: true };
  writeState(state, "add");
  showPipelines({ focus: true });
}

async function showPipelines({ focus = false } = {}) {
  if (!hasSignature(answer)) return;
  const { signal } = pending;
  const show = (...shown) => {
    at("pipelines").replaceChildren(...shown);
    if (focus) at("pipelines").querySelector("h2").focus({ preventScroll: true });
  };
  for (const id of COMPOSED) at(id).replaceChildren();
  show(...pipelineNote("Searching for pipelines …", closePipelines));
  if (focus) at("pipelines").scrollIntoView({ block: "nearest" });
  try {
    const { document: found } = await requestWithRetry(composeAddress(answer.query), signal);
    if (state.composed) show(...pipelineList(found, answer.query_signature, { close: closePipelines }));
  } catch (error) {
    if (signal.aborted || !state.composed) return;
    show(...pipelineNote([error.message, error.hint].filter(Boolean).join(". "), closePipelines));
  }
}

function closePipelines() {
  state = { ...state, composed: false };
  writeState(state, "add");
  showOffer();
  (document.querySelector(".hit.active") ?? box).focus({ preventScroll: true });
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
  keepDraft();
  keepPlace();
  state = { ...state, open: id };
  writeState(state, "add");
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
      overload: hit?.overload, adapter: hit?.adapter, close, search: (query) => search(query), open,
    }));
  } catch (error) {
    if (pending.signal.aborted || state.open !== id) return;
    panel.replaceChildren(
      element("div", { class: "panel-head" }, element("h2", { tabindex: "-1" }, id),
        element("button", { type: "button", class: "quiet", on: { click: close } }, "Close")),
      element("p", { class: "note" }, error.message));
  }
  panel.hidden = false;
  panel.scrollTop = 0;
  at("columns").classList.remove("bare");
  at("columns").classList.add("open");
  if (focus) panel.querySelector("h2").focus({ preventScroll: true });
}

function close() {
  state = { ...state, open: "" };
  writeState(state, "add");
  showPanel("", { focus: false });
  if (!answer) at("columns").classList.add("bare");
  (document.querySelector(".hit.active") ?? box).focus({ preventScroll: true });
}

/** Copy the import statement of the entry in the panel, or of the active hit. */
async function copyImport() {
  const button = at("copy-import");
  if (button && !at("panel").hidden) {
    button.click();
    return;
  }
  const id = document.querySelector(".hit.active")?.dataset.id;
  const statement = answer?.hits.find(({ entry }) => entry.id === id)?.entry.import_statement;
  if (!id) return;
  if (!statement) say("This entry has no import statement");
  else say(await copied(statement) ? `Copied: ${statement}` : "The import could not be copied");
}

function say(text) {
  at("toast").textContent = text;
  setTimeout(() => { if (at("toast").textContent === text) at("toast").textContent = ""; }, 2500);
}

// Wiring -------------------------------------------------------------------------------------------

box.addEventListener("input", () => {
  stopTimers();
  pending.abort();
  clearProblem();
  if (answer) setStale(box.value.trim() !== answer.query.trim());
  timers.push(setTimeout(() => search(box.value, { how: "draft" }), PAUSE));
});
box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const isShown = answer && box.value === state.query && !at("columns").classList.contains("stale");
  if (isShown) {
    keepDraft();
    if (!state.composed) showOffer();
  } else search(box.value);
});
at("more").addEventListener("click", () => showMore());
at("sort").addEventListener("change", () => search(sortedBy(answer.query, answer.parts, at("sort").value)));
at("help").append(...helpContents({
  search: (query) => { at("help").close(); search(query); },
  close: () => at("help").close(),
}));
const help = () => { if (!at("help").open) at("help").showModal(); };
at("help-button").addEventListener("click", help);
at("help").addEventListener("click", (event) => { if (event.target === at("help")) at("help").close(); });
offerCompletions(box, at("completions"), (query) => {
  writeQuery(query);
  box.dispatchEvent(new Event("input"));
});
listenToLinks((id, hit) => {
  if (hit) activate(hit);
  open(id);
});
addEventListener("popstate", restore);
listenToKeys({
  box, activate, open, close, copyImport, compose, help, isOpen: () => Boolean(state.open), more: () => at("more"),
});

function restore() {
  const { query, open: id, composed } = readState();
  const to = place();
  if (answer && query === state.query && query === answer.query && box.value === query) {
    const isSame = composed === state.composed;
    state = { query, open: id, composed };
    if (!isSame) composed ? showPipelines() : showOffer();
    showPanel(id, { focus: Boolean(id) });
    if (to) scrollTo(0, to.scroll);
  } else {
    search(query, { how: "replace", open: id, composed, to });
  }
}

function keepPlace() {
  if (!answer || at("columns").classList.contains("stale") || box.value !== state.query) return;
  const active = document.querySelector(".hit.active")?.dataset.id ?? "";
  writePlace({ hits: answer.hits.length, active, scroll: scrollY });
}

// The hits are loaded after the browser would scroll.
history.scrollRestoration = "manual";
let scrolled = 0;
addEventListener("scroll", () => {
  clearTimeout(scrolled);
  scrolled = setTimeout(keepPlace, PLACE_PAUSE);
});
addEventListener("pagehide", keepPlace);

// On wide pages the facets are always open.
const wide = matchMedia("(min-width: 1001px)");
const unfold = () => { at("facets").open = wide.matches; };
wide.addEventListener("change", unfold);
unfold();
restore();
