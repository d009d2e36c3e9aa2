/**
 * The past: versions of memories, changes of branches, and how things evolved.
 *
 * @module
 */
import { SUPERSEDING_RELATIONS } from "@cambium/core";
import * as z from "zod";
import { date, needed, text, told, wholeNumber } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import {
  anything,
  atRef,
  author,
  branchId,
  changeHash,
  conflictShape,
  cursor,
  diffResult,
  historyVersion,
  inSpace,
  memory,
  memoryId,
  noteShape,
  ofMemory,
  onBranch,
  recordHash,
  recordTypes,
  setBy,
  stateField,
  time,
  version,
  words,
} from "./parts.js";

const ofMemoryAt = z.strictObject({ ...ofMemory, ...atRef });
const versionName = z.union([z.number(), z.string()]);
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
  type: recordTypes,
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

export const versionOperations = {
  history: {
    summary: "Show all versions of a memory",
    request: ofMemoryAt,
    response: z.strictObject({ versions: told(z.array(historyVersion), "Oldest first.") }),
  },
  version: {
    summary: "Show one version of a memory",
    request: z.strictObject({
      ...ofMemory,
      version: told(versionName, "Its number, or a beginning of its record."),
      ...atRef,
    }),
    response: historyVersion,
  },
  compare: {
    summary: "Compare two versions of a memory",
    request: z.strictObject({
      ...ofMemory,
      ...atRef,
      from: told(versionName.optional(), "The version before `to` unless said."),
      to: told(versionName.optional(), "The version that is shown unless said."),
    }),
    response: z.strictObject({
      ...noteShape,
      id: memoryId,
      from: version,
      to: version,
      fields: z.array(stateField),
      patch: told(z.array(patchOperation), "RFC 6902."),
      words,
    }),
  },
  blame: {
    summary: "Tell who last set each field and each phrase",
    request: ofMemoryAt,
    response: z.strictObject({
      id: memoryId,
      content: z.array(z.strictObject({ text: z.string(), start: z.number(), end: z.number(), setBy })),
      fields: z.array(z.strictObject({ field: stateField, value: anything, setBy: z.array(setBy) })),
    }),
  },
  supersededBy: {
    summary: "List the memories that took the place of one",
    request: ofMemoryAt,
    response: z.strictObject({
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
  },
  beforeCorrection: {
    summary: "Tell what was said before it was corrected",
    description: "`correction` is absent where the memory was never corrected.",
    request: ofMemoryAt,
    response: z.strictObject({ correction: correction.optional() }),
  },
  evolution: {
    summary: "Tell how the understanding of something changed",
    description: "About exactly one of `query`, `id` and `category`.",
    request: z.strictObject({
      ...inSpace,
      ...onBranch,
      query: text("Words to look for."),
      id: text("One memory."),
      category: text("All of a category."),
      from: date("Only what was written from then on; a day counts from its beginning."),
      to: date("Likewise, until then; a day counts to its end."),
      limit: wholeNumber("Memories that a query or category finds at most; 20 unless said.", 1, 10_000),
    }),
    response: z.strictObject({
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
  },
  log: {
    summary: "List the changes of a branch",
    request: z.strictObject({
      ...inSpace,
      ...atRef,
      since: text("Only changes after this ref or date."),
      limit: wholeNumber("100 unless said.", 1, 10_000),
      cursor: cursor.asked,
    }),
    response: z.strictObject({ changes: told(z.array(logEntry), "Newest first."), cursor: cursor.answered }),
  },
  diff: {
    summary: "Tell what differs between two states",
    request: z.strictObject({
      ...inSpace,
      from: needed("A ref.", "main@2026-08-01"),
      to: text("A ref; that branch as it is now unless said."),
    }),
    response: diffResult,
  },
  conflicts: {
    summary: "List open conflicts",
    request: z.strictObject({ ...inSpace, ...atRef }),
    response: z.strictObject({
      conflicts: z.array(z.strictObject({ ...conflictShape, branch: z.string(), memory })),
    }),
  },
} satisfies Record<string, OperationSpec>;
