/**
 * What an operation writes: for each memory it touches, the draft of one record. Drafts are made from
 * a reading, sealed by the caller, and put into the branch as one change.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import { bytesEqual } from "../format/bytes.js";
import { type Encodable, encodeCanonical } from "../format/encoding.js";
import { checkDecided, type FieldInput, parseFields } from "../format/fields.js";
import type { MemoryId, RecordHash } from "../format/ids.js";
import {
  type Author,
  fieldValue,
  type MemoryFields,
  type MemoryRecord,
  type RecordNotes,
  type RecordType,
  type Reference,
  STATE_FIELDS,
  type StateField,
} from "../format/record.js";
import type { RecordDraft } from "../format/record-codec.js";
import { GRAPH_FORMAT, type Source, versionSource } from "../format/source.js";
import { EMPTY_SETS, MEMORY_NOTES, NOTE_NAMES } from "../format/state-fields.js";
import type { FieldConflict } from "../merge/resolve-memory.js";
import { type MemoryReading, memoryOf } from "./read-memory.js";

/** One memory's share of a change. */
export interface PlannedWrite {
  /** The memory that gets a record. */
  readonly memory: MemoryId;
  /** The record to seal. */
  readonly draft: RecordDraft;
  /** Tips that this write replaces without having been able to read them. */
  readonly carried: readonly Reference[];
}

/** Who writes, and when. */
export interface WriteContext {
  /** Milliseconds since 1970, by the corrected clock. */
  readonly at: number;
  /** Stored with each record. */
  readonly author: Author;
}

const NO_FIELDS: Omit<MemoryFields, "content"> = { ...EMPTY_SETS, deleted: false };

/** What a first record may say besides the memory. */
export interface CreateOptions {
  /** Default: `create`. */
  readonly type?: RecordType;
  /** The memories it was combined of, or the one it was split off. */
  readonly derivedFrom?: readonly MemoryId[];
  /** References the memory has here already, when none of its records could be read. */
  readonly carried?: readonly Reference[];
}

/** A new memory, or the first record of one that another replica may make as well. */
export function planCreate(
  id: MemoryId,
  input: FieldInput,
  context: WriteContext,
  { type = "create", derivedFrom, carried = [] }: CreateOptions = {},
): PlannedWrite {
  const { fields, notes } = parseFields(input);
  if (fields.content === undefined)
    throw new CambiumError("BAD_INPUT", "content is missing. Give the text to remember.");
  return {
    memory: id,
    carried,
    draft: {
      ...context,
      memory: id,
      parents: [],
      type,
      decides: [],
      fields: { ...NO_FIELDS, ...fields, content: fields.content },
      notes: presentOnly({ ...notes, derivedFrom }),
    },
  };
}

/** What a writer may say a new version is. Recall and history treat a correction as such. */
export type RevisionType = "update" | "enrich" | "correct" | "import";

/** Sets fields of a memory. What the caller did not name stays as it is, conflicts included. */
export function planRevise(
  reading: MemoryReading,
  input: FieldInput,
  context: WriteContext,
  type: RevisionType = "update",
): PlannedWrite {
  const { fields, decides, notes } = parseFields(input);
  if (decides.length === 0)
    throw new CambiumError("BAD_INPUT", "Nothing to change was given; name at least one field.");
  refuseForgotten(reading);
  refuseOpenConflict(reading, decides);
  const revised = { ...reading.resolved.fields, ...fields };
  checkDecided(revised, decides);
  return planNext(reading, {
    fields: revised,
    decides,
    type: typeOfRevision(type, decides),
    notes,
    context,
  });
}

