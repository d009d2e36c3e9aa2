/**
 * Decisions: which records settle which field of a memory now.
 *
 * A record decides the fields its writer set. Of all decisions about one field, those stand that no
 * other one descends from: their writers did not know of each other. One decision, or several equal
 * ones, is the field's value; different ones have to be merged or shown as a conflict.
 *
 * @module
 */
import type { Encodable } from "../format/encoding.js";
import {
  decidesField,
  fieldValue,
  type MemoryRecord,
  STATE_FIELDS,
  type StateField,
} from "../format/record.js";
import { ancestorsOf, type GraphNode, type MemoryGraph, newestOf } from "./memory-graph.js";

export interface Decision {
  /** Where in the graph the decision was made. */
  readonly node: GraphNode;
  /** Who tells of it: the node's own record, or a child of a node whose record has not arrived. */
  readonly record: MemoryRecord;
  readonly value: Encodable;
}

export type DecisionsByField = Readonly<Record<StateField, readonly Decision[]>>;

/**
 * Returns the decisions that stand, for every field. Takes time linear in the graph.
 *
 * A record that has not arrived may have decided anything its children did not decide again, so it
 * counts as deciding those fields, with the values its children carry. It may turn out to have decided
 * less, so this can show a conflict too many for a while; the other way round, someone could write
 * over a value without having seen it.
 */
export function standingDecisions({ nodes }: MemoryGraph): DecisionsByField {
  const entries = STATE_FIELDS.map((field): [StateField, Decision[]] => [field, []]);
  const standing = Object.fromEntries(entries) as Record<StateField, Decision[]>;
  const decidedLater = new Map<GraphNode, number>();
  for (const node of nodes.toReversed()) {
    const later = decidedLater.get(node) ?? 0;
    const decided = node.record === undefined ? ALL_FIELDS : decidedFields(node.record);
    for (const field of STATE_FIELDS) {
      if (decided & ~later & BIT[field]) standing[field].push(...decisionsAt(node, field));
    }
    for (const parent of node.parents) {
      decidedLater.set(parent, (decidedLater.get(parent) ?? 0) | later | decided);
    }
  }
  return standing;
}

/**
 * Returns the nearest decisions that all of `decisions` build upon: none of them descends from another.
 *
 * @returns undefined when one of them has not arrived: then nobody knows what all sides started from
 */
export function sharedDecisions(
  decisions: readonly Decision[],
  field: StateField,
): readonly Decision[] | undefined {
  const [first, ...rest] = decisions.map(({ node }) => ancestorsOf(node));
  if (first === undefined) return [];
  const shared = [...first].filter((node) => rest.every((ancestors) => ancestors.has(node)));
  const deciding = shared.filter((node) => decidesAt(node, field));
  const nearest = newestOf(deciding);
  if (nearest.some(({ record }) => record === undefined || isErased(record, field))) return undefined;
  return nearest.flatMap((node) => decisionsAt(node, field));
}

/** Whether what the record says of the field is gone. Its header stays, and with it whether it was forgotten. */
function isErased({ erased }: MemoryRecord, field: StateField): boolean {
  if (erased === undefined || field === "deleted") return false;
  return erased === "whole" || field === "content";
}

/** Without those whose value is erased, unless all are: what can still be read is no conflict with what cannot. */
export function readableDecisions(field: StateField, decisions: readonly Decision[]): readonly Decision[] {
  if (!decisions.some(({ record }) => isErased(record, field))) return decisions;
  const readable = decisions.filter(({ record }) => !isErased(record, field));
  return readable.length > 0 ? readable : decisions;
}

/** Whether the field was decided there, or may have been. */
export function decidesAt({ record }: GraphNode, field: StateField): boolean {
  return record === undefined || decidesField(record, field);
}

/** What the record there says, whether it decides the field or carries it. */
export function valueAt({ record }: GraphNode, field: StateField): Encodable {
  return record === undefined ? null : fieldValue(record.fields, field);
}

function decisionsAt(node: GraphNode, field: StateField): readonly Decision[] {
  const { record } = node;
  if (record !== undefined) return [{ node, record, value: fieldValue(record.fields, field) }];
  return node.children.flatMap(({ record: child }) =>
    child === undefined ? [] : [{ node, record: child, value: fieldValue(child.fields, field) }],
  );
}

const BIT = Object.fromEntries(STATE_FIELDS.map((field, index) => [field, 1 << index])) as Record<
  StateField,
  number
>;
const ALL_FIELDS = (1 << STATE_FIELDS.length) - 1;

function decidedFields(record: MemoryRecord): number {
  if (record.parents.length === 0) return ALL_FIELDS;
  return record.decides.reduce((bits, field) => bits | BIT[field], 0);
}
