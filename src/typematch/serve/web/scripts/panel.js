// The side panel: one entry with all there is to know about it.

import { askPatiently, entryAddress, referencesAddress } from "/scripts/asking.js";
import { counted, element, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";
import { inline, written } from "/scripts/texts.js";

/**
 * Return the contents of the panel for an entry.
 * @param {object} shown a document `typematch.entry/1`
 * @param {{overload?: number | null, close: () => void, search: (query: string) => void}} how
 */
export function panelContents({ entry, declaration, told }, { overload = null, close, search }) {
  return [
    element("div", { class: "panel-head" },
      element("h2", { tabindex: "-1" }, entry.id),
      element("button", { type: "button", class: "quiet", "aria-label": "Close", on: { click: close } },
        "Esc")),
    facts(entry),
    element("p", { class: "place-in-code" },
      `${entry.path}:${entry.line}`, entry.version ? `  ·  ${entry.package} ${entry.version}` : ""),
    entry.import_statement ? importing(entry.import_statement) : null,
    ...signatures(entry, declaration, overload),
    ...section("Documentation", entry.doc ? element("div", { class: "doc" }, ...written(entry.doc)) : null),
    ...section("What Claude says of it", said(told)),
    ...endpoint(entry.endpoint),
    ...section("Also exported as", names(entry.aliases)),
    ...section("Types", references(entry.id, "What its types refer to")),
    ...section("More", element("button", {
      type: "button", class: "quiet", on: { click: () => search(`like:"${entry.id}"`) },
    }, "Entries of the same type")),
  ].filter(Boolean);
}

function facts(entry) {
  const said = [
    entry.kind, entry.is_async && "async", entry.is_generator && "generator", entry.static && "static",
    entry.readonly && "readonly", entry.deprecated && "deprecated", !entry.exported && "internal",
    entry.visibility !== "public" && entry.visibility, entry.inferred && "type read off the code",
    entry.service, ...entry.tags.map((tag) => `@${tag}`),
  ].filter(Boolean);
  return element("p", { class: "facts" },
    ...said.map((one) => element("span", { class: "badge" }, one)));
}

function section(title, content) {
  return content ? [element("h3", {}, title), content] : [];
}

/** Return what a model was made to say of an entry; null where none was asked. */
function said(told) {
  if (!told) return null;
  const texts = [told.summary, told.interface].filter(Boolean);
  return element("div", { class: "doc" }, ...texts.map((text) => element("p", {}, text)),
    told.questions.length
      ? element("ul", {}, ...told.questions.map((one) => element("li", {}, one))) : null);
}

function names(aliases) {
  if (!aliases.length) return null;
  return element("p", {}, ...aliases.flatMap((name, i) => [i ? ", " : "", element("code", {}, name)]));
}

function importing(statement) {
  const button = element("button", { type: "button", class: "quiet", id: "copy-import" }, "Copy import");
  const said = element("span", { role: "status" });
  button.addEventListener("click", async () => {
    const done = await copied(statement);
    button.textContent = done ? "Copied" : "Not copied";
    said.replaceChildren(unseen(done ? "The import is copied" : "It could not be copied"));
    setTimeout(() => { button.textContent = "Copy import"; }, 1500);
  });
  return element("div", { class: "import" }, code(statement), button, said);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where a page is not trusted with the clipboard there is the older way.
    const field = element("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

function signatures(entry, declaration, overload) {
  if (entry.signatures.length < 2) {
    return section("Declaration", code(declaration || entry.signature, "pre"));
  }
  return section(`Overloads (${entry.signatures.length})`, element("ol", { class: "overloads" },
    ...entry.signatures.map((signature, i) => {
      const shown = code(signature.text, "pre");
      shown.classList.toggle("chosen", i === overload);
      return element("li", {}, i === overload ? unseen("this one answers") : null, shown);
    })));
}

function endpoint(at) {
  if (!at) return [];
  const rows = (list, cells) => (list.length ? element("table", {}, element("tbody", {},
    ...list.map((one) => element("tr", {}, ...cells(one))))) : null);
  return [
    ...section("Called as", element("pre", {}, `${at.method} ${at.path}`)),
    ...section("Arguments", rows(at.places, (place) => [
      element("th", { scope: "row" }, place.in === "body" ? "body" : place.name),
      element("td", {}, place.in === "body" ? `as ${place.name}` : `in ${place.in}`)])),
    ...section("Answers", rows(at.responses, (one) => [
      element("th", { scope: "row" }, one.status),
      element("td", {}, code(one.type), " ", ...inline(one.description))])),
    ...section("Security", at.security.length ? element("p", {}, at.security.join(", ")) : null),
  ];
}

/** Return what an entry's types refer to: declarations that unfold, and theirs in them. */
function references(id, title) {
  const list = element("div", {}, element("p", { class: "place-in-code" }, "…"));
  const load = async () => {
    try {
      const { document: found } = await askPatiently(referencesAddress(id));
      const standard = found.standard.length
        ? element("p", { class: "place-in-code" }, `of the language: ${found.standard.join(", ")}`) : null;
      const missing = found.missing.length ? element("p", { class: "place-in-code" },
        `declared nowhere here: ${found.missing.map((one) => one.name).join(", ")}`) : null;
      list.replaceChildren(...[...found.found.map(unfolding), standard, missing].filter(Boolean));
      if (!list.children.length) list.append(element("p", { class: "place-in-code" }, "nothing"));
    } catch (problem) {
      list.replaceChildren(element("p", { class: "problem" }, problem.message));
    }
  };
  return folded(element("span", {}, title), list, load);
}

function unfolding(reference) {
  const head = element("span", {}, element("code", {}, reference.name), " ",
    element("span", { class: "where" }, `${reference.kind}, ${reference.path}:${counted(reference.line)}`));
  const body = element("div", {}, code(reference.text, "pre"), references(reference.id, "Refers to"));
  return folded(head, body, () => {});
}

function folded(head, body, load) {
  const shown = element("details", {}, element("summary", {}, head), element("div", {}, body));
  shown.addEventListener("toggle", () => { if (shown.open) load(); }, { once: true });
  return shown;
}
