// Text and regular expressions.

interface String {
  toString(): string;
  valueOf(): string;
  readonly length: number;
  readonly [index: number]: string;
  /** The character at a position; a negative one counts from the end. */
  at(index: number): string | undefined;
  /** The code unit at a position, as text. */
  charAt(pos: number): string;
  /** The code unit at a position, as a number. */
  charCodeAt(index: number): number;
  /** The Unicode character at a position, as a number. */
  codePointAt(pos: number): number | undefined;
  /** Joins texts. */
  concat(...strings: string[]): string;
  /** Whether the text ends with another. */
  endsWith(searchString: string, endPosition?: number): boolean;
  /** Whether the text contains another. */
  includes(searchString: string, position?: number): boolean;
  /** Where another text first occurs, -1 if nowhere. */
  indexOf(searchString: string, position?: number): number;
  /** Where another text last occurs, -1 if nowhere. */
  lastIndexOf(searchString: string, position?: number): number;
  /** Compares texts as people of a language do: negative, 0 or positive. */
  localeCompare(that: string): number;
  localeCompare(that: string, locales?: string | string[], options?: Intl.CollatorOptions): number;
  localeCompare(that: string, locales?: Intl.LocalesArgument, options?: Intl.CollatorOptions): number;
  /** Finds a pattern; null if it does not occur. */
  match(regexp: string | RegExp): RegExpMatchArray | null;
  match(matcher: { [Symbol.match](string: string): RegExpMatchArray | null }): RegExpMatchArray | null;
  /** Finds every occurrence of a pattern. */
  matchAll(regexp: RegExp): RegExpStringIterator<RegExpExecArray>;
  /** Unicode normal form. */
  normalize(form: "NFC" | "NFD" | "NFKC" | "NFKD"): string;
  normalize(form?: string): string;
  /** Fills the text up at its end to a length. */
  padEnd(maxLength: number, fillString?: string): string;
  /** Fills the text up at its beginning to a length. */
  padStart(maxLength: number, fillString?: string): string;
  /** The text `count` times over. */
  repeat(count: number): string;
  /** Replaces a pattern's first occurrence, or all with the flag g. */
  replace(searchValue: string | RegExp, replaceValue: string): string;
  replace(searchValue: string | RegExp, replacer: (substring: string, ...args: any[]) => string): string;
  replace(
    searchValue: { [Symbol.replace](string: string, replaceValue: string): string }, replaceValue: string,
  ): string;
  replace(
    searchValue: { [Symbol.replace](string: string, replacer: (substring: string, ...args: any[]) => string): string },
    replacer: (substring: string, ...args: any[]) => string,
  ): string;
  /** Replaces every occurrence of a pattern. */
  replaceAll(searchValue: string | RegExp, replaceValue: string): string;
  replaceAll(searchValue: string | RegExp, replacer: (substring: string, ...args: any[]) => string): string;
  /** Where a pattern first occurs, -1 if nowhere. */
  search(regexp: string | RegExp): number;
  search(searcher: { [Symbol.search](string: string): number }): number;
  /** A part of the text, from `start` up to `end`; negative positions count from the end. */
  slice(start?: number, end?: number): string;
  /** Cuts the text at each separator. */
  split(separator: string | RegExp, limit?: number): string[];
  split(splitter: { [Symbol.split](string: string, limit?: number): string[] }, limit?: number): string[];
  /** Whether the text begins with another. */
  startsWith(searchString: string, position?: number): boolean;
  /** A part of the text, from `start` up to `end`. */
  substring(start: number, end?: number): string;
  toLocaleLowerCase(locales?: string | string[]): string;
  toLocaleLowerCase(locales?: Intl.LocalesArgument): string;
  toLocaleUpperCase(locales?: string | string[]): string;
  toLocaleUpperCase(locales?: Intl.LocalesArgument): string;
  /** The text in small letters. */
  toLowerCase(): string;
  /** The text in capital letters. */
  toUpperCase(): string;
  /** The text without white space at both ends. */
  trim(): string;
  trimEnd(): string;
  trimStart(): string;
  /** @deprecated Use `trimStart`. */
  trimLeft(): string;
  /** @deprecated Use `trimEnd`. */
  trimRight(): string;
  /** @deprecated Use `slice`. */
  substr(from: number, length?: number): string;
  /** The Unicode characters, one by one. */
  [Symbol.iterator](): StringIterator<string>;
  /** @deprecated An HTML element as text. */
  anchor(name: string): string;
  /** @deprecated An HTML element as text. */
  big(): string;
  /** @deprecated An HTML element as text. */
  blink(): string;
  /** @deprecated An HTML element as text. */
  bold(): string;
  /** @deprecated An HTML element as text. */
  fixed(): string;
  /** @deprecated An HTML element as text. */
  fontcolor(color: string): string;
  /** @deprecated An HTML element as text. */
  fontsize(size: number): string;
  /** @deprecated An HTML element as text. */
  fontsize(size: string): string;
  /** @deprecated An HTML element as text. */
  italics(): string;
  /** @deprecated An HTML element as text. */
  link(url: string): string;
  /** @deprecated An HTML element as text. */
  small(): string;
  /** @deprecated An HTML element as text. */
  strike(): string;
  /** @deprecated An HTML element as text. */
  sub(): string;
  /** @deprecated An HTML element as text. */
  sup(): string;
}
interface StringConstructor {
  new (value?: any): String;
  /** Turns a value into text. */
  (value?: any): string;
  readonly prototype: String;
  /** Text made of code units. */
  fromCharCode(...codes: number[]): string;
  /** Text made of Unicode characters. */
  fromCodePoint(...codePoints: number[]): string;
  /** A template literal as it was typed, escapes left alone. */
  raw(template: { raw: readonly string[] | ArrayLike<string> }, ...substitutions: any[]): string;
}
declare var String: StringConstructor;

