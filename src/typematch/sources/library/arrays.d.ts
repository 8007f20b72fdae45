// Arrays.

interface ArrayLike<T> {
  readonly length: number;
  readonly [n: number]: T;
}
interface ConcatArray<T> {
  readonly length: number;
  readonly [n: number]: T;
  join(separator?: string): string;
  slice(start?: number, end?: number): T[];
}
type FlatArray<Arr, Depth extends number> = {
  done: Arr;
  recur: Arr extends ReadonlyArray<infer InnerArr>
    ? FlatArray<InnerArr, [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20][Depth]> : Arr;
}[Depth extends -1 ? "done" : "recur"];

interface Array<T> {
  length: number;
  [n: number]: T;
  /** The element at a position; a negative one counts from the end. */
  at(index: number): T | undefined;
  /** This array and the others, one behind the other. */
  concat(...items: ConcatArray<T>[]): T[];
  concat(...items: (T | ConcatArray<T>)[]): T[];
  /** Copies a stretch of the array to another place inside it. */
  copyWithin(target: number, start: number, end?: number): this;
  /** The [position, element] pairs. */
  entries(): ArrayIterator<[number, T]>;
  /** Whether every element passes the test. */
  every<S extends T>(predicate: (value: T, index: number, array: T[]) => value is S, thisArg?: any): this is S[];
  every(predicate: (value: T, index: number, array: T[]) => unknown, thisArg?: any): boolean;
  /** Puts one value in every place. */
  fill(value: T, start?: number, end?: number): this;
  /** The elements that pass the test. */
  filter<S extends T>(predicate: (value: T, index: number, array: T[]) => value is S, thisArg?: any): S[];
  filter(predicate: (value: T, index: number, array: T[]) => unknown, thisArg?: any): T[];
  /** The first element that passes the test. */
  find<S extends T>(predicate: (value: T, index: number, obj: T[]) => value is S, thisArg?: any): S | undefined;
  find(predicate: (value: T, index: number, obj: T[]) => unknown, thisArg?: any): T | undefined;
  /** The position of the first element that passes the test, -1 if none does. */
  findIndex(predicate: (value: T, index: number, obj: T[]) => unknown, thisArg?: any): number;
  /** The elements of the inner arrays, down to a depth. */
  flat<A, D extends number = 1>(this: A, depth?: D): FlatArray<A, D>[];
  /** Calls `callback` on each element and puts the resulting arrays one behind the other. */
  flatMap<U, This = undefined>(
    callback: (this: This, value: T, index: number, array: T[]) => U | ReadonlyArray<U>, thisArg?: This,
  ): U[];
  /** Calls `callbackfn` on each element. */
  forEach(callbackfn: (value: T, index: number, array: T[]) => void, thisArg?: any): void;
  /** Whether the array contains a value. */
  includes(searchElement: T, fromIndex?: number): boolean;
  /** The first position of a value, -1 if it does not occur. */
  indexOf(searchElement: T, fromIndex?: number): number;
  /** The elements as text with a separator between them. */
  join(separator?: string): string;
  /** The positions. */
  keys(): ArrayIterator<number>;
  /** The last position of a value, -1 if it does not occur. */
  lastIndexOf(searchElement: T, fromIndex?: number): number;
  /** Calls `callbackfn` on each element and collects the results. */
  map<U>(callbackfn: (value: T, index: number, array: T[]) => U, thisArg?: any): U[];
  /** Takes the last element off. */
  pop(): T | undefined;
  /** Adds elements at the end; gives the new length. */
  push(...items: T[]): number;
  /** Folds the elements into one value, from the left. */
  reduce(callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: T[]) => T): T;
  reduce(callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: T[]) => T, initialValue: T): T;
  reduce<U>(callbackfn: (previousValue: U, currentValue: T, currentIndex: number, array: T[]) => U, initialValue: U): U;
  /** Folds the elements into one value, from the right. */
  reduceRight(callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: T[]) => T): T;
  reduceRight(
    callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: T[]) => T, initialValue: T,
  ): T;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: T, currentIndex: number, array: T[]) => U, initialValue: U,
  ): U;
  /** Turns the order of the elements round, in place. */
  reverse(): T[];
  /** Takes the first element off. */
  shift(): T | undefined;
  /** A copy of a part, from `start` up to `end`; negative positions count from the end. */
  slice(start?: number, end?: number): T[];
  /** Whether at least one element passes the test. */
  some(predicate: (value: T, index: number, array: T[]) => unknown, thisArg?: any): boolean;
  /** Sorts in place; `compareFn` says which of two comes first. */
  sort(compareFn?: (a: T, b: T) => number): this;
  /** Removes elements and puts others in their place; gives the removed ones. */
  splice(start: number, deleteCount?: number): T[];
  splice(start: number, deleteCount: number, ...items: T[]): T[];
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions): string;
  toString(): string;
  /** Adds elements at the beginning; gives the new length. */
  unshift(...items: T[]): number;
  /** The elements. */
  values(): ArrayIterator<T>;
  [Symbol.iterator](): ArrayIterator<T>;
  readonly [Symbol.unscopables]: { [K in keyof any[]]?: boolean };
}

