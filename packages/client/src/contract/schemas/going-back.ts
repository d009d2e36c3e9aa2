/**
 * Undo and rollback.
 *
 * @module
 */
import * as z from "zod";
import { date, flag, text, texts, told, wholeNumber } from "./describe.js";
import type { OperationSpec } from "./operation.js";
import {
  because,
  changeHash,
  differenceShape,
  inSpace,
  memory,
  memoryId,
  onBranch,
  stateField,
} from "./parts.js";

const kept = told(
  z.array(z.strictObject({ id: memoryId, fields: z.array(stateField) })),
  "Fields that others wrote since; they were left as they are.",
);

const scope = z.strictObject({
  area: text("Only memories of this area."),
  category: text("Only of this category."),
  tag: text("Only with this tag."),
  tags: texts("Only with all of these."),
  ids: texts("Only these memories."),
  agent: text("Only what this agent wrote; what others wrote since stays."),
  since: date("Only what was written from then on; a day counts from its beginning."),
  until: date("Likewise, until then; a day counts to its end."),
});

export const goingBackOperations = {
  undo: {
    summary: "Take changes back",
    description: "By a new change; nothing is lost. The last one, unless `change` or `last` says otherwise.",
    request: z.strictObject({
      ...inSpace,
      ...onBranch,
      change: text("Its hash, or a beginning of at least 4 digits."),
      last: wholeNumber("That many of the last changes, as one.", 1, 1_000),
      ...because,
    }),
    response: z.strictObject({
      change: changeHash,
      of: changeHash,
      changes: z.array(changeHash),
      memories: z.array(memory),
      kept,
    }),
  },
  rollback: {
    summary: "Bring a state back",
    description:
      "Whole or in part, by a new change; a checkpoint is made before it. `to` may be left out where `only` names an agent or a time: then what was written is taken back, change by change.",
    request: z.strictObject({
      ...inSpace,
      ...onBranch,
      to: text("The state to go back to.", "main@checkpoint:before-cleanup", "main@2026-08-01"),
      only: told(scope.optional(), "What of the branch goes back. Everything that is named has to hold."),
      preview: flag("Shows what it would do, and writes nothing."),
      expect: texts("Heads of the branch as previewed; refused when it has moved on."),
      onBranch: text("Tries it on a new branch of this name."),
      ...because,
    }),
    response: z.strictObject({
      status: z.enum(["rolled-back", "preview", "up-to-date"]),
      ...differenceShape,
      counts: z.strictObject({
        created: z.number(),
        changed: z.number(),
        broughtBack: z.number(),
        hidden: z.number(),
      }),
      broughtBack: told(z.array(memory), "Forgotten until now."),
      kept,
      change: told(changeHash.optional(), "Once written."),
      checkpoint: told(z.string().optional(), "The checkpoint made before it, by name."),
      triedOn: told(z.string().optional(), "The branch it was tried on."),
    }),
  },
} satisfies Record<string, OperationSpec>;
