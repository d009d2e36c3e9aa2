/**
 * Deletion: forgetting a memory while someone else edits it.
 *
 * An edit does not decide `deleted`, yet a forget whose writer had not seen the edit must not hide it.
 * So an edit counts as the decision "not deleted" against such a forget, unless
 * - a standing decision about `deleted` was made in knowledge of the edit: it has answered it, or
 * - its writer saw the memory as deleted, as when a forgotten memory's open conflict is resolved, or
 * - it was erased: nobody would miss it.
 *
 * @module
 */
import type { Decision } from "./decisions.js";
import { ancestorsOf, descendantsOf, type GraphNode, type MemoryGraph, newestOf } from "./memory-graph.js";

/** Adds to the standing decisions about `deleted` the newest edits that stand against a forget. */
export function withStandingEdits(graph: MemoryGraph, decisions: readonly Decision[]): readonly Decision[] {
  const forgets = decisions.filter(({ value }) => value === true);
  if (forgets.length === 0) return decisions;
  const answered = new Set(decisions.flatMap(({ node }) => [node, ...ancestorsOf(node)]));
  const awareByForget = forgets.map(({ node }) => descendantsOf(node));
  const unseen = graph.nodes.filter(
    (node) => isEdit(node) && !answered.has(node) && awareByForget.some((aware) => !aware.has(node)),
  );
  return [...decisions, ...newestOf(unseen).flatMap(notDeleted)];
}

const isEdit = ({ record }: GraphNode): boolean =>
  record !== undefined &&
  record.decides.length > 0 &&
  !record.fields.deleted &&
  (record.erased === undefined || record.erased === "pruned");

const notDeleted = (node: GraphNode): readonly Decision[] =>
  node.record === undefined ? [] : [{ node, record: node.record, value: false }];
