/**
 * Resolving a conflict: which version stays, and which are given up.
 *
 * @module
 */
import {
  CambiumError,
  type ConflictDecision,
  checkDiscards,
  type FieldConflict,
  type MemoryReading,
} from "@cambium/core";
import type { ResolveInput } from "../api.js";

/**
 * From what a person said to a value for each field, so that nothing is given up unnamed.
 *
 * @throws {CambiumError} BAD_INPUT, RECORD_NOT_FOUND
 */
export function decisionsFor(reading: MemoryReading, resolution: ResolveInput): readonly ConflictDecision[] {
  const { conflicts } = reading.resolved;
  const field = resolution.field ?? (resolution.content === undefined ? undefined : "content");
  const chosen = field === undefined ? conflicts : conflicts.filter((conflict) => conflict.field === field);
  if (chosen.length === 0) {
    throw new CambiumError(
      "BAD_INPUT",
      `The memory ${reading.id} has no open conflict${field === undefined ? "" : ` in ${field}`}.`,
    );
  }
  const own = resolution.content ?? resolution.value;
  if ((own === undefined) === (resolution.keep === undefined)) {
    throw new CambiumError(
      "BAD_INPUT",
      "Say which version to keep, or give the content that shall stand instead.",
      {
        hint: recordsHint(chosen),
      },
    );
  }
  if (own !== undefined && chosen.length > 1) {
    throw new CambiumError(
      "BAD_INPUT",
      "Several fields are in conflict. Name the field that the new value is for.",
    );
  }
  return chosen.map((conflict) => decisionFor(conflict, resolution, own));
}

function decisionFor(
  conflict: FieldConflict,
  { keep, discard }: ResolveInput,
  own: unknown,
): ConflictDecision {
  if (own !== undefined) {
    checkDiscards(conflict, undefined, discard);
    return { field: conflict.field, value: own };
  }
  const kept = conflict.values.filter(
    ({ record }) => (keep?.length ?? 0) >= 4 && record.startsWith(keep as string),
  );
  const [value] = kept;
  if (value === undefined || kept.length > 1) {
    throw new CambiumError("RECORD_NOT_FOUND", `The conflict in ${conflict.field} has no version ${keep}.`, {
      hint: recordsHint([conflict]),
    });
  }
  checkDiscards(conflict, value.record, discard);
  return { field: conflict.field, value: value.value };
}

/** Sides of a merge have names; values of a conflict have none but their records. */
const recordsHint = (conflicts: readonly FieldConflict[]): string =>
  `Keep one by its record, and discard all others: ${conflicts
    .flatMap(({ values }) => values.map(({ record }) => record.slice(0, 12)))
    .join(", ")}`;
