/**
 * Arguments and results of the official memory server's tools, in its words.
 *
 * @module
 */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

const entity = z.object({
  name: z.string().describe("The name of the entity"),
  entityType: z.string().describe("The type of the entity"),
  observations: z.array(z.string()).describe("An array of observation contents associated with the entity"),
});

const relation = z.object({
  from: z.string().describe("The name of the entity where the relation starts"),
  to: z.string().describe("The name of the entity where the relation ends"),
  relationType: z.string().describe("The type of the relation"),
});

const addition = z.object({
  entityName: z.string().describe("The name of the entity to add the observations to"),
  contents: z.array(z.string()).describe("An array of observation contents to add"),
});

const deletion = z.object({
  entityName: z.string().describe("The name of the entity containing the observations"),
  observations: z.array(z.string()).describe("An array of observations to delete"),
});

const query = z
  .string()
  .describe("The search query to match against entity names, types, and observation content");

export const entities = z.object({ entities: z.array(entity) });
export const relations = z.object({ relations: z.array(relation) });
export const additions = z.object({ observations: z.array(addition) });
export const entityNames = z.object({
  entityNames: z.array(z.string()).describe("An array of entity names to delete"),
});
export const deletions = z.object({ deletions: z.array(deletion) });
export const unwantedRelations = z.object({
  relations: z.array(relation).describe("An array of relations to delete"),
});
export const nothing = z.object({});
export const search = z.object({ query });
export const names = z.object({
  names: z.array(z.string()).describe("An array of entity names to retrieve"),
});

export const graph = z.object({ entities: z.array(entity), relations: z.array(relation) });
export const additionResults = z.object({
  results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
});
export const done = z.object({ success: z.boolean(), message: z.string() });

/**
 * A shape as the official server lists it. It checks nothing: the SDK tells a wrong argument in other words than the
 * one that the official server is built on, so that the tools check their arguments themselves.
 */
export function listed(shape: z.ZodType): StandardSchemaWithJSON {
  const jsonSchema = (io: "input" | "output") => (): Record<string, unknown> =>
    z.toJSONSchema(shape, { target: "draft-7", io });
  return {
    "~standard": {
      ...{ version: 1, vendor: "cambium" },
      validate: (value) => ({ value }),
      jsonSchema: { input: jsonSchema("input"), output: jsonSchema("output") },
    },
  };
}
