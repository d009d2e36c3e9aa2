/**
 * From memories to what they are in a knowledge graph.
 *
 * @module
 */

import { compareText, GRAPH_FORMAT, type Memory } from "@cambium/core";
import type { GraphEntity, GraphRelation, KnowledgeGraph } from "../api.js";
import { observationIn, typeWordsIn } from "../import/graph-drafts.js";
import type { NumberedMemory } from "../index-store/graph-queries.js";
import { relationOfKey, textOfWord } from "../index-store/graph-words.js";

interface PartOf {
  readonly memory: Memory;
  /** Name of the source it is kept under. */
  readonly source: string;
}

export type GraphPart = PartOf &
  (
    | { readonly kind: "entity"; readonly name: string; readonly entityType: string }
    | { readonly kind: "observation"; readonly name: string; readonly text: string }
    | { readonly kind: "relation"; readonly relation: GraphRelation }
  );

export type PartOfKind<Kind extends GraphPart["kind"]> = Extract<GraphPart, { readonly kind: Kind }>;

/** In the order in which they were written down, on every device the same. */
export function partsOf(memories: readonly NumberedMemory[]): readonly GraphPart[] {
  return [...memories].sort(byPosition).flatMap(({ memory }) => partOf(memory) ?? []);
}

/** What was imported before positions were kept comes first, as it came to this device. */
function byPosition(a: NumberedMemory, b: NumberedMemory): number {
  const [one, other] = [positionOf(a.memory), positionOf(b.memory)];
  if (one !== other) return one - other;
  if (one === NOWHERE) return a.memory.at - b.memory.at || a.number - b.number;
  return compareText(a.memory.id, b.memory.id);
}

const NOWHERE = -1;

const positionOf = ({ source }: Memory): number =>
  typeof source?.position === "number" ? source.position : NOWHERE;

function partOf(memory: Memory): GraphPart | undefined {
  const { source, kind, content } = memory;
  if (source?.format !== GRAPH_FORMAT || typeof source.heading !== "string") return undefined;
  const of: PartOf = { memory, source: String(source.name ?? "") };
  if (kind === "relation") {
    const relation = relationOfKey(source.key);
    if (relation === undefined) return undefined;
    const [from, relationType, to] = relation;
    return { ...of, kind, relation: { from, to, relationType } };
  }
  const name = textOfWord(source.heading);
  if (kind === "entity") return { ...of, kind, name, entityType: typeOf(memory, name) };
  if (kind === "observation") return { ...of, kind, name, text: observationIn(content, name, source.key) };
  return undefined;
}

/** A writer of an entity's text need not know where its type is in it. */
function typeOf({ content, category }: Memory, name: string): string {
  const words = typeWordsIn(content, name);
  return words === undefined ? (category ?? "") : textOfWord(words);
}

export const isPresent = ({ memory }: GraphPart): boolean => !memory.deleted;

export const isOfKind =
  <Kind extends GraphPart["kind"]>(kind: Kind) =>
  (part: GraphPart): part is PartOfKind<Kind> =>
    part.kind === kind;

/**
 * What is said twice is one; what is said of nobody who is there is left out.
 *
 * @param parts - those that are not forgotten, in their order
 */
export function graphOf(parts: readonly GraphPart[]): KnowledgeGraph {
  const entities = new Map<string, { readonly entityType: string; readonly observations: Set<string> }>();
  for (const { name, entityType } of parts.filter(isOfKind("entity"))) {
    if (!entities.has(name)) entities.set(name, { entityType, observations: new Set() });
  }
  for (const { name, text } of parts.filter(isOfKind("observation")))
    entities.get(name)?.observations.add(text);
  const relations = new Map<string, GraphRelation>();
  for (const { relation } of parts.filter(isOfKind("relation"))) {
    const key = relationKey(relation);
    if (!relations.has(key)) relations.set(key, relation);
  }
  return {
    entities: [...entities].map(([name, { entityType, observations }]) => ({
      ...{ name, entityType, observations: [...observations] },
    })),
    relations: [...relations.values()],
  };
}

/** Equal for equal relations. */
export const relationKey = ({ from, relationType, to }: GraphRelation): string =>
  JSON.stringify([from, relationType, to]);

/** Those entities, and the relations that have at least one end among them. */
export function around(graph: KnowledgeGraph, isWanted: (entity: GraphEntity) => boolean): KnowledgeGraph {
  const entities = graph.entities.filter(isWanted);
  const names = new Set(entities.map(({ name }) => name));
  return { entities, relations: graph.relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}

/** Whether a name, a type or an observation contains the text, in whatever case. */
export function speaksAbout(text: string): (entity: GraphEntity) => boolean {
  const wanted = text.toLowerCase();
  return ({ name, entityType, observations }) =>
    [name, entityType, ...observations].some((stated) => stated.toLowerCase().includes(wanted));
}
