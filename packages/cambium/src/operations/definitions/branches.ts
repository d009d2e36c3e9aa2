/**
 * Branches and merges.
 *
 * @module
 */
import { agent, branches, type Definitions, REST, read, SPACE, write } from "../definition.js";

const BRANCH = `${SPACE}/branches/{branch}`;

export const branchOperations = {
  "branches.list": {
    ...read(`${SPACE}/branches`),
    calls: branches("list", REST),
    answer: "branches",
    summary: "List branches",
    input: ({ flag }) => ({ deleted: flag("Also the deleted ones.") }),
    output: ({ z, branch }) => z.strictObject({ branches: z.array(branch) }),
  },
  "branches.create": {
    ...write("POST", `${SPACE}/branches`),
    calls: branches("create", "name", REST),
    summary: "Make a branch",
    description: "Costs the same at any size.",
    input: ({ needed, text }) => ({
      name: needed("Its name.", "work"),
      from: text("The ref it begins at. Default: `main` as it is now."),
    }),
    output: ({ z, branchShape }) => z.strictObject(branchShape),
  },
  "branches.rename": {
    ...write("PATCH", BRANCH),
    calls: branches("rename", "branch", "name"),
    summary: "Rename a branch",
    input: ({ ofBranch, needed }) => ({ ...ofBranch, name: needed("Its new name.") }),
    output: (parts) => parts.branch,
  },
  "branches.delete": {
    ...write("DELETE", BRANCH),
    calls: branches("delete", "branch"),
    answer: null,
    summary: "Delete a branch",
    input: ({ ofBranch }) => ofBranch,
    output: (parts) => parts.nothing,
  },
  "branches.restore": {
    ...write("POST", `${BRANCH}/restore`),
    calls: branches("restore", "branch"),
    summary: "Bring a deleted branch back",
    description: "Under its name, with all that was written on it. Old texts that were pruned stay gone.",
    input: ({ ofBranch }) => ofBranch,
    output: (parts) => parts.branch,
  },
  /** A resolver is a function: a caller that has one asks it after a preview and sends `resolutions`. */
  merge: {
    ...write("POST", `${SPACE}/merge`),
    isLong: true,
    calls: agent("merge", REST),
    summary: "Merge a branch into another",
    description:
      "With `preview` nothing is written. What is in conflict is decided by `strategy` or `resolutions`; where neither decides, the answer has the status `conflict` and nothing is written.",
    input: ({ z, needed, text, because, described, resolutions, mergeScope, flag }) => ({
      from: needed("The branch to merge.", "work"),
      into: text("Default: `main`."),
      only: described(
        mergeScope().optional(),
        "Only these memories; the rest can be merged later. All given conditions have to match, on either branch.",
      ),
      strategy: described(
        z.enum(["source", "target", "newest", "both", "manual", "resolver"]).optional(),
        "Who decides fields in conflict. Default: `manual`. `resolver` is for the library: a function cannot be sent.",
      ),
      resolutions: described(
        resolutions().optional(),
        "By memory id: one way for all its fields in conflict, or each on its own.",
      ),
      again: flag(
        "Asked for when an earlier merge of this source was undone: bring all of it back, or only what is new?",
      ),
      ...because,
      preview: flag("Shows what it would do, and writes nothing."),
      expect: described(
        z.strictObject({ from: z.array(z.string()), into: z.array(z.string()) }).optional(),
        "Heads of both branches as previewed; refused when either has moved.",
      ),
    }),
    output: (parts) => parts.mergeResult,
  },
} as const satisfies Definitions;
