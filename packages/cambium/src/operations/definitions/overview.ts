/**
 * A space at a glance.
 *
 * @module
 */
import { type Definitions, REST, read, SPACE, space } from "../definition.js";

export const overviewOperations = {
  activity: {
    ...read(`${SPACE}/activity`),
    calls: space("activity", REST),
    numberOrText: ["since", "until"],
    summary: "Count what happened, by day, week or month",
    input: ({ z, inDays, described }) => ({
      ...inDays,
      by: described(z.enum(["day", "week", "month"]).optional(), "Weeks begin on Monday. Default: `day`."),
    }),
    output: (parts) => parts.activity,
  },
  episodes: {
    ...read(`${SPACE}/episodes`),
    calls: space("episodes", REST),
    numberOrText: ["since", "until"],
    summary: "Tell what happened in few rows",
    description:
      "What one author did on one day in one way is one row; so is a merge, and a checkpoint. `log` lists the changes of a row, from its `from` to its `until`.",
    input: ({ inDays, oneOrMore, wholeNumber, cursor }) => ({
      ...inDays,
      agent: oneOrMore("Only what this agent did, or any of these."),
      device: oneOrMore("Only what was written on this device (its replica's id), or any of these."),
      limit: wholeNumber("Default: 50.", 1, 1_000),
      cursor: cursor.asked,
    }),
    output: (parts) => parts.episodePage,
  },
  branchSummaries: {
    ...read(`${SPACE}/branch-summaries`),
    calls: space("branchSummaries", REST),
    answer: "branches",
    summary: "Tell how branches differ from those they were made from",
    input: ({ flag }) => ({ deleted: flag("Also the deleted ones.") }),
    output: ({ z, branchSummary }) => z.strictObject({ branches: z.array(branchSummary) }),
  },
  facets: {
    ...read(`${SPACE}/facets`),
    calls: space("facets", REST),
    numberOrText: ["validAt", "since", "until"],
    summary: "Count memories, and the labels that they have",
    description:
      "Takes the filters of `list`. The filter of a label is left out where its values are counted.",
    input: ({ atRef, filter }) => ({ ...atRef, ...filter }),
    output: (parts) => parts.facets,
  },
  lastFound: {
    ...read(`${SPACE}/recall/past`),
    isWordy: true,
    calls: space("lastFound", "query", REST),
    answer: "found",
    numberOrText: ["validAt", "since", "until"],
    summary: "Tell when a query found something last",
    description: "For a query that finds nothing now. `found` is absent where it never found anything.",
    input: ({ onBranch, filter, needed }) => ({
      ...onBranch,
      query: needed("Words to look for, or a question.", "What is the rent?"),
      ...filter,
    }),
    output: ({ z, foundBefore }) => z.strictObject({ found: foundBefore.optional() }),
  },
} as const satisfies Definitions;
