/**
 * From what a caller gives to the fields of a memory. Everything is checked here, once, and every
 * refusal says what would be right.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import { compareText } from "./bytes.js";
import { momentOf } from "./calendar.js";
import { encodeCanonical } from "./encoding.js";
import { checkKnownSource, type Source } from "./source.js";
import {
  EMPTY_SETS,
  type GitPin,
  type Link,
  MEMORY_FIELDS,
  MEMORY_NOTES,
  type MemoryFields,
  NOTE_NAMES,
  type RecordNotes,
  type StateField,
  WRITABLE_FIELDS,
} from "./state-fields.js";

/** What a caller may set. `null` takes a value away, absent leaves it. */
export type FieldInput = { readonly [key: string]: unknown };

/** What a caller gave, checked and in its canonical form. */
export interface ParsedInput {
  /** Only those that were given with a value. */
  readonly fields: Partial<MemoryFields>;
  /** The state fields the caller set, whether or not the value differs. */
  readonly decides: readonly StateField[];
  /** Only those that were given. */
  readonly notes: RecordNotes;
}

/** Characters of a label or an end of a link, at most. */
export const MAX_SHORT_TEXT = 1_000;
/** Labels or links of one field, at most, as somebody may give them. A merge may unite more. */
export const MAX_SET_SIZE = 1_000;
/** The last moment a `Date` can tell. */
const MAX_TIME = 8.64e15;

type Check = (value: unknown, name: string) => unknown;
type Checks = { readonly [field: string]: Check };
type FieldType = (typeof MEMORY_FIELDS)[StateField]["type"];
type NoteType = (typeof MEMORY_NOTES)[keyof RecordNotes]["type"];

const CHECK_BY_TYPE: { readonly [Type in Exclude<FieldType, "flag">]: Check } = {
  text: contentText,
  label: shortText,
  labels: textSet,
  share: fraction,
  time: timestamp,
  git: gitPin,
  links: linkSet,
};

/**
 * What no caller may give can come of a merge: a text whose every word some side took out, or sets
 * united beyond their limit. It is carried into the next record, which has to stay readable.
 */
const STORED_CHECK_BY_TYPE: typeof CHECK_BY_TYPE = {
  ...CHECK_BY_TYPE,
  text: wellFormed,
  labels: (value, name) => textItems(value, name),
  links: (value, name) => linkItems(value, name),
};

const NOTE_CHECK_BY_TYPE: { readonly [Type in Exclude<NoteType, "ids">]: Check } = {
  source: writtenSource,
  note: wellFormed,
};

const CHECKS = checksOfFields(CHECK_BY_TYPE);
const STORED_CHECKS = checksOfFields(STORED_CHECK_BY_TYPE);
const NOTE_CHECKS = checksOfNotes(NOTE_CHECK_BY_TYPE);
const STORED_NOTE_CHECKS = checksOfNotes({ ...NOTE_CHECK_BY_TYPE, source: sourceRef });

function checksOfFields(checkByType: typeof CHECK_BY_TYPE): Checks {
  return Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, checkByType[MEMORY_FIELDS[field].type]]));
}

function checksOfNotes(checkByType: typeof NOTE_CHECK_BY_TYPE): Checks {
  return Object.fromEntries(
    NOTE_NAMES.flatMap((note) => {
      const { type } = MEMORY_NOTES[note];
      return type === "ids" ? [] : [[note, checkByType[type]]];
    }),
  );
}

/** @throws {CambiumError} BAD_INPUT naming the field, or RECORD_TOO_LARGE later, when it is encoded */
export function parseFields(input: FieldInput): ParsedInput {
  const parsed = parse(input, CHECKS, NOTE_CHECKS);
  checkDecided(parsed.fields, parsed.decides);
  return parsed;
}

/**
 * Checks what somebody decided together with what was there: a memory that is over before it begins would
 * never be true. What a merge or a way back combines is not asked: nobody set it so.
 *
 * @param fields - of the record as a whole
 * @throws {CambiumError} BAD_INPUT
 */
export function checkDecided(
  { validFrom, validUntil }: Partial<MemoryFields>,
  decides: readonly StateField[],
): void {
  if (!decides.includes("validFrom") && !decides.includes("validUntil")) return;
  if (validFrom === undefined || validUntil === undefined || validUntil >= validFrom) return;
  throw new CambiumError("BAD_INPUT", "validUntil lies before validFrom.", {
    hint: `It would begin ${isoTime(validFrom)} and end ${isoTime(validUntil)}; give both, or take one away.`,
    details: { field: "validUntil", validFrom, validUntil },
  });
}

const isoTime = (time: number): string => new Date(time).toISOString();

/** @throws {CambiumError} BAD_INPUT when a field of a stored record has another shape than we write */
export function parseStoredFields(input: FieldInput): ParsedInput {
  return parse(input, STORED_CHECKS, STORED_NOTE_CHECKS);
}

