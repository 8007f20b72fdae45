// The types that the language itself leans on: utility types, property keys, decorators.

type PropertyKey = string | number | symbol;

/** Says what `this` is inside the object literal that it annotates. */
interface ThisType<T> {}

/** Every property of `T`, none of them required. */
type Partial<T> = { [P in keyof T]?: T[P] };
/** Every property of `T`, all of them required. */
type Required<T> = { [P in keyof T]-?: T[P] };
/** Every property of `T`, none of them writable. */
type Readonly<T> = { readonly [P in keyof T]: T[P] };
/** The properties of `T` whose keys are in `K`. */
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
/** An object with keys `K` and values `T`. */
type Record<K extends keyof any, T> = { [P in K]: T };
/** The members of `T` that do not fit `U`. */
type Exclude<T, U> = T extends U ? never : T;
/** The members of `T` that fit `U`. */
type Extract<T, U> = T extends U ? T : never;
/** The properties of `T` whose keys are not in `K`. */
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
/** `T` without null and undefined. */
type NonNullable<T> = T & {};
/** The parameters of a function, as a tuple. */
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
/** The parameters of a class's constructor, as a tuple. */
type ConstructorParameters<T extends abstract new (...args: any) => any> =
  T extends abstract new (...args: infer P) => any ? P : never;
/** What a function returns. */
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
/** What `new` of a class gives. */
type InstanceType<T extends abstract new (...args: any) => any> =
  T extends abstract new (...args: any) => infer R ? R : any;
/** What a function wants as `this`; unknown if it does not say. */
type ThisParameterType<T> = T extends (this: infer U, ...args: never) => any ? U : unknown;
/** A function type without its `this` parameter. */
type OmitThisParameter<T> =
  unknown extends ThisParameterType<T> ? T : T extends (...args: infer A) => infer R ? (...args: A) => R : T;
/** What `await` makes of a value of type `T`. */
type Awaited<T> =
  T extends null | undefined ? T
  : T extends object & { then(onfulfilled: infer F, ...args: infer _): any }
    ? F extends (value: infer V, ...args: infer _) => any ? Awaited<V> : never
  : T;
type Uppercase<S extends string> = intrinsic;
type Lowercase<S extends string> = intrinsic;
type Capitalize<S extends string> = intrinsic;
type Uncapitalize<S extends string> = intrinsic;
/** `T`, in a place from which `T` is not inferred. */
type NoInfer<T> = intrinsic;

interface PropertyDescriptor {
  configurable?: boolean;
  enumerable?: boolean;
  value?: any;
  writable?: boolean;
  get?(): any;
  set?(v: any): void;
}
interface PropertyDescriptorMap { [key: PropertyKey]: PropertyDescriptor }
interface TypedPropertyDescriptor<T> {
  enumerable?: boolean;
  configurable?: boolean;
  writable?: boolean;
  value?: T;
  get?: () => T;
  set?: (value: T) => void;
}

interface ImportMeta {}
interface ImportCallOptions { assert?: ImportAssertions; with?: ImportAttributes }
interface ImportAssertions { [key: string]: string }
interface ImportAttributes { [key: string]: string }

declare type ClassDecorator = <TFunction extends Function>(target: TFunction) => TFunction | void;
declare type PropertyDecorator = (target: Object, propertyKey: string | symbol) => void;
declare type MethodDecorator = <T>(
  target: Object, propertyKey: string | symbol, descriptor: TypedPropertyDescriptor<T>,
) => TypedPropertyDescriptor<T> | void;
declare type ParameterDecorator = (
  target: Object, propertyKey: string | symbol | undefined, parameterIndex: number,
) => void;

type DecoratorMetadataObject = Record<PropertyKey, unknown> & object;
type DecoratorMetadata = typeof globalThis extends { Symbol: { readonly metadata: symbol } }
  ? DecoratorMetadataObject : DecoratorMetadataObject | undefined;
type ClassMemberDecoratorContext =
  | ClassMethodDecoratorContext | ClassGetterDecoratorContext | ClassSetterDecoratorContext
  | ClassFieldDecoratorContext | ClassAccessorDecoratorContext;
type DecoratorContext = ClassDecoratorContext | ClassMemberDecoratorContext;

interface ClassDecoratorContext<Class extends abstract new (...args: any) => any = abstract new (...args: any) => any> {
  readonly kind: "class";
  readonly name: string | undefined;
  addInitializer(initializer: (this: Class) => void): void;
  readonly metadata: DecoratorMetadata;
}
interface ClassMethodDecoratorContext<
  This = unknown, Value extends (this: This, ...args: any) => any = (this: This, ...args: any) => any,
> {
  readonly kind: "method";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value };
  addInitializer(initializer: (this: This) => void): void;
  readonly metadata: DecoratorMetadata;
}
interface ClassGetterDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "getter";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value };
  addInitializer(initializer: (this: This) => void): void;
  readonly metadata: DecoratorMetadata;
}
interface ClassSetterDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "setter";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; set(object: This, value: Value): void };
  addInitializer(initializer: (this: This) => void): void;
  readonly metadata: DecoratorMetadata;
}
interface ClassAccessorDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "accessor";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value; set(object: This, value: Value): void };
  addInitializer(initializer: (this: This) => void): void;
  readonly metadata: DecoratorMetadata;
}
interface ClassAccessorDecoratorTarget<This, Value> {
  get(this: This): Value;
  set(this: This, value: Value): void;
}
interface ClassAccessorDecoratorResult<This, Value> {
  get?(this: This): Value;
  set?(this: This, value: Value): void;
  init?(this: This, value: Value): Value;
}
interface ClassFieldDecoratorContext<This = unknown, Value = unknown> {
  readonly kind: "field";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly access: { has(object: This): boolean; get(object: This): Value; set(object: This, value: Value): void };
  addInitializer(initializer: (this: This) => void): void;
  readonly metadata: DecoratorMetadata;
}
