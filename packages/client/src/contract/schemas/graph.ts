/**
 * The memories of named things, as a graph.
 *
 * @module
 */
import * as z from "zod";
import { component, text, texts, told } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import { atRef, inSpace, memoryId, onBranch } from "./parts.js";

const entity = component(
  "GraphEntity",
  z.strictObject({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) }),
  "A named thing, and what was observed of it.",
);

const relation = component(
  "GraphRelation",
  z.strictObject({
    from: z.string(),
    to: z.string(),
    relationType: told(z.string(), "In the active voice, such as `maintains`."),
  }),
);

const observations = component(
  "EntityObservations",
  z.strictObject({ entityName: z.string(), observations: z.array(z.string()) }),
);

const graphEdit = component(
  "GraphEdit",
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("create-entities"), entities: z.array(entity) }),
    z.strictObject({ type: z.literal("create-relations"), relations: z.array(relation) }),
    z.strictObject({ type: z.literal("add-observations"), additions: z.array(observations) }),
    z.strictObject({ type: z.literal("delete-entities"), names: z.array(z.string()) }),
    z.strictObject({ type: z.literal("delete-observations"), deletions: z.array(observations) }),
    z.strictObject({ type: z.literal("delete-relations"), relations: z.array(relation) }),
  ]),
  "One change, or nothing: what cannot be done whole is not begun. What is there already is left as it is.",
);

const graphShape = { entities: z.array(entity), relations: z.array(relation) };

export const graphOperations = {
  graph: {
    summary: "Read the graph of named things",
    description:
      "All of it, unless `names` or `text` choose entities; then with the relations that have at least one end among those.",
    request: z.strictObject({
      ...inSpace,
      ...atRef,
      names: texts("Only entities of these names."),
      text: text(
        "Only entities whose name, type or one of whose observations contains it, in whatever case.",
      ),
    }),
    response: z.strictObject(graphShape),
  },
  "graph.edit": {
    summary: "Write to the graph of named things",
    description: "Answers with what was not there before.",
    request: z.strictObject({ ...inSpace, ...onBranch, edit: graphEdit }),
    response: z.strictObject({
      ...graphShape,
      additions: told(z.array(observations), "One for each addition, in the same order."),
      memories: told(z.array(memoryId), "All memories written or forgotten."),
    }),
  },
} satisfies Record<string, OperationSpec>;
