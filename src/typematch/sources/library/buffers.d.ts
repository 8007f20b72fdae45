// Raw memory: buffers, views of them, atomic operations.

/** Bytes of a fixed length. */
interface ArrayBuffer {
  readonly byteLength: number;
  /** A copy of the bytes from `begin` up to `end`. */
  slice(begin?: number, end?: number): ArrayBuffer;
  readonly [Symbol.toStringTag]: "ArrayBuffer";
}
interface ArrayBufferConstructor {
  readonly prototype: ArrayBuffer;
  new (byteLength: number): ArrayBuffer;
  new (): ArrayBuffer;
  /** Whether a value is a view of a buffer. */
  isView(arg: any): arg is ArrayBufferView;
  readonly [Symbol.species]: ArrayBufferConstructor;
}
declare var ArrayBuffer: ArrayBufferConstructor;

/** Bytes that several threads see. */
interface SharedArrayBuffer {
  readonly byteLength: number;
  slice(begin?: number, end?: number): SharedArrayBuffer;
  readonly [Symbol.toStringTag]: "SharedArrayBuffer";
}
interface SharedArrayBufferConstructor {
  readonly prototype: SharedArrayBuffer;
  new (byteLength?: number): SharedArrayBuffer;
  readonly [Symbol.species]: SharedArrayBufferConstructor;
}
declare var SharedArrayBuffer: SharedArrayBufferConstructor;

interface ArrayBufferTypes { ArrayBuffer: ArrayBuffer; SharedArrayBuffer: SharedArrayBuffer }
type ArrayBufferLike = ArrayBufferTypes[keyof ArrayBufferTypes];
interface ArrayBufferView<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
}

/** Reads and writes numbers of any format at any place of a buffer. */
interface DataView<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly buffer: TArrayBuffer;
  readonly byteLength: number;
  readonly byteOffset: number;
  getInt8(byteOffset: number): number;
  getUint8(byteOffset: number): number;
  getInt16(byteOffset: number, littleEndian?: boolean): number;
  getUint16(byteOffset: number, littleEndian?: boolean): number;
  getInt32(byteOffset: number, littleEndian?: boolean): number;
  getUint32(byteOffset: number, littleEndian?: boolean): number;
  getFloat32(byteOffset: number, littleEndian?: boolean): number;
  getFloat64(byteOffset: number, littleEndian?: boolean): number;
  getBigInt64(byteOffset: number, littleEndian?: boolean): bigint;
  getBigUint64(byteOffset: number, littleEndian?: boolean): bigint;
  setInt8(byteOffset: number, value: number): void;
  setUint8(byteOffset: number, value: number): void;
  setInt16(byteOffset: number, value: number, littleEndian?: boolean): void;
  setUint16(byteOffset: number, value: number, littleEndian?: boolean): void;
  setInt32(byteOffset: number, value: number, littleEndian?: boolean): void;
  setUint32(byteOffset: number, value: number, littleEndian?: boolean): void;
  setFloat32(byteOffset: number, value: number, littleEndian?: boolean): void;
  setFloat64(byteOffset: number, value: number, littleEndian?: boolean): void;
  setBigInt64(byteOffset: number, value: bigint, littleEndian?: boolean): void;
  setBigUint64(byteOffset: number, value: bigint, littleEndian?: boolean): void;
  readonly [Symbol.toStringTag]: string;
}
interface DataViewConstructor {
  readonly prototype: DataView<ArrayBufferLike>;
  new <TArrayBuffer extends ArrayBufferLike & { BYTES_PER_ELEMENT?: never }>(
    buffer: TArrayBuffer, byteOffset?: number, byteLength?: number,
  ): DataView<TArrayBuffer>;
}
declare var DataView: DataViewConstructor;

/** Operations on shared memory that no other thread can interrupt. */
interface Atomics {
  add(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  add(typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint): bigint;
  and(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  and(typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint): bigint;
  compareExchange(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, expectedValue: number, replacementValue: number,
  ): number;
  compareExchange(
    typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>,
    index: number, expectedValue: bigint, replacementValue: bigint,
  ): bigint;
  exchange(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  exchange(
    typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint,
  ): bigint;
  isLockFree(size: number): boolean;
  load(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number,
  ): number;
  load(typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number): bigint;
  or(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  or(typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint): bigint;
  store(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  store(
    typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint,
  ): bigint;
  sub(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  sub(typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint): bigint;
  /** Sleeps until notified, or for `timeout` milliseconds. */
  wait(typedArray: Int32Array<ArrayBufferLike>, index: number, value: number, timeout?: number):
    "ok" | "not-equal" | "timed-out";
  wait(typedArray: BigInt64Array<ArrayBufferLike>, index: number, value: bigint, timeout?: number):
    "ok" | "not-equal" | "timed-out";
  /** Wakes sleepers; gives their number. */
  notify(typedArray: Int32Array<ArrayBufferLike>, index: number, count?: number): number;
  notify(typedArray: BigInt64Array<ArrayBufferLike>, index: number, count?: number): number;
  xor(
    typedArray: Int8Array<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | Int16Array<ArrayBufferLike>
      | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>,
    index: number, value: number,
  ): number;
  xor(typedArray: BigInt64Array<ArrayBufferLike> | BigUint64Array<ArrayBufferLike>, index: number, value: bigint): bigint;
  readonly [Symbol.toStringTag]: "Atomics";
}
declare var Atomics: Atomics;
