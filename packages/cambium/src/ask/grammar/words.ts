/**
 * Words that several kinds of request are made of, as alternatives.
 *
 * @module
 */

/** To put out of sight. */
const REMOVING = [
  ...[
    "forget",
    "delete",
    "remove",
    "drop",
    "hide",
    "discard",
    "scrap",
    "trash",
    "bin",
    "ditch",
    "toss",
    "scrub",
  ],
  ...["throw away", "throw out", "take out", "get rid of", "clear out", "kick out"],
];
/** To revert. */
const REVERTING = ["undo", "take back", "revert", "reverse", "roll back", "rollback", "cancel", "rescind"];
const ERASING = ["erase", "wipe", "clear", "purge", "clean", "clean out", "empty", "unlearn", "destroy"];

const alternatives = (words: readonly string[]): string => words.join("|");

/** In patterns. */
export const REMOVE = `(${alternatives(REMOVING)})`;
export const REVERT = `(${alternatives(REVERTING)})`;

/** Longest first, so that "throw away" is not "throw". */
export const TAKING: readonly string[] = [...REMOVING, ...REVERTING, ...ERASING].toSorted(
  (one, other) => other.length - one.length,
);

/** What is said to have been done with a memory. */
export const DID =
  "(?:just |ever |already |also )?(?:learned|learnt|know|knew|remember|remembered|saved|stored|kept|said|told|wrote|written|write|added|changed|edited|did|done|made|noted|noted down|mentioned|taught|heard|put in|put down|recorded|imported|picked up|left|contributed|entered|logged)";
