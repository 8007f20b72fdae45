// Numbers, arithmetic, dates, JSON.

interface Number {
  /** Writes the number in base `radix`. */
  toString(radix?: number): string;
  /** Writes the number with this many digits behind the point. */
  toFixed(fractionDigits?: number): string;
  /** Writes the number as 1.5e+3. */
  toExponential(fractionDigits?: number): string;
  /** Writes the number with this many significant digits. */
  toPrecision(precision?: number): string;
  valueOf(): number;
  /** Writes the number as people of a language do. */
  toLocaleString(locales?: string | string[], options?: Intl.NumberFormatOptions): string;
  toLocaleString(locales?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions): string;
}
interface NumberConstructor {
  new (value?: any): Number;
  /** Turns a value into a number. */
  (value?: any): number;
  readonly prototype: Number;
  readonly MAX_VALUE: number;
  readonly MIN_VALUE: number;
  readonly NaN: number;
  readonly NEGATIVE_INFINITY: number;
  readonly POSITIVE_INFINITY: number;
  readonly EPSILON: number;
  readonly MAX_SAFE_INTEGER: number;
  readonly MIN_SAFE_INTEGER: number;
  /** Whether a value is a finite number. */
  isFinite(number: unknown): boolean;
  /** Whether a value is a whole number. */
  isInteger(number: unknown): boolean;
  /** Whether a value is the number NaN. */
  isNaN(number: unknown): boolean;
  /** Whether a value is a whole number that a double holds exactly. */
  isSafeInteger(number: unknown): boolean;
  /** Reads a decimal number from text. */
  parseFloat(string: string): number;
  /** Reads a whole number from text. */
  parseInt(string: string, radix?: number): number;
}
declare var Number: NumberConstructor;

interface BigIntToLocaleStringOptions {
  localeMatcher?: string;
  style?: string;
  numberingSystem?: string;
  unit?: string;
  unitDisplay?: string;
  currency?: string;
  currencyDisplay?: string;
  useGrouping?: boolean;
  minimumIntegerDigits?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21;
  minimumFractionDigits?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;
  maximumFractionDigits?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;
  minimumSignificantDigits?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21;
  maximumSignificantDigits?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21;
  notation?: string;
  compactDisplay?: string;
}
interface BigInt {
  toString(radix?: number): string;
  toLocaleString(locales?: Intl.LocalesArgument, options?: BigIntToLocaleStringOptions): string;
  valueOf(): bigint;
  readonly [Symbol.toStringTag]: "BigInt";
}
interface BigIntConstructor {
  /** Turns a value into a whole number of any size. */
  (value: bigint | boolean | number | string): bigint;
  readonly prototype: BigInt;
  /** The lowest `bits` bits of a number, signed. */
  asIntN(bits: number, int: bigint): bigint;
  /** The lowest `bits` bits of a number, unsigned. */
  asUintN(bits: number, int: bigint): bigint;
}
declare var BigInt: BigIntConstructor;

/** Mathematical functions and constants. */
interface Math {
  readonly E: number;
  readonly LN10: number;
  readonly LN2: number;
  readonly LOG2E: number;
  readonly LOG10E: number;
  readonly PI: number;
  readonly SQRT1_2: number;
  readonly SQRT2: number;
  /** The number without its sign. */
  abs(x: number): number;
  acos(x: number): number;
  acosh(x: number): number;
  asin(x: number): number;
  asinh(x: number): number;
  atan(x: number): number;
  /** The angle of the point (x, y), in radians. */
  atan2(y: number, x: number): number;
  atanh(x: number): number;
  /** The cube root. */
  cbrt(x: number): number;
  /** Rounds up. */
  ceil(x: number): number;
  /** How many zero bits lead the 32-bit form. */
  clz32(x: number): number;
  cos(x: number): number;
  cosh(x: number): number;
  /** e to the power of `x`. */
  exp(x: number): number;
  expm1(x: number): number;
  /** Rounds down. */
  floor(x: number): number;
  /** Rounds to the nearest single-precision number. */
  fround(x: number): number;
  /** The square root of the sum of squares: the length of a vector. */
  hypot(...values: number[]): number;
  /** Multiplies as 32-bit integers. */
  imul(x: number, y: number): number;
  /** The natural logarithm. */
  log(x: number): number;
  log10(x: number): number;
  log1p(x: number): number;
  log2(x: number): number;
  /** The largest of the numbers. */
  max(...values: number[]): number;
  /** The smallest of the numbers. */
  min(...values: number[]): number;
  /** `x` to the power of `y`. */
  pow(x: number, y: number): number;
  /** A random number from 0 up to, but not, 1. */
  random(): number;
  /** Rounds to the nearest whole number. */
  round(x: number): number;
  /** -1, 0 or 1 as the sign of `x`. */
  sign(x: number): number;
  sin(x: number): number;
  sinh(x: number): number;
  /** The square root. */
  sqrt(x: number): number;
  tan(x: number): number;
  tanh(x: number): number;
  /** Drops the digits behind the point. */
  trunc(x: number): number;
  readonly [Symbol.toStringTag]: string;
}
declare var Math: Math;