/** Whether a revision sets only what is shown already: then nothing is worth a version. A reason alone is no change. */
export function revisesNothing({ resolved, records }: MemoryReading, input: FieldInput): boolean {
  const { fields, decides, notes } = parseFields(input);
  const shown = records.get(resolved.shown) as MemoryRecord;
  const revised = { ...resolved.fields, ...fields };
  const isSameNote = (note: keyof RecordNotes): boolean => {
    const [value, known] = [notes[note], shown.notes[note]];
    return value === undefined ? known === undefined : sameValue(value, known);
  };
  return (
    decides.every((field) => sameField(resolved.fields, revised, field)) &&
    (Object.keys(notes) as (keyof RecordNotes)[]).every((note) => note === "reason" || isSameNote(note))
  );
}

/** Shows a hidden memory again, with what an import says of it. What the caller did not name stays as it is. */
export function planReturnByImport(
  reading: MemoryReading,
  input: FieldInput,
  context: WriteContext,
): PlannedWrite {
  const { fields, decides, notes } = parseFields(input);
  refuseOpenConflict(reading, decides);
  const revised = { ...reading.resolved.fields, ...fields, deleted: false };
  return planNext(reading, {
    ...{ fields: revised, decides: [...decides, "deleted"], type: "import", notes, context },
  });
}

/** A tag or a move is worth a name of its own in the history. */
function typeOfRevision(type: RevisionType, decides: readonly StateField[]): RecordType {
  if (type !== "update") return type;
  if (decides.every((field) => field === "tags")) return "tag";
  return decides.every((field) => field === "area" || field === "category") ? "move" : "update";
}

/** Hides a memory. Its history stays, and `planRestore` brings it back. */
export function planForget(reading: MemoryReading, context: WriteContext, reason?: string): PlannedWrite {
  refuseForgotten(reading);
  const fields = { ...reading.resolved.fields, deleted: true };
  return planNext(reading, { fields, decides: ["deleted"], type: "forget", notes: { reason }, context });
}

/**
 * Brings a memory back, or back to how it was: decides every field that differs from then, and every
 * field in conflict.
 */
export function planRestore(
  reading: MemoryReading,
  to: MemoryFields,
  context: WriteContext,
  {
    reason,
    source,
    type = "restore",
  }: { readonly reason?: string | undefined; readonly type?: RecordType } & Pick<RecordNotes, "source"> = {},
): PlannedWrite {
  const current = reading.resolved.fields;
  const inConflict = new Set(reading.resolved.conflicts.map(({ field }) => field));
  const differs = STATE_FIELDS.filter((field) => inConflict.has(field) || !sameField(current, to, field));
  if (differs.length === 0 && memoryOf(reading).erased !== undefined)
    throw new CambiumError("MEMORY_ERASED", `The memory ${reading.id} was erased for good.`, {
      hint: "What is said anew is a memory of its own: cambium remember",
      details: { id: reading.id },
    });
  if (differs.length === 0) {
    throw new CambiumError(
      "BAD_INPUT",
      `The memory ${reading.id} is as it was then; there is nothing to restore.`,
      {
        hint: `See its versions with \`cambium history ${reading.id}\`.`,
      },
    );
  }
  return planNext(reading, { fields: to, decides: differs, type, notes: { reason, source }, context });
}

/** Several memories into one; the sources stay, and are named. */
export function planCombine(
  id: MemoryId,
  sources: readonly MemoryReading[],
  input: FieldInput,
  context: WriteContext,
): readonly PlannedWrite[] {
  const derivedFrom = [...new Set(sources.map((source) => source.id))];
  if (derivedFrom.length < 2 || derivedFrom.length < sources.length) {
    throw new CambiumError("BAD_INPUT", "Combining takes at least two memories, each named once.");
  }
  const tags = [...new Set(sources.flatMap((source) => source.resolved.fields.tags))];
  const combined = planCreate(id, { tags, ...input }, context, { type: "combine", derivedFrom });
  return [combined, ...sources.map((source) => planForget(source, context, `Combined into ${id}.`))];
}

