/**
 * The past as it is shown.
 *
 * @module
 */
import { SUPERSEDING_RELATIONS } from "@cambium/core";
import * as z from "zod";
import { told } from "../describe.js";
import { cursor, memoryId, stateField, time } from "../parts.js";
import {
  anything,
  author,
  branchId,
  changeHash,
  conflictShape,
  diffResult,
  historyVersion,
  memory,
  noteShape,
  recordHash,
  recordType,
  setBy,
  version,
  words,
} from "../shown.js";

const superseding = [...SUPERSEDING_RELATIONS, "combined", "split"] as const;

const patchOperation = z.union([
  z.strictObject({ op: z.literal("remove"), path: z.string() }),
  z.strictObject({ op: z.literal("add"), path: z.string(), value: anything }),
  z.strictObject({ op: z.literal("replace"), path: z.string(), value: anything }),
]);

const correction = z.strictObject({
  ...noteShape,
  id: memoryId,
  before: version,
  correction: version,
  words,
  reason: z.string().optional(),
});

const evolutionStep = z.strictObject({
  ...noteShape,
  memory: memoryId,
  record: recordHash,
  version: z.number(),
  type: recordType,
  at: time,
  by: author,
  text: told(z.string(), "The step told to a person, without the date and the reason."),
  reason: z.string().optional(),
  records: z.array(recordHash),
  superseded: z.array(
    z.strictObject({
      memory: memoryId,
      record: recordHash,
      how: z.enum([...superseding, "corrected", "taken back", "decided against", "forgotten"]),
      content: z.string(),
    }),
  ),
});

const logEntry = z.strictObject({
  hash: changeHash,
  type: z.string(),
  memories: told(
    z.union([z.array(memoryId), z.number()]),
    "Ids, or their number when there are more than 16.",
  ),
  at: time,
  by: author.partial(),
  branch: branchId,
  parents: z.array(changeHash),
  reason: z.string().optional(),
  from: branchId.optional(),
  of: z.array(changeHash).optional(),
});

export const versionResponses = {
  history: z.strictObject({ versions: told(z.array(historyVersion), "Oldest first.") }),
  version: historyVersion,
  compare: z.strictObject({
    ...noteShape,
    id: memoryId,
    from: version,
    to: version,
    fields: z.array(stateField),
    patch: told(z.array(patchOperation), "RFC 6902."),
    words,
  }),
  blame: z.strictObject({
    id: memoryId,
    content: z.array(z.strictObject({ text: z.string(), start: z.number(), end: z.number(), setBy })),
    fields: z.array(z.strictObject({ field: stateField, value: anything, setBy: z.array(setBy) })),
  }),
  supersededBy: z.strictObject({
    memories: z.array(
      z.strictObject({
        memory: memoryId,
        record: recordHash,
        how: z.enum(superseding),
        at: time,
        by: author,
        reason: z.string().optional(),
        content: z.string(),
        deleted: z.boolean(),
      }),
    ),
  }),
  beforeCorrection: z.strictObject({ correction: correction.optional() }),
  evolution: z.strictObject({
    branch: z.string(),
    memories: z.array(
      z.strictObject({
        id: memoryId,
        content: z.string(),
        deleted: z.boolean(),
        versions: z.number(),
        isAsked: z.boolean(),
        supersededBy: z.array(memoryId),
      }),
    ),
    steps: told(z.array(evolutionStep), "In the order in which they were written."),
    more: z.number().optional(),
  }),
  log: z.strictObject({ changes: told(z.array(logEntry), "Newest first."), cursor: cursor.answered }),
  diff: diffResult,
  conflicts: z.strictObject({
    conflicts: z.array(z.strictObject({ ...conflictShape, branch: z.string(), memory })),
  }),
} satisfies Record<string, z.ZodType>;
