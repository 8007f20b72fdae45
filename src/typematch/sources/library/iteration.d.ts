// Iterators, generators, promises.

interface IteratorYieldResult<TYield> { done?: false; value: TYield }
interface IteratorReturnResult<TReturn> { done: true; value: TReturn }
type IteratorResult<T, TReturn = any> = IteratorYieldResult<T> | IteratorReturnResult<TReturn>;

/** Gives values one after the other. */
interface Iterator<T, TReturn = any, TNext = any> {
  next(...[value]: [] | [TNext]): IteratorResult<T, TReturn>;
  return?(value?: TReturn): IteratorResult<T, TReturn>;
  throw?(e?: any): IteratorResult<T, TReturn>;
}
/** What `for (const x of ...)` walks over. */
interface Iterable<T, TReturn = any, TNext = any> {
  [Symbol.iterator](): Iterator<T, TReturn, TNext>;
}
interface IterableIterator<T, TReturn = any, TNext = any> extends Iterator<T, TReturn, TNext> {
  [Symbol.iterator](): IterableIterator<T, TReturn, TNext>;
}
interface IteratorObject<T, TReturn = unknown, TNext = unknown> extends Iterator<T, TReturn, TNext> {
  [Symbol.iterator](): IteratorObject<T, TReturn, TNext>;
}
/** What iterators of the language's own return at their end (under `strict`). */
type BuiltinIteratorReturn = undefined;
interface ArrayIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): ArrayIterator<T>;
}
interface StringIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): StringIterator<T>;
}
interface MapIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): MapIterator<T>;
}
interface SetIterator<T> extends IteratorObject<T, BuiltinIteratorReturn, unknown> {
  [Symbol.iterator](): SetIterator<T>;
}

interface AsyncIterator<T, TReturn = any, TNext = any> {
  next(...[value]: [] | [TNext]): Promise<IteratorResult<T, TReturn>>;
  return?(value?: TReturn | PromiseLike<TReturn>): Promise<IteratorResult<T, TReturn>>;
  throw?(e?: any): Promise<IteratorResult<T, TReturn>>;
}
/** What `for await (const x of ...)` walks over. */
interface AsyncIterable<T, TReturn = any, TNext = any> {
  [Symbol.asyncIterator](): AsyncIterator<T, TReturn, TNext>;
}
interface AsyncIterableIterator<T, TReturn = any, TNext = any> extends AsyncIterator<T, TReturn, TNext> {
  [Symbol.asyncIterator](): AsyncIterableIterator<T, TReturn, TNext>;
}
interface AsyncIteratorObject<T, TReturn = unknown, TNext = unknown> extends AsyncIterator<T, TReturn, TNext> {
  [Symbol.asyncIterator](): AsyncIteratorObject<T, TReturn, TNext>;
}

/** What a function* gives. */
interface Generator<T = unknown, TReturn = any, TNext = any> extends IteratorObject<T, TReturn, TNext> {
  next(...[value]: [] | [TNext]): IteratorResult<T, TReturn>;
  return(value: TReturn): IteratorResult<T, TReturn>;
  throw(e: any): IteratorResult<T, TReturn>;
  [Symbol.iterator](): Generator<T, TReturn, TNext>;
}
interface GeneratorFunction {
  new (...args: any[]): Generator;
  (...args: any[]): Generator;
  readonly length: number;
  readonly name: string;
  readonly prototype: Generator;
  readonly [Symbol.toStringTag]: string;
}
interface GeneratorFunctionConstructor {
  new (...args: string[]): GeneratorFunction;
  (...args: string[]): GeneratorFunction;
  readonly length: number;
  readonly name: string;
  readonly prototype: GeneratorFunction;
}
/** What an async function* gives. */
interface AsyncGenerator<T = unknown, TReturn = any, TNext = any> extends AsyncIteratorObject<T, TReturn, TNext> {
  next(...[value]: [] | [TNext]): Promise<IteratorResult<T, TReturn>>;
  return(value: TReturn | PromiseLike<TReturn>): Promise<IteratorResult<T, TReturn>>;
  throw(e: any): Promise<IteratorResult<T, TReturn>>;
  [Symbol.asyncIterator](): AsyncGenerator<T, TReturn, TNext>;
}
interface AsyncGeneratorFunction {
  new (...args: any[]): AsyncGenerator;
  (...args: any[]): AsyncGenerator;
  readonly length: number;
  readonly name: string;
  readonly prototype: AsyncGenerator;
}
interface AsyncGeneratorFunctionConstructor {
  new (...args: string[]): AsyncGeneratorFunction;
  (...args: string[]): AsyncGeneratorFunction;
  readonly length: number;
  readonly name: string;
  readonly prototype: AsyncGeneratorFunction;
}

interface PromiseLike<T> {
  then<TResult1 = T, TResult2 = never>(
    onfulfilled?: ((value: T) => TResult1 | PromiseLike<TResult1>) | null | undefined,
    onrejected?: ((reason: any) => TResult2 | PromiseLike<TResult2>) | null | undefined,
  ): PromiseLike<TResult1 | TResult2>;
}
/** A value that will be there later. */
interface Promise<T> {
  /** Goes on with the value, or with the reason why there is none. */
  then<TResult1 = T, TResult2 = never>(
    onfulfilled?: ((value: T) => TResult1 | PromiseLike<TResult1>) | null | undefined,
    onrejected?: ((reason: any) => TResult2 | PromiseLike<TResult2>) | null | undefined,
  ): Promise<TResult1 | TResult2>;
  /** Goes on with the reason when the promise fails. */
  catch<TResult = never>(
    onrejected?: ((reason: any) => TResult | PromiseLike<TResult>) | null | undefined,
  ): Promise<T | TResult>;
  /** Calls back when the promise is settled, either way. */
  finally(onfinally?: (() => void) | null | undefined): Promise<T>;
  readonly [Symbol.toStringTag]: string;
}
interface PromiseFulfilledResult<T> { status: "fulfilled"; value: T }
interface PromiseRejectedResult { status: "rejected"; reason: any }
type PromiseSettledResult<T> = PromiseFulfilledResult<T> | PromiseRejectedResult;
interface PromiseConstructor {
  readonly prototype: Promise<any>;
  new <T>(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T>;
  /** Waits for all promises; fails when one fails. */
  all<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>[]>;
  all<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }>;
  /** Waits for all promises and says how each ended. */
  allSettled<T extends readonly unknown[] | []>(
    values: T,
  ): Promise<{ -readonly [P in keyof T]: PromiseSettledResult<Awaited<T[P]>> }>;
  allSettled<T>(values: Iterable<T | PromiseLike<T>>): Promise<PromiseSettledResult<Awaited<T>>[]>;
  /** Waits for the first promise that succeeds. */
  any<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>;
  any<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>>;
  /** Waits for the first promise that is settled. */
  race<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>>;
  race<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>;
  /** A promise that has failed. */
  reject<T = never>(reason?: any): Promise<T>;
  /** A promise of a value that is there already. */
  resolve(): Promise<void>;
  resolve<T>(value: T): Promise<Awaited<T>>;
  resolve<T>(value: T | PromiseLike<T>): Promise<Awaited<T>>;
  readonly [Symbol.species]: PromiseConstructor;
}
declare var Promise: PromiseConstructor;
declare type PromiseConstructorLike = new <T>(
  executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void,
) => PromiseLike<T>;
