/**
 * Branches and merges.
 *
 * @module
 */
import * as z from "zod";
import { component, flag, needed, text, told } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import { branchId, changeHash, differenceShape, inSpace, nothing, stateField, time } from "./parts.js";

const branchShape = {
  id: branchId,
  name: told(z.string(), "As shown: when two branches bear one name, the later one reads `work~ab12`."),
  status: z.enum(["open", "merged", "deleted"]),
  head: z.array(changeHash),
  parent: z.string().optional(),
  forkedAt: time.optional(),
};

const branch = component(
  "Branch",
  z.strictObject({
    ...branchShape,
    memories: z.number(),
    ahead: told(z.number(), "Changes it has that its parent lacks."),
    behind: told(z.number(), "Changes of its parent that it lacks."),
    merged: z.number().optional(),
    notice: z.string().optional(),
  }),
);

const take = z.enum(["source", "target", "newest"]);
const resolution = component(
  "FieldResolution",
  z.union([
    z.strictObject({ take }),
    z.strictObject({ value: z.unknown() }).refine((choice) => Object.hasOwn(choice, "value")),
  ]),
  "The side a field is taken from, or the value it shall have.",
);

const ofBranch = { ...inSpace, branch: needed("Name or id of the branch.") };

export const branchOperations = {
  "branches.list": {
    summary: "List branches",
    request: z.strictObject({ ...inSpace, deleted: flag("Also the deleted ones.") }),
    response: z.strictObject({ branches: z.array(branch) }),
  },
  "branches.create": {
    summary: "Make a branch",
    description: "Costs the same at any size.",
    request: z.strictObject({
      ...inSpace,
      name: needed("Its name.", "work"),
      from: text("The ref it begins at; `main` as it is now unless said."),
    }),
    response: z.strictObject(branchShape),
  },
  "branches.rename": {
    summary: "Rename a branch",
    request: z.strictObject({ ...ofBranch, name: needed("Its new name.") }),
    response: branch,
  },
  "branches.delete": {
    summary: "Delete a branch",
    request: z.strictObject(ofBranch),
    response: nothing,
  },
  merge: {
    summary: "Merge a branch into another",
    description:
      "With `preview` nothing is written. What is in conflict is decided by `strategy` or `resolutions`; where neither decides, the answer has the status `conflict` and nothing is written.",
    request: z.strictObject({
      ...inSpace,
      from: needed("The branch to merge.", "work"),
      into: text("`main` unless said."),
      strategy: told(
        z.enum(["source", "target", "newest", "both", "manual", "resolver"]).optional(),
        "Who decides fields in conflict; `manual` unless said. `resolver` is for the library: a function cannot be sent.",
      ),
      resolutions: told(
        z
          .record(
            z.string(),
            z.union([
              z.enum(["source", "target", "newest", "both"]),
              z.partialRecord(stateField, resolution),
            ]),
          )
          .optional(),
        "By memory id: one way for all its fields in conflict, or each on its own.",
      ),
      again: flag(
        "Asked for when an earlier merge of this source was undone: bring all of it back, or only what is new?",
      ),
      preview: flag("Shows what it would do, and writes nothing."),
      expect: told(
        z.strictObject({ from: z.array(z.string()), into: z.array(z.string()) }).optional(),
        "Heads of both branches as previewed; refused when either has moved.",
      ),
    }),
    response: z.strictObject({
      status: z.enum(["merged", "up-to-date", "preview", "conflict"]),
      ...differenceShape,
      change: told(changeHash.optional(), "Once written."),
      undone: z
        .array(z.strictObject({ merge: changeHash, mergedAt: time, undo: changeHash, undoneAt: time }))
        .optional(),
    }),
  },
} satisfies Record<string, OperationSpec>;
