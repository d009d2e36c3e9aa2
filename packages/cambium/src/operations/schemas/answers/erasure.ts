/**
 * What was erased, and what is to be.
 *
 * @module
 */

import * as z from "zod";
import { described } from "../describe.js";
import { memoryId, time } from "../parts.js";
import { recordHash, replicaId } from "../shown.js";

const devices = z.array(z.strictObject({ id: z.string(), name: z.string() }));
const counts = z.strictObject({ memories: z.number(), versions: z.number() });

export const eraseResult = z.strictObject({
  status: z.enum(["preview", "erased", "nothing"]),
  erasure: described(z.string().optional(), "Once it is written: its id, as `erasures` shows it."),
  counts,
  memories: described(
    z.array(
      z.strictObject({
        id: memoryId,
        versions: z.number(),
        isWhole: described(z.boolean(), "All of it goes, and what is written to it later as well."),
        content: described(z.string().optional(), "Its newest text that goes. Only in a preview."),
        isFormer: described(
          z.literal(true).optional(),
          "Only an earlier version has the labels or the source that were selected. Only in a preview.",
        ),
      }),
    ),
    "At most 1,000 of them.",
  ),
  branches: described(z.array(z.string()), "Those that show some of it."),
  repeated: described(
    z.array(
      z.strictObject({
        id: memoryId,
        record: recordHash,
        content: z.string(),
        how: described(
          z.enum(["repeats", "line", "similar", "derived", "part"]),
          "`line`: it contains a line of it, or is a piece of it. `part`: it shares a part of it that tells, such as a number or a name.",
        ),
        field: described(z.string().optional(), "The field that says it, where that is not the content."),
        parts: described(z.array(z.string()).optional(), "The parts that it shares."),
      }),
    ),
    "What stays although it may say the same, the surest first; at most 100. `also` takes it along.",
  ),
  checkpoints: described(z.array(z.string()), "Those that hold some of it: they will show gaps."),
  requests: described(z.number(), "Requests for approval that speak of it: their words go with it."),
  devices: described(
    z.array(z.strictObject({ id: z.string(), name: z.string() })),
    "Other devices of the space. Each destroys its copy when it syncs.",
  ),
  isMany: described(
    z.boolean(),
    "More than 25 memories and a tenth of the space: `many` has to say that this is meant.",
  ),
});

export const erasure = z.strictObject({
  id: z.string(),
  at: time,
  by: z.strictObject({ replica: replicaId, device: z.string(), agent: z.string().optional() }),
  reason: z.string().optional(),
  counts,
  covers: z.strictObject({
    everything: described(
      z.literal(true).optional(),
      "The whole space, what is written later included: nothing can be written to it any more.",
    ),
    memories: described(z.array(memoryId), "Whole memories, what is written to them later included."),
    versions: described(z.number(), "How many single versions."),
    from: described(time.optional(), "Versions written at this time or later."),
    until: described(time.optional(), "Versions written before this time."),
  }),
  mayRepeat: described(
    z.array(memoryId),
    "Memories that stayed although they might say the same, and are not erased since.",
  ),
  isDoneHere: described(z.boolean(), "Whether this device has destroyed all of it."),
  here: described(
    z.enum(["destroyed", "pending", "held", "refused"]),
    "What this device has done. `held`: it came from another device, would destroy much, and waits for a person here. `refused`: somebody has decided to keep this device's copy.",
  ),
  wouldTake: described(
    z.number().optional(),
    "Where it is `held`: how many memories it would take from this device.",
  ),
  acknowledged: described(devices, "Those that have said that they destroyed their copy."),
  waiting: described(
    devices,
    "Those with access of which that is not known. One that may only read cannot say so.",
  ),
  ended: described(devices, "Those whose access ended before they said so: nobody waits for them."),
  refused: described(devices, "Those on which somebody has decided to keep their copy."),
  relay: described(
    z.enum(["destroyed", "pending", "none"]),
    "`destroyed`: the relay has confirmed that it destroyed everything that was ever erased.",
  ),
});
