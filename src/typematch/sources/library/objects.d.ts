// Objects, functions, symbols, errors, and the functions of the global object itself.

interface Object {
  constructor: Function;
  /** Text for this object. */
  toString(): string;
  toLocaleString(): string;
  /** The primitive value of this object. */
  valueOf(): Object;
  /** Whether the object itself, not its prototype, has the property. */
  hasOwnProperty(v: PropertyKey): boolean;
  /** Whether this object is in the prototype chain of `v`. */
  isPrototypeOf(v: Object): boolean;
  propertyIsEnumerable(v: PropertyKey): boolean;
}
interface ObjectConstructor {
  new (value?: any): Object;
  (): any;
  (value: any): any;
  readonly prototype: Object;
  /** The prototype of an object. */
  getPrototypeOf(o: any): any;
  /** Gives `o` another prototype and returns it. */
  setPrototypeOf(o: any, proto: object | null): any;
  getOwnPropertyDescriptor(o: any, p: PropertyKey): PropertyDescriptor | undefined;
  getOwnPropertyDescriptors<T>(o: T):
    { [P in keyof T]: TypedPropertyDescriptor<T[P]> } & { [x: string]: PropertyDescriptor };
  /** Names of all own properties, enumerable or not. */
  getOwnPropertyNames(o: any): string[];
  /** Symbols of all own properties. */
  getOwnPropertySymbols(o: any): symbol[];
  /** A new object with the given prototype. */
  create(o: object | null): any;
  create(o: object | null, properties: PropertyDescriptorMap & ThisType<any>): any;
  /** Adds or changes a property by its descriptor. */
  defineProperty<T>(o: T, p: PropertyKey, attributes: PropertyDescriptor & ThisType<any>): T;
  defineProperties<T>(o: T, properties: PropertyDescriptorMap & ThisType<any>): T;
  /** Forbids adding and removing properties. */
  seal<T>(o: T): T;
  /** Makes the object's properties constant. */
  freeze<T extends Function>(f: T): T;
  freeze<T extends { [idx: string]: U | null | undefined | object }, U extends string | bigint | number | boolean | symbol>(
    o: T,
  ): Readonly<T>;
  freeze<T>(o: T): Readonly<T>;
  /** Forbids adding properties. */
  preventExtensions<T>(o: T): T;
  isSealed(o: any): boolean;
  isFrozen(o: any): boolean;
  isExtensible(o: any): boolean;
  /** The names of an object's own enumerable properties. */
  keys(o: object): string[];
  keys(o: {}): string[];
  /** The values of an object's own enumerable properties. */
  values<T>(o: { [s: string]: T } | ArrayLike<T>): T[];
  values(o: {}): any[];
  /** The [key, value] pairs of an object's own enumerable properties. */
  entries<T>(o: { [s: string]: T } | ArrayLike<T>): [string, T][];
  entries(o: {}): [string, any][];
  /** An object made of [key, value] pairs. */
  fromEntries<T = any>(entries: Iterable<readonly [PropertyKey, T]>): { [k: string]: T };
  fromEntries(entries: Iterable<readonly any[]>): any;
  /** Copies the properties of the sources into `target` and returns it. */
  assign<T extends {}, U>(target: T, source: U): T & U;
  assign<T extends {}, U, V>(target: T, source1: U, source2: V): T & U & V;
  assign<T extends {}, U, V, W>(target: T, source1: U, source2: V, source3: W): T & U & V & W;
  assign(target: object, ...sources: any[]): any;
  /** Whether two values are the same; NaN is the same as NaN. */
  is(value1: any, value2: any): boolean;
  /** Whether the object itself has the property. */
  hasOwn(o: object, v: PropertyKey): boolean;
}
declare var Object: ObjectConstructor;

interface Function {
  /** Calls the function with this `this` and these arguments in an array. */
  apply(this: Function, thisArg: any, argArray?: any): any;
  /** Calls the function with this `this` and these arguments. */
  call(this: Function, thisArg: any, ...argArray: any[]): any;
  /** A function with `this` and the first arguments filled in. */
  bind(this: Function, thisArg: any, ...argArray: any[]): any;
  toString(): string;
  prototype: any;
  readonly length: number;
  arguments: any;
  caller: Function;
  readonly name: string;
  [Symbol.hasInstance](value: any): boolean;
}
interface FunctionConstructor {
  new (...args: string[]): Function;
  (...args: string[]): Function;
  readonly prototype: Function;
}
declare var Function: FunctionConstructor;

interface CallableFunction extends Function {
  apply<T, R>(this: (this: T) => R, thisArg: T): R;
  apply<T, A extends any[], R>(this: (this: T, ...args: A) => R, thisArg: T, args: A): R;
  call<T, A extends any[], R>(this: (this: T, ...args: A) => R, thisArg: T, ...args: A): R;
  bind<T>(this: T, thisArg: ThisParameterType<T>): OmitThisParameter<T>;
  bind<T, A extends any[], B extends any[], R>(
    this: (this: T, ...args: [...A, ...B]) => R, thisArg: T, ...args: A
  ): (...args: B) => R;
}
interface NewableFunction extends Function {
  apply<T>(this: new () => T, thisArg: T): void;
  apply<T, A extends any[]>(this: new (...args: A) => T, thisArg: T, args: A): void;
  call<T, A extends any[]>(this: new (...args: A) => T, thisArg: T, ...args: A): void;
  bind<T>(this: T, thisArg: any): T;
  bind<A extends any[], B extends any[], R>(
    this: new (...args: [...A, ...B]) => R, thisArg: any, ...args: A
  ): new (...args: B) => R;
}
interface IArguments {
  [index: number]: any;
  length: number;
  callee: Function;
  [Symbol.iterator](): ArrayIterator<any>;
}

