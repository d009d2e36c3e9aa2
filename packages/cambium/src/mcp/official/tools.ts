/**
 * The nine tools of the official memory server: names, words and what each does on our graph.
 *
 * @module
 */

import type { Agent, GraphEdit, GraphEdited, GraphQuery, KnowledgeGraph } from "@cambium/client";
import type { z } from "zod";
import * as shapes from "./shapes.js";

/** The graph of one branch, written in an agent's name. */
export interface OfficialGraph {
  read(query: Pick<GraphQuery, "names" | "text">): Promise<KnowledgeGraph>;
  edit(edit: GraphEdit): ReturnType<Agent["editGraph"]>;
}

export interface OfficialAnswer {
  readonly text: string;
  readonly data: Record<string, unknown>;
}

export interface OfficialTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: "reads" | "adds" | "deletes";
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  run(graph: OfficialGraph, args: never): Promise<OfficialAnswer>;
}

function tool<Input extends z.ZodType>(
  definition: Omit<OfficialTool, "input" | "run"> & {
    readonly input: Input;
    run(graph: OfficialGraph, args: z.output<Input>): Promise<OfficialAnswer>;
  },
): OfficialTool {
  return definition as OfficialTool;
}

const asText = (value: unknown): string => JSON.stringify(value, null, 2);

const graphAnswer = (graph: KnowledgeGraph): OfficialAnswer => ({ text: asText(graph), data: { ...graph } });

async function deleted(edited: Promise<GraphEdited>, what: string): Promise<OfficialAnswer> {
  await edited;
  const message = `${what} deleted successfully`;
  return { text: message, data: { success: true, message } };
}

const createEntities = tool({
  name: "create_entities",
  title: "Create Entities",
  description: "Create multiple new entities in the knowledge graph",
  effect: "adds",
  input: shapes.entities,
  output: shapes.entities,
  run: async (graph, { entities }) => {
    const created = (await graph.edit({ type: "create-entities", entities })).entities;
    return { text: asText(created), data: { entities: created } };
  },
});

const createRelations = tool({
  name: "create_relations",
  title: "Create Relations",
  description:
    "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
  effect: "adds",
  input: shapes.relations,
  output: shapes.relations,
  run: async (graph, { relations }) => {
    const created = (await graph.edit({ type: "create-relations", relations })).relations;
    return { text: asText(created), data: { relations: created } };
  },
});

const addObservations = tool({
  name: "add_observations",
  title: "Add Observations",
  description: "Add new observations to existing entities in the knowledge graph",
  effect: "adds",
  input: shapes.additions,
  output: shapes.additionResults,
  run: async (graph, { observations }) => {
    const additions = observations.map(({ entityName, contents }) => ({
      entityName,
      observations: contents,
    }));
    const edited = await graph.edit({ type: "add-observations", additions });
    const results = edited.additions.map(({ entityName, observations: addedObservations }) => ({
      ...{ entityName, addedObservations },
    }));
    return { text: asText(results), data: { results } };
  },
});

const deleteEntities = tool({
  name: "delete_entities",
  title: "Delete Entities",
  description: "Delete multiple entities and their associated relations from the knowledge graph",
  effect: "deletes",
  input: shapes.entityNames,
  output: shapes.done,
  run: (graph, { entityNames }) =>
    deleted(graph.edit({ type: "delete-entities", names: entityNames }), "Entities"),
});

const deleteObservations = tool({
  name: "delete_observations",
  title: "Delete Observations",
  description: "Delete specific observations from entities in the knowledge graph",
  effect: "deletes",
  input: shapes.deletions,
  output: shapes.done,
  run: (graph, { deletions }) =>
    deleted(graph.edit({ type: "delete-observations", deletions }), "Observations"),
});

const deleteRelations = tool({
  name: "delete_relations",
  title: "Delete Relations",
  description: "Delete multiple relations from the knowledge graph",
  effect: "deletes",
  input: shapes.unwantedRelations,
  output: shapes.done,
  run: (graph, { relations }) => deleted(graph.edit({ type: "delete-relations", relations }), "Relations"),
});

const readGraph = tool({
  name: "read_graph",
  title: "Read Graph",
  description: "Read the entire knowledge graph",
  effect: "reads",
  input: shapes.nothing,
  output: shapes.graph,
  run: async (graph) => graphAnswer(await graph.read({})),
});

const searchNodes = tool({
  name: "search_nodes",
  title: "Search Nodes",
  description: "Search for nodes in the knowledge graph based on a query",
  effect: "reads",
  input: shapes.search,
  output: shapes.graph,
  run: async (graph, { query }) => graphAnswer(await graph.read({ text: query })),
});

const openNodes = tool({
  name: "open_nodes",
  title: "Open Nodes",
  description: "Open specific nodes in the knowledge graph by their names",
  effect: "reads",
  input: shapes.names,
  output: shapes.graph,
  run: async (graph, { names }) => graphAnswer(await graph.read({ names })),
});

export const OFFICIAL_TOOLS: readonly OfficialTool[] = [
  createEntities,
  createRelations,
  addObservations,
  deleteEntities,
  deleteObservations,
  deleteRelations,
  readGraph,
  searchNodes,
  openNodes,
];
