/**
 * What follows from the tables of fields and notes: their types and their names, for those who need no more.
 *
 * @module
 */
import "../supported-node.js";
import type { MemoryId } from "./ids.js";
import { MEMORY_FIELDS, MEMORY_NOTES } from "./memory-fields.js";
import type { Source } from "./source.js";

export { MEMORY_FIELDS, MEMORY_NOTES };

export interface Link {
  /** What the link says, such as `uses` or `contradicts`. */
  readonly rel: string;
  /** A memory id or a URL. */
  readonly to: string;
}

export interface GitPin {
  readonly commit: string;
  readonly repository?: string;
  readonly branch?: string;
}

/** What a field of each type holds. */
interface ValueByType {
  readonly text: string;
  readonly label: string;
  readonly labels: readonly string[];
  readonly share: number;
  readonly time: number;
  readonly git: GitPin;
  readonly links: readonly Link[];
  readonly flag: boolean;
  readonly source: Source;
  readonly note: string;
  readonly ids: readonly MemoryId[];
}

/** What callers may give for it. */
interface InputByType extends Omit<ValueByType, "time"> {
  /** Milliseconds since 1970, or ISO 8601 text. */
  readonly time: number | string;
}

type Fields = typeof MEMORY_FIELDS;
type Notes = typeof MEMORY_NOTES;

export type StateField = keyof Fields;

/** The fields of a memory that have one of these types. */
export type FieldOf<Type extends Fields[StateField]["type"]> = {
  [Field in StateField]: Fields[Field]["type"] extends Type ? Field : never;
}[StateField];

/** All that callers set; what is forgotten and restored is not among them. */
export type WritableField = Exclude<StateField, FieldOf<"flag">>;
export type SetField = FieldOf<"labels" | "links">;

type AlwaysThere = FieldOf<"text" | "flag"> | SetField;

/** The value of each field. Sets are there even when they are empty. */
export type MemoryFields = {
  readonly [Field in keyof Pick<Fields, AlwaysThere>]: ValueByType[Fields[Field]["type"]];
} & {
  readonly [Field in keyof Omit<Fields, AlwaysThere>]?: ValueByType[Fields[Field]["type"]] | undefined;
};

/** What tells about a record and never conflicts. */
export type RecordNotes = {
  readonly [Note in keyof Notes]?: ValueByType[Notes[Note]["type"]] | undefined;
};

type WritableNote = { [Note in keyof Notes]: Notes[Note]["given"] extends true ? Note : never }[keyof Notes];

/** A memory as callers write it. */
export type MemoryInput = {
  readonly [Field in keyof Pick<Fields, FieldOf<"text">>]: InputByType[Fields[Field]["type"]];
} & {
  readonly [Field in keyof Pick<Fields, Exclude<WritableField, FieldOf<"text">>>]?:
    | InputByType[Fields[Field]["type"]]
    | undefined;
} & {
  readonly [Note in keyof Pick<Notes, WritableNote>]?: InputByType[Notes[Note]["type"]] | undefined;
};

/** The fields that make up a memory's state; two sides may decide each of them differently. */
export const STATE_FIELDS = Object.keys(MEMORY_FIELDS) as readonly StateField[];

export const WRITABLE_FIELDS = STATE_FIELDS.filter(
  (field): field is WritableField => MEMORY_FIELDS[field].type !== "flag",
);

const isSet = (field: StateField): field is SetField => {
  const { type } = MEMORY_FIELDS[field];
  return type === "labels" || type === "links";
};

export const SET_FIELDS: readonly SetField[] = STATE_FIELDS.filter(isSet);

/** The sets of a memory that has nothing in them; to begin one with. */
export const EMPTY_SETS = Object.freeze(
  Object.fromEntries(SET_FIELDS.map((field) => [field, Object.freeze([])])),
) as { readonly [Field in SetField]: readonly never[] };

export const NOTE_NAMES = Object.keys(MEMORY_NOTES) as readonly (keyof Notes)[];
