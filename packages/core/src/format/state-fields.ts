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

/** The labels that memories are chosen by. */
export const FILTER_LABELS = ["category", "tag", "kind", "area", "agent"] as const;

/** One of the labels that memories are chosen by. */
export type FilterLabel = (typeof FILTER_LABELS)[number];

/** A link from a memory to another, or to an address. */
export interface Link {
  /** What the link says, such as `uses` or `contradicts`. */
  readonly rel: string;
  /** A memory id or a URL. */
  readonly to: string;
}

/** The state of a repository that a memory is about. */
export interface GitPin {
  /** 7 to 64 hexadecimal digits in lower case. */
  readonly commit: string;
  /** Such as its address. Absent if it does not matter. */
  readonly repository?: string;
  /** The branch at that time. */
  readonly branch?: string;
}

/** What a field of each type holds. */
interface ValueByType {
  /** Up to 1 MiB with everything else of the record. */
  readonly text: string;
  /** 1 to 1,000 characters, without spaces around them. */
  readonly label: string;
  /** Sorted, each once. */
  readonly labels: readonly string[];
  /** 0 to 1. */
  readonly share: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** A commit. */
  readonly git: GitPin;
  /** Sorted, each once. */
  readonly links: readonly Link[];
  /** True or false. */
  readonly flag: boolean;
  /** Where it came from. */
  readonly source: Source;
  /** Text that never conflicts. */
  readonly note: string;
  /** Memory ids. */
  readonly ids: readonly MemoryId[];
}

/** What callers may give for it. */
interface InputByType extends Omit<ValueByType, "time"> {
  /** Milliseconds since 1970, or ISO 8601 text. */
  readonly time: number | string;
}

/** The table of fields, as a type. */
type Fields = typeof MEMORY_FIELDS;
/** The table of notes, as a type. */
type Notes = typeof MEMORY_NOTES;

/** A field that is part of a memory's state, such as `content` or `tags`. */
export type StateField = keyof Fields;

/** The fields of a memory that have one of these types. */
export type FieldOf<Type extends Fields[StateField]["type"]> = {
  [Field in StateField]: Fields[Field]["type"] extends Type ? Field : never;
}[StateField];

/** All that callers set; what is forgotten and restored is not among them. */
export type WritableField = Exclude<StateField, FieldOf<"flag">>;
/** The fields that are sets. */
export type SetField = FieldOf<"labels" | "links">;

/** The fields that every memory has. */
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

/** The notes that callers may give. */
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

/** The fields that callers may set: all but `deleted`. */
export const WRITABLE_FIELDS = STATE_FIELDS.filter(
  (field): field is WritableField => MEMORY_FIELDS[field].type !== "flag",
);

const isSet = (field: StateField): field is SetField => {
  const { type } = MEMORY_FIELDS[field];
  return type === "labels" || type === "links";
};

/** The fields that are sets. Two sides may add and remove items without a conflict. */
export const SET_FIELDS: readonly SetField[] = STATE_FIELDS.filter(isSet);

/** The sets of a memory that has nothing in them; to begin one with. */
export const EMPTY_SETS = Object.freeze(
  Object.fromEntries(SET_FIELDS.map((field) => [field, Object.freeze([])])),
) as { readonly [Field in SetField]: readonly never[] };

/** The notes of a record, in the order in which they are stored. */
export const NOTE_NAMES = Object.keys(MEMORY_NOTES) as readonly (keyof Notes)[];
