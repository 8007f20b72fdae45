// Arrays of numbers of one format in a buffer.

/** An array of 8-bit integers, in a buffer. */
interface Int8Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Int8Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Int8Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Int8Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Int8Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Int8Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Int8Array";
}
interface Int8ArrayConstructor {
  readonly prototype: Int8Array<ArrayBufferLike>;
  new (length: number): Int8Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Int8Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Int8Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Int8Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Int8Array<ArrayBuffer>;
  new (elements: Iterable<number>): Int8Array<ArrayBuffer>;
  new (): Int8Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Int8Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Int8Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Int8Array<ArrayBuffer>;
  from(elements: Iterable<number>): Int8Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Int8Array<ArrayBuffer>;
}
declare var Int8Array: Int8ArrayConstructor;

/** An array of 8-bit unsigned integers, bytes, in a buffer. */
interface Uint8Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Uint8Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Uint8Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Uint8Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Uint8Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Uint8Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Uint8Array";
}
interface Uint8ArrayConstructor {
  readonly prototype: Uint8Array<ArrayBufferLike>;
  new (length: number): Uint8Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Uint8Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Uint8Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Uint8Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Uint8Array<ArrayBuffer>;
  new (elements: Iterable<number>): Uint8Array<ArrayBuffer>;
  new (): Uint8Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Uint8Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Uint8Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Uint8Array<ArrayBuffer>;
  from(elements: Iterable<number>): Uint8Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Uint8Array<ArrayBuffer>;
}
declare var Uint8Array: Uint8ArrayConstructor;

/** An array of 8-bit unsigned integers, kept from 0 to 255, in a buffer. */
interface Uint8ClampedArray<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Uint8ClampedArray<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Uint8ClampedArray<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Uint8ClampedArray<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Uint8ClampedArray<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Uint8ClampedArray<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Uint8ClampedArray";
}
interface Uint8ClampedArrayConstructor {
  readonly prototype: Uint8ClampedArray<ArrayBufferLike>;
  new (length: number): Uint8ClampedArray<ArrayBuffer>;
  new (array: ArrayLike<number>): Uint8ClampedArray<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Uint8ClampedArray<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Uint8ClampedArray<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Uint8ClampedArray<ArrayBuffer>;
  new (elements: Iterable<number>): Uint8ClampedArray<ArrayBuffer>;
  new (): Uint8ClampedArray<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Uint8ClampedArray<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Uint8ClampedArray<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Uint8ClampedArray<ArrayBuffer>;
  from(elements: Iterable<number>): Uint8ClampedArray<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Uint8ClampedArray<ArrayBuffer>;
}
declare var Uint8ClampedArray: Uint8ClampedArrayConstructor;

/** An array of 16-bit integers, in a buffer. */
interface Int16Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Int16Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Int16Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Int16Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Int16Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Int16Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Int16Array";
}
interface Int16ArrayConstructor {
  readonly prototype: Int16Array<ArrayBufferLike>;
  new (length: number): Int16Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Int16Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Int16Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Int16Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Int16Array<ArrayBuffer>;
  new (elements: Iterable<number>): Int16Array<ArrayBuffer>;
  new (): Int16Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Int16Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Int16Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Int16Array<ArrayBuffer>;
  from(elements: Iterable<number>): Int16Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Int16Array<ArrayBuffer>;
}
declare var Int16Array: Int16ArrayConstructor;

/** An array of 16-bit unsigned integers, in a buffer. */
interface Uint16Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Uint16Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Uint16Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Uint16Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Uint16Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Uint16Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Uint16Array";
}
interface Uint16ArrayConstructor {
  readonly prototype: Uint16Array<ArrayBufferLike>;
  new (length: number): Uint16Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Uint16Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Uint16Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Uint16Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Uint16Array<ArrayBuffer>;
  new (elements: Iterable<number>): Uint16Array<ArrayBuffer>;
  new (): Uint16Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Uint16Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Uint16Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Uint16Array<ArrayBuffer>;
  from(elements: Iterable<number>): Uint16Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Uint16Array<ArrayBuffer>;
}
declare var Uint16Array: Uint16ArrayConstructor;

/** An array of 32-bit integers, in a buffer. */
interface Int32Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Int32Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Int32Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Int32Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Int32Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Int32Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Int32Array";
}
interface Int32ArrayConstructor {
  readonly prototype: Int32Array<ArrayBufferLike>;
  new (length: number): Int32Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Int32Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Int32Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Int32Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Int32Array<ArrayBuffer>;
  new (elements: Iterable<number>): Int32Array<ArrayBuffer>;
  new (): Int32Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Int32Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Int32Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Int32Array<ArrayBuffer>;
  from(elements: Iterable<number>): Int32Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Int32Array<ArrayBuffer>;
}
declare var Int32Array: Int32ArrayConstructor;

