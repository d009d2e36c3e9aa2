/**
 * What an operation is made of. Definitions are plain data that every process loads: their schemas are functions of
 * the parts that they are built from, so that only who checks or describes them loads those parts.
 *
 * @module
 */
import type {
  Agent,
  Audit,
  Branches,
  Checkpoints,
  Members,
  PolicyControl,
  Requests,
  Space,
  SpaceReader,
  Sync,
} from "@cambium/client";
import type * as z from "zod";
import type * as InputParts from "./schemas/inputs.js";
import type * as OutputParts from "./schemas/outputs.js";

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Names in braces are taken from the input, and the rest of it from the query (GET, DELETE) or the body. */
  readonly path: string;
  /** A write takes an `Idempotency-Key`: sent again, it is not made twice. */
  readonly kind: "read" | "write";
  /** May take long: reports its progress to callers that accept `text/event-stream`. */
  readonly isLong?: true;
  /** Its query may be a long text: taken by POST, too, with all of it in the body. */
  readonly isWordy?: true;
}

export interface Definition extends Route {
  /** A few words, in the imperative. */
  readonly summary: string;
  /** Sentences that a person needs to use it. */
  readonly description?: string;
  /** The method of the library that does it. Without one, daemon and remote replica have code for it. */
  readonly calls?: LibraryCall;
  /** The types of an operation that is no method of the library; see `types`. */
  readonly types?: Types<object, object>;
  /** The field of the answer that holds what the method gives; null when it gives nothing. */
  readonly answer?: string | null;
  /** Fields of the answer that stand on the list that the method gives, beside its items. */
  readonly beside?: readonly string[];
  /** Answers with the memory it wrote, which can be read again when the answer was lost. */
  readonly answersMemory?: true;
  /** Does nothing but wait, so that a daemon that ends need not wait for it. */
  readonly onlyWaits?: true;
  /** Fields of the path or query where a number means another thing than a text. */
  readonly numberOrText?: readonly string[];
  /** The fields besides `space`, which every operation takes whose path names it. Other fields are refused. */
  readonly input: (parts: typeof InputParts) => z.ZodRawShape;
  readonly output: (parts: typeof OutputParts) => z.ZodType;
}

/** The operations of one area, by name. */
export type Definitions = Readonly<Record<string, Definition>>;

/** The objects of a space that operations are methods of. */
export interface Targets {
  readonly reader: SpaceReader;
  readonly space: Space;
  readonly agent: Agent;
  readonly branches: Branches;
  readonly checkpoints: Checkpoints;
  readonly members: Members;
  readonly requests: Requests;
  readonly policy: PolicyControl;
  readonly sync: Sync;
  readonly audit: Audit;
}

export type Target = keyof Targets;

/** In the place of an argument: an object of all fields that no other argument takes. */
export const REST = "...";

/**
 * How an argument is made of the fields of the input: the field of this name, `REST`, or an object of the fields in a
 * list.
 */
export type Argument = string | readonly string[] | OneOf | LocalPath | PartOf;

/** These fields of an object that may have others: callers hand on the whole of what they were given. */
export interface PartOf {
  readonly partOf: readonly string[];
}

/** A text, or an object of one field: exactly one of the fields is given. */
export interface OneOf {
  /** The first is meant by a text. */
  readonly oneOf: readonly [string, ...string[]];
  readonly refusal: string;
}

/** A path of this machine: absolute where it is sent, for the daemon stands in a directory of its own. */
export interface LocalPath {
  readonly localPath: string;
}

export interface LibraryCall {
  readonly target: Target;
  readonly method: string;
  readonly args: readonly Argument[];
}

const callsOf =
  <const T extends Target>(target: T) =>
  <const Method extends keyof Targets[T] & string, const Args extends readonly Argument[]>(
    method: Method,
    ...args: Args
  ) => ({ target, method, args });

export const reader = callsOf("reader");
export const space = callsOf("space");
export const agent = callsOf("agent");
export const branches = callsOf("branches");
export const checkpoints = callsOf("checkpoints");
export const members = callsOf("members");
export const requests = callsOf("requests");
export const policy = callsOf("policy");
export const sync = callsOf("sync");
export const audit = callsOf("audit");

/** Holds types, and nothing while it runs. */
export interface Types<Input extends object, Output extends object> {
  readonly input?: Input;
  readonly output?: Output;
}

/** Says the types of an operation that is no method of the library. */
export const types = <Input extends object, Output extends object>(): Types<Input, Output> => ({});

export const read = <const Path extends string>(path: Path) => ({
  ...({ method: "GET", kind: "read" } as const),
  path,
});

export const write = <const Method extends Route["method"], const Path extends string>(
  method: Method,
  path: Path,
) => ({ ...({ kind: "write" } as const), method, path });

export const SPACE = "/v1/spaces/{space}";
export const MEMORY = `${SPACE}/memories/{id}` as const;

/** `~` in the place of a space is the default. */
export const ONLY_SPACE = "~";
