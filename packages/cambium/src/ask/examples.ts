/**
 * What is understood, by example: shown by `cambium ask help`, suggested when a sentence is not understood,
 * and set out in docs/asking.md. Each is tested to be understood as it says.
 *
 * @module
 */
import type { IntentKind } from "./intent.js";

export interface Example {
  readonly group: string;
  readonly operation: IntentKind;
  /** Ends the sentence "this …". */
  readonly does: string;
  /** The verb that does the same with all its options. */
  readonly verb: string;
  /** `always`: even with `--yes`. */
  readonly asks: "never" | "unless --yes" | "always";
  readonly says: readonly string[];
}

export const EXAMPLES: readonly Example[] = [
  {
    group: "Remember and correct",
    operation: "remember",
    does: "keeps a new memory, word for word",
    verb: "remember",
    asks: "unless --yes",
    says: [
      "remember that releases are cut on Thursdays",
      "note: Ada prefers tea",
      "don't forget that the office is closed in August",
    ],
  },
  {
    group: "Remember and correct",
    operation: "correct",
    does: "finds the memory that says otherwise and gives it a new version; offers to remember it where there is none",
    verb: "revise",
    asks: "unless --yes",
    says: [
      "actually, the release day is Friday",
      "no, the budget is 900 euro, not 800",
      "the release day is now Monday",
    ],
  },
  {
    group: "Remember and correct",
    operation: "forget",
    does: "finds a memory and hides it; where several can be meant you choose",
    verb: "forget",
    asks: "always",
    says: ["forget what I said about the budget", "forget everything about tea", "forget that"],
  },
  {
    group: "Remember and correct",
    operation: "restore",
    does: "brings back what was forgotten",
    verb: "restore",
    asks: "unless --yes",
    says: ["bring back what you forgot yesterday", "restore the memory about tea", "restore that"],
  },
  {
    group: "Ask",
    operation: "recall",
    does: "searches what is known, or was known then",
    verb: "recall",
    asks: "never",
    says: [
      "what do you know about the release day?",
      "what did you know about the budget last month?",
      "what did you know about tea before checkpoint cleanup?",
      "what do you know about Ada as of 2026-08-01?",
    ],
  },
  {
    group: "Ask",
    operation: "list",
    does: "lists memories, all or of a category or tag",
    verb: "list",
    asks: "never",
    says: ["list what you know in category travel", "show memories tagged release", "what do you know?"],
  },
  {
    group: "Ask",
    operation: "evolution",
    does: "tells how an understanding came to be",
    verb: "evolution",
    asks: "never",
    says: [
      "show how your understanding of the budget has changed",
      "what is the history of the release day?",
    ],
  },
  {
    group: "Ask",
    operation: "blame",
    does: "shows who wrote each phrase of a memory",
    verb: "blame",
    asks: "never",
    says: ["who told you that releases are on Friday?", "where did you hear about the budget?"],
  },
  {
    group: "Ask",
    operation: "history",
    does: "shows every version of a memory, with its reasons",
    verb: "history",
    asks: "never",
    says: ["why do you think that releases are on Friday?", "how do you know that Ada likes tea?"],
  },
  {
    group: "Ask",
    operation: "changes",
    does: "compares then and now",
    verb: "diff",
    asks: "never",
    says: ["what changed since Tuesday?", "what is new since yesterday?", "what changed last week?"],
  },
  {
    group: "Save and go back",
    operation: "checkpoint",
    does: "names the state as it is now (default name: the date)",
    verb: "checkpoint",
    asks: "unless --yes",
    says: ["save my current state", "save my current state as before-cleanup", "make a checkpoint"],
  },
  {
    group: "Save and go back",
    operation: "checkpoints",
    does: "lists the states that have a name",
    verb: "checkpoints",
    asks: "never",
    says: ["what checkpoints are there?", "list my backups"],
  },
  {
    group: "Save and go back",
    operation: "undo",
    does: 'reverts the last change, or the last few ("a few" are 3)',
    verb: "undo",
    asks: "unless --yes",
    says: ["undo that", "undo the last 3 changes", "undo the last few memories"],
  },
  {
    group: "Save and go back",
    operation: "rollback",
    does: "brings a state back, by one change and with a checkpoint before it",
    verb: "rollback",
    asks: "always",
    says: [
      "go back to how things were in January",
      "go back to yesterday",
      "go back to before checkpoint cleanup",
      "go back to how things were in January, but only category travel",
    ],
  },
  {
    group: "Save and go back",
    operation: "take-back",
    does: "reverts what one agent wrote, and leaves what others wrote since",
    verb: "rollback --by",
    asks: "always",
    says: ["take back everything cursor wrote yesterday", "undo everything by cursor"],
  },
  {
    group: "Save and go back",
    operation: "fresh",
    does: "makes a checkpoint, then hides every memory of the branch by one change; or makes an empty branch",
    verb: "rollback 1970-01-01",
    asks: "always",
    says: ["start fresh but keep a backup", "start fresh on a branch called try"],
  },
  {
    group: "Branches",
    operation: "branch",
    does: "makes a branch",
    verb: "branch",
    asks: "unless --yes",
    says: ["try this on a branch called experiment", "make a new branch called work"],
  },
  {
    group: "Branches",
    operation: "use-branch",
    does: "says how to work on a branch; there is no switching",
    verb: "branches",
    asks: "never",
    says: ["switch to branch work"],
  },
  {
    group: "Branches",
    operation: "merge",
    does: "shows what a merge would do, then merges; conflicts are shown, and nothing is written while one is open",
    verb: "merge",
    asks: "unless --yes",
    says: ["merge my work memories back in", "merge the branch work into main"],
  },
  {
    group: "Branches",
    operation: "branches",
    does: "lists branches",
    verb: "branches",
    asks: "never",
    says: ["what branches are there?"],
  },
  {
    group: "Branches",
    operation: "conflicts",
    does: "shows what was decided differently on two sides",
    verb: "conflicts",
    asks: "never",
    says: ["what conflicts are open?"],
  },
  {
    group: "Where things stand",
    operation: "status",
    does: "says where you are and what is pending",
    verb: "status",
    asks: "never",
    says: ["what is my status?", "am I in sync?"],
  },
  {
    group: "Where things stand",
    operation: "help",
    does: "shows this",
    verb: "ask",
    asks: "never",
    says: ["help", "what can you do?"],
  },
];