/** An array of 32-bit unsigned integers, in a buffer. */
interface Uint32Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Uint32Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Uint32Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Uint32Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Uint32Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Uint32Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Uint32Array";
}
interface Uint32ArrayConstructor {
  readonly prototype: Uint32Array<ArrayBufferLike>;
  new (length: number): Uint32Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Uint32Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Uint32Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Uint32Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Uint32Array<ArrayBuffer>;
  new (elements: Iterable<number>): Uint32Array<ArrayBuffer>;
  new (): Uint32Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Uint32Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Uint32Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Uint32Array<ArrayBuffer>;
  from(elements: Iterable<number>): Uint32Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Uint32Array<ArrayBuffer>;
}
declare var Uint32Array: Uint32ArrayConstructor;

/** An array of single-precision numbers, in a buffer. */
interface Float32Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Float32Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Float32Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Float32Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Float32Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Float32Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Float32Array";
}
interface Float32ArrayConstructor {
  readonly prototype: Float32Array<ArrayBufferLike>;
  new (length: number): Float32Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Float32Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Float32Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Float32Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Float32Array<ArrayBuffer>;
  new (elements: Iterable<number>): Float32Array<ArrayBuffer>;
  new (): Float32Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Float32Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Float32Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Float32Array<ArrayBuffer>;
  from(elements: Iterable<number>): Float32Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Float32Array<ArrayBuffer>;
}
declare var Float32Array: Float32ArrayConstructor;

/** An array of double-precision numbers, in a buffer. */
interface Float64Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: number;
  at(index: number): number | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, number]>;
  every(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  fill(value: number, start?: number, end?: number): this;
  filter(predicate: (value: number, index: number, array: this) => any, thisArg?: any): Float64Array<ArrayBuffer>;
  find(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number | undefined;
  findIndex(predicate: (value: number, index: number, obj: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: number, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: number, fromIndex?: number): boolean;
  indexOf(searchElement: number, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: number, fromIndex?: number): number;
  map(callbackfn: (value: number, index: number, array: this) => number, thisArg?: any): Float64Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduce(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number): number;
  reduceRight(
    callbackfn: (previousValue: number, currentValue: number, currentIndex: number, array: this) => number,
    initialValue: number,
  ): number;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: number, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<number>, offset?: number): void;
  slice(start?: number, end?: number): Float64Array<ArrayBuffer>;
  some(predicate: (value: number, index: number, array: this) => unknown, thisArg?: any): boolean;
  sort(compareFn?: (a: number, b: number) => number): this;
  subarray(begin?: number, end?: number): Float64Array<TArrayBuffer>;
  toLocaleString(): string;
  toLocaleString(locales: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): Float64Array<TArrayBuffer>;
  values(): ArrayIterator<number>;
  [Symbol.iterator](): ArrayIterator<number>;
  readonly [Symbol.toStringTag]: "Float64Array";
}
interface Float64ArrayConstructor {
  readonly prototype: Float64Array<ArrayBufferLike>;
  new (length: number): Float64Array<ArrayBuffer>;
  new (array: ArrayLike<number>): Float64Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): Float64Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): Float64Array<ArrayBuffer>;
  new (array: ArrayLike<number> | ArrayBuffer): Float64Array<ArrayBuffer>;
  new (elements: Iterable<number>): Float64Array<ArrayBuffer>;
  new (): Float64Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: number[]): Float64Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<number>): Float64Array<ArrayBuffer>;
  from<T>(arrayLike: ArrayLike<T>, mapfn: (v: T, k: number) => number, thisArg?: any): Float64Array<ArrayBuffer>;
  from(elements: Iterable<number>): Float64Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => number, thisArg?: any): Float64Array<ArrayBuffer>;
}
declare var Float64Array: Float64ArrayConstructor;

/** An array of 64-bit integers, in a buffer. */
interface BigInt64Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: bigint;
  at(index: number): bigint | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, bigint]>;
  every(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): boolean;
  fill(value: bigint, start?: number, end?: number): this;
  filter(predicate: (value: bigint, index: number, array: this) => any, thisArg?: any): BigInt64Array<ArrayBuffer>;
  find(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): bigint | undefined;
  findIndex(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: bigint, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: bigint, fromIndex?: number): boolean;
  indexOf(searchElement: bigint, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: bigint, fromIndex?: number): number;
  map(callbackfn: (value: bigint, index: number, array: this) => bigint, thisArg?: any): BigInt64Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: bigint, currentValue: bigint, currentIndex: number, array: this) => bigint): bigint;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: bigint, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: bigint, currentValue: bigint, currentIndex: number, array: this) => bigint): bigint;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: bigint, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<bigint>, offset?: number): void;
  slice(start?: number, end?: number): BigInt64Array<ArrayBuffer>;
  some(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): boolean;
  sort(compareFn?: (a: bigint, b: bigint) => number | bigint): this;
  subarray(begin?: number, end?: number): BigInt64Array<TArrayBuffer>;
  toLocaleString(locales?: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): BigInt64Array<TArrayBuffer>;
  values(): ArrayIterator<bigint>;
  [Symbol.iterator](): ArrayIterator<bigint>;
  readonly [Symbol.toStringTag]: "BigInt64Array";
}
interface BigInt64ArrayConstructor {
  readonly prototype: BigInt64Array<ArrayBufferLike>;
  new (length?: number): BigInt64Array<ArrayBuffer>;
  new (array: ArrayLike<bigint> | Iterable<bigint>): BigInt64Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): BigInt64Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): BigInt64Array<ArrayBuffer>;
  new (array: ArrayLike<bigint> | ArrayBuffer): BigInt64Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: bigint[]): BigInt64Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<bigint>): BigInt64Array<ArrayBuffer>;
  from<U>(arrayLike: ArrayLike<U>, mapfn: (v: U, k: number) => bigint, thisArg?: any): BigInt64Array<ArrayBuffer>;
  from(elements: Iterable<bigint>): BigInt64Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => bigint, thisArg?: any): BigInt64Array<ArrayBuffer>;
}
declare var BigInt64Array: BigInt64ArrayConstructor;