interface TemplateStringsArray extends ReadonlyArray<string> { readonly raw: readonly string[] }

interface RegExpMatchArray extends Array<string> {
  index?: number;
  input?: string;
  0: string;
  groups?: { [key: string]: string };
  indices?: RegExpIndicesArray;
}
interface RegExpExecArray extends Array<string> {
  index: number;
  input: string;
  0: string;
  groups?: { [key: string]: string };
  indices?: RegExpIndicesArray;
}
interface RegExpIndicesArray extends Array<[number, number] | undefined> {
  groups?: { [key: string]: [number, number] };
}
/** A regular expression. */
interface RegExp {
  /** Finds the pattern; null if it does not occur. */
  exec(string: string): RegExpExecArray | null;
  /** Whether the pattern occurs. */
  test(string: string): boolean;
  readonly source: string;
  readonly global: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly flags: string;
  readonly sticky: boolean;
  readonly unicode: boolean;
  readonly dotAll: boolean;
  readonly hasIndices: boolean;
  lastIndex: number;
  /** @deprecated Make a new one. */
  compile(pattern: string, flags?: string): this;
  [Symbol.match](string: string): RegExpMatchArray | null;
  [Symbol.matchAll](str: string): RegExpStringIterator<RegExpExecArray>;
  [Symbol.replace](string: string, replaceValue: string): string;
  [Symbol.replace](string: string, replacer: (substring: string, ...args: any[]) => string): string;
  [Symbol.search](string: string): number;
  [Symbol.split](string: string, limit?: number): string[];
}
interface RegExpStringIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): RegExpStringIterator<T>;
}
interface RegExpConstructor {
  new (pattern: RegExp | string): RegExp;
  new (pattern: string, flags?: string): RegExp;
  new (pattern: RegExp | string, flags?: string): RegExp;
  (pattern: RegExp | string): RegExp;
  (pattern: string, flags?: string): RegExp;
  (pattern: RegExp | string, flags?: string): RegExp;
  readonly "prototype": RegExp;
  readonly [Symbol.species]: RegExpConstructor;
  "$1": string;
  "$2": string;
  "$3": string;
  "$4": string;
  "$5": string;
  "$6": string;
  "$7": string;
  "$8": string;
  "$9": string;
  "input": string;
  "$_": string;
  "lastMatch": string;
  "$&": string;
  "lastParen": string;
  "$+": string;
  "leftContext": string;
  "$`": string;
  "rightContext": string;
  "$'": string;
}
declare var RegExp: RegExpConstructor;
