/**
 * Branches, and what merges did.
 *
 * @module
 */

import * as z from "zod";
import { component, described } from "../describe.js";
import { time } from "../parts.js";
import { author, branchId, changeHash, plannedShape } from "../shown.js";

export const branchShape = {
  id: branchId,
  name: described(z.string(), "If two branches have the same name, the later one is shown as `work~ab12`."),
  status: z.enum(["open", "merged", "deleted"]),
  head: z.array(changeHash),
  parent: z.string().optional(),
  forkedAt: described(time.optional(), "When it was made."),
  startsAt: described(
    time.optional(),
    "The moment of its parent that it starts from: `forkedAt`, or that of the newest change it began with.",
  ),
};

export const branch = component(
  "Branch",
  z.strictObject({
    ...branchShape,
    isHere: described(z.boolean(), "False until its contents have arrived."),
    memories: described(z.number().optional(), "Absent while the branch is not here."),
    ahead: described(z.number().optional(), "Changes it has that its parent lacks."),
    behind: described(z.number().optional(), "Changes of its parent that it lacks."),
    madeBy: described(z.string().optional(), "Of a branch that is not here: the device that made it."),
    merged: z.number().optional(),
    last: described(
      z.strictObject({ at: time, by: author.partial(), device: z.string().optional() }).optional(),
      "Its newest change.",
    ),
    notice: z.string().optional(),
  }),
);

export const mergeResult = z.strictObject({
  status: z.enum(["merged", "up-to-date", "preview", "conflict"]),
  ...plannedShape,
  change: described(changeHash.optional(), "Once written."),
  undone: z
    .array(z.strictObject({ merge: changeHash, mergedAt: time, undo: changeHash, undoneAt: time }))
    .optional(),
});
