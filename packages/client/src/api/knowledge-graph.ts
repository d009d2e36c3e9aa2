/**
 * The memories of a space that speak of named things, read and written as a graph: entities, what was observed of
 * each, and how they relate. It is how the official MCP memory server sees a memory.
 *
 * @module
 */
import type { MemoryId } from "@cambium/core";
import type { AtRef } from "./memories.js";

/** A named thing. */
export interface GraphEntity {
  /** Identifies it in the graph. Case counts. */
  readonly name: string;
  /** Such as `person`. Any text. */
  readonly entityType: string;
  /** What is known about it, one sentence each. None appears twice. */
  readonly observations: readonly string[];
}

/** A link from one entity to another. */
export interface GraphRelation {
  /** Name of an entity. */
  readonly from: string;
  /** Name of an entity. */
  readonly to: string;
  /** In the active voice, such as `maintains`. */
  readonly relationType: string;
}

/** Entities, and the relations between them. */
export interface KnowledgeGraph {
  /** In the order in which they were made, like the observations of each and the relations. */
  readonly entities: readonly GraphEntity[];
  /** With a query: those with at least one end among the entities found. */
  readonly relations: readonly GraphRelation[];
}

/** Which entities to return. Default: all. Each comes with the relations of which it is an end. */
export interface GraphQuery extends AtRef {
  /** Only entities of these names; costs what they hold, whatever the size of the graph. */
  readonly names?: readonly string[] | undefined;
  /** Only entities whose name, type or observations contain it, ignoring case. */
  readonly text?: string | undefined;
}

/** Observations to add to an entity or to delete from it. */
export interface EntityObservations {
  /** Case counts. */
  readonly entityName: string;
  /** As text, one sentence each. */
  readonly observations: readonly string[];
}

/** One change, or nothing: what cannot be done whole is not begun. What is there already is left as it is. */
export type GraphEdit =
  | { readonly type: "create-entities"; readonly entities: readonly GraphEntity[] }
  | { readonly type: "create-relations"; readonly relations: readonly GraphRelation[] }
  /** Refused with ENTITY_NOT_FOUND when one of the entities is not there. */
  | { readonly type: "add-observations"; readonly additions: readonly EntityObservations[] }
  /** With their observations and relations. */
  | { readonly type: "delete-entities"; readonly names: readonly string[] }
  | { readonly type: "delete-observations"; readonly deletions: readonly EntityObservations[] }
  | { readonly type: "delete-relations"; readonly relations: readonly GraphRelation[] };

/** What was not there before. Empty after deletions. */
export interface GraphEdited {
  /** The entities that were created, with their observations. */
  readonly entities: readonly GraphEntity[];
  /** The relations that were created. */
  readonly relations: readonly GraphRelation[];
  /** One for each addition, in the same order. */
  readonly additions: readonly EntityObservations[];
  /** All memories written or forgotten. */
  readonly memories: readonly MemoryId[];
}