interface ReadonlyArray<T> {
  readonly length: number;
  readonly [n: number]: T;
  at(index: number): T | undefined;
  concat(...items: ConcatArray<T>[]): T[];
  concat(...items: (T | ConcatArray<T>)[]): T[];
  entries(): ArrayIterator<[number, T]>;
  every<S extends T>(
    predicate: (value: T, index: number, array: readonly T[]) => value is S, thisArg?: any,
  ): this is readonly S[];
  every(predicate: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): boolean;
  filter<S extends T>(predicate: (value: T, index: number, array: readonly T[]) => value is S, thisArg?: any): S[];
  filter(predicate: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): T[];
  find<S extends T>(
    predicate: (value: T, index: number, obj: readonly T[]) => value is S, thisArg?: any,
  ): S | undefined;
  find(predicate: (value: T, index: number, obj: readonly T[]) => unknown, thisArg?: any): T | undefined;
  findIndex(predicate: (value: T, index: number, obj: readonly T[]) => unknown, thisArg?: any): number;
  flat<A, D extends number = 1>(this: A, depth?: D): FlatArray<A, D>[];
  flatMap<U, This = undefined>(
    callback: (this: This, value: T, index: number, array: T[]) => U | ReadonlyArray<U>, thisArg?: This,
  ): U[];
  forEach(callbackfn: (value: T, index: number, array: readonly T[]) => void, thisArg?: any): void;
  includes(searchElement: T, fromIndex?: number): boolean;
  indexOf(searchElement: T, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: T, fromIndex?: number): number;
  map<U>(callbackfn: (value: T, index: number, array: readonly T[]) => U, thisArg?: any): U[];
  reduce(callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: readonly T[]) => T): T;
  reduce(
    callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: readonly T[]) => T, initialValue: T,
  ): T;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: T, currentIndex: number, array: readonly T[]) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: readonly T[]) => T): T;
  reduceRight(
    callbackfn: (previousValue: T, currentValue: T, currentIndex: number, array: readonly T[]) => T, initialValue: T,
  ): T;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: T, currentIndex: number, array: readonly T[]) => U, initialValue: U,
  ): U;
  slice(start?: number, end?: number): T[];
  some(predicate: (value: T, index: number, array: readonly T[]) => unknown, thisArg?: any): boolean;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions): string;
  toString(): string;
  values(): ArrayIterator<T>;
  [Symbol.iterator](): ArrayIterator<T>;
  readonly [Symbol.unscopables]: { [K in keyof readonly any[]]?: boolean };
}

interface ArrayConstructor {
  new (arrayLength?: number): any[];
  new <T>(arrayLength: number): T[];
  new <T>(...items: T[]): T[];
  (arrayLength?: number): any[];
  <T>(arrayLength: number): T[];
  <T>(...items: T[]): T[];
  readonly prototype: any[];
  /** Whether a value is an array. */
  isArray(arg: any): arg is any[];
  /** An array of the elements of something array-like or iterable. */
  from<T>(arrayLike: ArrayLike<T>): T[];
  from<T, U>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => U, thisArg?: any): U[];
  from<T>(iterable: Iterable<T> | ArrayLike<T>): T[];
  from<T, U>(iterable: Iterable<T> | ArrayLike<T>, mapfn: (v: T, k: number) => U, thisArg?: any): U[];
  /** An array of the arguments. */
  of<T>(...items: T[]): T[];
  readonly [Symbol.species]: ArrayConstructor;
}
declare var Array: ArrayConstructor;
