// The alignment of a hit: paths of the query signature above those of the hit, joined by lines.

import { drawn, element, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";

const RESULT = "$.returns";
const LABELS = {
  fits: "fits", assignable: "fits, not the same", changed: "with a change",
  anything: "any or unknown", swapped: "swapped", receiver: "called on it",
  "second-call": "in a second call", awaited: "awaited", wrapped: "wrapped in a promise",
  deferred: "given as a function", gathered: "in an object", spread: "in its parts",
  checked: "checked for undefined", supplied: "to be supplied", "left-out": "left out",
  dropped: "not used", misfits: "does not fit",
};
// The first of these marks that an edge has gives it its colour.
const PRECEDENCE = [
  "misfits", "dropped", "supplied", "anything", "awaited", "wrapped", "checked", "deferred", "swapped",
  "receiver", "second-call", "gathered", "spread", "changed", "assignable", "left-out", "fits",
];
const QUIET = new Set(["fits", "assignable"]);
const WITHOUT_EDIT = new Set(["swapped", "second-call", "spread"]); // no edit describes these marks

/** Return the overload of an entry that matches. */
export function chosen(hit) {
  return hit.entry.signatures[hit.overload ?? 0];
}

/** Return whether a signature, which may be absent, is a deprecated overload. */
export function isDeprecated(signature) {
  return typeof signature?.deprecation === "string";
}

/** Return the figure of a hit's alignment; null without a query signature. */
export function match(querySignature, hit) {
  if (!querySignature || !hit.alignment.length || !chosen(hit)) return null;
  const above = side("query", "query", paths(querySignature, hit, "query"), hit);
  const below = side("candidate", "hit", paths(chosen(hit), hit, "candidate"), hit);
  const lines = drawn("svg", { class: "match-lines", "aria-hidden": "true" });
  const field = element("div", { class: "match-field" }, above, lines, below);
  new ResizeObserver(() => arrange(field, lines, hit)).observe(field);
  return element("figure", {
    class: "match", "aria-label": `How ${hit.entry.name} matches the query`,
  }, field, words(querySignature, hit));
}

/** Return [path, text] of each parameter in order, the result last. */
function paths(signature, hit, key) {
  const parameters = signature.parameters
    .map((parameter, i) => [`$.parameters[${i}]`, parameterText(parameter)]);
  const known = new Set([...parameters.map(([path]) => path), RESULT]);
  const others = hit.alignment.map((edge) => edge[key]).filter((path) => path && !known.has(path));
  const receiver = others.filter((path) => path === "$.this")
    .map((path) => [path, `this: ${signature.this || hit.entry.container || "_"}`]);
  const further = others.filter((path) => path !== "$.this").map((path) => [path, "(…) again"]);
  return [...receiver, ...parameters, ...further, [RESULT, signature.returns]];
}

function parameterText({ name, type, optional, rest }) {
  if (!name) return type;
  return `${rest && type !== "..." ? "..." : ""}${name}${optional ? "?" : ""}: ${type}`;
}

function side(key, label, listed, hit) {
  return element("div", { class: `match-side ${key}` },
    element("span", { class: "side-name" }, label),
    element("ol", { class: "match-places" }, ...listed.map(([path, text]) => {
      const edge = hit.alignment.find((candidate) => candidate[key] === path);
      const mark = edge ? strongest(edge) : "left-out";
      // The marks of an edge between two paths are shown once, at the candidate.
      const marks = edge && (key === "candidate" || !edge.candidate) ? shownMarks(edge) : [];
      const box = element("li", {
        class: `match-place mark-${mark} ${mark}${path === RESULT ? " result" : ""}`,
        "data-place": path,
      }, path === RESULT ? unseen("returns ") : null, code(text, "span", key === "candidate" ? hit.types : {}, false));
      box.lastChild.classList.add("place");
      box.lastChild.title = text;
      if (marks.length) {
        box.append(element("span", { class: "marks" }, marks.map((each) => LABELS[each]).join(", ")));
      }
      return box;
    })));
}

const strongest = (edge) => PRECEDENCE.find((mark) => edge.marks.includes(mark)) ?? "fits";
const shownMarks = (edge) => edge.marks.filter((mark) => !QUIET.has(mark));

/** Stack the two sides, or put them side by side if a row is too wide; draw the lines. */
function arrange(field, lines, hit) {
  field.classList.remove("tall");
  const sides = [...field.querySelectorAll(".match-places")];
  field.classList.toggle("tall", sides.some((side) => side.scrollWidth > side.clientWidth + 1));
  const origin = field.getBoundingClientRect();
  const box = (side, path) => {
    const place = field.querySelector(`.${side} [data-place="${CSS.escape(path)}"] .place`);
    return place?.getBoundingClientRect();
  };
  lines.replaceChildren(...hit.alignment.flatMap((edge) => {
    const from = edge.query && box("query", edge.query);
    const to = edge.candidate && box("candidate", edge.candidate);
    return curveBetween(from, to, origin, field.classList.contains("tall"), strongest(edge));
  }));
}

const STUB = 16; // length in pixels of a line with one end

function curveBetween(from, to, origin, tall, mark) {
  const end = (rect, first) => (tall
    ? [(first ? rect.right : rect.left) - origin.left, rect.top + rect.height / 2 - origin.top]
    : [rect.left + rect.width / 2 - origin.left, (first ? rect.bottom : rect.top) - origin.top]);
  if (!from && !to) return [];
  const [x, y] = end(from || to, Boolean(from));
  if (!from || !to) {
    const far = from ? STUB : -STUB;
    const [toX, toY] = tall ? [x + far, y] : [x, y + far];
    return [
      drawn("path", { class: `stub mark-${mark}`, d: `M${x} ${y}L${toX} ${toY}` }),
      drawn("circle", { class: `mark-${mark}`, cx: toX, cy: toY, r: 3 }),
    ];
  }
  const [toX, toY] = end(to, false);
  const bend = tall ? (toX - x) / 2 : (toY - y) / 2;
  const curve = tall
    ? `C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`
    : `C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY}`;
  return [drawn("path", { class: `mark-${mark}`, d: `M${x} ${y}${curve}` })];
}

/** Return the alignment as a list of sentences, each with its cost. */
function words(querySignature, hit) {
  const listedEdits = new Set(hit.alignment.flatMap((edge) => edge.edits));
  const name = (signature, path) => {
    if (path === RESULT) return "the result";
    const index = /^\$\.parameters\[(\d+)\]$/.exec(path);
    const parameter = index && signature.parameters[Number(index[1])];
    return parameter ? parameter.name || parameter.type : path.replace(/^\$\./, "");
  };
  const rows = hit.alignment.map((edge) => {
    const edits = edge.edits.map((i) => hit.edits[i]);
    const from = edge.query && name(querySignature, edge.query);
    const to = edge.candidate && name(chosen(hit), edge.candidate);
    const path = !from || !to || from === to ? from || to : `${from} → ${to}`;
    const marks = edits.length ? edge.marks.filter((mark) => WITHOUT_EDIT.has(mark)) : edge.marks;
    const sentences = [...marks.map((mark) => LABELS[mark]), ...edits.map((edit) => edit.sentence)];
    const cost = edits.reduce((sum, edit) => sum + edit.cost, 0);
    return row(strongest(edge), `${path}: `, sentences.join("; "), cost);
  });
  const whole = hit.edits.filter((_, i) => !listedEdits.has(i))
    .map((edit) => (
    row(edit.kind === "order-changed" ? "swapped" : "changed", "", edit.sentence, edit.cost)));
  return element("ul", { class: "match-words" }, ...rows, ...whole);
}

function row(mark, path, text, cost) {
  return element("li", {},
    element("span", { class: `mark mark-${mark}` }),
    element("span", {}, path ? element("code", {}, path) : null, text),
    element("span", { class: "price" }, cost ? `+${cost}` : "", cost ? unseen(" cost") : null));
}