/** One memory into several; the source is hidden, and named. */
export function planSplit(
  source: MemoryReading,
  pieces: readonly { readonly id: MemoryId; readonly input: FieldInput }[],
  context: WriteContext,
): readonly PlannedWrite[] {
  if (pieces.length < 2) throw new CambiumError("BAD_INPUT", "Splitting takes at least two pieces.");
  const made = pieces.map(({ id, input }) =>
    planCreate(id, input, context, { type: "split", derivedFrom: [source.id] }),
  );
  return [...made, planForget(source, context, `Split into ${pieces.map(({ id }) => id).join(", ")}.`)];
}

/** A value for a field in conflict. */
export interface ConflictDecision {
  /** A field that is in conflict. */
  readonly field: StateField;
  /** One of those in conflict, or another that fits the field. */
  readonly value: unknown;
}

/** Decides fields in conflict, each to a value: one of those listed, or another. */
export function planResolve(
  reading: MemoryReading,
  decisions: readonly ConflictDecision[],
  context: WriteContext,
  { reason, type = "resolve" }: { readonly reason?: string | undefined; readonly type?: RecordType } = {},
): PlannedWrite {
  const fields = withDecisions(reading.resolved.fields, decisions);
  const decides = decisions.map(({ field }) => field);
  if (type === "resolve") checkDecided(fields, decides);
  return planNext(reading, {
    fields,
    decides,
    type,
    notes: { reason },
    context,
  });
}

/** @throws {CambiumError} BAD_INPUT when a value does not fit its field */
export function withDecisions(fields: MemoryFields, decisions: readonly ConflictDecision[]): MemoryFields {
  const decided: Record<string, unknown> = {};
  for (const { field, value } of decisions) {
    if (field === "deleted") decided.deleted = checkedFlag(value);
    else Object.assign(decided, parseFields({ [field]: value }).fields);
  }
  return { ...fields, ...decided };
}

function checkedFlag(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new CambiumError("BAD_INPUT", "deleted has to be true or false.");
}

interface NextRecord {
  readonly fields: MemoryFields;
  readonly decides: readonly StateField[];
  readonly type: RecordType;
  readonly notes: RecordNotes;
  readonly context: WriteContext;
}

/** The record after all readable tips. Parts that did not change, or are again what they were, are named again. */
export function planNext(
  reading: MemoryReading,
  { fields, decides, type, notes, context }: NextRecord,
): PlannedWrite {
  const shown = reading.records.get(reading.resolved.shown) as MemoryRecord;
  return {
    memory: reading.id,
    carried: reading.carried,
    draft: {
      ...context,
      memory: reading.id,
      parents: reading.shownTips,
      type,
      decides,
      fields,
      notes: presentOnly({
        ...notesThatStay(shown.notes, decides),
        ...notes,
        source: sourceOfNext(reading, { fields, decides, type, notes }),
      }),
      reuse: [shown, ...recordsWithContent(reading, fields.content)],
    },
  };
}

/** Records that decide between texts that are there; what they chose comes from where it came from. */
const CHOOSING: ReadonlySet<RecordType> = new Set<RecordType>(["undo", "resolve", "merge"]);

/**
 * Where the text comes from: of a text that stays, from where it came; of another, only what is said. A memory keeps
 * its place in a knowledge graph.
 */
function sourceOfNext(
  reading: MemoryReading,
  { fields, decides, type, notes }: Omit<NextRecord, "context">,
): Source | undefined {
  const { source } = notes;
  const shown = reading.records.get(reading.resolved.shown) as MemoryRecord;
  if (source?.format !== GRAPH_FORMAT && shown.notes.source?.format === GRAPH_FORMAT)
    return shown.notes.source;
  if ("source" in notes) return source;
  if (!decides.includes("content")) return shown.notes.source;
  if (!CHOOSING.has(type) && type !== "rollback") return undefined;
  const [from] = [...reading.records.values()]
    .filter(({ fields: { content } }) => content === fields.content)
    .sort((a, b) => b.at - a.at);
  if (from === undefined || type !== "rollback") return from?.notes.source;
  return versionSource({ id: reading.id, record: from.hash }, "rollback");
}

