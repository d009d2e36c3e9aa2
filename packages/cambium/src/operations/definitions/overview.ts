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
} as const satisfies Definitions;
