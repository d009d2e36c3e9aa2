/**
 * Checkpoints: states with a name.
 *
 * @module
 */

import * as z from "zod";
import { component, flag, needed, text, told, wholeNumber } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { atRef, because, inSpace } from "../parts.js";

const MAX_COUNT = 100_000;

export const cause = component(
  "CheckpointCause",
  z.enum(["manual", "weekly", "bulk", "import", "merge", "rollback", "consolidate", "erase"]),
  "Made by hand, each week, or before something that touches many memories.",
);

const count = (description: string) => wholeNumber(description, 0, MAX_COUNT);

const ofCheckpoint = { ...inSpace, checkpoint: needed("Its name or id.", "before-cleanup") };

export const checkpointRequests = {
  "checkpoints.list": lazily({
    summary: "List checkpoints",
    description: "Newest first.",
    request: () =>
      z.strictObject({
        ...inSpace,
        branch: text("Of all branches unless said."),
        causes: told(z.array(cause).optional(), "All of them unless said; `manual` are those made by hand."),
        deleted: flag("Also the deleted ones."),
      }),
  }),
  "checkpoints.create": lazily({
    summary: "Name a state",
    description: "The branch as it is now, unless `at` says another state.",
    request: () =>
      z.strictObject({
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
  }),
  "checkpoints.get": lazily({
    summary: "Show a checkpoint",
    request: () => z.strictObject(ofCheckpoint),
  }),
  "checkpoints.compare": lazily({
    summary: "Tell what differs since a checkpoint",
    request: () =>
      z.strictObject({
        ...ofCheckpoint,
        to: text("Another checkpoint; its branch as it is now (`now`) unless said.", "now"),
      }),
  }),
  "checkpoints.delete": lazily({
    summary: "Give up a checkpoint's name",
    description: "What it named stays in the history.",
    request: () => z.strictObject(ofCheckpoint),
  }),
  "checkpoints.policy": lazily({
    summary: "Tell how long checkpoints are kept",
    request: () => z.strictObject(inSpace),
  }),
  "checkpoints.setPolicy": lazily({
    summary: "Set how long checkpoints are kept",
    description: "What is not named stays as it is.",
    request: () =>
      z.strictObject({
        ...inSpace,
        byHand: count("How many made by hand may stand at once."),
        bulk: count("What touches more memories is preceded by a checkpoint."),
        weekly: flag("Whether the first write of a week is."),
        days: count("All automatic ones that are no older stay."),
        weeks: count("After those days, one a week for so many weeks."),
        months: count("After those weeks, one a month for so many months."),
        years: told(
          z.union([z.number(), z.literal("for ever")]).optional(),
          "After those months, one a year.",
        ),
      }),
  }),
} satisfies Record<string, RequestSpec>;
