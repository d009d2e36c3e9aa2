/**
 * What an item must obey before it enters a log. Pure: a store tells what it holds, and a rule says whether the item
 * fits.
 *
 * @module
 */
import { changeFault, type HeldChange } from "@cambium/core";
import type { LogChange, LogFork, LogRetire, Refusal } from "../log/space-log.js";
import { MAX_NAMED } from "./bounds.js";

/** A change that a log holds. */
export interface HeldEntry extends HeldChange {
  readonly hash: string;
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
  /** Whether it surely has no change of this actor with this number, nor a higher one. */
  isBeyondAll?(change: Pick<LogChange, "actor" | "seq">): boolean;
}

/** What is to be done with an item. */
export type Verdict =
  | { readonly kind: "new" }
  /** It is in the log. */
  | { readonly kind: "known"; readonly position: number }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const NEW: Verdict = { kind: "new" };

/** A verdict about a change: of a new one, with what it depends on. */
export type ChangeVerdict =
  | Exclude<Verdict, { readonly kind: "new" }>
  | { readonly kind: "new"; readonly deps: readonly HeldEntry[] };

export function checkChange(change: LogChange, document: HeldDocument): ChangeVerdict {
  const isBeyondAll = document.isBeyondAll?.(change) ?? false;
  const held = isBeyondAll ? undefined : document.change(change.hash);
  if (held !== undefined) return { kind: "known", position: held.position };
  // Each is looked up once: a change on a busy document has dozens.
  const deps: HeldEntry[] = [];
  const missing: string[] = [];
  for (const dep of change.deps) {
    const found = document.change(dep);
    if (found === undefined) missing.push(dep);
    else deps.push(found);
  }
  if (missing.length > 0) {
    const message = `It depends on ${missing.length} changes that the document does not have; send them first.`;
    return refuse("MISSING", change, missing, message);
  }
  const taken = isBeyondAll ? undefined : document.numbered(change.actor, change.seq);
  if (taken !== undefined) {
    const message = `Its actor's change ${change.seq} is another one.`;
    return refuse("NUMBER_TAKEN", change, [taken], message);
  }
  const fault = changeFault(change, deps, {
    change: (hash) => document.change(hash),
    maxOp: () => document.maxOp(),
    hasObject: (id) => document.hasOperation(id),
  });
  return fault === undefined ? { kind: "new", deps } : refuse("BAD_CHUNK", change, [change.hash], fault);
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

/** A document that is to be retired, or that carries what is in one. */
export interface HeldKeys {
  /** Whether it begins as packs do. */
  readonly isPack: boolean;
  /** Whether a document that is not retired began with what it has. */
  readonly isForked: boolean;
  /** All that its own changes ever named, by `changeKeys`. */
  readonly keys: Iterable<string>;
}

/** Records and parts are named by their hashes. Other keys name the maps of a pack. */
const RECORD_KEY = /^[0-9a-f]{64}$/;

/**
 * @param target - undefined when the log has nothing of it; not a retired document
 * @param carriers - those of `carriedIn` that the log has and that are not retired
 */
export function checkRetire(
  retire: LogRetire,
  target: HeldKeys | undefined,
  carriers: readonly Pick<HeldKeys, "keys">[],
): Verdict {
  if (target === undefined) return NEW;
  if (!target.isPack)
    return refuse("BAD_CHUNK", retire, [], "Only packs are retired, and this document is none.");
  if (target.isForked)
    return refuse("IN_USE", retire, [], "Another document began as a fork of it; it has to stay.");
  const kept = new Set(retire.erased);
  for (const { keys } of carriers) for (const key of keys) kept.add(key);
  const lost = [...new Set(target.keys)].filter((key) => RECORD_KEY.test(key) && !kept.has(key));
  if (lost.length === 0) return NEW;
  const message = `${lost.length} of its records and parts are neither erased nor in another document; carry them first.`;
  return refuse("NOT_CARRIED", retire, lost, message);
}

/** What every item that names a retired document is answered. */
export const retiredRefusal = (document: string): Refusal => ({
  code: "RETIRED",
  document,
  message: "The document is retired; what it lacks belongs into another one.",
});

function refuse(
  code: Refusal["code"],
  { document }: { readonly document: string },
  hashes: readonly string[],
  message: string,
): Verdict & { readonly kind: "refused" } {
  return { kind: "refused", refusal: { code, document, hashes: hashes.slice(0, MAX_NAMED), message } };
}
