// What there is to see before anything was asked.

import { counted, element } from "/scripts/elements.js";

const EXAMPLES = [
  ["(items: T[], size: number) => T[][]", "by type; T is any type"],
  ["(ms: number) => Promise<_>", "_ is any one type"],
  ["split a list into batches", "by meaning"],
  ["async function that takes a path and returns a string", "types said in English"],
  ["wait :: (ms: number) => _", "a name, and a type"],
  ["kind:interface has:id", "facets alone"],
];
const OWN = "lib"; // the package of the language's own globals, which every file has

/** Return the start page for a file with these stats: examples, or how to fill it. */
export function startPage(stats, search) {
  const packages = stats.packages.filter((one) => one.name !== OWN);
  const shown = element("div", { class: "start" });
  shown.append(...(packages.length ? full(stats, packages, search) : empty()));
  return shown;
}

function full(stats, packages, search) {
  return [
    element("h1", {}, "Find an API by its type, by its meaning, or by both"),
    element("ul", { class: "examples" }, ...EXAMPLES.map(([query, says]) => element("li", {},
      link(query, search, element("code", {}, query), element("span", {}, says))))),
    element("p", {}, `Here are ${counted(stats.entries)} entries of ${counted(packages.length)} packages:`),
    element("ul", { class: "packages" }, ...packages.map((one) => element("li", {},
      link(`pkg:${one.name}`, search, one.name, " ",
        element("span", {}, counted(one.entries)))))),
  ];
}

/** Return a link to a query, which is asked without leaving the page. */
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
    element("h1", {}, "This catalog is empty"),
    element("p", {}, "Nothing has been indexed yet. Fill it beside this server, in a terminal:"),
    element("pre", {}, element("code", {}, [
      "typematch index .                    # a project and the typings of its dependencies",
      "typematch index npm:date-fns@4       # a package of the registry",
      "typematch index specs/               # OpenAPI documents, Postman collections, catalogs",
    ].join("\n"))),
    element("p", {}, "The server need not be started again: what is indexed is found at once."),
  ];
}
