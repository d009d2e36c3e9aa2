/**
 * How a space is, and what looking after it gave.
 *
 * @module
 */

import * as z from "zod";
import { role } from "../both.js";
import { component, described } from "../describe.js";
import { memoryId, time } from "../parts.js";
import { branchId, changeHash, recordHash, replicaId, spaceId } from "../shown.js";
import { syncShape } from "./sync.js";

export const index = component(
  "IndexStatus",
  z.strictObject({
    state: z.enum(["ready", "behind"]),
    version: z.number(),
    records: described(z.number(), "Snapshots of memories, on all branches and of all times."),
    branches: z.number(),
    sizeBytes: z.number(),
    vectors: z
      .strictObject({
        model: z.string(),
        done: z.number(),
        total: z.number(),
        problem: z.string().optional(),
      })
      .optional(),
  }),
  "What reads are answered from: derived from the documents, and made anew when it is lost.",
);

const findings = z.array(z.strictObject({ what: z.string(), reason: z.string() }));

export const spaceStatus = z.strictObject({
  space: z.strictObject({ id: spaceId, name: z.string(), role }),
  branch: z.strictObject({
    name: z.string(),
    isHere: described(z.boolean(), "False until its contents have arrived."),
    memories: described(z.number().optional(), "Absent while the branch is not here."),
    head: z.array(changeHash),
  }),
  replica: z.strictObject({ id: replicaId, name: z.string(), epoch: z.number() }),
  ...syncShape,
  conflicts: described(z.number(), "Open ones on this branch."),
  missing: described(
    z.array(
      z.strictObject({
        record: recordHash,
        memory: memoryId,
        writer: z.string().optional(),
        code: z.literal("SCHEMA_TOO_NEW").optional(),
      }),
    ),
    "Versions referred to that are not here.",
  ),
  branchesNotHere: described(
    z.array(z.strictObject({ id: branchId, name: z.string(), madeBy: z.string().optional() })),
    "Branches that are listed and have not arrived, and the devices that made them.",
  ),
  requests: described(z.number(), "Requests that wait for the owner's approval."),
  damage: described(
    z.strictObject({ parts: z.number(), writes: z.number() }).optional(),
    "Of this device: stored parts that were set aside, and acknowledged changes that the store has lost. Everything else can be read. Absent when there is nothing.",
  ),
  erased: described(
    z.strictObject({ at: time, device: z.string() }).optional(),
    "The space was erased as a whole, and this device has it so: nothing can be written to it.",
  ),
  notices: described(z.array(z.string()), "What a person should know."),
  mayHide: described(z.array(z.string()), "Those of the notices that may be why something is not shown."),
  index,
  key: described(
    z.strictObject({
      epoch: described(z.number(), "Counted from 0."),
      since: described(z.number().optional(), "Milliseconds since 1970."),
      lacking: described(z.number().optional(), "A later one, which this device was not given."),
      waiting: described(z.array(z.string()), "Devices that have not said yet that they have it."),
      without: described(z.array(z.string()), "Devices that were not given it."),
    }),
    "The key under which new things are written.",
  ),
});

export const verifyResult = z.strictObject({
  ok: z.boolean(),
  chunks: z.number(),
  records: z.number(),
  damaged: findings,
  lost: described(
    z.strictObject({ writes: z.number(), parts: findings }).optional(),
    "Acknowledged here, and in the store no longer; absent when nothing is.",
  ),
  notes: described(
    z.array(z.string()).optional(),
    "What a person should know; absent when there is nothing.",
  ),
  keptOut: described(
    z.array(z.strictObject({ place: z.string(), unsigned: z.number(), elsewhere: z.number() })).optional(),
    "Changes that are kept out of what is shown: no member made them, or somebody put them where they do not belong. Absent when none.",
  ),
  cleaned: described(z.number().optional(), "How many of them were removed. Absent unless asked for."),
  refused: described(
    findings.optional(),
    "Came in bad shape from the relay, and kept out; absent when none.",
  ),
  tooNew: described(findings.optional(), "Sound, but written by a newer Cambium; absent when none."),
});
