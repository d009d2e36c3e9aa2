/**
 * What goes into each operation and what comes out, as the library has it: one flat object each. The types follow from
 * the definitions and from the methods that they call, and the schemas of the definitions are held against them here:
 * where they differ, this does not compile.
 *
 * @module
 */
import type { Encodable, Memory } from "@cambium/core";
import type * as z from "zod";
import type {
  Definition,
  LibraryCall,
  LocalPath,
  OneOf,
  PartOf,
  REST,
  Targets,
  Types,
} from "./definition.js";
import type { DEFINITIONS } from "./definitions/table.js";
import type { Nothing } from "./described.js";
import type { inSpace } from "./schemas/parts.js";

/** Of definitions that are not the daemon's own, too: tests have some. */
export type CallsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Definition
    ? { readonly input: InputOf<Table[Name]>; readonly output: OutputOf<Table[Name]> }
    : never;
};

export type Calls = CallsOf<typeof DEFINITIONS>;

type InputOf<D extends Definition> = D extends { readonly types: Types<infer Input, object> }
  ? Input
  : InSpace<D["path"]> &
      (D extends { readonly calls: infer Call extends LibraryCall } ? Fields<Call> : never);

type InSpace<Path extends string> = Path extends `${string}{space}${string}`
  ? { readonly space: string }
  : unknown;

/** Functions and signals are not sent: the remote replica has its ways with them. */
type Sent<T> = {
  readonly [Key in keyof T as Exclude<T[Key], undefined> extends AbortSignal | ((...args: never[]) => unknown)
    ? never
    : Key]: T[Key];
};

type MethodOf<Call extends LibraryCall> = Call["method"] extends keyof Targets[Call["target"]]
  ? Extract<Targets[Call["target"]][Call["method"]], (...args: never[]) => unknown>
  : never;

type Fields<Call extends LibraryCall> = FieldsOf<Call["args"], Parameters<MethodOf<Call>>>;

/** Of all arguments together. With one too many or too few, there is no such input. */
type FieldsOf<Args extends readonly unknown[], Taken extends readonly unknown[]> = Args extends readonly [
  infer Arg,
  ...infer OtherArgs,
]
  ? Taken extends readonly []
    ? never
    : FieldsOfOne<Arg, Taken[0]> & FieldsOf<OtherArgs, Rest<Taken>>
  : Taken extends readonly []
    ? unknown
    : never;

type Rest<Taken extends readonly unknown[]> = Taken extends readonly [_?: unknown, ...rest: infer Others]
  ? Others
  : never;

type FieldsOfOne<Arg, Value> = Arg extends typeof REST
  ? Sent<NonNullable<Value>>
  : Arg extends string
    ? undefined extends Value
      ? { readonly [Name in Arg]?: Value }
      : { readonly [Name in Arg]: Value }
    : Arg extends OneOf
      ? Chosen<Arg["oneOf"], Value>
      : Arg extends LocalPath
        ? { readonly [Name in Arg["localPath"]]: Extract<Value, string> }
        : Arg extends PartOf
          ? Picked<Sent<NonNullable<Value>>, Arg["partOf"][number]>
          : Arg extends readonly string[]
            ? Picked<Sent<NonNullable<Value>>, Arg[number]>
            : never;

/** All fields of the object have to be picked: the others could not be sent. */
type Picked<Options, Name extends string> = Same<keyof Options, Name> extends true ? Options : never;

type Chosen<Names extends readonly string[], Value> =
  Same<
    Names extends readonly [string, ...infer Others extends string[]] ? Others[number] : never,
    Exclude<Value, string> extends infer One ? (One extends unknown ? keyof One : never) : never
  > extends true
    ? { readonly [Name in Names[number]]?: string | undefined }
    : never;

type OutputOf<D extends Definition> = D extends { readonly types: Types<object, infer Output> }
  ? Output
  : D extends { readonly calls: infer Call extends LibraryCall }
    ? Answer<D, Awaited<ReturnType<MethodOf<Call>>>>
    : never;

type Answer<D extends Definition, Result> = D extends { readonly answer: null }
  ? Result extends void
    ? Nothing
    : never
  : D extends {
        readonly answer: infer Name extends string;
        readonly beside: readonly (infer Beside extends keyof Result)[];
      }
    ? Result extends readonly (infer Item)[]
      ? { readonly [Key in Name]: readonly Item[] } & Pick<Result, Beside>
      : never
    : D extends { readonly answer: infer Name extends string }
      ? undefined extends Result
        ? { readonly [Key in Name]?: Result }
        : { readonly [Key in Name]: Result }
      : Result;

/** As JSON carries it: without brands, and with absent in place of undefined. */
type AsJson<T> = [Encodable] extends [T]
  ? unknown
  : T extends string
    ? T extends { readonly __brand: unknown }
      ? string
      : T
    : { readonly [Key in keyof T]: AsJson<Exclude<T[Key], undefined>> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type SchemaInput<D extends Definition> = z.input<
  z.ZodObject<
    ReturnType<D["input"]> & (D["path"] extends `${string}{space}${string}` ? typeof inSpace : unknown),
    z.core.$strict
  >
>;

/** Fields that a URL carries, and that are numbers as well as texts. */
type NumbersOrTexts<Input> = {
  [Key in keyof Input]-?: number extends Input[Key] ? (string extends Input[Key] ? Key : never) : never;
}[keyof Input];

type Unclear<D extends Definition, Input> = D["method"] extends "GET" | "DELETE"
  ? NumbersOrTexts<Input>
  : never;

type Listed<D extends Definition> = D extends { readonly numberOrText: infer Names extends readonly string[] }
  ? Names[number]
  : never;

/** Operations that answer with the one memory that they wrote. */
type WritesOneMemory<D extends Definition, Output> = D["kind"] extends "write" ? Same<Output, Memory> : false;

type CallOf<D> = D extends { readonly calls: { readonly target: infer T; readonly method: infer M } }
  ? `${T & string}.${M & string}`
  : never;

/** Operations that call the same method as another one. */
type Twice<Table, Name extends keyof Table> = {
  [Other in Exclude<keyof Table, Name>]: CallOf<Table[Other]> & CallOf<Table[Name]>;
}[Exclude<keyof Table, Name>];

/** Says of each definition what is wrong with it. */
export type Wrong<Table> = {
  [Name in keyof Table & string]: Table[Name] extends infer D extends Definition
    ?
        | (Same<AsJson<SchemaInput<D>>, AsJson<InputOf<D>>> extends true
            ? never
            : `the input of ${Name} is not what its method takes`)
        | (Same<AsJson<z.output<ReturnType<D["output"]>>>, AsJson<OutputOf<D>>> extends true
            ? never
            : `the output of ${Name} is not what its method gives`)
        | (Same<Unclear<D, InputOf<D>>, Listed<D>> extends true
            ? never
            : `numberOrText of ${Name} does not list the fields that are both`)
        | (Same<
            WritesOneMemory<D, OutputOf<D>>,
            D extends { readonly answersMemory: true } ? true : false
          > extends true
            ? never
            : `answersMemory of ${Name} is not what it answers with`)
        | ([Twice<Table, Name>] extends [never] ? never : `another operation calls the method of ${Name}`)
    : `${Name} is not a definition`;
}[keyof Table & string];

// Names what is wrong, where it does not compile.
({}) satisfies { readonly [Problem in Wrong<typeof DEFINITIONS>]: never };
