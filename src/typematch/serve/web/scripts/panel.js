// The side panel: all properties of one entry.

import { requestWithRetry, entryAddress, referencesAddress } from "/scripts/client.js";
import { copied } from "/scripts/clipboard.js";
import { counted, element, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";
import { inline, written } from "/scripts/texts.js";

/**
 * Return the contents of the panel for an entry.
 * @param {object} document a document `typematch.entry/1`
 * @param {{overload?: number | null, close: () => void, search: (query: string) => void}} actions
 */
export function panelContents({ entry, declaration, enrichment }, { overload = null, close, search }) {
  return [
    element("div", { class: "panel-head" },
      element("h2", { tabindex: "-1" }, entry.id),
      element("button", {
        type: "button", class: "quiet close", "aria-label": "Close", title: "Close (Esc)",
        on: { click: close },
      }, "×")),
    facts(entry),
    element("p", { class: "place-in-code" },
      `${entry.path}:${entry.line}`, entry.version ? `  ·  ${entry.package} ${entry.version}` : ""),
    entry.import_statement ? importing(entry.import_statement) : null,
    ...signatures(entry, declaration, overload),
    ...section("Documentation", entry.doc ? element("div", { class: "doc" }, ...written(entry.doc)) : null),
    ...section("Summary by Claude", enrichmentTexts(enrichment)),
    ...endpoint(entry.endpoint),
    ...section("Also exported as", names(entry.aliases)),
    ...section("Types", references(entry.id, "Types it refers to")),
    ...section("More", element("button", {
      type: "button", class: "quiet", on: { click: () => search(`like:"${entry.id}"`) },
    }, "Entries of the same type")),
  ].filter(Boolean);
}

function facts(entry) {
  const labels = [
    entry.kind, entry.is_async && "async", entry.is_generator && "generator", entry.static && "static",
    entry.readonly && "readonly", entry.deprecated && "deprecated", !entry.exported && "internal",
    entry.visibility !== "public" && entry.visibility, entry.inferred && "inferred type",
    entry.service, ...entry.tags.map((tag) => `@${tag}`),
  ].filter(Boolean);
  return element("p", { class: "facts" },
    ...labels.map((label) => element("span", { class: "badge" }, label)));
}

function section(title, content) {
  return content ? [element("h3", {}, title), content] : [];
}

/** Return the texts that a language model wrote about an entry; null without any. */
function enrichmentTexts(enrichment) {
  if (!enrichment) return null;
  const { summary, questions } = enrichment;
  const texts = [summary, enrichment.interface].filter(Boolean);
  return element("div", { class: "doc" }, ...texts.map((text) => element("p", {}, text)),
    questions.length
      ? element("ul", {}, ...questions.map((question) => element("li", {}, question))) : null);
}

function names(aliases) {
  if (!aliases.length) return null;
  return element("p", {}, ...aliases.flatMap((name, i) => [i ? ", " : "", element("code", {}, name)]));
}

function importing(statement) {
  const button = element("button", { type: "button", class: "quiet", id: "copy-import" }, "Copy import");
  const status = element("span", { role: "status" });
  button.addEventListener("click", async () => {
    const done = await copied(statement);
    button.textContent = done ? "Copied" : "Not copied";
    status.replaceChildren(unseen(done ? "Import copied" : "The import could not be copied"));
    setTimeout(() => { button.textContent = "Copy import"; }, 1500);
  });
  return element("div", { class: "import" }, code(statement), button, status);
}

function signatures(entry, declaration, overload) {
  if (entry.signatures.length < 2) {
    return section("Declaration", code(declaration || entry.signature, "pre"));
  }
  return section(`Overloads (${entry.signatures.length})`, element("ol", { class: "overloads" },
    ...entry.signatures.map((signature, i) => {
      const shown = code(signature.text, "pre");
      shown.classList.toggle("chosen", i === overload);
      return element("li", {}, i === overload ? unseen("the matching overload") : null, shown);
    })));
}

function endpoint(at) {
  if (!at) return [];
  const rows = (list, cells) => (list.length ? element("table", {}, element("tbody", {},
    ...list.map((item) => element("tr", {}, ...cells(item))))) : null);
  return [
    ...section("Called as", element("pre", {}, `${at.method} ${at.path}`)),
    ...section("Arguments", rows(at.parameters, (parameter) => [
      element("th", { scope: "row" }, parameter.in === "body" ? "body" : parameter.name),
      element("td", {}, parameter.in === "body" ? `as ${parameter.name}` : `in ${parameter.in}`)])),
    ...section("Responses", rows(at.responses, (response) => [
      element("th", { scope: "row" }, response.status),
      element("td", {}, code(response.type), " ", ...inline(response.description))])),
    ...section("Security", at.security.length ? element("p", {}, at.security.join(", ")) : null),
  ];
}

/** Return the declarations that an entry refers to, each with its own references, collapsed. */
function references(id, title) {
  const list = element("div", {}, element("p", { class: "place-in-code" }, "…"));
  const load = async () => {
    try {
      const { document: graph } = await requestWithRetry(referencesAddress(id));
      const standard = graph.standard.length
        ? element("p", { class: "place-in-code" }, `built in: ${graph.standard.join(", ")}`) : null;
      const missing = graph.missing.length ? element("p", { class: "place-in-code" },
        `not declared in this database: ${graph.missing.map(({ name }) => name).join(", ")}`) : null;
      list.replaceChildren(...[...graph.declarations.map(unfolding), standard, missing].filter(Boolean));
      if (!list.children.length) list.append(element("p", { class: "place-in-code" }, "nothing"));
    } catch (problem) {
      list.replaceChildren(element("p", { class: "note" }, problem.message));
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
