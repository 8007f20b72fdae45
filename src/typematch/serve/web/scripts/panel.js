// The side panel: all properties of one entry.

import { requestWithRetry, entryAddress, referencesAddress } from "/scripts/client.js";
import { copying } from "/scripts/clipboard.js";
import { counted, element, line, unseen } from "/scripts/elements.js";
import { code } from "/scripts/highlight.js";
import { sourceLink } from "/scripts/settings.js";
import { documentation } from "/scripts/documentation.js";
import { isDeprecated } from "/scripts/drawing.js";

const FOLDED_AFTER = 3; // overloads that are shown at once
const LEAD = 1; // paragraphs of a long documentation that are shown before the example
const TYPES = new Set(["interface", "class", "alias", "enum", "schema"]);

/**
 * Return the contents of the panel for an entry.
 * @param {object} document a document `typematch.entry/1`
 * @param {{overload?: number | null, adapter?: object | null, close: () => void,
 *   search: (query: string) => void, open: (id: string) => void}} actions
 *   `adapter`: how the query calls the entry
 */
export function panelContents(document, { overload = null, adapter = null, close, search, open }) {
  const { entry, declaration, enrichment, types } = document;
  const reference = (name, text) => nameLink(text, document.doc_links[name], open);
  const tags = (name) => document.doc_tags.filter(({ tag }) => name.includes(tag));
  const doc = documentation(document.doc_blocks, reference);
  const [lead, rest] = doc.length > LEAD + 1 ? [doc.slice(0, LEAD), doc.slice(LEAD)] : [doc, []];
  return [
    element("div", { class: "panel-head" },
      element("h2", { tabindex: "-1" }, entry.id),
      element("button", {
        type: "button", class: "quiet close", "aria-label": "Close", title: "Close (Esc)",
        on: { click: close },
      }, "×")),
    facts(entry),
    entry.deprecated ? element("p", { class: "note" }, "Deprecated. ", ...line(entry.deprecation)) : null,
    doc.length ? element("div", { class: "doc" }, ...lead) : null,
    ...section("For your signature", adapter ? copying(adapter.snippet, "Copy code", "copy-code", "pre") : null),
    ...section("Summary by Claude", enrichmentTexts(enrichment)),
    ...examples(tags(["example"]), entry),
    entry.import_statement ? copying(entry.import_statement, "Copy import", "copy-import") : null,
    ...section("More about it", rest.length ? element("div", { class: "doc" }, ...rest) : null),
    ...section("Parameters", parameters(entry.signatures[overload ?? 0], types, tags(["param"]), reference)),
    ...section("Returns", described(tags(["returns", "return"]), reference)),
    ...section("Throws", described(tags(["throws", "exception"]), reference)),
    ...section("See", described(tags(["see"]), reference)),
    ...endpoint(entry.endpoint, types),
    ...section("Also exported as", names(entry.aliases)),
    ...section("More", more(entry, search)),
    ...signatures(entry, declaration, types, overload),
    references(entry.id, "Types it refers to"),
    element("p", { class: "place-in-code" }, sourceLink(entry), entry.version ? `  ·  ${entry.package} ${entry.version}` : ""),
  ].filter(Boolean);
}

/** Return a name as a link that opens its entry; as code if no entry has the name. */
function nameLink(text, id, open) {
  if (!id) return element("code", {}, text);
  const link = element("a", { href: `?open=${encodeURIComponent(id)}` }, element("code", {}, text));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(id);
  });
  return link;
}

/** Return the examples of the documentation, and a call to copy. */
function examples(tags, entry) {
  const shown = tags.flatMap(({ blocks }) => documentation(blocks, (_, text) => element("code", {}, text)));
  const call = callOf(entry);
  return [
    ...section("Example", shown.length ? element("div", { class: "doc" }, ...shown) : null),
    ...section("Call", call ? copying(call, "Copy call", "copy-call") : null),
  ];
}

/** Return a call with the names of the parameters; empty for what is not called. */
function callOf(entry) {
  const [signature] = entry.signatures;
  if (!signature || entry.endpoint) return "";
  const given = signature.parameters.filter(({ optional, rest }) => !optional && !rest)
    .map(({ name }) => name || "_").join(", ");
  if (entry.kind === "constructor") return `new ${entry.container || entry.name}(${given})`;
  if (!/^[\w$.]+$/.test(entry.qualified_name)) return "";
  const isMember = entry.kind === "method" && !entry.static && !entry.import_statement;
  const holder = entry.container.split(/[.#]/).at(-1);
  const receiver = `${holder.slice(0, 1).toLowerCase()}${holder.slice(1)}`;
  const isImported = [`import { ${entry.name} } from`, `import ${entry.name} from`]
    .some((beginning) => entry.import_statement.startsWith(beginning));
  const own = isImported ? entry.name : entry.qualified_name;
  const callee = isMember && receiver ? `${receiver}.${entry.name}` : own;
  return `${signature.returns.startsWith("Promise<") ? "await " : ""}${callee}(${given})`;
}

function parameters(signature, links, tags, reference) {
  if (!tags.length) return null;
  const types = new Map((signature?.parameters ?? []).map(({ name, type }) => [name, type]));
  return element("table", {}, element("tbody", {}, ...tags.map(({ name, blocks }) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, name)),
    element("td", {}, types.has(name) ? code(types.get(name), "code", links) : null,
      ...documentation(blocks, reference))))));
}

function described(tags, reference) {
  const shown = tags.flatMap(({ blocks }) => documentation(blocks, reference));
  return shown.length ? element("div", { class: "doc" }, ...shown) : null;
}

/** Return searches that start from the entry. */
function more(entry, search) {
  const button = (label, query) => element("button", {
    type: "button", class: "quiet", on: { click: () => search(query) },
  }, label);
  const isType = TYPES.has(entry.kind);
  return element("div", { class: "more-searches" },
    isType ? button(`Who produces ${entry.name}`, `returns:${entry.name} mentions:${entry.name}`) : null,
    isType ? button(`Who takes ${entry.name}`, `param:${entry.name} mentions:${entry.name}`) : null,
    button("Entries of the same type", `like:"${entry.id}"`));
}

function facts(entry) {
  const labels = [
    entry.kind, entry.is_async && "async", entry.is_generator && "generator", entry.static && "static",
    entry.readonly && "readonly", entry.deprecated && "deprecated", !entry.exported && "internal",
    entry.visibility !== "public" && entry.visibility, entry.inferred && "inferred type",
    entry.service,
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

/** Return the declaration; of many overloads the first ones and the matching one, the rest folded. */
function signatures(entry, declaration, types, overload) {
  if (entry.signatures.length < 2) {
    return section("Declaration", code(declaration || entry.signature, "pre", types));
  }
  const shown = entry.signatures.map((signature, i) => {
    const text = code(signature.text, "pre", types);
    text.classList.toggle("chosen", i === overload);
    const isMarked = !entry.deprecated && isDeprecated(signature);
    const note = isMarked ? element("p", { class: "note" }, `Deprecated. ${signature.deprecation}`) : null;
    return element("li", {}, i === overload ? unseen("the matching overload") : null, text, note);
  });
  const isFirst = (_, i) => i < FOLDED_AFTER || i === overload;
  const rest = shown.filter((...each) => !isFirst(...each));
  const list = (items) => element("ol", { class: "overloads" }, ...items);
  return [...section(`Overloads (${shown.length})`, list(shown.filter(isFirst))),
    rest.length ? folded(element("span", {}, `${rest.length} more`), list(rest), () => {}) : null];
}

function endpoint(at, types) {
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
      element("td", {}, code(response.type, "code", types), " ", response.description)])),
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
