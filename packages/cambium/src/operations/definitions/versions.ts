/**
 * The past: versions of memories, changes of branches, and how things evolved.
 *
 * @module
 */
import type { AtRef } from "@cambium/client";
import { type Definitions, MEMORY, REST, read, reader, SPACE, space, types } from "../definition.js";
import type { SourceFile } from "../described.js";

export const versionOperations = {
  history: {
    ...read(`${MEMORY}/history`),
    calls: reader("history", "id", REST),
    answer: "versions",
    summary: "Show all versions of a memory",
    input: ({ memoryAt }) => memoryAt,
    output: ({ z, described, historyVersion }) =>
      z.strictObject({ versions: described(z.array(historyVersion), "Oldest first.") }),
  },
  version: {
    ...read(`${MEMORY}/versions/{version}`),
    calls: reader("version", "id", "version", REST),
    numberOrText: ["version"],
    summary: "Show one version of a memory",
    input: ({ id, described, versionName, atRef }) => ({
      id,
      version: described(versionName(), "Its number, or a beginning of its record."),
      ...atRef,
    }),
    output: (parts) => parts.historyVersion,
  },
  text: {
    ...read(`${MEMORY}/versions/{version}/text`),
    calls: reader("text", "id", "version", REST),
    numberOrText: ["version"],
    summary: "Show the text of a version, or what is left of it",
    description:
      "A text that is not kept any more is read again where it came from, if `sources` allows that and it is the very text; or else its summary is shown.",
    input: ({ id, described, versionName, atRef, oneOrMore }) => ({
      id,
      version: described(versionName(), "Its number, or a beginning of its record."),
      ...atRef,
      sources: oneOrMore("Kinds of sources that may be asked: `file`, `url`, `email`. Default: none."),
    }),
    output: (parts) => parts.versionText,
  },
  "page.sourceFile": {
    ...read(`${MEMORY}/source-file`),
    types: types<AtRef & { readonly space: string; readonly id: string }, SourceFile>(),
    summary: "Show the file that a memory names as its source",
    description:
      "On the device on which the daemon runs, as text, around the line that is meant. Read and never run; no link is followed. Only the owner may ask for it.",
    input: ({ memoryAt }) => memoryAt,
    output: (parts) => parts.sourceFile,
  },
  compare: {
    ...read(`${MEMORY}/compare`),
    calls: reader("compare", "id", REST),
    numberOrText: ["from", "to"],
    summary: "Compare two versions of a memory",
    input: ({ memoryAt, described, versionName }) => ({
      ...memoryAt,
      from: described(versionName().optional(), "Default: the version before `to`."),
      to: described(versionName().optional(), "Default: the version that is shown."),
    }),
    output: (parts) => parts.versionComparison,
  },
  blame: {
    ...read(`${MEMORY}/blame`),
    calls: reader("blame", "id", REST),
    summary: "Tell who last set each field and each phrase",
    input: ({ memoryAt }) => memoryAt,
    output: (parts) => parts.blame,
  },
  supersededBy: {
    ...read(`${MEMORY}/superseded-by`),
    calls: reader("supersededBy", "id", REST),
    answer: "memories",
    summary: "List the memories that took the place of one",
    input: ({ memoryAt }) => memoryAt,
    output: ({ z, supersedingMemory }) => z.strictObject({ memories: z.array(supersedingMemory) }),
  },
  beforeCorrection: {
    ...read(`${MEMORY}/before-correction`),
    calls: reader("beforeCorrection", "id", REST),
    answer: "correction",
    summary: "Show the version before the last correction",
    description: "`correction` is absent where the memory was never corrected.",
    input: ({ memoryAt }) => memoryAt,
    output: ({ z, correction }) => z.strictObject({ correction: correction.optional() }),
  },
  evolution: {
    ...read(`${SPACE}/evolution`),
    isWordy: true,
    calls: space(
      "evolution",
      {
        oneOf: ["query", "id", "category"],
        refusal: "An evolution is about exactly one of query, id and category.",
      },
      REST,
    ),
    numberOrText: ["from", "to"],
    summary: "Tell how the understanding of something changed",
    description: "About exactly one of `query`, `id` and `category`.",
    input: ({ onBranch, text, date, wholeNumber }) => ({
      ...onBranch,
      query: text("Words to look for."),
      id: text("One memory."),
      category: text("All of a category."),
      from: date("Only what was written from then on; a day counts from its beginning."),
      to: date("Likewise, until then; a day counts to its end."),
      limit: wholeNumber("Memories that a query or category finds at most. Default: 20.", 1, 10_000),
    }),
    output: (parts) => parts.evolution,
  },
  log: {
    ...read(`${SPACE}/log`),
    calls: reader("log", REST),
    summary: "List the changes of a branch",
    description: "Labels are those of a memory that the change wrote, as it left it.",
    input: ({ atRef, logFilter, text, wholeNumber, cursor }) => ({
      ...atRef,
      ...logFilter,
      since: text("Only changes from then on: a date or a period, such as `last 24 hours`."),
      until: text("Only changes until then; a day counts to its end. Not with `at`."),
      limit: wholeNumber("Default: 100.", 1, 10_000),
      cursor: cursor.asked,
    }),
    output: ({ z, described, logEntry, logEvent, advice, cursor }) =>
      z.strictObject({
        advice: advice.optional(),
        changes: described(z.array(logEntry), "Newest first."),
        operations: described(
          z
            .array(z.strictObject({ operation: z.string(), changes: z.number(), memories: z.number() }))
            .optional(),
          "Those of several changes of which some are on the page, with what they did in all.",
        ),
        events: described(
          z.array(logEvent).optional(),
          "What else was done in the time of the page, newest first: checkpoints, branches, and what this device alone noted.",
        ),
        cursor: cursor.answered,
      }),
  },
  diff: {
    ...read(`${SPACE}/diff`),
    calls: space("diff", "from", "to", REST),
    summary: "Tell what differs between two states",
    input: ({ needed, text, oneOrMore, flag }) => ({
      from: needed("A ref.", "main@2026-08-01"),
      to: text("A ref. Default: that branch as it is now."),
      ids: oneOrMore("Only of these memories, by their whole ids. Default: all."),
      onlyCounts: flag("Only how many there are: the lists are empty."),
    }),
    output: (parts) => parts.diffResult,
  },
  conflicts: {
    ...read(`${SPACE}/conflicts`),
    calls: reader("conflicts", REST),
    answer: "conflicts",
    summary: "List open conflicts",
    input: ({ atRef }) => atRef,
    output: ({ z, conflictShape, memory }) =>
      z.strictObject({
        conflicts: z.array(z.strictObject({ ...conflictShape, branch: z.string(), memory })),
      }),
  },
} as const satisfies Definitions;
