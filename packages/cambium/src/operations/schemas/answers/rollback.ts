/**
 * What was reverted.
 *
 * @module
 */

import * as z from "zod";
import { described } from "../describe.js";
import { memoryId, stateField, time } from "../parts.js";
import { changeHash, memory, plannedMemory, plannedShape } from "../shown.js";
import { advice } from "./memories.js";

const kept = described(
  z.array(z.strictObject({ id: memoryId, fields: z.array(stateField) })),
  "Fields that were not taken back: others decided them since or at the same time, or a conflict was settled, which cannot be opened again.",
);

const textsGone = described(
  z.array(memoryId).optional(),
  "Memories that are left as they are: the text that they had before is not kept any more.",
);

export const undoResult = z.strictObject({
  status: z.enum(["undone", "preview"]),
  change: described(changeHash.optional(), "Once written."),
  of: changeHash,
  changes: z.array(changeHash),
  memories: z.array(plannedMemory),
  kept,
  textsGone,
});

export const rollbackResult = z.strictObject({
  status: z.enum(["rolled-back", "preview", "up-to-date"]),
  ...plannedShape,
  counts: z.strictObject({
    created: z.number(),
    changed: z.number(),
    broughtBack: z.number(),
    hidden: z.number(),
  }),
  broughtBack: described(z.array(plannedMemory), "Forgotten until now."),
  kept,
  textsGone,
  advice: advice.optional(),
  undoes: described(
    z.strictObject({ changes: z.number(), since: time.optional() }).optional(),
    "Of a preview: how many changes it undoes, and those since when.",
  ),
  matched: described(z.array(memory).optional(), "Of a preview by `query`: what speaks of it, as it is now."),
  linked: described(
    z.array(z.strictObject({ id: memoryId, from: z.array(memoryId) })).optional(),
    "Of a preview: memories that would be hidden although others link to them.",
  ),
  change: described(changeHash.optional(), "Once written."),
  checkpoint: described(z.string().optional(), "The checkpoint made before it, by name."),
  triedOn: described(z.string().optional(), "The branch it was tried on."),
});