/** An array of 64-bit unsigned integers, in a buffer. */
interface BigUint64Array<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  readonly length: number;
  [index: number]: bigint;
  at(index: number): bigint | undefined;
  copyWithin(target: number, start: number, end?: number): this;
  entries(): ArrayIterator<[number, bigint]>;
  every(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): boolean;
  fill(value: bigint, start?: number, end?: number): this;
  filter(predicate: (value: bigint, index: number, array: this) => any, thisArg?: any): BigUint64Array<ArrayBuffer>;
  find(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): bigint | undefined;
  findIndex(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): number;
  forEach(callbackfn: (value: bigint, index: number, array: this) => void, thisArg?: any): void;
  includes(searchElement: bigint, fromIndex?: number): boolean;
  indexOf(searchElement: bigint, fromIndex?: number): number;
  join(separator?: string): string;
  keys(): ArrayIterator<number>;
  lastIndexOf(searchElement: bigint, fromIndex?: number): number;
  map(callbackfn: (value: bigint, index: number, array: this) => bigint, thisArg?: any): BigUint64Array<ArrayBuffer>;
  reduce(callbackfn: (previousValue: bigint, currentValue: bigint, currentIndex: number, array: this) => bigint): bigint;
  reduce<U>(
    callbackfn: (previousValue: U, currentValue: bigint, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reduceRight(callbackfn: (previousValue: bigint, currentValue: bigint, currentIndex: number, array: this) => bigint): bigint;
  reduceRight<U>(
    callbackfn: (previousValue: U, currentValue: bigint, currentIndex: number, array: this) => U, initialValue: U,
  ): U;
  reverse(): this;
  set(array: ArrayLike<bigint>, offset?: number): void;
  slice(start?: number, end?: number): BigUint64Array<ArrayBuffer>;
  some(predicate: (value: bigint, index: number, array: this) => boolean, thisArg?: any): boolean;
  sort(compareFn?: (a: bigint, b: bigint) => number | bigint): this;
  subarray(begin?: number, end?: number): BigUint64Array<TArrayBuffer>;
  toLocaleString(locales?: string | string[], options?: Intl.NumberFormatOptions): string;
  toString(): string;
  valueOf(): BigUint64Array<TArrayBuffer>;
  values(): ArrayIterator<bigint>;
  [Symbol.iterator](): ArrayIterator<bigint>;
  readonly [Symbol.toStringTag]: "BigUint64Array";
}
interface BigUint64ArrayConstructor {
  readonly prototype: BigUint64Array<ArrayBufferLike>;
  new (length?: number): BigUint64Array<ArrayBuffer>;
  new (array: ArrayLike<bigint> | Iterable<bigint>): BigUint64Array<ArrayBuffer>;
  new <TArrayBuffer extends ArrayBufferLike = ArrayBuffer>(
    buffer: TArrayBuffer, byteOffset?: number, length?: number,
  ): BigUint64Array<TArrayBuffer>;
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): BigUint64Array<ArrayBuffer>;
  new (array: ArrayLike<bigint> | ArrayBuffer): BigUint64Array<ArrayBuffer>;
  readonly BYTES_PER_ELEMENT: number;
  of(...items: bigint[]): BigUint64Array<ArrayBuffer>;
  from(arrayLike: ArrayLike<bigint>): BigUint64Array<ArrayBuffer>;
  from<U>(arrayLike: ArrayLike<U>, mapfn: (v: U, k: number) => bigint, thisArg?: any): BigUint64Array<ArrayBuffer>;
  from(elements: Iterable<bigint>): BigUint64Array<ArrayBuffer>;
  from<T>(elements: Iterable<T>, mapfn?: (v: T, k: number) => bigint, thisArg?: any): BigUint64Array<ArrayBuffer>;
}
declare var BigUint64Array: BigUint64ArrayConstructor;
