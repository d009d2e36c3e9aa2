/**
 * What requests and answers of one area have in common.
 *
 * @module
 */
import * as z from "zod";
import { component, described } from "./describe.js";
import { fieldsShape, memoryId, stateField } from "./parts.js";

export const role = component(
  "Role",
  z.enum(["read", "write", "admin"]),
  "Who may do what with the relay: the role of this device's token.",
);

export const proposal = component(
  "ConsolidationProposal",
  z.strictObject({
    ids: z.array(memoryId),
    similarity: z.number(),
    combined: z.strictObject(fieldsShape),
    needsReview: z.boolean(),
    differing: z.array(stateField),
    why: z.string(),
  }),
  "Memories that say the same or nearly so, and the one that could stand for them.",
);

export const cause = component(
  "CheckpointCause",
  z.enum([
    "manual",
    "weekly",
    "bulk",
    "import",
    "merge",
    "rollback",
    "consolidate",
    "forget",
    "upgrade",
    "erase",
  ]),
  "Made by hand, each week, or before something that touches many memories.",
);

export const requestState = component(
  "RequestState",
  z.enum(["open", "approved", "declined", "withdrawn", "expired", "erased"]),
  "What became of a request.",
);

/** Of a file that is imported. */
export const format = z.enum(["jsonl", "mcp-memory", "markdown", "chatgpt", "claude", "mem0", "zep"]);

/** Of a file that is exported. */
export const exportFormat = z.enum(["jsonl", "markdown", "mcp-memory"]);

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
    relationType: described(z.string(), "In the active voice, such as `maintains`."),
  }),
);

export const observations = component(
  "EntityObservations",
  z.strictObject({ entityName: z.string(), observations: z.array(z.string()) }),
);

export const graphShape = { entities: z.array(entity), relations: z.array(relation) };