interface Boolean {
  valueOf(): boolean;
}
interface BooleanConstructor {
  new (value?: any): Boolean;
  /** Whether a value is truthy. */
  <T>(value?: T): boolean;
  readonly prototype: Boolean;
}
declare var Boolean: BooleanConstructor;

interface Symbol {
  toString(): string;
  valueOf(): symbol;
  readonly description: string | undefined;
  [Symbol.toPrimitive](hint: string): symbol;
  readonly [Symbol.toStringTag]: string;
}
interface SymbolConstructor {
  readonly prototype: Symbol;
  /** A new symbol, unlike any other. */
  (description?: string | number): symbol;
  /** The symbol registered under `key`, made if there is none. */
  for(key: string): symbol;
  /** The key under which a symbol is registered. */
  keyFor(sym: symbol): string | undefined;
  readonly iterator: unique symbol;
  readonly asyncIterator: unique symbol;
  readonly hasInstance: unique symbol;
  readonly isConcatSpreadable: unique symbol;
  readonly match: unique symbol;
  readonly matchAll: unique symbol;
  readonly replace: unique symbol;
  readonly search: unique symbol;
  readonly species: unique symbol;
  readonly split: unique symbol;
  readonly toPrimitive: unique symbol;
  readonly toStringTag: unique symbol;
  readonly unscopables: unique symbol;
}
declare var Symbol: SymbolConstructor;

interface ErrorOptions { cause?: unknown }
interface Error {
  name: string;
  message: string;
  stack?: string;
  cause?: unknown;
}
interface ErrorConstructor {
  new (message?: string): Error;
  new (message?: string, options?: ErrorOptions): Error;
  (message?: string): Error;
  (message?: string, options?: ErrorOptions): Error;
  readonly prototype: Error;
}
declare var Error: ErrorConstructor;

interface EvalError extends Error {}
interface EvalErrorConstructor extends ErrorConstructor {
  new (message?: string): EvalError;
  new (message?: string, options?: ErrorOptions): EvalError;
  (message?: string): EvalError;
  (message?: string, options?: ErrorOptions): EvalError;
  readonly prototype: EvalError;
}
declare var EvalError: EvalErrorConstructor;

interface RangeError extends Error {}
interface RangeErrorConstructor extends ErrorConstructor {
  new (message?: string): RangeError;
  new (message?: string, options?: ErrorOptions): RangeError;
  (message?: string): RangeError;
  (message?: string, options?: ErrorOptions): RangeError;
  readonly prototype: RangeError;
}
declare var RangeError: RangeErrorConstructor;

interface ReferenceError extends Error {}
interface ReferenceErrorConstructor extends ErrorConstructor {
  new (message?: string): ReferenceError;
  new (message?: string, options?: ErrorOptions): ReferenceError;
  (message?: string): ReferenceError;
  (message?: string, options?: ErrorOptions): ReferenceError;
  readonly prototype: ReferenceError;
}
declare var ReferenceError: ReferenceErrorConstructor;

interface SyntaxError extends Error {}
interface SyntaxErrorConstructor extends ErrorConstructor {
  new (message?: string): SyntaxError;
  new (message?: string, options?: ErrorOptions): SyntaxError;
  (message?: string): SyntaxError;
  (message?: string, options?: ErrorOptions): SyntaxError;
  readonly prototype: SyntaxError;
}
declare var SyntaxError: SyntaxErrorConstructor;

interface TypeError extends Error {}
interface TypeErrorConstructor extends ErrorConstructor {
  new (message?: string): TypeError;
  new (message?: string, options?: ErrorOptions): TypeError;
  (message?: string): TypeError;
  (message?: string, options?: ErrorOptions): TypeError;
  readonly prototype: TypeError;
}
declare var TypeError: TypeErrorConstructor;

interface URIError extends Error {}
interface URIErrorConstructor extends ErrorConstructor {
  new (message?: string): URIError;
  new (message?: string, options?: ErrorOptions): URIError;
  (message?: string): URIError;
  (message?: string, options?: ErrorOptions): URIError;
  readonly prototype: URIError;
}
declare var URIError: URIErrorConstructor;

/** Several errors in one. */
interface AggregateError extends Error { errors: any[] }
interface AggregateErrorConstructor {
  new (errors: Iterable<any>, message?: string): AggregateError;
  (errors: Iterable<any>, message?: string): AggregateError;
  new (errors: Iterable<any>, message?: string, options?: ErrorOptions): AggregateError;
  (errors: Iterable<any>, message?: string, options?: ErrorOptions): AggregateError;
  readonly prototype: AggregateError;
}
declare var AggregateError: AggregateErrorConstructor;

declare var NaN: number;
declare var Infinity: number;
/** Runs text as a program. */
declare function eval(x: string): any;
/** Reads a whole number at the beginning of a text, in base `radix`. */
declare function parseInt(string: string, radix?: number): number;
/** Reads a decimal number at the beginning of a text. */
declare function parseFloat(string: string): number;
/** Whether a number is NaN. */
declare function isNaN(number: number): boolean;
/** Whether a number is neither infinite nor NaN. */
declare function isFinite(number: number): boolean;
/** Decodes a percent-encoded URI. */
declare function decodeURI(encodedURI: string): string;
/** Decodes one percent-encoded part of a URI. */
declare function decodeURIComponent(encodedURIComponent: string): string;
/** Percent-encodes a whole URI. */
declare function encodeURI(uri: string): string;
/** Percent-encodes one part of a URI. */
declare function encodeURIComponent(uriComponent: string | number | boolean): string;
/** @deprecated Use `encodeURIComponent`. */
declare function escape(string: string): string;
/** @deprecated Use `decodeURIComponent`. */
declare function unescape(string: string): string;
