// Help: the query language by example; each example runs.

import { element } from "/scripts/elements.js";
import { settingsForm } from "/scripts/settings.js";

const SECTIONS = [
  ["By type", [
    ["(items: T[], size: number) => T[][]", "a signature; a capital letter is any type, the same everywhere"],
    ["(path: string) => Promise<_>", "_ is any one type"],
    ["(date: Date, ...) => Date", "... is any further parameters"],
    [":: { id: string }", "a type with these members"],
  ]],
  ["By meaning", [
    ["split a list into batches", "words"],
    ["takes a path and returns a promise of a string", "types in English"],
    ["debounce :: (f: (...) => _, ms: number) => _", "a name before ::, a type after it"],
  ]],
  ["Facets narrow down", [
    ["kind:function,method arity:1..2", "comma: one or the other; two facets: both"],
    ["map -is:deprecated", "- excludes"],
    ["returns:Promise<_> name:*read*", "* is any text"],
    ["has:id kind:interface", "types with a field"],
    ["(x: string) => number  is:assignable", "only what fits as it is"],
    ["kind:method sort:name limit:50", "order and number of hits"],
  ]],
];
const KEYS = [
  ["/", "go to the box"], ["↑ ↓", "through the hits"], ["Enter", "search; on a hit: open it"],
  ["c", "copy the import of the hit"], ["p", "pipelines: two or three calls for the signature"], ["Esc", "close"], ["?  Ctrl K", "this help"],
];

export function helpContents({ search, close }) {
  const example = ([query, about]) => element("li", {},
    element("button", { type: "button", on: { click: () => search(query) } },
      element("code", {}, query)), element("span", {}, about));
  return [
    element("div", { class: "help-head" }, element("h2", { id: "help-title" }, "How to ask"),
      element("button", {
        type: "button", class: "quiet close", "aria-label": "Close help", on: { click: close },
      }, "×")),
    ...SECTIONS.flatMap(([title, examples]) => [
      element("h3", {}, title), element("ul", { class: "help-examples" }, ...examples.map(example)),
    ]),
    element("h3", {}, "Keys"),
    element("ul", { class: "help-keys" }, ...KEYS.map(([key, about]) => element("li", {},
      element("kbd", {}, key), " ", about))),
    element("h3", {}, "Settings"),
    settingsForm(),
  ];
}
