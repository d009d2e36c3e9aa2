/**
 * What an edit of the knowledge graph writes and forgets, given what is there. Pure: it looks into the graph through
 * what it is given, and hands back drafts and memories.
 *
 * @module
 */
import { CambiumError, type MemoryId } from "@cambium/core";
import type { EntityObservations, GraphEdit, GraphEdited, GraphEntity, GraphRelation } from "../api.js";
import { entityDraft, type GraphPlace, observationDraft, relationDraft } from "../import/graph-drafts.js";
import type { ImportDraft } from "../import/import-draft.js";
import type { GraphRole } from "../index-store/graph-words.js";
import { type GraphPart, isOfKind, isPresent, type PartOfKind, relationKey } from "./graph-parts.js";

/** What is kept under this name looks like an import of a file of that name; see `readMcpMemory`. */
const SOURCE = "memory.jsonl";

export interface GraphView {
  /** What speaks of these names in these roles, in its order, forgotten or not. */
  about(names: readonly string[], roles: readonly GraphRole[]): readonly GraphPart[];
  position(): number;
}

export interface GraphEditPlan {
  readonly drafts: readonly ImportDraft[];
  readonly forget: readonly MemoryId[];
  /** Of which it takes for granted that they are there. */
  readonly dependsOn: readonly MemoryId[];
  readonly done: Omit<GraphEdited, "memories">;
}

const NOTHING: GraphEditPlan = {
  drafts: [],
  forget: [],
  dependsOn: [],
  done: { entities: [], relations: [], additions: [] },
};

/** @throws {CambiumError} ENTITY_NOT_FOUND */
export function planGraphEdit(edit: GraphEdit, view: GraphView): GraphEditPlan {
  switch (edit.type) {
    case "create-entities":
      return planEntities(edit.entities, view);
    case "create-relations":
      return planRelations(edit.relations, view);
    case "add-observations":
      return planAdditions(edit.additions, view);
    case "delete-entities": {
      const parts = view.about(edit.names, ["entity", "observation", "from", "to"]);
      return forgetting(parts);
    }
    case "delete-observations":
      return planDeletions(edit.deletions, view);
    case "delete-relations": {
      const unwanted = new Set(edit.relations.map(relationKey));
      const relations = relationsFrom(edit.relations, view);
      return forgetting(relations.filter(({ relation }) => unwanted.has(relationKey(relation))));
    }
    default:
      throw unknownEdit(edit satisfies never);
  }
}

/** One entity named twice is one, with the observations of both. */
function planEntities(entities: readonly GraphEntity[], view: GraphView): GraphEditPlan {
  const names = entities.map(({ name }) => name);
  const known = view.about(names, ["entity"]).filter(isOfKind("entity"));
  const present = new Set(known.filter(isPresent).map(({ name }) => name));
  const created = new Map<string, GraphEntity>();
  for (const { name, entityType, observations } of entities) {
    if (present.has(name)) continue;
    const first = created.get(name);
    created.set(name, {
      ...{ name, entityType: first?.entityType ?? entityType },
      observations: [...new Set([...(first?.observations ?? []), ...observations])],
    });
  }
  const drafts = [...created.values()].flatMap(({ name, entityType, observations }) => {
    const entity = { name, types: typesOf(entityType) };
    // One that was forgotten comes back as the memory it was.
    const source = known.find((part) => part.name === name)?.source;
    return [
      entityDraft(entity, placeUnder(source, view)),
      ...observations.map((observation) => observationDraft(entity, observation, placeUnder(source, view))),
    ];
  });
  return { ...NOTHING, drafts, done: { ...NOTHING.done, entities: [...created.values()] } };
}

