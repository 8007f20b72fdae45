// Pipelines: calls in a row that together have the query's signature, each drawn as a chain.

import { copying } from "/scripts/clipboard.js";
import { counted, element } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";
import { entryLink } from "/scripts/links.js";

const DEAR = 60; // the cost of a second call: from here on a pipeline may be cheaper than a hit
const STEP = /\bstep (\d+)/g;
const STRING = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Return whether the query of an answer is a signature; one that a sentence implies is none. */
export function hasSignature(answer) {
  const isTyped = answer?.parts.some(({ kind, likely }) => kind === "result" && !likely);
  return Boolean(isTyped && answer.query_signature);
}

/**
 * Return what offers pipelines for an answer; null if its query has no signature.
 * @param {() => void} compose called when they are asked for
 * @returns {{line: HTMLElement, isDear: boolean} | null} `isDear`: no hit is cheap
 */
export function pipelineOffer(answer, compose) {
  if (!hasSignature(answer)) return null;
  const costs = answer.hits.map(({ cost }) => cost).filter((cost) => cost !== null);
  const best = Math.min(...costs);
  const isDear = best >= DEAR; // also without any cost
  const why = costs.length ? `The best hit costs ${best}.` : "No single function has this type.";
  const button = element("button", {
    type: "button", class: "quiet", id: "compose", on: { click: compose },
  }, "Compose calls");
  const line = element("p", { class: "offer" }, isDear ? `${why} Two or three calls may have it. ` : null, button);
  return { line, isDear };
}

/**
 * Return the pipelines of a document `typematch.composition/1`, under a heading.
 * @param {object} signature the query's
 * @param {{close: () => void}} actions
 */
export function pipelineList(composition, signature, { close }) {
  const { pipelines } = composition;
  return [
    heading(pipelines.length ? `Pipelines (${pipelines.length})` : "Pipelines", close),
    ...endings(composition).map((text) => element("p", { class: "hit-why" }, text)),
    element("ol", { class: "hits" }, ...pipelines.map((pipeline, index) => (
      pipelineItem(pipeline, index, signature)))),
  ];
}

/** Return what is shown instead of pipelines: that they are searched, or why that fails. */
export function pipelineNote(text, close) {
  return [heading("Pipelines", close), element("p", { class: "note" }, text)];
}

function heading(text, close) {
  return element("div", { class: "pipelines-head" }, element("h2", { tabindex: "-1" }, text),
    element("button", {
      type: "button", class: "quiet close", "aria-label": "Close pipelines", on: { click: close },
    }, "×"));
}

function endings({ pipelines, exhausted, left, work }) {
  const none = pipelines.length ? null : "No pipeline of two or three calls has this signature.";
  const rest = exhausted
    ? `The search ended after ${counted(work)} units of work with ${counted(left)} partial pipelines left; `
      + "a package (pkg:NAME) narrows it."
    : null;
  return [none, rest].filter(Boolean);
}

function pipelineItem(pipeline, index, signature) {
  const { adapter, steps } = pipeline;
  return element("li", { class: "pipeline" },
    element("div", { class: "hit-head" },
      element("h3", {}, steps.map(({ id }) => shortName(id)).join(" → ")),
      pipeline.unchecked ? element("span", { class: "badge warning" }, "result any: not checked") : null,
      element("span", { class: "cost" }, `cost ${pipeline.cost}`)),
    ...adapter.notes.map((note) => element("p", { class: "hit-why" }, note)),
    element("ol", { class: steps.length > 2 ? "chain long" : "chain", "aria-label": "What flows" },
      givenBox(signature, adapter.holes),
      ...steps.map((step, at) => stepBox(step, at, steps[at - 1])),
      link("result", flow(true, steps.at(-1).result), box("result", code(resultText(signature, adapter))))),
    copying(adapter.snippet, "Copy code", `copy-pipeline-${index + 1}`, "pre"));
}

/** Return the name of an entry without its package. */
function shortName(id) {
  return id.slice(id.indexOf("#") + 1);
}

function resultText({ returns }, { notes }) {
  return notes.some((note) => note.includes("promise")) ? `Promise<${returns}>` : returns;
}

function link(kind, arrow, shown) {
  return element("li", { class: `chain-link ${kind}` }, arrow, shown);
}

function box(label, ...content) {
  return element("div", { class: "chain-box" }, element("span", { class: "side-name" }, label), ...content);
}

/** Return an arrow with the type of the value that flows; without data it only gives the order. */
function flow(hasData, type) {
  return element("span", { class: hasData ? "flow" : "flow order" },
    hasData && type ? element("code", { title: type }, type) : null);
}

function givenBox(signature, holes) {
  const given = signature.parameters.map(({ name, type }) => value(name ? `${name}: ${type}` : type, "fits"));
  const needed = holes.map(({ name, type }) => value(`${name}: ${type}`, "supplied", "to be supplied"));
  const shown = [...needed, ...given];
  return link("given", null, box("from the query",
    shown.length ? element("ul", { class: "values" }, ...shown) : element("p", {}, "nothing")));
}

function stepBox(step, at, before) {
  const taken = step.arguments.map((argument) => sources(argument));
  const isFed = at ? taken.some((steps) => steps.has(at)) : step.arguments.some(isFromQuery);
  const name = entryLink(step.id, {}, shortName(step.id));
  const edits = step.edits.filter(({ cost }) => cost).map(({ sentence }) => sentence);
  return link("call", flow(isFed, before?.result),
    box(`step ${at + 1}`, element("h4", { title: step.id }, name),
      element("ul", { class: "values" }, ...step.arguments.map((argument, i) => (
        value(argumentText(step.parameters[i], argument), markOf(argument, taken[i]))))),
      edits.length ? element("p", { class: "hit-why" }, edits.join("; ")) : null));
}

function value(text, mark, label = "") {
  return element("li", { class: `mark mark-${mark}` }, element("span", {}, code(text), " ",
    label ? element("span", { class: "marks" }, label) : null));
}

function argumentText(parameter, argument) {
  return !parameter || parameter === argument ? argument : `${parameter}: ${argument}`;
}

/** Return the numbers of the steps that an argument is from. */
function sources(argument) {
  return new Set([...argument.replace(STRING, "").matchAll(STEP)].map(([, number]) => Number(number)));
}

function isFromQuery(argument) {
  return !sources(argument).size && (NAME.test(argument) || argument.startsWith("{") || argument.startsWith("argument "));
}

function markOf(argument, steps) {
  if (steps.size) return "awaited";
  return isFromQuery(argument) ? "fits" : "left-out";
}
