/**
 * The knowledge graph as it is shown.
 *
 * @module
 */

import * as z from "zod";
import { told } from "../describe.js";
import { memoryId } from "../parts.js";
import { entity, observations, relation } from "../requests/graph.js";

const graphShape = { entities: z.array(entity), relations: z.array(relation) };

export const graphResponses = {
  graph: z.strictObject(graphShape),
  "graph.edit": z.strictObject({
    ...graphShape,
    additions: told(z.array(observations), "One for each addition, in the same order."),
    memories: told(z.array(memoryId), "All memories written or forgotten."),
  }),
} satisfies Record<string, z.ZodType>;
