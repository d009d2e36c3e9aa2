/**
 * The value of a memory: what its records say together, field by field. A pure function of the records,
 * computed when read and written down only when someone decides a field.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { Encodable } from "../format/encoding.js";
import type { RecordHash } from "../format/ids.js";
import {
  type Author,
  type MemoryFields,
  type MemoryRecord,
  STATE_FIELDS,
  type StateField,
} from "../format/record.js";
import { combine } from "./combine.js";
import { type Decision, readableDecisions, standingDecisions } from "./decisions.js";
import { withStandingEdits } from "./deletion.js";
import { inCanonicalForm } from "./field-values.js";
import { buildGraph, graphTips, longestPath, type MemoryGraph } from "./memory-graph.js";
import { byFallingRank, type RankOf } from "./rank.js";

/** One of the values of a field in conflict. */
export interface ConflictValue {
  /** As it is stored; null where the side emptied the field. */
  readonly value: Encodable;
  /** The greatest of the records that decided this value. */
  readonly record: RecordHash;
  /** Who wrote that record. */
  readonly by: Author;
  /** When that record was written, in milliseconds since 1970. */
  readonly at: number;
}

/** A field that was decided differently on several sides, and that nobody has settled yet. */
export interface FieldConflict {
  /** The field that has several values. */
  readonly field: StateField;
  /** What all sides started from; null when the field was empty or there is no single such value. */
  readonly base: Encodable;
  /** Different from each other; greatest rank first. */
  readonly values: readonly ConflictValue[];
}

/** What the records of a memory say together. */
export interface ResolvedMemory {
  /** Fields without a value are left out. */
  readonly fields: MemoryFields;
  /** In the order of STATE_FIELDS. */
  readonly conflicts: readonly FieldConflict[];
  /** 1 + the longest path of parents. */
  readonly version: number;
  /** How many readable records there are. */
  readonly versions: number;
  /** The greatest of the tips: it says when, by whom and from where. */
  readonly shown: RecordHash;
  /** Per field the records whose decisions stand, greatest rank first. */
  readonly decidedBy: Readonly<Record<StateField, readonly RecordHash[]>>;
}

export interface MemoryToResolve {
  /** Readable tips; one that another descends from does no harm. */
  readonly tips: readonly RecordHash[];
  /** The tips and all their readable ancestors; further records do no harm. */
  readonly records: ReadonlyMap<RecordHash, MemoryRecord>;
  readonly rank: RankOf;
}

/**
 * Returns what the memory is now. The result does not depend on the order of tips or records.
 *
 * Ancestors may be missing, and there may be several first records, as after importing one source on
 * two devices.
 *
 * @throws {CambiumError} INTERNAL when none of the tips is readable: then there is nothing to resolve
 */
export function resolveMemory({ tips, records, rank }: MemoryToResolve): ResolvedMemory {
  const graph = buildGraph(tips, records);
  const [shown] = graphTips(graph)
    .map(({ hash }) => hash)
    .sort(byFallingRank(rank));
  if (shown === undefined) {
    throw new CambiumError("INTERNAL", "A memory without a readable tip cannot be resolved.");
  }
  const decisionsByField = standingDecisions(graph);
  const outcomes = STATE_FIELDS.map((field) =>
    resolveField(field, decisionsAbout(field, graph, decisionsByField[field]), rank),
  );
  const decidedBy = Object.fromEntries(outcomes.map((outcome) => [outcome.field, outcome.decidedBy]));
  return {
    fields: fieldsOf(outcomes),
    conflicts: outcomes.flatMap(({ conflict }) => (conflict === undefined ? [] : [conflict])),
    version: longestPath(graph),
    versions: graph.nodes.filter(({ record }) => record !== undefined).length,
    shown,
    decidedBy: decidedBy as ResolvedMemory["decidedBy"],
  };
}

function decisionsAbout(
  field: StateField,
  graph: MemoryGraph,
  standing: readonly Decision[],
): readonly Decision[] {
  return field === "deleted" ? withStandingEdits(graph, standing) : readableDecisions(field, standing);
}

interface FieldOutcome {
  readonly field: StateField;
  readonly value: Encodable;
  readonly conflict?: FieldConflict;
  readonly decidedBy: readonly RecordHash[];
}

function resolveField(field: StateField, unordered: readonly Decision[], rank: RankOf): FieldOutcome {
  const combined = combine(field, greatestFirst(unordered, rank));
  const decidedBy = [...new Set(combined.decisions.map(({ record }) => record.hash))];
  if (combined.kind === "value") return { field, value: combined.value, decidedBy };
  const { base, sides } = combined;
  const conflict: FieldConflict = {
    field,
    base: base ?? null,
    values: sides.map(({ value, record }) => ({
      value,
      record: record.hash,
      by: record.author,
      at: record.at,
    })),
  };
  // Hiding a memory that someone still works on would be the one choice nobody notices.
  const shown = field === "deleted" ? false : inCanonicalForm(field, sides[0]?.value ?? null);
  return { field, value: shown, conflict, decidedBy };
}

function greatestFirst(decisions: readonly Decision[], rank: RankOf): readonly Decision[] {
  if (decisions.length < 2) return decisions;
  const fallingRank = byFallingRank(rank);
  return [...decisions].sort((a, b) => fallingRank(a.record.hash, b.record.hash));
}

function fieldsOf(outcomes: readonly FieldOutcome[]): MemoryFields {
  const present = outcomes.filter(({ value }) => value !== null).map(({ field, value }) => [field, value]);
  return { content: "", deleted: false, ...Object.fromEntries(present) } as MemoryFields;
}