function parse(input: FieldInput, checks: Checks, noteChecks: Checks): ParsedInput {
  const fields: Record<string, unknown> = {};
  const notes: Record<string, unknown> = {};
  const decides: StateField[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    const noteCheck = Object.hasOwn(noteChecks, name) ? noteChecks[name] : undefined;
    if (check !== undefined) {
      fields[name] = value === null ? emptyValue(name) : check(value, name);
      decides.push(name as StateField);
    } else if (noteCheck !== undefined) {
      notes[name] = value === null ? undefined : noteCheck(value, name); // there, and empty: taken away
    } else {
      throw refuse(name, `is not a field of a memory; fields are ${WRITABLE_FIELDS.join(", ")}`);
    }
  }
  return { fields: fields as Partial<MemoryFields>, decides, notes: notes as RecordNotes };
}

function emptyValue(name: string): readonly never[] | undefined {
  if (!MEMORY_FIELDS[name as StateField].clearable)
    throw refuse(name, "cannot be taken away; forget the memory instead");
  return EMPTY_SETS[name as keyof typeof EMPTY_SETS];
}

function contentText(value: unknown, name: string): string {
  const text = wellFormed(value, name);
  if (text.trim() === "") throw refuse(name, "is empty. Give the text to remember");
  return text;
}

function shortText(value: unknown, name: string): string {
  const text = wellFormed(value, name).trim();
  if (text === "" || text.length > MAX_SHORT_TEXT)
    throw refuse(name, `needs 1 to ${MAX_SHORT_TEXT} characters`);
  return text;
}

function wellFormed(value: unknown, name: string): string {
  if (typeof value !== "string") throw refuse(name, "has to be text");
  if (!value.isWellFormed())
    throw refuse(name, "holds half of a surrogate pair; it was cut in the middle of a character");
  return value;
}

function textSet(value: unknown, name: string): readonly string[] {
  return textItems(value, name, MAX_SET_SIZE);
}

function textItems(value: unknown, name: string, maxItems = Number.POSITIVE_INFINITY): readonly string[] {
  if (!Array.isArray(value) || value.length > maxItems)
    throw refuse(name, `has to be a list of at most ${maxItems} texts`);
  return [...new Set(value.map((item) => shortText(item, name)))].sort(compareText);
}

function linkSet(value: unknown, name: string): readonly Link[] {
  return linkItems(value, name, MAX_SET_SIZE);
}

function linkItems(value: unknown, name: string, maxItems = Number.POSITIVE_INFINITY): readonly Link[] {
  if (!Array.isArray(value) || value.length > maxItems) throw refuse(name, "has to be a list of { rel, to }");
  const links = value.map((item: unknown): Link => {
    if (!isObject(item)) throw refuse(name, "has to be a list of { rel, to }");
    return { rel: shortText(item.rel, `${name}.rel`), to: shortText(item.to, `${name}.to`) };
  });
  return sortedSet(links);
}

/** Sets are kept in the order of their encodings, so that equal sets are equal bytes. */
function sortedSet<T extends Link>(items: readonly T[]): readonly T[] {
  const byText = new Map(items.map((item) => [JSON.stringify([item.rel, item.to]), item]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
}

function fraction(value: unknown, name: string): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 1))
    throw refuse(name, "has to be a number from 0 to 1");
  return value;
}

/** Milliseconds since 1970, or ISO 8601 text. */
function timestamp(value: unknown, name: string): number {
  const time = typeof value === "string" ? momentOf(value) : value;
  if (typeof time !== "number" || !Number.isFinite(time) || Math.abs(time) > MAX_TIME) {
    throw refuse(
      name,
      'has to be a time of the calendar: milliseconds since 1970, or text such as 2026-08-01T12:00:00Z, "yesterday" or "2 weeks ago"',
    );
  }
  return Math.trunc(time);
}

function gitPin(value: unknown, name: string): GitPin {
  if (!isObject(value) || !/^[0-9a-f]{7,64}$/.test(String(value.commit))) {
    throw refuse(
      name,
      "has to be { commit, repository?, branch? } with a commit hash of at least 7 hexadecimal digits",
    );
  }
  const { commit, repository, branch } = value;
  return {
    commit: String(commit),
    ...(repository === undefined ? {} : { repository: shortText(repository, `${name}.repository`) }),
    ...(branch === undefined ? {} : { branch: shortText(branch, `${name}.branch`) }),
  };
}

function writtenSource(value: unknown, name: string): Source {
  const source = sourceRef(value, name);
  checkKnownSource(source, name);
  return source;
}

function sourceRef(value: unknown, name: string): Source {
  if (!isObject(value)) throw refuse(name, "has to be an object with a kind");
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const kind = shortText(value.kind, `${name}.kind`);
  for (const [key, item] of entries) {
    if (typeof item !== "string" && typeof item !== "number")
      throw refuse(`${name}.${key}`, "has to be text or a number");
  }
  encodeCanonical(Object.fromEntries(entries) as Record<string, string | number>);
  return { ...(Object.fromEntries(entries) as Record<string, string | number>), kind };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const refuse = (name: string, why: string): CambiumError =>
  new CambiumError("BAD_INPUT", `${name} ${why}.`, { details: { field: name } });
