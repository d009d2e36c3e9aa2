/**
 * Taking back what was written: field by field, from the newest change to the oldest. A field that
 * somebody else has decided since, or at the same time, stays as it is, and is reported: who decided it
 * last is asked of the graph of versions, for values may be equal by chance.
 *
 * @module
 */
import type { RecordHash } from "../format/ids.js";
import {
  type Author,
  decidesField,
  fieldValue,
  type MemoryFields,
  type MemoryRecord,
  type RecordNotes,
  type RecordType,
  STATE_FIELDS,
  type StateField,
} from "../format/record.js";
import { type PlannedWrite, planNext, sameField, type WriteContext } from "../memory/operations.js";
import type { MemoryReading } from "../memory/read-memory.js";
import { hasSameValue } from "../merge/field-values.js";
import { resolveMemory } from "../merge/resolve-memory.js";
import { type Deciders, FieldDeciders, type RevertedBy } from "./deciders.js";

/** What one change did to a memory. */
export interface Step {
  /** Undefined when the change brought the memory into being. */
  readonly was: MemoryFields | undefined;
  /** What was in conflict before it. */
  readonly wasOpen: readonly StateField[];
  /** Just after the change. */
  readonly is: MemoryFields;
  /** The versions that the change made, or a merge brought. */
  readonly records: ReadonlySet<RecordHash>;
  /** Whether the change was a merge, which brings versions that others wrote. */
  readonly isMerge: boolean;
}

/** What reverting changes comes to for one memory. */
export interface Reverted {
  /** Undefined when nothing is left to revert. */
  readonly write: PlannedWrite | undefined;
  /** Fields of the steps that others decided since or at the same time, or that were in conflict; they stay. */
  readonly kept: readonly StateField[];
  /** Those of `kept` that were in conflict before: what settled them cannot be undone, only decided again. */
  readonly settled: readonly StateField[];
}

/** How a revert is recorded. */
export interface RevertOptions {
  /** Of the record that is written. */
  readonly type: RecordType & ("undo" | "rollback");
  /** Who reverts, and when. */
  readonly context: WriteContext;
  /** For the record, such as the reason. */
  readonly notes?: RecordNotes;
  /** What earlier undos and rollbacks reverted. Without it, all records count. */
  readonly revertedBy?: RevertedBy | undefined;
}

/** @param steps - newest first */
export function planRevert(
  now: MemoryReading,
  steps: readonly Step[],
  { type, context, notes = {}, revertedBy }: RevertOptions,
): Reverted {
  const shown = now.resolved.fields;
  const deciders = new FieldDeciders(now, revertedBy);
  let fields: MemoryFields = shown;
  const kept: StateField[] = [];
  const settled: StateField[] = [];
  const decides: StateField[] = [];
  for (const field of STATE_FIELDS) {
    const taken = takeField({ now, deciders, field }, steps);
    fields = { ...fields, [field]: taken.fields[field] };
    if (taken.isKept || taken.wasSettled) kept.push(field);
    if (taken.wasSettled) settled.push(field);
    if (taken.isDecided || !sameField(shown, fields, field)) decides.push(field);
  }
  const write = decides.length === 0 ? undefined : planNext(now, { fields, decides, type, notes, context });
  // All of a memory that goes out of sight goes with it.
  if (fields.deleted && !shown.deleted) return { write, kept: [], settled: [] };
  return { write, kept, settled };
}

interface FieldOfMemory {
  readonly now: MemoryReading;
  readonly deciders: FieldDeciders;
  readonly field: StateField;
}

/** Fields of which only the one asked about is right. */
interface TakenField {
  readonly fields: MemoryFields;
  readonly isKept: boolean;
  readonly wasSettled: boolean;
  /** Whether it is decided although its value stays: what is reverted had set the same value. */
  readonly isDecided: boolean;
}

