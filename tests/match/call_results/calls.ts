// Calls with the type that tsc 5.6 infers (strict), and `unknown` where we do not infer it.
const a1 = same('a');	// "a"
let a2 = same('a');	// unknown: string
const a3 = box('a');	// { value: string; }
const a6 = same(same('a'));	// unknown: "a"
const a8 = box(same('a'));	// unknown: { value: string; }
const b1 = boxAll(['a', 'b']);	// { value: string; }
const b2 = boxAll(['a', 1]);	// { value: string | number; }
const b3 = boxAll([{ a: 1 }, { b: 2 }]);	// unknown: { value: { a: number; b?: undefined; } | { b: number; a?: undefined; }; }
const b4 = boxAll([new Base(), new Sub()]);	// { value: Base; }
const b5 = boxAll([frozen[0], 'c']);	// unknown: { value: string; }
const b6 = boxAll([{ a: 1 }, { a: 2 }]);	// { value: { a: number; }; }
const b7 = boxAll([{ a: 1 }, { a: 'x' }]);	// { value: { a: number; } | { a: string; }; }
const b9 = boxAll([1, null]);	// { value: number | null; }
const c1 = boxC('a');	// { value: "a"; }
const c2 = boxC({ a: 'x', b: [1, 2], c: { d: 'y' } });	// { value: { readonly a: "x"; readonly b: readonly [1, 2]; readonly c: { readonly d: "y"; }; }; }
const c3 = boxIn({ a: ['x', 1] });	// { value: readonly ["x", 1]; }
const c4 = restC('a', 1);	// unknown: readonly ["a", 1]
const c5 = mutC(['a', 1]);	// unknown: ["a", 1]
const d1 = tuple('a', 'b');	// unknown: ["a", "b"]
const d2 = tupleU('a', 1);	// [string, number]
const d4 = two('a', 1);	// [string, number]
const d5 = first('a', 'b');	// "a" | "b"
const d6 = first({ a: 1 }, { a: 2 });	// { a: number; }
const d7 = first(new Base(), new Sub());	// Base
const e1 = str('a');	// { value: "a"; }
const e2 = strs(['a', 'b']);	// { value: "a" | "b"; }
const e3 = prop({ kind: 'a' });	// { kind: string; }
const e4 = propL({ kind: 'a' });	// { kind: "a"; }
const e5 = prop({ kind: freshLit });	// unknown: { kind: string; }
const e6 = box({ kind: freshLit });	// unknown: { value: { kind: string; }; }
const e8 = box(freshLit);	// unknown: { value: string; }
const e9 = box(lit);	// unknown: { value: "a"; }
const f2 = box(Color.Red);	// unknown: { value: Color; }
const f3 = box({ c: Color.Red });	// unknown: { value: { c: Color; }; }
const f4 = same(Color.Red);	// unknown: Color.Red
let f5 = same(Color.Red);	// unknown: Color
const f7 = box(frozen);	// { value: readonly ["a", "b"]; }
const f9 = box(obj.kind);	// { value: string; }
const g2 = box(obj);	// { value: { kind: string; n: number; }; }
const h1 = made();	// { value: unknown; }
const h2 = madeD();	// { value: number; }
const h3 = empty();	// string[]
const h4 = made<string>();	// { value: string; }
const h5 = outerP(made());	// unknown: unknown
const h6 = outer(madeD<string>());	// { value: string; }
const h7 = outerP(madeD());	// unknown: number
const i1 = key({ a: 1, b: 'x' }, 'a');	// number
const i2 = key(objC, 'kind');	// "a"
const j1 = over({});	// unknown: "optional"
const j2 = over({ b: 1 });	// "b"
const j3 = over(obj);	// "object"
const j4 = over2('a');	// "string"
const j5 = over2(1);	// "unknown"
const j6 = over(new Base());	// "object"
const k2 = over2(anyValue);	// unknown: "unknown"
const l1 = wants(box('a'));	// "ok"
const l2 = outer(box('a'));	// unknown: { value: string; }
const l3 = outerL(box('a'));	// unknown: { value: "a"; }
const l5 = outerPL(box('a'));	// unknown: "a"
const l6 = outerT(box([1, 2]));	// unknown: number
const l8 = outerL({ value: 'a' });	// { value: "a"; }
const m1 = call(() => 'a');	// unknown: { value: string; }
const m2 = callS(() => 'a');	// unknown: { value: "a"; }
const m4 = call(() => {});	// { value: void; }
const m5 = call((): 'a' => 'a');	// { value: "a"; }
const m6 = call(() => 1 + 2);	// { value: number; }
const m8 = call(() => new Base());	// unknown: { value: Base; }
const n1 = map1((x: number) => x * 2);	// (a: number) => number
const n2 = map1((x: number) => x > 2);	// (a: number) => boolean
const n3 = pipe2((x: number) => x * 2, (y: number) => y > 1);	// (a: number) => boolean
const n4 = pipe2((x: number) => x * 2, (y) => y > 1);	// unknown: (a: number) => boolean
const n5 = map1(generic);	// unknown: <T>(a: T) => T[]
const n6 = map1(opt);	// (a: number | undefined) => string
const n8 = map1((x: string): string => x);	// (a: string) => string
const p1 = new Base().chain();	// Base
const p2 = new Sub().chain();	// Sub
const p5 = new Gen(1).get();	// unknown: number
const p8 = new Gen<number>().self();	// Gen<number>
const p9 = box(new Gen1(1));	// unknown: { value: Gen1<number>; }
const q2 = box(new Map());	// unknown: { value: Map<any, any>; }
const q4 = box(new Gen1<number>());	// { value: Gen1<number>; }
const q5 = new Map<string, number>().entries();	// MapIterator<[string, number]>
const q7 = sub.chain();	// Sub
const r1 = box(unionValue);	// unknown: { value: string | undefined; }
const r3 = box(flag);	// unknown: { value: boolean; }
const r5 = box(anyValue);	// unknown: { value: any; }
const s3 = ref(1);	// { current: number; }
const s4 = partial({ a: 1 });	// unknown: { a: number; }
const s5 = record({ a: 1, b: 'x' });	// { k: "a" | "b"; v: string | number; }
const s6 = rec({ a: 'x', b: 'y' });	// string
const s7 = recS({ a: 'x', b: 'y' });	// "x" | "y"
const s8 = nested({ a: { t: 'x' } });	// { a: { t: string; }; }
const s9 = unionCtx({ k: 'a' });	// unknown: { k: "a"; }
const t2 = cond('a');	// "yes"
const t3 = cond(unionValue);	// unknown: "yes"
const t4 = cond(anyValue);	// unknown: "yes" | "no"
const t5 = builder().a('x');	// "x"
let t6 = builder().a('x');	// unknown: string
const t7 = builder().b();	// string
const t8 = builder().c.d();	// number
const t9 = box(builder().b());	// { value: string; }
const u1 = num(1);	// { v: 1; }
const u2 = num(true);	// { v: true; }
const u3 = num(-1);	// { v: -1; }
const u4 = dflt(1);	// number[]
const u5 = dflt2((x: number) => {});	// number[]
const u6 = dflt2((x) => {});	// unknown: unknown[]
const u7 = opt();	// string
const u8 = callable(1);	// string
const u9 = nsp.inner.f('a');	// { v: string; }
const v5 = rdonly(['a', 'b']);	// string[]
const v6 = rdonlyU(['a', 1]);	// (string | number)[]
const v7 = tup(['a', 1]);	// [string, number]
const v8 = tupOr(['a', 1]);	// [string, number]
const v9 = obj2({ a: 'x', b: [1] });	// { v: { a: string; b: number[]; }; }
const w1 = deep({ a: { b: 'x' } });	// string
const w2 = ctor(Base);	// Base
const w4 = box(Base);	// { value: typeof Base; }
const w5 = box(generic);	// unknown: { value: <T>(x: T) => T[]; }
const w8 = str(`a`);	// unknown: { value: "a"; }
const w9 = str(`a${freshNum}`);	// unknown: { value: "a1"; }
const x1 = box(flag ? 'a' : 'b');	// unknown: { value: string; }
const x2 = str(flag ? 'a' : 'b');	// unknown: { value: "a" | "b"; }
const x4 = box('a' as const);	// unknown: { value: "a"; }
const x7 = box('a' as 'a' | 'b');	// unknown: { value: "a" | "b"; }
const x9 = box({ a: 'x' } satisfies { a: 'x' });	// unknown: { value: { a: "x"; }; }
const y1 = box(('a'));	// { value: string; }
const y2 = box(!flag);	// unknown: { value: boolean; }
const y3 = box(-1);	// { value: number; }
const y4 = box(1 + 2);	// { value: number; }
const y6 = box([]);	// unknown: { value: never[]; }
const y7 = box({});	// { value: {}; }
const y8 = box(undefined);	// { value: undefined; }
const z1 = box([1, 2]);	// { value: number[]; }
const z2 = box([[1], ['a']]);	// { value: (string[] | number[])[]; }
const z3 = box({ a: { b: { c: 'x' } } });	// { value: { a: { b: { c: string; }; }; }; }
const z6 = Object.assign({ a: 1 }, { b: 2 });	// { a: number; } & { b: number; }
const z7 = Object.freeze({ a: 'x' });	// Readonly<{ a: "x"; }>
const aa1 = Array.from([1, 2]);	// number[]
const aa3 = Promise.resolve(1);	// Promise<number>
const aa8 = Array.of(1, 2);	// number[]
const bb1 = Symbol();	// unknown: unique symbol
const bb4 = parseInt('1');	// number
const bb6 = String(1).split(',');	// string[]
const cc2 = box({ a: unionValue });	// unknown: { value: { a: string; }; }
const cc4 = two({ a: 'x' }, ['y']);	// [{ a: string; }, string[]]
const cc8 = boxC([1, { a: 'x' }]);	// { value: readonly [1, { readonly a: "x"; }]; }
const dd1 = boxC(freshLit);	// { value: "a"; }
const dd2 = boxC(Color.Red);	// { value: Color.Red; }
const dd3 = boxC(same('a'));	// { value: "a"; }
const dd4 = boxC([freshLit]);	// { value: readonly ["a"]; }
const dd5 = str(freshLit);	// { value: "a"; }
const dd7 = prop({ kind: Color.Red });	// unknown: { kind: Color; }
const dd8 = strs([freshLit, 'z']);	// { value: "a" | "z"; }
const ee1 = recX({ a: fx(1), b: fx('x') });	// { x: { a: number; b: string; }; }
const ee2 = recL({ a: fx('x') });	// unknown: { a: { x: string; }; }
const ee3 = recT({ a: fx([1, 2]) });	// unknown: { a: { x: number[]; }; }
const ee4 = recT({ a: arr([1, 2]) });	// unknown: { a: { x: number[]; }; }
const ee5 = outerU(box('a'));	// { value: string; }
const ee6 = outerB(box(true));	// unknown: { value: boolean; }
const ee7 = box(box('a'));	// { value: { value: string; }; }
const ee8 = box({ a: box('a'), b: [box(1)] });	// { value: { a: { value: string; }; b: { value: number; }[]; }; }
const ee9 = opts(box('a'));	// { value: string; }
const ff1 = two2(box('a'), box('a'));	// unknown: [{ value: string; }, { value: string; }]
const ff2 = outer2(box('a'));	// unknown: { value: "a"; }
const ff3 = wants2(box('a'), 'b');	// string
const ff4 = listOf([box('a'), box(1)]);	// ({ value: string; } | { value: number; })[]
const ff5 = union2(box('a'));	// unknown: string
const ff6 = two(box('a'), box(1));	// [{ value: string; }, { value: number; }]
const ff7 = boxAll([box('a'), box('b')]);	// { value: { value: string; }; }
const ff8 = recX({ a: fx(made()), b: fx({ k: 'x' }) });	// { x: { a: { value: unknown; }; b: { k: string; }; }; }
const ff9 = recX({ a: madeX() });	// unknown: { x: { a: unknown; }; }
const gg1 = box(madeD());	// { value: { value: number; }; }
const gg2 = same(box('a'));	// { value: string; }
let gg3 = same(box('a'));	// { value: string; }
const gg4 = boxC(box('a'));	// { value: { value: string; }; }
const gg5 = obj2({ a: box('a') });	// { v: { a: { value: string; }; }; }
