/**
 * The memories of named things, as a graph.
 *
 * @module
 */

import * as z from "zod";
import { component, text, texts, told } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { atRef, inSpace, onBranch } from "../parts.js";

export const entity = component(
  "GraphEntity",
  z.strictObject({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) }),
  "A named thing, and what was observed of it.",
);

export const relation = component(
  "GraphRelation",
  z.strictObject({
    from: z.string(),
    to: z.string(),
    relationType: told(z.string(), "In the active voice, such as `maintains`."),
  }),
);

export const observations = component(
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

export const graphRequests = {
  graph: lazily({
    summary: "Read the graph of named things",
    description:
      "All of it, unless `names` or `text` choose entities; then with the relations that have at least one end among those.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...atRef,
        names: texts("Only entities of these names."),
        text: text(
          "Only entities whose name, type or one of whose observations contains it, in whatever case.",
        ),
      }),
  }),
  "graph.edit": lazily({
    summary: "Write to the graph of named things",
    description: "Answers with what was not there before.",
    request: () => z.strictObject({ ...inSpace, ...onBranch, edit: graphEdit }),
  }),
} satisfies Record<string, RequestSpec>;
