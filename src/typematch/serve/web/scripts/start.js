// The start page, shown without a query.

import { counted, element } from "/scripts/elements.js";

const EXAMPLES = [
  ["(items: T[], size: number) => T[][]", "by type; T is any type"],
  ["(ms: number) => Promise<_>", "_ is any one type"],
  ["split a list into batches", "by meaning"],
  ["async function that takes a path and returns a string", "types in English"],
  ["wait :: (ms: number) => _", "a name, and a type"],
  ["kind:interface has:id", "facets alone"],
];
const STANDARD = "lib"; // the package of the language's globals, present in every database

/** Return the start page for a database with these stats: examples, or how to index. */
export function startPage(stats, search) {
  const packages = stats.packages.filter(({ name, entries }) => name !== STANDARD && entries > 0);
  const shown = element("div", { class: "start" });
  shown.append(...(packages.length ? full(stats, packages, search) : empty()));
  return shown;
}

function full(stats, packages, search) {
  return [
    element("h1", {}, "Find an API by its type, by its meaning, or by both"),
    element("ul", { class: "examples" }, ...EXAMPLES.map(([query, about]) => element("li", {},
      link(query, search, element("code", {}, query), element("span", {}, about))))),
    element("p", {}, `Indexed: ${counted(stats.entries)} entries of ${counted(packages.length)} packages`),
    element("ul", { class: "packages" }, ...packages.map(({ name, entries }) => element("li", {},
      link(`pkg:${name}`, search, name, " ", element("span", {}, counted(entries)))))),
  ];
}

/** Return a link to a query that searches without reloading the page. */
function link(query, search, ...children) {
  const shown = element("a", { href: `?q=${encodeURIComponent(query)}` }, ...children);
  shown.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    search(query);
  });
  return shown;
}

function empty() {
  return [
    element("h1", {}, "The database is empty"),
    element("p", {}, "Index something in a terminal while this server runs:"),
    element("pre", {}, element("code", {}, [
      "typematch index .                    # a project and the typings of its dependencies",
      "typematch index npm:date-fns@4       # a package of the registry",
      "typematch index specs/               # OpenAPI documents, Postman collections, catalogs",
    ].join("\n"))),
    element("p", {}, "The server finds new entries at once, without a restart."),
  ];
}
