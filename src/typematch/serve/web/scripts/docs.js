// The server's own description, /api/openapi.json, to be read.

import { ask } from "/scripts/asking.js";
import { element } from "/scripts/elements.js";

const EXAMPLES = {
  q: "(items: T[], size: number) => T[][]", limit: "5", name: "needed.ts", key: "KEY", start: "20",
};

function page(description) {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) => (
    Object.entries(methods).map(([method, one]) => operation(method.toUpperCase(), path, one))));
  const models = Object.entries(description.components.schemas)
    .map(([name, schema]) => model(name, schema));
  return [
    element("h1", {}, "The API"),
    element("p", {}, `${description.info.title} ${description.info.version}. `,
      description.info.summary, " Answers are the documents that ",
      element("code", {}, "--json"), " prints."),
    ...operations,
    element("h2", {}, "Documents"),
    ...models,
  ];
}

function operation(method, path, one) {
  const given = one.requestBody
    && Object.entries(one.requestBody.content).map(([type, { schema }]) => (
      element("tr", {}, element("th", { scope: "row" }, "body"),
        element("td", {}, ...typeOf(schema)), element("td", {}, type))));
  const parameters = (one.parameters ?? []).map((parameter) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, parameter.name)),
    element("td", {}, ...typeOf(parameter.schema), parameter.required ? ", required" : ""),
    element("td", {}, parameter.description ?? parameter.schema.description ?? `in ${parameter.in}`)));
  const answers = Object.entries(one.responses).map(([status, answer]) => element("tr", {},
    element("th", { scope: "row" }, status),
    element("td", {}, ...typeOf(answer.content?.["application/json"]?.schema ?? {})),
    element("td", {}, answer.description)));
  return element("section", { class: "operation", id: one.operationId },
    element("h2", {}, element("span", { class: `method ${method}` }, method), path),
    element("p", {}, one.description ?? one.summary ?? ""),
    ...table("Asked with", [...parameters, ...(given ?? [])]),
    ...table("Answers", answers),
    element("pre", {}, element("code", {}, call(method, path, one))));
}

function model(name, schema) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([key, one]) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, required.has(key) ? key : `${key}?`)),
    element("td", {}, ...typeOf(one)),
    element("td", {}, one.description ?? "")));
  return element("section", { class: "model", id: `model-${name}` },
    element("h2", {}, name), element("table", {}, element("tbody", {}, ...rows)));
}

function table(title, rows) {
  return rows.length
    ? [element("h3", {}, title), element("table", {}, element("tbody", {}, ...rows))] : [];
}

/** Return a JSON schema as nodes that read like a type. */
function typeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return [element("a", { href: `#model-${name}` }, name)];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((one, i) => [i ? " | " : "", ...typeOf(one)]);
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((one) => JSON.stringify(one)).join(" | ")];
  if (schema.type === "array") return [...typeOf(schema.items ?? {}), "[]"];
  if (schema.additionalProperties) return ["{ [name]: ", ...typeOf(schema.additionalProperties), " }"];
  const bounds = [schema.minimum, schema.maximum].some((one) => one !== undefined)
    ? ` ${schema.minimum ?? ""}..${schema.maximum ?? ""}` : "";
  return [`${schema.type ?? "anything"}${bounds}`];
}

/** Return a command that asks this. */
function call(method, path, one) {
  const example = (name) => EXAMPLES[name] ?? name.toUpperCase();
  const filled = path.replace(/\{(\w+)(?::path)?\}/g, (_, name) => example(name));
  const asked = (one.parameters ?? []).filter((each) => each.in === "query" && each.required)
    .map((each) => ` --data-urlencode '${each.name}=${example(each.name)}'`).join("");
  const body = one.requestBody?.content ?? {};
  const sent = body["application/json"]
    ? " --json '{\"source\": \"string[]\", \"target\": \"Iterable<string>\"}'"
    : Object.keys(body).length ? " --data-binary @needed.ts" : "";
  const get = method === "GET" ? `${asked ? " --get" : ""}${asked}` : "";
  const named = method === "POST" && asked ? "?name=needed.ts" : "";
  return `curl ${location.origin}${filled}${named}${get}${sent}`;
}

const shown = document.getElementById("docs");
try {
  shown.replaceChildren(...page((await ask("/api/openapi.json")).document));
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
} catch (error) {
  shown.replaceChildren(element("p", { class: "problem" }, error.message));
}
