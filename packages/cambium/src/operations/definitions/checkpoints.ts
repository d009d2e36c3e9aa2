/**
 * Checkpoints: states with a name.
 *
 * @module
 */
import { checkpoints, type Definitions, REST, read, SPACE, write } from "../definition.js";

const CHECKPOINT = `${SPACE}/checkpoints/{checkpoint}`;
const MAX_COUNT = 100_000;

export const checkpointOperations = {
  "checkpoints.list": {
    ...read(`${SPACE}/checkpoints`),
    calls: checkpoints("list", REST),
    answer: "checkpoints",
    summary: "List checkpoints",
    description: "Newest first.",
    input: ({ z, text, described, cause, flag }) => ({
      branch: text("Default: all branches."),
      causes: described(z.array(cause).optional(), "Default: all of them; `manual` are those made by hand."),
      deleted: flag("Also the deleted ones."),
    }),
    output: ({ z, checkpoint }) => z.strictObject({ checkpoints: z.array(checkpoint) }),
  },
  "checkpoints.create": {
    ...write("POST", `${SPACE}/checkpoints`),
    calls: checkpoints("create", REST),
    summary: "Name a state",
    description: "Default: the branch as it is now.",
    input: ({ z, atRef, needed, text, because, described }) => ({
      ...atRef,
      name: needed("Unique among those that are kept.", "before-cleanup"),
      description: text("What a person should know about it."),
      ...because,
      scope: described(
        z.strictObject({ area: z.string() }).optional(),
        "Restores and compares only this area. Default: the whole branch.",
      ),
    }),
    output: (parts) => parts.checkpoint,
  },
  "checkpoints.get": {
    ...read(CHECKPOINT),
    calls: checkpoints("get", "checkpoint"),
    summary: "Show a checkpoint",
    input: ({ ofCheckpoint }) => ofCheckpoint,
    output: (parts) => parts.checkpoint,
  },
  "checkpoints.compare": {
    ...read(`${CHECKPOINT}/compare`),
    calls: checkpoints("compare", "checkpoint", "to"),
    summary: "Tell what differs since a checkpoint",
    input: ({ ofCheckpoint, text }) => ({
      ...ofCheckpoint,
      to: text("Another checkpoint; its branch as it is now (Default: `now`).", "now"),
    }),
    output: (parts) => parts.diffResult,
  },
  "checkpoints.delete": {
    ...write("DELETE", CHECKPOINT),
    calls: checkpoints("delete", "checkpoint"),
    summary: "Give up a checkpoint's name",
    description: "What it named stays in the history.",
    input: ({ ofCheckpoint }) => ofCheckpoint,
    output: (parts) => parts.checkpoint,
  },
  "checkpoints.restore": {
    ...write("POST", `${CHECKPOINT}/restore`),
    calls: checkpoints("restore", "checkpoint"),
    summary: "Give a deleted checkpoint its name back",
    input: ({ ofCheckpoint }) => ofCheckpoint,
    output: (parts) => parts.checkpoint,
  },
  "checkpoints.policy": {
    ...read(`${SPACE}/checkpoint-policy`),
    calls: checkpoints("policy"),
    summary: "Tell how long checkpoints are kept",
    input: () => ({}),
    output: (parts) => parts.checkpointPolicy,
  },
  "checkpoints.setPolicy": {
    ...write("PATCH", `${SPACE}/checkpoint-policy`),
    calls: checkpoints("setPolicy", REST),
    summary: "Set how long checkpoints are kept",
    description: "What is not named stays as it is.",
    input: ({ z, wholeNumber, flag, described }) => ({
      byHand: wholeNumber("How many made by hand may stand at once.", 0, MAX_COUNT),
      bulk: wholeNumber("What touches more memories is preceded by a checkpoint.", 0, MAX_COUNT),
      weekly: flag("Whether the first write of a week is."),
      days: wholeNumber("All automatic ones that are no older stay.", 0, MAX_COUNT),
      weeks: wholeNumber("After those days, one a week for so many weeks.", 0, MAX_COUNT),
      months: wholeNumber("After those weeks, one a month for so many months.", 0, MAX_COUNT),
      years: described(
        z.union([z.number(), z.literal("for ever")]).optional(),
        "After those months, one a year.",
      ),
    }),
    output: (parts) => parts.checkpointPolicy,
  },
} as const satisfies Definitions;
