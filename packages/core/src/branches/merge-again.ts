/**
 * Merging again what was merged and undone. Automerge holds those changes already, so a plain merge
 * would say "up to date" and bring nothing back; instead the caller is asked.
 *
 * @module
 */
import type { ChangeHash, MemoryId } from "../format/ids.js";
import type { StateField } from "../format/record.js";
import type { Memory } from "../memory/memory.js";
import { type ConflictDecision, differingFields, sameField } from "../memory/operations.js";
import { type MemoryReading, memoryOf, readMemory } from "../memory/read-memory.js";
import { shownMemory } from "../memory/shown-memory.js";
import type { FieldConflict } from "../merge/resolve-memory.js";
import type { BranchPair, MergeOrUndo, MergeSide } from "./branch-pair.js";
import type { MergeRequest } from "./merge-request.js";

/** A merge that was undone, about which nobody has decided yet. */
export interface UndoneMerge {
  /** The merge that was undone. */
  readonly merge: ChangeHash;
  /** Milliseconds since 1970, effective, like `undoneAt`. */
  readonly mergedAt: number;
  /** The undo that reverted it. */
  readonly undo: ChangeHash;
  /** Milliseconds since 1970, effective. */
  readonly undoneAt: number;
  /** What the undo wrote. */
  readonly memories: readonly MemoryId[];
  /** Whether the undo stands on the branch that is merged from. */
  readonly onSource: boolean;
}

/** Undos of merges between these two branches, in either direction, that nobody has decided about yet. */
export function findUndone(branches: BranchPair): readonly UndoneMerge[] {
  return [...undonesOn("target", branches), ...undonesOn("source", branches)];
}

function undonesOn(side: MergeSide, branches: BranchPair): readonly UndoneMerge[] {
  const onSource = side === "source";
  const here = branches.mergesAndUndos(side);
  const there = branches.mergesAndUndos(onSource ? "target" : "source");
  // An answer given on either branch stands in the records that come with it.
  const decided = new Set([...answersIn(here), ...answersIn(there)]);
  const known = new Set(onSource ? there.map(({ hash }) => hash) : []);
  return undosInForce(here)
    .filter(({ hash }) => !decided.has(hash) && !known.has(hash))
    .flatMap((undo) =>
      mergesReverted(undo, here, side, branches).map((merge) => ({
        merge: merge.hash,
        mergedAt: merge.at,
        undo: undo.hash,
        undoneAt: undo.at,
        memories: branches.memoriesOf(side, undo.hash),
        onSource,
      })),
    );
}

/** An undo may be undone in turn, and that as well: the last word counts. */
function undosInForce(changes: readonly MergeOrUndo[]): readonly MergeOrUndo[] {
  const reverted = new Set<ChangeHash>();
  const fromLast = changes.toReversed().filter(({ hash, statement }) => {
    if (statement.type !== "undo" || reverted.has(hash)) return false;
    for (const undone of statement.of ?? []) reverted.add(undone);
    return true;
  });
  return fromLast.toReversed();
}

/** The undos that callers of merges decided about. */
const answersIn = (changes: readonly MergeOrUndo[]): readonly ChangeHash[] =>
  changes.flatMap(({ statement }) => (statement.type === "merge" ? (statement.of ?? []) : []));

/** The merges of the other branch into this one that the undo reverts. */
function mergesReverted(
  undo: MergeOrUndo,
  here: readonly MergeOrUndo[],
  side: MergeSide,
  { source, target }: BranchPair,
): readonly MergeOrUndo[] {
  const [branch, other] = side === "source" ? [source, target] : [target, source];
  return (undo.statement.of ?? []).flatMap((hash) =>
    here.filter(
      (change) =>
        change.hash === hash &&
        change.statement.type === "merge" &&
        change.statement.from === other &&
        change.actor.startsWith(branch),
    ),
  );
}

export interface UndoneOpinion {
  readonly settled: readonly ConflictDecision[];
  readonly conflicts: readonly FieldConflict[];
}

interface Sides {
  readonly before: MemoryReading | undefined;
  readonly after: MemoryReading;
  readonly source: MemoryReading | undefined;
}

/**
 * "Bring it all back": for every field the undo took back, the value of the side that still has it,
 * unless the other side has written the field since; then both values are put to the strategy.
 */
export async function undoneOpinion(
  request: MergeRequest,
  sides: Sides,
  undone: readonly UndoneMerge[],
): Promise<UndoneOpinion> {
  const settled = new Map<StateField, unknown>();
  const conflicts: FieldConflict[] = [];
  for (const entry of undone.filter(({ memories }) => memories.includes(sides.after.id))) {
    const { taken, decided, untouched } = await reverted(request, sides.after.id, entry);
    const keeper = entry.onSource ? sides.before : sides.source;
    const undoer = entry.onSource ? sides.source : sides.before;
    if (keeper === undefined || undoer === undefined || untouched === undefined) continue;
    const [kept, current] = [memoryOf(keeper), memoryOf(undoer)];
    const open = [...new Set([...taken, ...decided])].filter((name) => !sameField(kept, current, name));
    for (const field of open) {
      if (taken.includes(field) && sameField(current, untouched, field))
        settled.set(field, kept[field] ?? null);
      else conflicts.push(bothValues(field, untouched, current, kept));
    }
  }
  return { settled: [...settled].map(([field, value]) => ({ field, value })), conflicts };
}

interface UndoneFields {
  /** Whose value the undo changed. */
  readonly taken: readonly StateField[];
  /** Those that it decided: where the value is the same, the merge had put it before the source's. */
  readonly decided: readonly StateField[];
  /** The memory as it stood right after. */
  readonly untouched: Memory | undefined;
}

async function reverted(
  { branches, load }: MergeRequest,
  id: MemoryId,
  { undo, onSource }: UndoneMerge,
): Promise<UndoneFields> {
  const side: MergeSide = onSource ? "source" : "target";
  const deps = branches.mergesAndUndos(side).find(({ hash }) => hash === undo)?.deps ?? [];
  const was = await shownMemory(branches.stateAt(side, deps, id), id, load);
  const became = await readMemory(branches.stateAt(side, [undo], id), id, load);
  if (was === undefined || became === undefined) return { taken: [], decided: [], untouched: undefined };
  const untouched = memoryOf(became);
  const decided = became.records.get(untouched.record)?.decides ?? [];
  return { taken: differingFields(was, untouched), decided, untouched };
}

function bothValues(field: StateField, base: Memory, current: Memory, kept: Memory): FieldConflict {
  const listed = [current, kept].map(({ record, by, at, ...memory }) => ({
    value: encodable(memory[field]),
    record,
    by,
    at,
  }));
  return { field, base: encodable(base[field]), values: listed };
}

const encodable = (value: unknown): FieldConflict["base"] => (value ?? null) as FieldConflict["base"];
