/**
 * What a decision means beside others made in ignorance of it. Most are edits: changes that combine with
 * the changes of others. Four kinds of record say something else about a field:
 *
 * - A restore or a rollback settles it: this value is right, as a whole. It combines with no other value,
 *   and neither does what was written upon it, since that rests on it.
 * - An undo says: as if that had not been. It means whatever decision it brought back.
 * - A resolution, like the decision of a merge, answers what others had settled before it. Where it equals
 *   what the others started from, it is a decision still, and not the absence of one.
 *
 * @module
 */
import type { RecordType, StateField } from "../format/record.js";
import { type Decision, decidesAt, valueAt } from "./decisions.js";
import { hasSameValue } from "./field-values.js";
import { ancestorsOf, type GraphNode, newestOf } from "./memory-graph.js";

/**
 * Whether one of the decisions rests on a restore or a rollback that the writer of a different one did not
 * know. A record that has not arrived is taken for an edit: it is no base, so nothing is passed over.
 */
export function isSettledApart(field: StateField, decisions: readonly Decision[]): boolean {
  const shared = knownToAll(decisions);
  return decisions.some((decision) => {
    const settling = settlingRecords(decision.node, field, shared);
    if (settling.size === 0) return false;
    return decisions.some((other) => {
      if (hasSameValue(field, decision.value, other.value)) return false;
      const known = ancestorsOf(other.node);
      return [...settling].some((node) => !known.has(node));
    });
  });
}

/** Whether the decision is that of a resolution, made directly or brought back by an undo. */
export function isResolution({ node }: Decision, field: StateField): boolean {
  return intentOf(node, field).some(({ record }) => record?.type === "resolve");
}

/**
 * Returns the decisions without those that were reverted to what all sides started from.
 *
 * Deletion is left as it is: hiding a memory is the one choice that nobody would notice.
 *
 * @param shared - the nearest decisions that all of `decisions` build upon
 */
export function withoutReverted(
  field: StateField,
  decisions: readonly Decision[],
  shared: readonly Decision[],
): readonly Decision[] {
  if (field === "deleted") return decisions;
  const started = new Set(shared.map(({ node }) => node));
  const remaining = decisions.filter(
    ({ node }) => !isUndo(node) || !intentOf(node, field).every((intended) => started.has(intended)),
  );
  return remaining.length === 0 ? decisions : remaining;
}

const SETTLING: ReadonlySet<RecordType> = new Set<RecordType>(["restore", "rollback"]);
const ANSWERING: ReadonlySet<RecordType> = new Set<RecordType>(["resolve", "merge"]);

/** The restores and rollbacks that the value of `field` at `from` rests on, down to what everyone knows. */
function settlingRecords(
  from: GraphNode,
  field: StateField,
  shared: ReadonlySet<GraphNode>,
): ReadonlySet<GraphNode> {
  const settling = new Set<GraphNode>();
  const seen = new Set<GraphNode>();
  const pending = [from];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const node of intentOf(next, field)) {
      if (seen.has(node) || shared.has(node)) continue;
      seen.add(node);
      const { type } = node.record ?? { type: "update" as const };
      if (SETTLING.has(type)) settling.add(node);
      else if (!ANSWERING.has(type)) pending.push(...decisionsBefore(node, field));
    }
  }
  return settling;
}

/** What an undo brought back: the nearest decisions before it that say the same. Others mean themselves. */
function intentOf(node: GraphNode, field: StateField): readonly GraphNode[] {
  const intended = new Set<GraphNode>();
  const seen = new Set<GraphNode>();
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const broughtBack = broughtBackBy(next, field);
    if (broughtBack.length === 0) intended.add(next);
    else pending.push(...broughtBack);
  }
  return [...intended];
}

/** The nearest decisions that say what an undo says; none for other records. */
export function broughtBackBy(node: GraphNode, field: StateField): readonly GraphNode[] {
  return isUndo(node) ? nearestVariant(valueAt(node, field), node, field) : [];
}

const isUndo = ({ record }: GraphNode): boolean => record?.type === "undo";

function nearestVariant(
  value: Decision["value"],
  before: GraphNode,
  field: StateField,
): readonly GraphNode[] {
  const sameValue = [...ancestorsOf(before)].filter(
    (node) =>
      node.record !== undefined && decidesAt(node, field) && hasSameValue(field, valueAt(node, field), value),
  );
  return newestOf(sameValue);
}

/** The nearest decisions about `field` that the writer of `node` built upon. */
export function decisionsBefore({ parents }: GraphNode, field: StateField): readonly GraphNode[] {
  const deciding = new Set<GraphNode>();
  const seen = new Set<GraphNode>();
  const pending = [...parents];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (decidesAt(node, field)) deciding.add(node);
    else pending.push(...node.parents);
  }
  return newestOf([...deciding]);
}

function knownToAll(decisions: readonly Decision[]): ReadonlySet<GraphNode> {
  const [first, ...others] = decisions.map(({ node }) => ancestorsOf(node));
  return new Set([...(first ?? [])].filter((node) => others.every((known) => known.has(node))));
}
