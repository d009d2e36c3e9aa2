/**
 * Branches and merges.
 *
 * @module
 */

import * as z from "zod";
import { component, flag, needed, text, told } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { inSpace, stateField } from "../parts.js";

const take = z.enum(["source", "target", "newest"]);

const resolution = component(
  "FieldResolution",
  z.union([z.strictObject({ take }), z.strictObject({ value: z.unknown() })]),
  "The side a field is taken from, or the value it shall have.",
);

const ofBranch = { ...inSpace, branch: needed("Name or id of the branch.") };

export const branchRequests = {
  "branches.list": lazily({
    summary: "List branches",
    request: () => z.strictObject({ ...inSpace, deleted: flag("Also the deleted ones.") }),
  }),
  "branches.create": lazily({
    summary: "Make a branch",
    description: "Costs the same at any size.",
    request: () =>
      z.strictObject({
        ...inSpace,
        name: needed("Its name.", "work"),
        from: text("The ref it begins at; `main` as it is now unless said."),
      }),
  }),
  "branches.rename": lazily({
    summary: "Rename a branch",
    request: () => z.strictObject({ ...ofBranch, name: needed("Its new name.") }),
  }),
  "branches.delete": lazily({
    summary: "Delete a branch",
    request: () => z.strictObject(ofBranch),
  }),
  merge: lazily({
    summary: "Merge a branch into another",
    description:
      "With `preview` nothing is written. What is in conflict is decided by `strategy` or `resolutions`; where neither decides, the answer has the status `conflict` and nothing is written.",
    request: () =>
      z.strictObject({
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
  }),
} satisfies Record<string, RequestSpec>;
