/**
 * Reads what `export` wrote as JSON lines: memories with all of their versions (`export/history-lines.ts`).
 *
 * @module
 */
import {
  type Author,
  CambiumError,
  checkName,
  EMPTY_SETS,
  type ErasedExtent,
  isCambiumError,
  isUuid,
  MAX_RECORD_BYTES,
  type MemoryFields,
  type MemoryId,
  parseStoredFields,
  RECORD_TYPES,
  type RecordHash,
  type RecordNotes,
  type RecordType,
  type ReplicaId,
  STATE_FIELDS,
  type StateField,
} from "@cambium/core";
import { MAX_RUN_NAME } from "../arguments/shapes.js";
import { HISTORY_FORMAT, HISTORY_VERSION } from "../export/history-lines.js";
import { withoutErased } from "./erased-versions.js";
import type { ExportedMemory, ExportedVersion, ImportReading, SkippedPart } from "./import-draft.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a line is the first of an export, or one that has lost it, for telling formats apart. */
export const isHistoryLine = (line: string): boolean => headerOf(line) !== undefined || isMemoryLine(line);

const isMemoryLine = (line: string): boolean => {
  const value = parseObject(line);
  return value?.type === "memory" && Array.isArray(value.versions);
};

/**
 * Lines that cannot be read are skipped, with number and reason: a memory whose versions are not all sound is left out
 * whole, since what follows a version that is not there would say something else.
 *
 * @throws {CambiumError} BAD_INPUT when it is no export, or one of a newer Cambium, or nothing of it can be read
 */
export function readHistoryLines(text: string, { name }: { readonly name: string }): ImportReading {
  const [first = "", ...lines] = text.split("\n");
  const header = headerOf(first);
  if (header === undefined) throw noHeader(name, isMemoryLine(first));
  if (Number(header.version) > HISTORY_VERSION)
    throw new CambiumError("BAD_INPUT", `"${name}" was written by a newer version of Cambium.`, {
      hint: "Install that version, or export again as markdown.",
    });
  const skipped: SkippedPart[] = [];
  const exported: ExportedMemory[] = [];
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const where = `line ${index + 2}`;
    try {
      const memory = { ...readMemoryLine(line), where };
      if (seen.has(memory.id)) throw unsound("It says a memory that an earlier line has said");
      seen.add(memory.id);
      exported.push(memory);
    } catch (error) {
      if (!isCambiumError(error)) throw error;
      skipped.push({ where, reason: error.message });
    }
  }
  const isErased = ({ reason }: SkippedPart) => reason === ERASED_THERE;
  const [damaged] = skipped;
  if (exported.length === 0 && damaged !== undefined && !skipped.some(isErased))
    throw new CambiumError(
      "BAD_INPUT",
      `No memory of "${name}" can be read. First problem, ${damaged.where}: ${damaged.reason}`,
      { hint: AGAIN, details: { name, skipped: skipped.slice(0, 20) } },
    );
  const expected = Number(header.memories);
  const found = exported.length + skipped.length;
  if (found < expected)
    skipped.push({
      where: "the end",
      reason: `The file has ${found} of ${expected} memories: it was cut off.`,
    });
  return { drafts: [], exported, skipped };
}

const AGAIN = "The file is damaged: export again where it came from (`cambium export`).";
const ERASED_THERE = "It was erased for good where it was exported.";

const noHeader = (name: string, isCut: boolean): CambiumError =>
  isCut
    ? new CambiumError("BAD_INPUT", `"${name}" has lost its first line, which says what follows.`, {
        hint: `${AGAIN} Or write this above it: ${JSON.stringify({ type: "export", format: HISTORY_FORMAT, version: HISTORY_VERSION })}`,
      })
    : new CambiumError("BAD_INPUT", `"${name}" is no export of Cambium.`, {
        hint: "Leave out --format, so that the format is recognized.",
      });

function headerOf(line: string): JsonObject | undefined {
  const value = parseObject(line);
  return value?.type === "export" && value.format === HISTORY_FORMAT ? value : undefined;
}

function readMemoryLine(line: string): Omit<ExportedMemory, "where"> {
  const value = parseObject(line);
  if (value?.type !== "memory") throw unsound("It is no memory");
  const { id, versions } = value;
  if (typeof id !== "string" || !isUuid(id)) throw unsound("It has no id");
  if (!Array.isArray(versions) || versions.length === 0) throw unsound("It has no versions");
  const known = new Set<string>();
  const read = versions.map((version: unknown) => {
    const next = readVersion(version, known);
    known.add(next.record);
    return next;
  });
  if (withoutErased(read).length === 0) throw new CambiumError("BAD_INPUT", ERASED_THERE);
  return { id: id as MemoryId, versions: read };
}

