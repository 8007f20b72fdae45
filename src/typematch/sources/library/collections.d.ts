// Maps, sets, weak references, proxies and reflection.

/** Values by key, in order of insertion. */
interface Map<K, V> {
  clear(): void;
  /** Removes a key; whether it was there. */
  delete(key: K): boolean;
  forEach(callbackfn: (value: V, key: K, map: Map<K, V>) => void, thisArg?: any): void;
  /** The value of a key, undefined if there is none. */
  get(key: K): V | undefined;
  /** Whether there is such a key. */
  has(key: K): boolean;
  /** Gives a key a value. */
  set(key: K, value: V): this;
  readonly size: number;
  /** The [key, value] pairs. */
  entries(): MapIterator<[K, V]>;
  keys(): MapIterator<K>;
  values(): MapIterator<V>;
  [Symbol.iterator](): MapIterator<[K, V]>;
  readonly [Symbol.toStringTag]: string;
}
interface MapConstructor {
  new (): Map<any, any>;
  new <K, V>(entries?: readonly (readonly [K, V])[] | null): Map<K, V>;
  new (): Map<any, any>;
  new <K, V>(iterable?: Iterable<readonly [K, V]> | null): Map<K, V>;
  readonly prototype: Map<any, any>;
  readonly [Symbol.species]: MapConstructor;
}
declare var Map: MapConstructor;
interface ReadonlyMap<K, V> {
  forEach(callbackfn: (value: V, key: K, map: ReadonlyMap<K, V>) => void, thisArg?: any): void;
  get(key: K): V | undefined;
  has(key: K): boolean;
  readonly size: number;
  entries(): MapIterator<[K, V]>;
  keys(): MapIterator<K>;
  values(): MapIterator<V>;
  [Symbol.iterator](): MapIterator<[K, V]>;
}

type WeakKey = WeakKeyTypes[keyof WeakKeyTypes];
interface WeakKeyTypes { object: object }

/** Values by object, forgotten with the object. */
interface WeakMap<K extends WeakKey, V> {
  delete(key: K): boolean;
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): this;
  readonly [Symbol.toStringTag]: string;
}
interface WeakMapConstructor {
  new <K extends WeakKey = WeakKey, V = any>(entries?: readonly (readonly [K, V])[] | null): WeakMap<K, V>;
  new <K extends WeakKey = WeakKey, V = any>(iterable?: Iterable<readonly [K, V]> | null): WeakMap<K, V>;
  readonly prototype: WeakMap<WeakKey, any>;
}
declare var WeakMap: WeakMapConstructor;

/** Values, each once, in order of insertion. */
interface Set<T> {
  /** Puts a value in. */
  add(value: T): this;
  clear(): void;
  /** Takes a value out; whether it was there. */
  delete(value: T): boolean;
  forEach(callbackfn: (value: T, value2: T, set: Set<T>) => void, thisArg?: any): void;
  /** Whether the value is in the set. */
  has(value: T): boolean;
  readonly size: number;
  entries(): SetIterator<[T, T]>;
  keys(): SetIterator<T>;
  values(): SetIterator<T>;
  [Symbol.iterator](): SetIterator<T>;
  readonly [Symbol.toStringTag]: string;
}
interface SetConstructor {
  new <T = any>(values?: readonly T[] | null): Set<T>;
  new <T>(iterable?: Iterable<T> | null): Set<T>;
  readonly prototype: Set<any>;
  readonly [Symbol.species]: SetConstructor;
}
declare var Set: SetConstructor;
interface ReadonlySet<T> {
  forEach(callbackfn: (value: T, value2: T, set: ReadonlySet<T>) => void, thisArg?: any): void;
  has(value: T): boolean;
  readonly size: number;
  entries(): SetIterator<[T, T]>;
  keys(): SetIterator<T>;
  values(): SetIterator<T>;
  [Symbol.iterator](): SetIterator<T>;
}

/** Objects that the set does not keep alive. */
interface WeakSet<T extends WeakKey> {
  add(value: T): this;
  delete(value: T): boolean;
  has(value: T): boolean;
  readonly [Symbol.toStringTag]: string;
}
interface WeakSetConstructor {
  new <T extends WeakKey = WeakKey>(values?: readonly T[] | null): WeakSet<T>;
  new <T extends WeakKey = WeakKey>(iterable: Iterable<T>): WeakSet<T>;
  readonly prototype: WeakSet<WeakKey>;
}
declare var WeakSet: WeakSetConstructor;