/** Reads and writes JSON. */
interface JSON {
  /** Reads JSON text into a value. */
  parse(text: string, reviver?: (this: any, key: string, value: any) => any): any;
  /** Writes a value as JSON text. */
  stringify(value: any, replacer?: (this: any, key: string, value: any) => any, space?: string | number): string;
  stringify(value: any, replacer?: (number | string)[] | null, space?: string | number): string;
  readonly [Symbol.toStringTag]: string;
}
declare var JSON: JSON;

/** A moment in time, counted in milliseconds since 1970. */
interface Date {
  toString(): string;
  toDateString(): string;
  toTimeString(): string;
  /** Writes date and time as people of a language do. */
  toLocaleString(): string;
  toLocaleString(locales?: string | string[], options?: Intl.DateTimeFormatOptions): string;
  toLocaleString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  toLocaleDateString(): string;
  toLocaleDateString(locales?: string | string[], options?: Intl.DateTimeFormatOptions): string;
  toLocaleDateString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  toLocaleTimeString(): string;
  toLocaleTimeString(locales?: string | string[], options?: Intl.DateTimeFormatOptions): string;
  toLocaleTimeString(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string;
  valueOf(): number;
  /** Milliseconds since 1970. */
  getTime(): number;
  getFullYear(): number;
  getUTCFullYear(): number;
  /** The month, 0 for January. */
  getMonth(): number;
  getUTCMonth(): number;
  /** The day of the month, from 1. */
  getDate(): number;
  getUTCDate(): number;
  /** The day of the week, 0 for Sunday. */
  getDay(): number;
  getUTCDay(): number;
  getHours(): number;
  getUTCHours(): number;
  getMinutes(): number;
  getUTCMinutes(): number;
  getSeconds(): number;
  getUTCSeconds(): number;
  getMilliseconds(): number;
  getUTCMilliseconds(): number;
  /** Minutes from local time to UTC. */
  getTimezoneOffset(): number;
  setTime(time: number): number;
  setMilliseconds(ms: number): number;
  setUTCMilliseconds(ms: number): number;
  setSeconds(sec: number, ms?: number): number;
  setUTCSeconds(sec: number, ms?: number): number;
  setMinutes(min: number, sec?: number, ms?: number): number;
  setUTCMinutes(min: number, sec?: number, ms?: number): number;
  setHours(hours: number, min?: number, sec?: number, ms?: number): number;
  setUTCHours(hours: number, min?: number, sec?: number, ms?: number): number;
  setDate(date: number): number;
  setUTCDate(date: number): number;
  setMonth(month: number, date?: number): number;
  setUTCMonth(month: number, date?: number): number;
  setFullYear(year: number, month?: number, date?: number): number;
  setUTCFullYear(year: number, month?: number, date?: number): number;
  toUTCString(): string;
  /** Writes the date as 2000-01-01T00:00:00.000Z. */
  toISOString(): string;
  toJSON(key?: any): string;
  [Symbol.toPrimitive](hint: "default"): string;
  [Symbol.toPrimitive](hint: "string"): string;
  [Symbol.toPrimitive](hint: "number"): number;
  [Symbol.toPrimitive](hint: string): string | number;
}
interface DateConstructor {
  new (): Date;
  new (value: number | string): Date;
  new (
    year: number, monthIndex: number, date?: number, hours?: number, minutes?: number, seconds?: number, ms?: number,
  ): Date;
  new (value: number | string | Date): Date;
  (): string;
  readonly prototype: Date;
  /** Reads a date; gives milliseconds since 1970. */
  parse(s: string): number;
  /** Milliseconds since 1970 of a moment given in universal time. */
  UTC(
    year: number, monthIndex: number, date?: number, hours?: number, minutes?: number, seconds?: number, ms?: number,
  ): number;
  UTC(
    year: number, monthIndex?: number, date?: number, hours?: number, minutes?: number, seconds?: number, ms?: number,
  ): number;
  /** The present moment in milliseconds since 1970. */
  now(): number;
}
declare var Date: DateConstructor;
