/**
 * Checkpoints as they are shown.
 *
 * @module
 */

import * as z from "zod";
import { cause } from "../both.js";
import { component, described } from "../describe.js";
import { time } from "../parts.js";
import { author, changeHash, checkpointId } from "../shown.js";

export const checkpoint = component(
  "Checkpoint",
  z.strictObject({
    id: checkpointId,
    name: described(z.string(), "If two have the same name, the later one is shown as `name~ab12`."),
    description: z.string().optional(),
    reason: z.string().optional(),
    branch: z.string(),
    heads: z.array(changeHash),
    scope: z.union([z.literal("full"), z.strictObject({ area: z.string() })]),
    cause,
    by: author,
    at: time,
    state: z.enum(["kept", "deleted"]),
    isHere: described(z.boolean(), "Whether this device has the state it names."),
    schemaVersion: z.number(),
    indexVersion: z.number(),
    digest: described(z.string(), "Of the whole state, in hexadecimal."),
    memories: described(z.number().optional(), "How many its scope holds; only where one was asked for."),
    notice: z.string().optional(),
  }),
  "A state with a name.",
);

export const checkpointPolicy = component(
  "CheckpointPolicy",
  z.strictObject({
    byHand: described(z.number(), "How many made by hand may stand at once.", { type: "integer" }),
    bulk: described(z.number(), "What touches more memories is preceded by a checkpoint.", {
      type: "integer",
    }),
    weekly: described(z.boolean(), "Whether the first write of a week is."),
    days: described(z.number(), "All automatic ones that are no older stay.", { type: "integer" }),
    weeks: described(z.number(), "After those days, one a week for so many weeks.", { type: "integer" }),
    months: described(z.number(), "After those weeks, one a month for so many months.", { type: "integer" }),
    years: described(z.union([z.number(), z.literal("for ever")]), "After those months, one a year."),
  }),
  "How many checkpoints are kept, and for how long.",
);
