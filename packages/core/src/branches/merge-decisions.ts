/**
 * Strategies: who decides the fields that a merge of branches leaves in conflict.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import { compareText } from "../format/bytes.js";
import { checkDecided } from "../format/fields.js";
import type { MemoryId } from "../format/ids.js";
import type { StateField } from "../format/record.js";
import type { Memory, MemoryConflicts } from "../memory/memory.js";
import {
  type ConflictDecision,
  type PlannedWrite,
  type WriteContext,
  withDecisions,
} from "../memory/operations.js";
import { type MemoryReading, memoryOf } from "../memory/read-memory.js";
import type { FieldConflict } from "../merge/resolve-memory.js";

/**
 * Who decides fields that both sides changed.
 * `both` keeps the target's values and makes a second memory of the source's. `manual` leaves them open. `resolver`
 * asks a function.
 */
export type MergeStrategy = "source" | "target" | "newest" | "both" | "manual" | "resolver";

/** Decides one field: the side it is taken from, or the value it shall have. */
export type FieldResolution = { readonly take: "source" | "target" | "newest" } | { readonly value: unknown };

/** Decides a memory: one way for all its fields in conflict, or each on its own. */
export type MemoryResolution =
  | Exclude<MergeStrategy, "manual" | "resolver">
  | { readonly [Field in StateField]?: FieldResolution };

/** Asked about each memory that is in conflict. */
export type Resolver = (
  conflict: MemoryConflicts & { readonly source: Memory; readonly target: Memory | undefined },
) => MemoryResolution | Promise<MemoryResolution>;

export interface Decider {
  readonly strategy: MergeStrategy;
  readonly resolutions: Readonly<Record<string, MemoryResolution>>;
  readonly resolver?: Resolver | undefined;
  readonly context: WriteContext;
  readonly newMemoryId: () => MemoryId;
  readonly before: MemoryReading | undefined;
  readonly after: MemoryReading;
  readonly source: MemoryReading | undefined;
  readonly conflicts: readonly FieldConflict[];
}

export interface MemoryDecision {
  readonly decisions: readonly ConflictDecision[];
  readonly open: readonly FieldConflict[];
  /** Second memories, made by `both`. */
  readonly copies: readonly PlannedWrite[];
}

export async function decideMemory(decider: Decider): Promise<MemoryDecision> {
  if (decider.conflicts.length === 0) return { decisions: [], open: [], copies: [] };
  const resolution = await resolutionFor(decider);
  if (resolution === undefined) return { decisions: [], open: decider.conflicts, copies: [] };
  if (resolution === "both") {
    return { decisions: takeAll(decider, "target"), open: [], copies: copyOfSource(decider) };
  }
  if (typeof resolution === "string")
    return { decisions: takeAll(decider, resolution), open: [], copies: [] };
  const decisions = decider.conflicts.flatMap((conflict) => {
    const choice = resolution[conflict.field];
    return choice === undefined
      ? []
      : [
          {
            field: conflict.field,
            value: "take" in choice ? valueFrom(decider, conflict, choice.take) : choice.value,
          },
        ];
  });
  checkResolutions(decider, resolution, decisions);
  const decided = new Set(decisions.map(({ field }) => field));
  return { decisions, open: decider.conflicts.filter(({ field }) => !decided.has(field)), copies: [] };
}

/** Which side a field is taken from is the merge's affair; what somebody gives has to fit the rest. */
function checkResolutions(
  { after }: Decider,
  resolution: Exclude<MemoryResolution, string>,
  decisions: readonly ConflictDecision[],
): void {
  const decidedFields = decisions
    .map(({ field }) => field)
    .filter((field) => "value" in (resolution[field] ?? {}));
  checkDecided(withDecisions(after.resolved.fields, decisions), decidedFields);
}

async function resolutionFor(decider: Decider): Promise<MemoryResolution | undefined> {
  const { after, before, source, conflicts, resolutions, strategy, resolver } = decider;
  const named = resolutions[after.id];
  if (named !== undefined) return named;
  if (strategy === "manual") return undefined;
  if (strategy !== "resolver") return strategy;
  return resolver?.({
    id: after.id,
    fields: conflicts,
    source: memoryOf(source ?? after),
    target: before && memoryOf(before),
  });
}

const takeAll = (decider: Decider, take: "source" | "target" | "newest"): readonly ConflictDecision[] =>
  decider.conflicts.map((conflict) => ({ field: conflict.field, value: valueFrom(decider, conflict, take) }));

function valueFrom(
  { before, after, source }: Decider,
  conflict: FieldConflict,
  take: "source" | "target" | "newest",
): unknown {
  switch (take) {
    case "source":
      return (source ?? after).resolved.fields[conflict.field] ?? null;
    case "target":
      return (before ?? after).resolved.fields[conflict.field] ?? null;
    case "newest":
      return (
        conflict.values.toSorted((a, b) => b.at - a.at || compareText(b.record, a.record))[0]?.value ?? null
      );
    default:
      // A resolver is a function of the caller's, and no compiler may have read it.
      throw new CambiumError(
        "BAD_INPUT",
        `A conflict is decided by source, target or newest, not by ${String(take satisfies never)}.`,
      );
  }
}

/** The source's side as a memory of its own, unless it was forgotten there. */
function copyOfSource({ source, after, context, newMemoryId }: Decider): readonly PlannedWrite[] {
  const { fields } = (source ?? after).resolved;
  if (fields.deleted) return [];
  const id = newMemoryId();
  const notes = { derivedFrom: [after.id], reason: "Kept beside the other side of a merge." };
  const draft = { ...context, memory: id, parents: [], type: "merge", decides: [], fields, notes } as const;
  return [{ memory: id, carried: [], draft }];
}
