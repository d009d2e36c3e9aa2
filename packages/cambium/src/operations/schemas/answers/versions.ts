/**
 * The past as it is shown.
 *
 * @module
 */
import { SUPERSEDING_RELATIONS } from "@cambium/core";
import * as z from "zod";
import { described } from "../describe.js";
import { memoryId, stateField, time } from "../parts.js";
import {
  anything,
  author,
  branchId,
  changeHash,
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

export const correction = z.strictObject({
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
  text: described(z.string(), "The step told to a person, without the date and the reason."),
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

export const logEntry = z.strictObject({
  hash: changeHash,
  type: z.string(),
  memories: described(
    z.union([z.array(memoryId), z.number()]),
    "Ids, or their number when there are more than 16.",
  ),
  seq: described(z.number().optional(), "Its number among the changes of its writer on its branch."),
  at: time,
  by: author.partial(),
  branch: branchId,
  parents: z.array(changeHash),
  reason: z.string().optional(),
  text: described(
    z.string().optional(),
    "What the first memory that it wrote says since, on one line; cut where it ends in `…`.",
  ),
  what: described(z.string().optional(), "What it changed there, such as `50,000 → 60,000`."),
  from: branchId.optional(),
  partial: described(z.literal(true).optional(), "A merge of some memories of that branch."),
  of: z.array(changeHash).optional(),
  operation: described(
    z.string().optional(),
    "What the change is a part of; one undo takes back all changes with the same.",
  ),
});

export const logEvent = z.strictObject({
  type: z.enum([
    ...["checkpoint", "branch", "rename-branch", "delete-branch", "restore-branch"],
    ...["delete-checkpoint", "reinforce", "verify", "settings", "retention", "failed"],
  ] as const),
  from: described(
    z.enum(["space", "device"]),
    "`space`: every device tells of it. `device`: it stands in the audit log of this one alone.",
  ),
  at: time,
  by: author.partial(),
  seq: described(z.number().optional(), "Its number in the audit log of this device."),
  name: z.string().optional(),
  reason: z.string().optional(),
  memories: z.union([z.array(memoryId), z.number()]).optional(),
  of: described(z.string().optional(), "Of a failure: what failed. Of a checkpoint: why it was made."),
  code: described(z.string().optional(), "Of a failure: the code of the error."),
});

export const versionComparison = z.strictObject({
  ...noteShape,
  id: memoryId,
  from: version,
  to: version,
  fields: z.array(stateField),
  patch: described(z.array(patchOperation), "RFC 6902."),
  words,
});

export const blame = z.strictObject({
  id: memoryId,
  content: z.array(z.strictObject({ text: z.string(), start: z.number(), end: z.number(), setBy })),
  fields: z.array(z.strictObject({ field: stateField, value: anything, setBy: z.array(setBy) })),
});

export const supersedingMemory = z.strictObject({
  memory: memoryId,
  record: recordHash,
  how: z.enum(superseding),
  at: time,
  by: author,
  reason: z.string().optional(),
  content: z.string(),
  deleted: z.boolean(),
});

export const evolution = z.strictObject({
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
  steps: described(z.array(evolutionStep), "In the order in which they were written."),
  more: z.number().optional(),
});

export const sourceFile = z.strictObject({
  status: described(
    z.enum([
      ...(["shown", "none", "partial", "missing", "link"] as const),
      ...(["folder", "large", "binary", "private", "secret", "unreadable"] as const),
    ]),
    "`none`: the memory has no source. `partial`: the source does not say where its file is. `missing`: it is not on this device. `private`: it is one of Cambium's own. `secret`: it seems to hold keys or passwords, or only another user may read it. `large`: longer than 2 MiB.",
  ),
  path: described(z.string().optional(), "Absolute."),
  device: described(z.string().optional(), "Where the source was written, if not on this device."),
  changedAt: described(time.optional(), "When the file was changed, if after the source was written."),
  sizeBytes: z.number().optional(),
  line: described(z.number().optional(), "Which line is meant, counted from 1."),
  first: described(z.number().optional(), "Which is the first of `lines`."),
  total: described(z.number().optional(), "How many lines the file has."),
  lines: described(z.array(z.string()).optional(), "Some around the line that is meant."),
});

export const versionText = z.strictObject({
  how: described(
    z.enum(["whole", "difference", "source", "summary", "none"]),
    "`whole`: as it was kept. `difference`: rebuilt from a later version, and the very text. `source`: read again, and the very text. `summary`: only that. `none`: nothing is left.",
  ),
  text: described(z.string(), "The text, or the summary. Empty where nothing is left."),
  record: recordHash,
  isErased: described(z.literal(true).optional(), "It was erased for good: nothing brings it back."),
  problem: described(z.string().optional(), "Why it could not be read again, where that was allowed."),
});
