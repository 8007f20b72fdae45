// The reference of the HTTP API, made from /api/openapi.json; its examples run.

import { request, useToken } from "/scripts/client.js";
import { copying } from "/scripts/clipboard.js";
import { counted, element } from "/scripts/elements.js";
import { tokenForm } from "/scripts/problem.js";

const QUERY = "(items: T[], size: number) => T[][]";
const EXAMPLES = { q: QUERY, limit: "5", name: "NAME", key: "KEY", start: "20" };
const BODIES = {
  relate: ["application/json", JSON.stringify({ source: "string[]", target: "Iterable<string>" })],
  match: ["application/octet-stream", "export interface Store { get(key: string): string | undefined }"],
};
const WITHOUT_EXAMPLE = "page"; // its address comes from the answer to a search
const LONGEST = 3_000; // characters of an answer that are shown
const ERRORS = "errors"; // the id of their section

/**
 * @param {object} description the OpenAPI document
 * @param {string} id of an entry, for examples
 */
function page(description, id) {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) => (
    Object.entries(methods).map(([method, each]) => operation(method.toUpperCase(), path, each, id))));
  const models = Object.entries(description.components.schemas)
    .map(([name, schema]) => model(name, schema));
  return [
    element("h1", {}, "The API"),
    element("p", {}, `${description.info.title} ${description.info.version}. `,
      description.info.summary, " Responses are the JSON documents that ",
      element("code", { class: "option" }, "--json"), " prints."),
    ...token(description),
    ...operations,
    ...errors(description),
    element("h2", {}, "Documents"),
    ...models,
  ];
}

/** Return how a token is sent, with a form for it. */
function token(description) {
  const isRequired = description.security.every((scheme) => Object.keys(scheme).length);
  return [element("section", { class: "operation", id: "token" },
    element("h2", {}, "Token"),
    element("p", {}, isRequired ? "This server requires a token: " : "This server requires no token. Servers with one: ",
      element("code", {}, "Authorization: Bearer TOKEN")),
    isRequired ? tokenForm((text) => { useToken(text); show(); }) : null)];
}

/** Return the errors that every address can answer. */
function errors(description) {
  const [search] = Object.values(description.paths["/api/search"]);
  const rows = Object.entries(search.responses).filter(([status]) => status >= "400")
    .map(([status, { description: what }]) => row(element("strong", {}, status), [what]));
  return [element("section", { class: "operation", id: ERRORS },
    element("h2", {}, "Errors"),
    element("p", {}, "Every address may answer these, with a ",
      element("a", { href: "#model-ProblemDocument" }, "ProblemDocument"),
      " of the type ", element("code", {}, "application/problem+json"), " (RFC 9457)."),
    ...table("", rows),
    element("h3", {}, "Example"),
    runnable("GET", `/api/search?q=${encodeURIComponent("(string -> number")}`,
      `curl --get ${location.origin}/api/search --data-urlencode 'q=(string -> number'`))];
}

function operation(method, path, definition, id) {
  const parameters = (definition.parameters ?? []).map((parameter) => row(
    element("code", {}, parameter.name),
    [...typeOf(parameter.schema), facts(parameter.schema, parameter.required)],
    parameter.description ?? parameter.schema.description ?? ""));
  const body = Object.entries(definition.requestBody?.content ?? {})
    .map(([type, { schema }]) => row("body", [...typeOf(schema), ", up to 2,000,000 bytes"], type));
  const responses = Object.entries(definition.responses).filter(([status]) => status < "400" || status === "410")
    .map(([status, response]) => row(status,
      typeOf(Object.values(response.content ?? {})[0]?.schema ?? {}),
      response.description === "Successful Response" ? "" : response.description));
  responses.push(row("others", [element("a", { href: `#${ERRORS}` }, "Errors")], ""));
  const name = definition.operationId;
  const isRunnable = name !== WITHOUT_EXAMPLE;
  return element("section", { class: "operation", id: name },
    element("h2", {}, element("span", { class: `method ${method}` }, method), " ", path),
    element("p", {}, definition.description ?? definition.summary ?? ""),
    ...table("Parameters", [...parameters, ...body]),
    ...table("Responses", responses),
    ...(isRunnable ? [element("h3", {}, "Example"), example(method, path, definition, id)] : []));
}

