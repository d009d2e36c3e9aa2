/**
 * Reading the knowledge graph of a state.
 *
 * @module
 */
import type { GraphQuery, KnowledgeGraph } from "../api.js";
import type { GraphQueries } from "../index-store/graph-queries.js";
import { type GraphRole, wordOf } from "../index-store/graph-words.js";
import type { IndexedState } from "../index-store/state-queries.js";
import { around, graphOf, isPresent, partsOf, speaksAbout } from "./graph-parts.js";

const EVERY_ROLE: readonly GraphRole[] = ["entity", "observation", "from", "to"];

export function readGraph(
  index: GraphQueries,
  state: IndexedState,
  { names, text }: Omit<GraphQuery, "at" | "branch">,
): KnowledgeGraph {
  const memories = names === undefined ? index.all(state) : index.about(state, names.map(wordOf), EVERY_ROLE);
  const graph = graphOf(partsOf(memories).filter(isPresent));
  const wanted = names === undefined ? undefined : new Set(names);
  if (wanted === undefined && text === undefined) return graph;
  const speaks = text === undefined ? () => true : speaksAbout(text);
  return around(graph, (entity) => wanted?.has(entity.name) !== false && speaks(entity));
}
