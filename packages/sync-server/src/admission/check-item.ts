/**
 * What an item must obey before it enters a log. Pure: a store tells what it holds, and a rule says whether the item
 * fits.
 *
 * @module
 */
import { checkChanges, type HeldChange } from "@cambium/core";
import type { LogChange, LogFork, Refusal } from "../log/space-log.js";
import { MAX_NAMED } from "./bounds.js";

/** A change that a log holds. */
export interface HeldEntry extends HeldChange {
  readonly position: number;
}

/** A document as far as admission has to know it, with what it has by a fork. */
export interface HeldDocument {
  change(hash: string): HeldEntry | undefined;
  /** The hash of its actor's change with a number. */
  numbered(actor: string, number: number): string | undefined;
  /** The number of its last operation, or a higher one. */
  maxOp(): number;
  /** Whether one of its changes has the operation `counter@actor`. */
  hasOperation(id: string): boolean;
}

/** What is to be done with an item. */
export type Verdict =
  | { readonly kind: "new" }
  /** It is in the log. */
  | { readonly kind: "known"; readonly position: number }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const NEW: Verdict = { kind: "new" };

export function checkChange(change: LogChange, document: HeldDocument): Verdict {
  const held = document.change(change.hash);
  if (held !== undefined) return { kind: "known", position: held.position };
  const missing = change.deps.filter((dep) => document.change(dep) === undefined);
  if (missing.length > 0) {
    const message = `It depends on ${missing.length} changes that the document does not have; send them first.`;
    return refuse("MISSING", change, missing, message);
  }
  const taken = document.numbered(change.actor, change.seq);
  if (taken !== undefined) {
    const message = `Its actor's change ${change.seq} is another one.`;
    return refuse("NUMBER_TAKEN", change, [taken], message);
  }
  const { refused } = checkChanges([change], {
    change: (hash) => document.change(hash),
    maxOp: () => document.maxOp(),
    hasObject: (id) => document.hasOperation(id),
  });
  const [fault] = refused;
  return fault === undefined ? NEW : refuse("BAD_CHUNK", change, [change.hash], fault.reason);
}

/** @param knownAt - where this very fork is in the log */
export function checkFork(
  fork: LogFork,
  {
    knownAt,
    target,
    source,
  }: {
    readonly knownAt: number | undefined;
    readonly target: HeldDocument | undefined;
    readonly source: HeldDocument | undefined;
  },
): Verdict {
  if (knownAt !== undefined) return { kind: "known", position: knownAt };
  if (target !== undefined)
    return refuse("IN_USE", fork, [], "The document exists; send the changes of the fork instead.");
  const missing = fork.heads.filter((head) => source?.change(head) === undefined);
  if (missing.length === 0) return NEW;
  const message = "The relay lacks changes that the fork would start from; send them first.";
  return refuse("HEADS_NOT_HERE", fork, missing, message);
}

function refuse(
  code: Refusal["code"],
  { document }: { readonly document: string },
  hashes: readonly string[],
  message: string,
): Verdict {
  return { kind: "refused", refusal: { code, document, hashes: hashes.slice(0, MAX_NAMED), message } };
}
