/**
 * Undo and rollback.
 *
 * @module
 */

import * as z from "zod";
import { date, flag, text, texts, told, wholeNumber } from "../describe.js";
import { lazily, type RequestSpec } from "../operation.js";
import { because, inSpace, onBranch } from "../parts.js";

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

export const rollbackRequests = {
  undo: lazily({
    summary: "Take changes back",
    description: "By a new change; nothing is lost. The last one, unless `change` or `last` says otherwise.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        change: text("Its hash, or a beginning of at least 4 digits."),
        last: wholeNumber("That many of the last changes, as one.", 1, 1_000),
        ...because,
      }),
  }),
  rollback: lazily({
    summary: "Bring a state back",
    description:
      "Whole or in part, by a new change; a checkpoint is made before it. `to` may be left out where `only` names an agent or a time: then what was written is taken back, change by change.",
    request: () =>
      z.strictObject({
        ...inSpace,
        ...onBranch,
        to: text("The state to go back to.", "main@checkpoint:before-cleanup", "main@2026-08-01"),
        only: told(scope.optional(), "What of the branch goes back. Everything that is named has to hold."),
        preview: flag("Shows what it would do, and writes nothing."),
        expect: texts("Heads of the branch as previewed; refused when it has moved on."),
        onBranch: text("Tries it on a new branch of this name."),
        ...because,
      }),
  }),
} satisfies Record<string, RequestSpec>;
