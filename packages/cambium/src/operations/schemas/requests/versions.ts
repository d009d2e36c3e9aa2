/**
 * The past: versions of memories, changes of branches, and how things evolved.
 *
 * @module
 */

import * as z from "zod";
import { date, needed, text, told, wholeNumber } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { atRef, cursor, inSpace, ofMemory, onBranch } from "../parts.js";

const ofMemoryAt = z.strictObject({ ...ofMemory, ...atRef });

const versionName = z.union([z.number(), z.string()]);

export const versionRequests = {
  history: lazily({
    summary: "Show all versions of a memory",
    request: () => ofMemoryAt,
  }),
  version: lazily({
    summary: "Show one version of a memory",
    request: () =>
      z.strictObject({
        ...ofMemory,
        version: told(versionName, "Its number, or a beginning of its record."),
        ...atRef,
      }),
  }),
  compare: lazily({
    summary: "Compare two versions of a memory",
    request: () =>
      z.strictObject({
        ...ofMemory,
        ...atRef,
        from: told(versionName.optional(), "The version before `to` unless said."),
        to: told(versionName.optional(), "The version that is shown unless said."),
      }),
  }),
  blame: lazily({
    summary: "Tell who last set each field and each phrase",
    request: () => ofMemoryAt,
  }),
  supersededBy: lazily({
    summary: "List the memories that took the place of one",
    request: () => ofMemoryAt,
  }),
  beforeCorrection: lazily({
    summary: "Tell what was said before it was corrected",
    description: "`correction` is absent where the memory was never corrected.",
    request: () => ofMemoryAt,
  }),
  evolution: lazily({
    summary: "Tell how the understanding of something changed",
    description: "About exactly one of `query`, `id` and `category`.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        query: text("Words to look for."),
        id: text("One memory."),
        category: text("All of a category."),
        from: date("Only what was written from then on; a day counts from its beginning."),
        to: date("Likewise, until then; a day counts to its end."),
        limit: wholeNumber("Memories that a query or category finds at most; 20 unless said.", 1, 10_000),
      }),
  }),
  log: lazily({
    summary: "List the changes of a branch",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...atRef,
        since: text("Only changes after this ref or date."),
        limit: wholeNumber("100 unless said.", 1, 10_000),
        cursor: cursor.asked,
      }),
  }),
  diff: lazily({
    summary: "Tell what differs between two states",
    request: () =>
      z.strictObject({
        ...inSpace,
        from: needed("A ref.", "main@2026-08-01"),
        to: text("A ref; that branch as it is now unless said."),
      }),
  }),
  conflicts: lazily({
    summary: "List open conflicts",
    request: () => z.strictObject({ ...inSpace, ...atRef }),
  }),
} satisfies Record<string, RequestSpec>;
