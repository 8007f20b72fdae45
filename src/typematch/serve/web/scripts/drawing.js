// The match drawn: places of the query above those of what was found, and lines between them.

import { drawn, element, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";

const RESULT = "$.returns";
const SAYS = {
  fits: "fits", assignable: "fits, not the same", changed: "with a change",
  anything: "says nothing", swapped: "swapped", receiver: "called on it",
  "second-call": "in a second call", awaited: "awaited", wrapped: "wrapped in a promise",
  deferred: "given as a function", gathered: "in an object", spread: "in its parts",
  checked: "checked for undefined", supplied: "to be supplied", "left-out": "left out",
  dropped: "not used", misfits: "does not fit",
};
// Which of several marks a line has its colour from.
const TELLING = [
  "misfits", "dropped", "supplied", "anything", "awaited", "wrapped", "checked", "deferred", "swapped",
  "receiver", "second-call", "gathered", "spread", "changed", "assignable", "left-out", "fits",
];
const QUIET = new Set(["fits", "assignable"]);
const UNTOLD = new Set(["swapped", "second-call", "spread"]); // no sentence of an edit says so

/** Return the overload of a hit's entry that answers. */
export function chosen(hit) {
  return hit.entry.signatures[hit.overload ?? 0];
}

/** Return the match of a hit, drawn; null where no signature was asked for. */
export function match(asked, hit) {
  if (!asked || !hit.lines.length || !chosen(hit)) return null;
  const above = side("asked", "asked", places(asked, hit, "asked"), hit, "asked");
  const below = side("found", "found", places(chosen(hit), hit, "found"), hit, "found");
  const lines = drawn("svg", { class: "match-lines", "aria-hidden": "true" });
  const field = element("div", { class: "match-field" }, above, lines, below);
  new ResizeObserver(() => arrange(field, lines, hit)).observe(field);
  return element("figure", {
    class: "match", "aria-label": `How ${hit.entry.name} fits what was asked`,
  }, field, words(asked, hit));
}

/** Return [place, its text] in order, the result last. */
function places(signature, hit, whose) {
  const listed = signature.parameters.map((one, i) => [`$.parameters[${i}]`, parameterText(one)]);
  const known = new Set([...listed.map(([place]) => place), RESULT]);
  const others = hit.lines.map((line) => line[whose]).filter((place) => place && !known.has(place));
  const ahead = others.filter((place) => place === "$.this")
    .map((place) => [place, `this: ${signature.this || hit.entry.container || "_"}`]);
  const behind = others.filter((place) => place !== "$.this").map((place) => [place, "(…) again"]);
  return [...ahead, ...listed, ...behind, [RESULT, signature.returns]];
}

function parameterText({ name, type, optional, rest }) {
  if (!name) return type;
  return `${rest && type !== "..." ? "..." : ""}${name}${optional ? "?" : ""}: ${type}`;
}

function side(name, whose, listed, hit, end) {
  return element("div", { class: `match-side ${name}` },
    element("span", { class: "whose" }, whose),
    element("ol", { class: "match-places" }, ...listed.map(([place, text]) => {
      const line = hit.lines.find((one) => one[end] === place);
      const mark = line ? strongest(line) : "left-out";
      // What joins two places is said once, at what was found.
      const said = line && (end === "found" || !line.found) ? loud(line) : [];
      const box = element("li", {
        class: `match-place mark-${mark} ${mark}${place === RESULT ? " result" : ""}`,
        "data-place": place,
      }, place === RESULT ? unseen("gives ") : null, code(text, "span"));
      box.lastChild.classList.add("place");
      box.lastChild.title = text;
      if (said.length) {
        box.append(element("span", { class: "said" }, said.map((one) => SAYS[one]).join(", ")));
      }
      return box;
    })));
}

const strongest = (line) => TELLING.find((mark) => line.marks.includes(mark)) ?? "fits";
const loud = (line) => line.marks.filter((mark) => !QUIET.has(mark));

/** Put the sides above each other, or beside each other where there is no room; draw the lines. */
function arrange(field, lines, hit) {
  field.classList.remove("tall");
  const sides = [...field.querySelectorAll(".match-places")];
  field.classList.toggle("tall", sides.some((one) => one.scrollWidth > one.clientWidth + 1));
  const origin = field.getBoundingClientRect();
  const box = (whose, place) => {
    const found = field.querySelector(`.${whose} [data-place="${CSS.escape(place)}"] .place`);
    return found?.getBoundingClientRect();
  };
  lines.replaceChildren(...hit.lines.flatMap((line) => {
    const from = line.asked && box("asked", line.asked);
    const to = line.found && box("found", line.found);
    return path(from, to, origin, field.classList.contains("tall"), strongest(line));
  }));
}

const STUB = 16; // pixels of a line that leads nowhere

function path(from, to, origin, tall, mark) {
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

/** Return what the lines say, in words, each edit with its price. */
function words(asked, hit) {
  const told = new Set(hit.lines.flatMap((line) => line.edits));
  const name = (signature, place) => {
    if (place === RESULT) return "the result";
    const index = /^\$\.parameters\[(\d+)\]$/.exec(place);
    const parameter = index && signature.parameters[Number(index[1])];
    return parameter ? parameter.name || parameter.type : place.replace(/^\$\./, "");
  };
  const rows = hit.lines.map((line) => {
    const edits = line.edits.map((i) => hit.edits[i]);
    const from = line.asked && name(asked, line.asked);
    const to = line.found && name(chosen(hit), line.found);
    const path = !from || !to || from === to ? from || to : `${from} → ${to}`;
    const marks = edits.length ? line.marks.filter((mark) => UNTOLD.has(mark)) : line.marks;
    const says = [...marks.map((mark) => SAYS[mark]), ...edits.map((edit) => edit.sentence)];
    const price = edits.reduce((sum, edit) => sum + edit.price, 0);
    return row(strongest(line), `${path}: `, says.join("; "), price);
  });
  const whole = hit.edits.filter((_, i) => !told.has(i))
    .map((edit) => (
    row(edit.kind === "order-changed" ? "swapped" : "changed", "", edit.sentence, edit.price)));
  return element("ul", { class: "match-words" }, ...rows, ...whole);
}

function row(mark, place, text, price) {
  return element("li", {},
    element("span", { class: `mark mark-${mark}` }),
    element("span", {}, place ? element("code", {}, place) : null, text),
    element("span", { class: "price" }, price ? `+${price}` : "", price ? unseen(" cost") : null));
}