function planRelations(relations: readonly GraphRelation[], view: GraphView): GraphEditPlan {
  const present = new Set(
    relationsFrom(relations, view)
      .filter(isPresent)
      .map(({ relation }) => relationKey(relation)),
  );
  const created = [...new Map(relations.map((relation) => [relationKey(relation), relation]))]
    .filter(([key]) => !present.has(key))
    .map(([, relation]) => relation);
  const ends = created.flatMap(({ from, to }) => [from, to]);
  const entities = presentEntities(ends, view);
  const drafts = created.map((relation) => {
    const place = placeUnder(entities.get(relation.from)?.source, view);
    return relationDraft(relation, place, (name) => entities.get(name)?.source === place.source);
  });
  return { ...NOTHING, drafts, done: { ...NOTHING.done, relations: created } };
}

function planAdditions(additions: readonly EntityObservations[], view: GraphView): GraphEditPlan {
  const names = additions.map(({ entityName }) => entityName);
  const entities = presentEntities(names, view);
  const missing = names.find((name) => !entities.has(name));
  if (missing !== undefined) throw entityNotFound(missing);
  const stated = new Map(names.map((name) => [name, new Set<string>()]));
  const observed = view.about(names, ["observation"]).filter(isOfKind("observation"));
  for (const { name, text } of observed.filter(isPresent)) stated.get(name)?.add(text);
  const drafts: ImportDraft[] = [];
  const added = additions.map(({ entityName, observations }): EntityObservations => {
    const known = stated.get(entityName) as Set<string>;
    const { entityType, source } = entities.get(entityName) as PartOfKind<"entity">;
    const entity = { name: entityName, types: typesOf(entityType) };
    const fresh = [...new Set(observations)].filter((observation) => !known.has(observation));
    for (const observation of fresh) {
      known.add(observation);
      drafts.push(observationDraft(entity, observation, placeUnder(source, view)));
    }
    return { entityName, observations: fresh };
  });
  const dependsOn = [...entities.values()].map(({ memory }) => memory.id);
  return { ...NOTHING, drafts, dependsOn, done: { ...NOTHING.done, additions: added } };
}

function planDeletions(deletions: readonly EntityObservations[], view: GraphView): GraphEditPlan {
  const unwanted = new Map<string, Set<string>>();
  for (const { entityName, observations } of deletions) {
    const texts = unwanted.get(entityName) ?? new Set();
    for (const observation of observations) texts.add(observation);
    unwanted.set(entityName, texts);
  }
  const observed = view.about([...unwanted.keys()], ["observation"]).filter(isOfKind("observation"));
  return forgetting(observed.filter(({ name, text }) => unwanted.get(name)?.has(text) === true));
}

const forgetting = (parts: readonly GraphPart[]): GraphEditPlan => ({
  ...NOTHING,
  forget: parts.filter(isPresent).map(({ memory }) => memory.id),
});

const typesOf = (entityType: string): readonly string[] => (entityType === "" ? [] : [entityType]);

/** What is said of an entity is kept under the source that the entity is from. */
const placeUnder = (source: string | undefined, view: GraphView): GraphPlace => ({
  source: source ?? SOURCE,
  position: view.position(),
});

function presentEntities(
  names: readonly string[],
  view: GraphView,
): ReadonlyMap<string, PartOfKind<"entity">> {
  const found = view.about(names, ["entity"]).filter(isOfKind("entity")).filter(isPresent);
  return new Map(found.reverse().map((part) => [part.name, part])); // of several, the first
}

const relationsFrom = (
  relations: readonly GraphRelation[],
  view: GraphView,
): readonly PartOfKind<"relation">[] =>
  view
    .about(
      relations.map(({ from }) => from),
      ["from"],
    )
    .filter(isOfKind("relation"));

const entityNotFound = (entityName: string): CambiumError =>
  new CambiumError("ENTITY_NOT_FOUND", `The knowledge graph has no entity named "${entityName}".`, {
    hint: "Create it first, or look for its name with search_nodes.",
    details: { entityName },
  });

/** From a program without types. */
const unknownEdit = (edit: { readonly type?: unknown }): CambiumError =>
  new CambiumError("BAD_INPUT", `There is no edit of the graph called "${String(edit.type)}".`, {
    hint: "Such as create-entities, add-observations or delete-relations.",
  });
