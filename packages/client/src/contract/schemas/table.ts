/**
 * Every operation with what goes in and comes out. Held against the types of the library: a schema that accepts
 * another shape than `Calls` says does not compile, nor one that is missing.
 *
 * @module
 */
import type { Encodable } from "@cambium/core";
import type * as z from "zod";
import type { CallName, Calls } from "../calls.js";
import { branchOperations } from "./branches.js";
import { checkpointOperations } from "./checkpoints.js";
import { goingBackOperations } from "./going-back.js";
import { governanceOperations } from "./governance.js";
import { graphOperations } from "./graph.js";
import { memoryOperations } from "./memories.js";
import type { OperationSpec } from "./operation.js";
import { replicaOperations } from "./replica.js";
import { syncOperations } from "./sync.js";
import { upkeepOperations } from "./upkeep.js";
import { versionOperations } from "./versions.js";

export interface Operation extends OperationSpec {
  /** The room it stands in. */
  readonly tag: string;
}

const TABLE = {
  ...replicaOperations,
  ...memoryOperations,
  ...graphOperations,
  ...versionOperations,
  ...branchOperations,
  ...goingBackOperations,
  ...checkpointOperations,
  ...governanceOperations,
  ...syncOperations,
  ...upkeepOperations,
};

export const ROOMS = {
  Daemon: replicaOperations,
  Memories: memoryOperations,
  Graph: graphOperations,
  Versions: versionOperations,
  Branches: branchOperations,
  "Going back": goingBackOperations,
  Checkpoints: checkpointOperations,
  Governance: governanceOperations,
  Sync: syncOperations,
  Upkeep: upkeepOperations,
} as const;

const tagByName = new Map(
  Object.entries(ROOMS).flatMap(([tag, room]) => Object.keys(room).map((name) => [name, tag] as const)),
);

export const OPERATIONS = Object.fromEntries(
  Object.entries(TABLE).map(([name, operation]) => [name, { ...operation, tag: tagByName.get(name) }]),
) as { readonly [Name in keyof typeof TABLE]: (typeof TABLE)[Name] & Operation };

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
  [Name in CallName]: Name extends keyof typeof TABLE
    ?
        | (Same<AsJson<z.input<(typeof TABLE)[Name]["request"]>>, AsJson<Calls[Name]["input"]>> extends true
            ? never
            : `the request of ${Name}`)
        | (Same<
            AsJson<z.output<(typeof TABLE)[Name]["response"]>>,
            AsJson<Calls[Name]["output"]>
          > extends true
            ? never
            : `the response of ${Name}`)
    : `no schemas of ${Name}`;
}[CallName];

// Names the operations that differ, where it does not compile.
({}) satisfies { readonly [Name in Differing]: never };