function takeField(memory: FieldOfMemory, steps: readonly Step[]): TakenField {
  const { now, deciders, field } = memory;
  let fields = now.resolved.fields;
  let standing: Deciders | undefined;
  const left: MemoryFields[] = [];
  let isKept = false;
  let wasSettled = false;
  let isDecided = false;
  for (const step of steps) {
    if (!touches(now, step, field)) {
      // It had set the value that was there: without it, the decision before it stands.
      if (step.was !== undefined && isDecidedBy(now, step, field))
        standing = deciders.without(standing ?? deciders.now(field), step.records, field).left;
      continue;
    }
    const target = step.was ?? { ...step.is, deleted: true };
    if (now.resolved.conflicts.some((conflict) => conflict.field === field)) {
      // Someone else wrote the field as well; their value must not go unseen.
      isKept = true;
    } else if (step.was === undefined) {
      if (sameField(fields, target, field) || !isBuiltOn(memory, steps, step)) fields = target;
      else left.push(target);
    } else {
      const removal = deciders.without(standing ?? deciders.now(field), step.records, field);
      standing = removal.left;
      // A version decides a field or leaves it: what was undecided comes back as it was shown, and decided.
      wasSettled ||= removal.isRemoved && step.wasOpen.includes(field);
      if (removal.isRemoved && sameField(fields, step.is, field) && leads(memory, removal, target)) {
        isDecided ||= isDecidedAlike(now, step, field) && !step.wasOpen.includes(field);
        fields = target;
      } else left.push(target);
    }
  }
  isKept ||= left.some((target) => !sameField(fields, target, field));
  return { fields, isKept, wasSettled, isDecided };
}

function touches(now: MemoryReading, step: Step, field: StateField): boolean {
  const { was, wasOpen, is } = step;
  if (was === undefined) return field === "deleted";
  if (!sameField(was, is, field) || isDecidedAlike(now, step, field)) return true;
  return wasOpen.includes(field) && isDecidedBy(now, step, field);
}

const isDecidedBy = ({ records: all }: MemoryReading, { records }: Step, field: StateField): boolean =>
  versionsIn(all, records).some((each) => decidesField(each, field));

/** Whether it decided the field without changing it: a merge for its target, or the undo of such a merge. */
const isDecidedAlike = (
  { records: all }: MemoryReading,
  { records, isMerge }: Step,
  field: StateField,
): boolean =>
  versionsIn(all, records).some(
    (each) => each.type === (isMerge ? "merge" : "undo") && decidesField(each, field),
  );

/** What says whether a memory lives: its words, and whether it was forgotten. */
const LIFE_FIELDS: readonly StateField[] = ["content", "deleted"];

/**
 * Whether others wrote the memory as well, or again. What the authors of the undone versions wrote on it
 * themselves goes with it, except where a merge had only brought it.
 */
function isBuiltOn({ now, deciders }: FieldOfMemory, steps: readonly Step[], { isMerge }: Step): boolean {
  const undone = new Set(steps.flatMap(({ records }) => [...records]));
  const authors = new Set(versionsIn(now.records, undone).map(({ author }) => nameOf(author)));
  return LIFE_FIELDS.some((field) =>
    deciders
      .without(deciders.now(field), undone, field)
      .left.some(
        ({ record }) =>
          record !== undefined &&
          (isMerge || record.parents.length === 0 || !authors.has(nameOf(record.author))),
      ),
  );
}

const nameOf = ({ agent, replica }: Author): string =>
  agent === undefined ? `of ${replica}` : `agent ${agent}`;

const versionsIn = (
  records: MemoryReading["records"],
  hashes: ReadonlySet<RecordHash>,
): readonly MemoryRecord[] => [...hashes].flatMap((hash) => records.get(hash) ?? []);

/** Whether the field would be as in `target`, had the removed decisions not been. */
function leads(
  { deciders, field }: FieldOfMemory,
  { isShared, left }: ReturnType<FieldDeciders["without"]>,
  target: MemoryFields,
): boolean {
  if (!isShared) return true;
  const described = deciders.valueOf(left, field);
  return described !== undefined && hasSameValue(field, described.value, fieldValue(target, field));
}

/**
 * What a record did to the memory it stands in: its writer saw what its parents say together.
 *
 * @returns undefined when a record before it is not here, so that nobody can tell
 */
export function stepOfRecord(
  { records, rank }: Pick<MemoryReading, "records" | "rank">,
  hash: RecordHash,
): Step | undefined {
  const record = records.get(hash);
  if (record === undefined) return undefined;
  const { parents, fields: is } = record;
  const own = { is, records: new Set([hash]), isMerge: false };
  if (parents.length === 0) return { ...own, was: undefined, wasOpen: [] };
  if (!parents.every((parent) => isWhole(records, parent))) return undefined;
  const { fields: was, conflicts } = resolveMemory({ tips: parents, records, rank });
  return { ...own, was, wasOpen: conflicts.map(({ field }) => field) };
}

function isWhole(records: ReadonlyMap<RecordHash, MemoryRecord>, from: RecordHash): boolean {
  const seen = new Set<RecordHash>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const record = records.get(next);
    if (record === undefined) return false;
    open.push(...record.parents);
  }
  return true;
}