/** Return what is known of a value: ", default 20, 1 to 200". */
function facts(schema, isRequired) {
  const bounds = [schema, ...(schema.anyOf ?? [])].find((each) => each.maximum !== undefined);
  const defaultValue = schema.default === undefined ? "none" : JSON.stringify(schema.default);
  return [
    isRequired ? "required" : `default ${defaultValue}`,
    bounds ? `${counted(bounds.minimum ?? 0)} to ${counted(bounds.maximum)}` : null,
    schema.maxLength ? `up to ${counted(schema.maxLength)} characters` : null,
  ].filter(Boolean).map((fact) => `, ${fact}`).join("");
}

function row(name, type, about = "") {
  return element("tr", {}, element("th", { scope: "row" }, name),
    element("td", { colspan: about ? null : 2 }, ...type), about ? element("td", {}, about) : null);
}

function example(method, path, definition, id) {
  const value = (name) => (path.includes(`{${name}`) && name === "name" ? id : EXAMPLES[name] ?? "");
  const filled = path.replace(/\{(\w+)(?::path)?\}/g, (_, name) => encodeURIComponent(value(name)));
  const query = (definition.parameters ?? []).filter((each) => each.in === "query" && each.required)
    .map(({ name }) => [name, method === "POST" ? "store.ts" : value(name)]);
  const search = query.length ? `?${new URLSearchParams(query)}` : "";
  const [type, body] = BODIES[definition.operationId] ?? [];
  const sent = body ? ` --header 'Content-Type: ${type}' --data-binary '${body}'` : "";
  const given = query.map(([name, text]) => ` --data-urlencode '${name}=${text}'`).join("");
  const curl = body ? `curl '${location.origin}${filled}${search}'${sent}`
    : `curl ${given ? "--get " : ""}${location.origin}${filled}${given}`;
  return runnable(method, `${filled}${search}`, curl, body ? { headers: { "Content-Type": type }, body } : {});
}

/** Return a command with buttons that copy it and run it here. */
function runnable(method, address, command, init = {}) {
  const answer = element("pre", { class: "answer", tabindex: "0", role: "region", "aria-label": "Answer", hidden: true });
  const run = async () => {
    answer.hidden = false;
    answer.textContent = "…";
    const text = await request(address, undefined, { method, ...init })
      .then(({ document: found }) => found, (problem) => ({ status: problem.status, detail: problem.message, hint: problem.hint }))
      .then((found) => JSON.stringify(found, null, 2));
    answer.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${counted(text.length)} characters` : text;
  };
  const shown = copying(command, "Copy", null, "pre");
  shown.firstElementChild.replaceWith(element("pre", {}, element("code", {}, command))); // no TypeScript
  shown.querySelector("button").before(element("button", { type: "button", class: "quiet run", on: { click: run } }, "Run"));
  return element("div", { class: "example" }, shown, answer);
}

function model(name, schema) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) => row(
    element("code", {}, required.has(key) ? key : `${key}?`),
    [...typeOf(property), property.maxLength ? facts(property, required.has(key)) : ""],
    property.description));
  return element("section", { class: "model", id: `model-${name}` },
    element("h2", {}, name), element("table", {}, element("tbody", {}, ...rows)));
}

function table(title, rows) {
  return rows.length
    ? [title ? element("h3", {}, title) : null, element("table", {}, element("tbody", {}, ...rows))].filter(Boolean) : [];
}

/** Return a JSON schema as nodes, written like a TypeScript type. */
function typeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return [element("a", { href: `#model-${name}` }, name)];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice, i) => [i ? " | " : "", ...typeOf(choice)]);
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  if (schema.type === "array") return [...typeOf(schema.items ?? {}), "[]"];
  if (schema.additionalProperties) return ["{ [name]: ", ...typeOf(schema.additionalProperties), " }"];
  return [schema.type ?? "anything"];
}

async function show() {
  const shown = document.getElementById("docs");
  try {
    const { document: description } = await request("/api/openapi.json");
    const id = await request("/api/search?q=kind%3Afunction&limit=1")
      .then(({ document: found }) => found.hits[0]?.entry.id, () => undefined) ?? EXAMPLES.name;
    shown.replaceChildren(...page(description, id));
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  } catch (error) {
    shown.replaceChildren(element("h1", {}, "The API"), element("p", { class: "note" }, error.message),
      ...(error.status === 401 ? [tokenForm((text) => { useToken(text); show(); })] : []));
  }
}

show();
