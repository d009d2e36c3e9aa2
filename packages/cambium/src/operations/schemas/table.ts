/**
 * Every operation with what goes in and comes out. Held against the types of the library: a schema that accepts
 * another shape than `Calls` says does not compile, nor one that is missing.
 *
 * @module
 */
import type { Encodable } from "@cambium/core";
import type * as z from "zod";
import type { CallName, Calls } from "../calls.js";
import type { Operation } from "./operation.js";
import { type REQUESTS, ROOMS } from "./requests/table.js";
import { RESPONSES } from "./responses/table.js";

export const OPERATIONS = Object.fromEntries(
  Object.entries(ROOMS).flatMap(([tag, room]) =>
    Object.entries(room).map(([name, spec]) => [
      name,
      { ...spec, tag, response: RESPONSES[name as CallName] },
    ]),
  ),
) as unknown as { readonly [Name in CallName]: Operation };

/** As JSON carries it: without brands, and with absent in place of undefined. */
type AsJson<T> = [Encodable] extends [T]
  ? unknown
  : T extends string
    ? T extends { readonly __brand: unknown }
      ? string
      : T
    : { readonly [Key in keyof T]: AsJson<Exclude<T[Key], undefined>> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Operations whose schema and type differ, and which of the two it is. */
type Differing = {
  [Name in CallName]: Name extends keyof typeof REQUESTS & keyof typeof RESPONSES
    ?
        | (Same<
            AsJson<z.input<(typeof REQUESTS)[Name]["request"]>>,
            AsJson<Calls[Name]["input"]>
          > extends true
            ? never
            : `the request of ${Name}`)
        | (Same<AsJson<z.output<(typeof RESPONSES)[Name]>>, AsJson<Calls[Name]["output"]>> extends true
            ? never
            : `the response of ${Name}`)
    : `no schemas of ${Name}`;
}[CallName];

// Names the operations that differ, where it does not compile.
({}) satisfies { readonly [Name in Differing]: never };
