/**
 * A knowledge graph as the JSON lines of the official MCP memory server. Memories that are no part of a graph become
 * observations: of an entity that is called as their area, category or kind.
 *
 * @see https://github.com/modelcontextprotocol/servers/tree/main/src/memory
 * @module
 */
import type { Memory } from "@cambium/core";
import type { KnowledgeGraph } from "../api.js";

const OTHERS = "Memories";

export function graphLines(graph: KnowledgeGraph, others: readonly Memory[]): readonly string[] {
  const entities = new Map(
    graph.entities.map(({ name, entityType, observations }) => [
      name,
      { name, entityType, observations: [...observations] },
    ]),
  );
  for (const { content, area, category, kind } of others) {
    const name = area ?? category ?? kind ?? OTHERS;
    const entity = entities.get(name) ?? { name, entityType: "topic", observations: [] };
    entity.observations.push(content);
    entities.set(name, entity);
  }
  return [
    ...[...entities.values()].map(({ name, entityType, observations }) =>
      line({ type: "entity", name, entityType, observations: [...new Set(observations)] }),
    ),
    ...graph.relations.map(({ from, to, relationType }) =>
      line({ type: "relation", from, to, relationType }),
    ),
  ];
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