/** Going back brings back a content that was written before. */
function recordsWithContent({ records, resolved }: MemoryReading, content: string): readonly MemoryRecord[] {
  if (records.get(resolved.shown)?.fields.content === content) return [];
  return [...records.values()].filter((record) => record.fields.content === content);
}

/** Notes of a version that the next one has, too. */
export function notesThatStay(notes: RecordNotes, decides: readonly StateField[]): RecordNotes {
  const untilContent = !decides.includes("content");
  const staying = NOTE_NAMES.filter((note) => {
    const { stays } = MEMORY_NOTES[note];
    return stays === "until given" || (stays === "until content" && untilContent);
  });
  return presentOnly(Object.fromEntries(staying.map((note) => [note, notes[note]])));
}

const presentOnly = (notes: RecordNotes): RecordNotes =>
  Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined));

function refuseForgotten({ id, resolved }: MemoryReading): void {
  if (!resolved.fields.deleted) return;
  throw new CambiumError("MEMORY_FORGOTTEN", `The memory ${id} was forgotten.`, {
    hint: `Bring it back first: cambium restore ${id}`,
    details: { id },
  });
}

/** Writing over an open conflict would pick a winner unseen. */
function refuseOpenConflict({ id, resolved }: MemoryReading, decides: readonly StateField[]): void {
  const open = resolved.conflicts.filter(({ field }) => decides.includes(field));
  if (open.length === 0) return;
  throw new CambiumError(
    "CONFLICT_OPEN",
    `The memory ${id} has an open conflict in ${open.map(({ field }) => field).join(", ")}.`,
    {
      hint: `Decide it first, for instance: ${keepCommand(id, open)}. \`cambium conflicts\` shows all values.`,
      details: { id, conflicts: open },
    },
  );
}

/** Keeps what is shown. */
function keepCommand(id: MemoryId, [conflict]: readonly FieldConflict[]): string {
  const [kept, ...others] = (conflict?.values ?? []).map(({ record }) => record.slice(0, 10));
  const discards = others.map((record) => ` --discard ${record}`).join("");
  return `cambium resolve ${id} --field ${conflict?.field} --keep ${kept}${discards}`;
}

/** Whether both say the same in this field; sets whatever their order. */
export function sameField(a: MemoryFields, b: MemoryFields, field: StateField): boolean {
  return sameValue(fieldValue(a, field), fieldValue(b, field));
}

function sameValue(one: Encodable | undefined, other: Encodable | undefined): boolean {
  if (one === other) return true;
  const isPlain = typeof one !== "object" || typeof other !== "object" || one === null || other === null;
  return !isPlain && bytesEqual(encodeCanonical(one), encodeCanonical(other));
}

/** The fields in which two snapshots of a memory differ, in the order of STATE_FIELDS. */
export const differingFields = (a: MemoryFields, b: MemoryFields): readonly StateField[] =>
  STATE_FIELDS.filter((field) => !sameField(a, b, field));

/** @throws {CambiumError} BAD_INPUT unless every losing version of the conflict is named */
export function checkDiscards(
  conflict: FieldConflict,
  keep: RecordHash | undefined,
  discard: readonly string[],
): void {
  const losing = conflict.values.filter(({ record }) => record !== keep);
  const unnamed = losing.filter(
    ({ record }) => !discard.some((prefix) => prefix.length >= 4 && record.startsWith(prefix)),
  );
  if (unnamed.length === 0) return;
  throw new CambiumError(
    "BAD_INPUT",
    `Name every version of ${conflict.field} that is given up; ${unnamed.length} is not named.`,
    {
      hint: `Add --discard ${unnamed.map(({ record }) => record.slice(0, 12)).join(" --discard ")}`,
      details: { field: conflict.field, unnamed: unnamed.map(({ record }) => record) },
    },
  );
}