function readVersion(value: unknown, known: ReadonlySet<string>): ExportedVersion {
  if (!isObject(value)) throw unsound("A version is no object");
  const { record, parents, at, type, by, changed, deleted, derivedFrom, erased, ...rest } = value;
  const written = erased === undefined ? rest : { ...rest, content: "" };
  if (typeof record !== "string" || !/^[0-9a-f]{64}$/.test(record)) throw unsound("A version has no record");
  const which = `The version ${record.slice(0, 8)}`;
  if (known.has(record)) throw unsound(`${which} is there twice`);
  if (!isList(parents, (parent) => known.has(parent)))
    throw unsound(`${which} follows one that is not before it`);
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(time)) throw unsound(`${which} has no time`);
  if (!isOneOf(type, RECORD_TYPES)) throw unsound(`${which} has an unknown type`);
  const decides = isList(changed, (field) => isOneOf(field, STATE_FIELDS)) ? changed : undefined;
  if (decides === undefined) throw unsound(`${which} does not say which fields it changed`);
  if (typeof (deleted ?? false) !== "boolean")
    throw unsound(`${which} says neither true nor false of deleted`);
  const { fields, notes } = parseStoredFields(written);
  if (fields.content === undefined) throw unsound(`${which} has no content`);
  refuseLarge(fields, rest, which);
  if (derivedFrom !== undefined && !isList(derivedFrom, isUuid))
    throw unsound(`${which} is derived from no memories`);
  return {
    record: record as RecordHash,
    parents: parents as readonly RecordHash[],
    at: time,
    type: type as RecordType,
    by: readAuthor(by, which),
    decides: decides as readonly StateField[],
    fields: { ...EMPTY_SETS, ...fields, deleted: deleted === true } as MemoryFields,
    notes: { ...notes, ...(derivedFrom === undefined ? {} : { derivedFrom }) } as RecordNotes,
    ...(fields.content === "" ? { erased: extentOf(erased) } : {}),
  };
}

/** No memory is written without a text, so an empty one was erased: older exports do not say so. */
const extentOf = (erased: unknown): ErasedExtent =>
  erased === "whole" || erased === "pruned" ? erased : "content";

/** More than any merge unites. */
const MAX_SET_SIZE = 10_000;

function refuseLarge(
  { content, ...fields }: Partial<MemoryFields>,
  written: JsonObject,
  which: string,
): void {
  for (const [name, value] of Object.entries(fields))
    if (Array.isArray(value) && value.length > MAX_SET_SIZE)
      throw unsound(`${which} has more than ${MAX_SET_SIZE} ${name}`);
  const { content: _content, ...rest } = written;
  const bytes = Buffer.byteLength(content ?? "") + Buffer.byteLength(JSON.stringify(rest));
  if (bytes > MAX_RECORD_BYTES) throw unsound(`${which} has more than 1 MiB, the most one memory can hold`);
}

const AUTHOR_PARTS = ["agent", "session", "conversation", "trigger"] as const;

function readAuthor(by: unknown, which: string): Author {
  if (!isObject(by) || typeof by.replica !== "string" || !isUuid(by.replica))
    throw unsound(`${which} does not say on which device it was written`);
  const parts = AUTHOR_PARTS.flatMap((part): [string, string][] => {
    const value = by[part];
    if (value === undefined) return [];
    if (typeof value !== "string") throw unsound(`${which} has an author that is no text`);
    if (part === "agent") return [[part, checkName("agent", value)]];
    if (value.length > MAX_RUN_NAME)
      throw unsound(`${which} has a ${part} of more than ${MAX_RUN_NAME} characters`);
    return [[part, value]];
  });
  return { ...Object.fromEntries(parts), replica: by.replica as ReplicaId };
}

const isList = (value: unknown, fits: (item: string) => boolean): value is readonly string[] =>
  Array.isArray(value) && value.every((item: unknown) => typeof item === "string" && fits(item));

const isOneOf = (value: unknown, known: readonly string[]): boolean => known.includes(value as string);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller says so, with the line number
  }
}

const unsound = (what: string): CambiumError => new CambiumError("BAD_INPUT", `${what}.`);
