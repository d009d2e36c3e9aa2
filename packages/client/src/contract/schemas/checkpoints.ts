/**
 * Checkpoints: states with a name.
 *
 * @module
 */
import * as z from "zod";
import { component, flag, needed, text, told, wholeNumber } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import { atRef, author, because, changeHash, checkpointId, diffResult, inSpace, time } from "./parts.js";

const MAX_COUNT = 100_000;

const cause = component(
  "CheckpointCause",
  z.enum(["manual", "weekly", "bulk", "import", "merge", "rollback", "consolidate", "erase"]),
  "Made by hand, each week, or before something that touches many memories.",
);

const checkpoint = component(
  "Checkpoint",
  z.strictObject({
    id: checkpointId,
    name: told(z.string(), "As shown: when two bear one name, the later one reads `name~ab12`."),
    description: z.string().optional(),
    reason: z.string().optional(),
    branch: z.string(),
    heads: z.array(changeHash),
    scope: z.union([z.literal("full"), z.strictObject({ area: z.string() })]),
    cause,
    by: author,
    at: time,
    state: z.enum(["kept", "deleted"]),
    isHere: told(z.boolean(), "Whether this device has the state it names."),
    schemaVersion: z.number(),
    indexVersion: z.number(),
    digest: told(z.string(), "Of the whole state, in hexadecimal."),
    memories: told(z.number().optional(), "How many its scope holds; only where one was asked for."),
    notice: z.string().optional(),
  }),
  "A state with a name.",
);

const policy = component(
  "CheckpointPolicy",
  z.strictObject({
    byHand: told(z.number(), "How many made by hand may stand at once.", { type: "integer" }),
    bulk: told(z.number(), "What touches more memories is preceded by a checkpoint.", { type: "integer" }),
    weekly: told(z.boolean(), "Whether the first write of a week is."),
    days: told(z.number(), "All automatic ones that are no older stay.", { type: "integer" }),
    weeks: told(z.number(), "After those days, one a week for so many weeks.", { type: "integer" }),
    months: told(z.number(), "After those weeks, one a month for so many months.", { type: "integer" }),
    years: told(z.union([z.number(), z.literal("for ever")]), "After those months, one a year."),
  }),
  "How many checkpoints are kept, and for how long.",
);

const count = (description: string) => wholeNumber(description, 0, MAX_COUNT);
const ofCheckpoint = { ...inSpace, checkpoint: needed("Its name or id.", "before-cleanup") };

export const checkpointOperations = {
  "checkpoints.list": {
    summary: "List checkpoints",
    description: "Newest first.",
    request: z.strictObject({
      ...inSpace,
      branch: text("Of all branches unless said."),
      causes: told(z.array(cause).optional(), "All of them unless said; `manual` are those made by hand."),
      deleted: flag("Also the deleted ones."),
    }),
    response: z.strictObject({ checkpoints: z.array(checkpoint) }),
  },
  "checkpoints.create": {
    summary: "Name a state",
    description: "The branch as it is now, unless `at` says another state.",
    request: z.strictObject({
      ...inSpace,
      ...atRef,
      name: needed("Unique among those that are kept.", "before-cleanup"),
      description: text("What a person should know about it."),
      ...because,
      scope: told(
        z.strictObject({ area: z.string() }).optional(),
        "Restores and compares only this area. The whole branch unless said.",
      ),
    }),
    response: checkpoint,
  },
  "checkpoints.get": {
    summary: "Show a checkpoint",
    request: z.strictObject(ofCheckpoint),
    response: checkpoint,
  },
  "checkpoints.compare": {
    summary: "Tell what differs since a checkpoint",
    request: z.strictObject({
      ...ofCheckpoint,
      to: text("Another checkpoint; its branch as it is now (`now`) unless said.", "now"),
    }),
    response: diffResult,
  },
  "checkpoints.delete": {
    summary: "Give up a checkpoint's name",
    description: "What it named stays in the history.",
    request: z.strictObject(ofCheckpoint),
    response: checkpoint,
  },
  "checkpoints.policy": {
    summary: "Tell how long checkpoints are kept",
    request: z.strictObject(inSpace),
    response: policy,
  },
  "checkpoints.setPolicy": {
    summary: "Set how long checkpoints are kept",
    description: "What is not named stays as it is.",
    request: z.strictObject({
      ...inSpace,
      byHand: count("How many made by hand may stand at once."),
      bulk: count("What touches more memories is preceded by a checkpoint."),
      weekly: flag("Whether the first write of a week is."),
      days: count("All automatic ones that are no older stay."),
      weeks: count("After those days, one a week for so many weeks."),
      months: count("After those weeks, one a month for so many months."),
      years: told(z.union([z.number(), z.literal("for ever")]).optional(), "After those months, one a year."),
    }),
    response: policy,
  },
} satisfies Record<string, OperationSpec>;
