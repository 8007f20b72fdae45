// The reference of the HTTP API, made from /api/openapi.json.

import { request } from "/scripts/client.js";
import { element } from "/scripts/elements.js";

const EXAMPLES = {
  q: "(items: T[], size: number) => T[][]", limit: "5", name: "needed.ts", key: "KEY", start: "20",
};

function page(description) {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) => (
    Object.entries(methods).map(([method, each]) => operation(method.toUpperCase(), path, each))));
  const models = Object.entries(description.components.schemas)
    .map(([name, schema]) => model(name, schema));
  return [
    element("h1", {}, "The API"),
    element("p", {}, `${description.info.title} ${description.info.version}. `,
      description.info.summary, " Responses are the JSON documents that ",
      element("code", {}, "--json"), " prints."),
    ...operations,
    element("h2", {}, "Documents"),
    ...models,
  ];
}

function operation(method, path, definition) {
  const body = definition.requestBody
    && Object.entries(definition.requestBody.content).map(([type, { schema }]) => (
      element("tr", {}, element("th", { scope: "row" }, "body"),
        element("td", {}, ...typeOf(schema)), element("td", {}, type))));
  const parameters = (definition.parameters ?? []).map((parameter) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, parameter.name)),
    element("td", {}, ...typeOf(parameter.schema), parameter.required ? ", required" : ""),
    element("td", {}, parameter.description ?? parameter.schema.description ?? `in ${parameter.in}`)));
  const responses = Object.entries(definition.responses).map(([status, response]) => element("tr", {},
    element("th", { scope: "row" }, status),
    element("td", {}, ...typeOf(Object.values(response.content ?? {})[0]?.schema ?? {})),
    element("td", {}, response.description)));
  return element("section", { class: "operation", id: definition.operationId },
    element("h2", {}, element("span", { class: `method ${method}` }, method), path),
    element("p", {}, definition.description ?? definition.summary ?? ""),
    ...table("Parameters", [...parameters, ...(body ?? [])]),
    ...table("Responses", responses),
    element("pre", {}, element("code", {}, call(method, path, definition))));
}

function model(name, schema) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, required.has(key) ? key : `${key}?`)),
    element("td", {}, ...typeOf(property)),
    element("td", {}, property.description ?? "")));
  return element("section", { class: "model", id: `model-${name}` },
    element("h2", {}, name), element("table", {}, element("tbody", {}, ...rows)));
}

function table(title, rows) {
  return rows.length
    ? [element("h3", {}, title), element("table", {}, element("tbody", {}, ...rows))] : [];
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
  const bounds = [schema.minimum, schema.maximum].some((bound) => bound !== undefined)
    ? ` ${schema.minimum ?? ""}..${schema.maximum ?? ""}` : "";
  return [`${schema.type ?? "anything"}${bounds}`];
}

/** Return a curl command that sends an example request. */
function call(method, path, definition) {
  const example = (name) => EXAMPLES[name] ?? name.toUpperCase();
  const filled = path.replace(/\{(\w+)(?::path)?\}/g, (_, name) => example(name));
  const query = (definition.parameters ?? []).filter((each) => each.in === "query" && each.required)
    .map((each) => ` --data-urlencode '${each.name}=${example(each.name)}'`).join("");
  const body = definition.requestBody?.content ?? {};
  const sent = body["application/json"]
    ? " --json '{\"source\": \"string[]\", \"target\": \"Iterable<string>\"}'"
    : Object.keys(body).length ? " --data-binary @needed.ts" : "";
  const get = method === "GET" ? `${query ? " --get" : ""}${query}` : "";
  const named = method === "POST" && query ? "?name=needed.ts" : "";
  return `curl ${location.origin}${filled}${named}${get}${sent}`;
}

const shown = document.getElementById("docs");
try {
  shown.replaceChildren(...page((await request("/api/openapi.json")).document));
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
} catch (error) {
  shown.replaceChildren(element("p", { class: "problem" }, error.message));
}