interface WeakRef<T extends WeakKey> {
  readonly [Symbol.toStringTag]: "WeakRef";
  /** The object, undefined once it is gone. */
  deref(): T | undefined;
}
interface WeakRefConstructor {
  readonly prototype: WeakRef<any>;
  new <T extends WeakKey>(target: T): WeakRef<T>;
}
declare var WeakRef: WeakRefConstructor;

interface FinalizationRegistry<T> {
  readonly [Symbol.toStringTag]: "FinalizationRegistry";
  /** Asks to be told when the object is gone. */
  register(target: WeakKey, heldValue: T, unregisterToken?: WeakKey): void;
  unregister(unregisterToken: WeakKey): boolean;
}
interface FinalizationRegistryConstructor {
  readonly prototype: FinalizationRegistry<any>;
  new <T>(cleanupCallback: (heldValue: T) => void): FinalizationRegistry<T>;
}
declare var FinalizationRegistry: FinalizationRegistryConstructor;

interface ProxyHandler<T extends object> {
  apply?(target: T, thisArg: any, argArray: any[]): any;
  construct?(target: T, argArray: any[], newTarget: Function): object;
  defineProperty?(target: T, property: string | symbol, attributes: PropertyDescriptor): boolean;
  deleteProperty?(target: T, p: string | symbol): boolean;
  get?(target: T, p: string | symbol, receiver: any): any;
  getOwnPropertyDescriptor?(target: T, p: string | symbol): PropertyDescriptor | undefined;
  getPrototypeOf?(target: T): object | null;
  has?(target: T, p: string | symbol): boolean;
  isExtensible?(target: T): boolean;
  ownKeys?(target: T): ArrayLike<string | symbol>;
  preventExtensions?(target: T): boolean;
  set?(target: T, p: string | symbol, newValue: any, receiver: any): boolean;
  setPrototypeOf?(target: T, v: object | null): boolean;
}
interface ProxyConstructor {
  /** A proxy and the function that turns it off. */
  revocable<T extends object>(target: T, handler: ProxyHandler<T>): { proxy: T; revoke: () => void };
  new <T extends object>(target: T, handler: ProxyHandler<T>): T;
}
declare var Proxy: ProxyConstructor;

declare namespace Reflect {
  /** Calls a function with this `this` and these arguments. */
  function apply<T, A extends readonly any[], R>(
    target: (this: T, ...args: A) => R, thisArgument: T, argumentsList: Readonly<A>,
  ): R;
  function apply(target: Function, thisArgument: any, argumentsList: ArrayLike<any>): any;
  /** Calls a constructor. */
  function construct<A extends readonly any[], R>(
    target: new (...args: A) => R, argumentsList: Readonly<A>, newTarget?: new (...args: any) => any,
  ): R;
  function construct(target: Function, argumentsList: ArrayLike<any>, newTarget?: Function): any;
  function defineProperty(
    target: object, propertyKey: PropertyKey, attributes: PropertyDescriptor & ThisType<any>,
  ): boolean;
  function deleteProperty(target: object, propertyKey: PropertyKey): boolean;
  /** Reads a property. */
  function get<T extends object, P extends PropertyKey>(
    target: T, propertyKey: P, receiver?: unknown,
  ): P extends keyof T ? T[P] : any;
  function getOwnPropertyDescriptor<T extends object, P extends PropertyKey>(
    target: T, propertyKey: P,
  ): TypedPropertyDescriptor<P extends keyof T ? T[P] : any> | undefined;
  function getPrototypeOf(target: object): object | null;
  function has(target: object, propertyKey: PropertyKey): boolean;
  function isExtensible(target: object): boolean;
  /** All own keys of an object, names and symbols. */
  function ownKeys(target: object): (string | symbol)[];
  function preventExtensions(target: object): boolean;
  /** Writes a property; whether that worked. */
  function set<T extends object, P extends PropertyKey>(
    target: T, propertyKey: P, value: P extends keyof T ? T[P] : any, receiver?: any,
  ): boolean;
  function set(target: object, propertyKey: PropertyKey, value: any, receiver?: any): boolean;
  function setPrototypeOf(target: object, proto: object | null): boolean;
}
