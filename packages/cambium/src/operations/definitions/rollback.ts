/**
 * Undo and rollback.
 *
 * @module
 */
import { agent, type Definitions, REST, SPACE, write } from "../definition.js";

export const rollbackOperations = {
  undo: {
    ...write("POST", `${SPACE}/undo`),
    calls: agent("undo", REST),
    summary: "Take changes back",
    description: "With a new change; nothing is lost. Default: what was done last, such as a whole import.",
    input: ({ onBranch, text, wholeNumber, flag, because }) => ({
      ...onBranch,
      change: text("Its hash, or a beginning of at least 4 digits; or the id of an operation."),
      last: wholeNumber("That many of the last changes, as one. An operation counts once.", 1, 1_000),
      preview: flag("Shows what it would do, and writes nothing."),
      ...because,
    }),
    output: (parts) => parts.undoResult,
  },
  rollback: {
    ...write("POST", `${SPACE}/rollback`),
    isLong: true,
    calls: agent("rollback", REST),
    summary: "Bring a state back",
    description:
      "Whole or in part, by a new change; a checkpoint is made before it. `to` may be left out where `only` names an agent or a time: then what was written is taken back, change by change.",
    input: ({ onBranch, text, described, rollbackScope, flag, texts, because }) => ({
      ...onBranch,
      to: text("The state to return to.", "main@checkpoint:before-cleanup", "main@2026-08-01"),
      only: described(
        rollbackScope().optional(),
        "Which memories are rolled back. All given conditions have to match.",
      ),
      preview: flag("Shows what it would do, and writes nothing."),
      expect: texts("Heads of the branch as previewed; refused when it has moved on."),
      onBranch: text("Tries it on a new branch of this name."),
      ...because,
    }),
    output: (parts) => parts.rollbackResult,
  },
} as const satisfies Definitions;
