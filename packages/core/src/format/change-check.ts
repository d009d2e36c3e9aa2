/**
 * What a change must obey before Automerge is given it. Automerge takes changes that break these rules, and the
 * document that it then saves never loads again.
 *
 * - Everything it depends on is in the document.
 * - Its number is its actor's last one + 1, and that last change is among its ancestors.
 * - Its first operation is one above the highest of its dependencies. It may be higher in a change made on an
 *   earlier state (`changeAt`): there Automerge goes on from the highest of the whole document as its writer had it.
 * - What its operations are applied to exists.
 *
 * @module
 */
import type { ChangeHeader } from "./change-header.js";

/** What checking has to know about a change that the document holds. */
export interface HeldChange {
  /** Hexadecimal. */
  readonly actor: string;
  /** Which of its actor's changes it is, counted from 1. */
  readonly seq: number;
  /** The number of its last operation. */
  readonly maxOp: number;
  /** Hashes of the changes that it follows. */
  readonly deps: readonly string[];
}

/** A document as far as changes to it are checked. */
export interface CheckedDocument {
  /** The number of its last operation. Rarely asked for. */
  maxOp(): number;
  /** Returns undefined for a change that it does not hold. */
  change(hash: string): HeldChange | undefined;
  /** Whether an object is there, by its operation id `counter@actor`. */
  hasObject(id: string): boolean;
}

/** A change that Automerge must not be given, and why. */
export interface RefusedChange {
  /** Hexadecimal. Of bytes that are no change, the SHA-256 of all of them. */
  readonly hash: string;
  /** A sentence. */
  readonly reason: string;
}

/** What became of changes that were checked. */
export interface CheckedChanges {
  /** In an order in which each comes after what it depends on. Those the document has are not among them. */
  readonly sound: readonly ChangeHeader[];
  /** They depend on something that has not come. */
  readonly waiting: readonly ChangeHeader[];
  /** They break a rule, or rest on one that does. */
  readonly refused: readonly RefusedChange[];
}

/** A writer on an earlier state may have had so many operations more than we have now. */
const MAX_AHEAD = 2 ** 16;
/** How many ancestors are looked at for the last change of an actor. It is nearly always a dependency. */
const MAX_ANCESTORS = 256;

/** @param refusedBefore - hashes of changes that must not be taken, nor what rests on them */
export function checkChanges(
  changes: readonly ChangeHeader[],
  document: CheckedDocument,
  refusedBefore: ReadonlySet<string> = new Set(),
): CheckedChanges {
  const batch = new Batch(document, refusedBefore);
  const left = new Map<string, ChangeHeader>();
  for (const change of changes) if (document.change(change.hash) === undefined) left.set(change.hash, change);
  const dependents = new Map<string, ChangeHeader[]>();
  const queue: ChangeHeader[] = [];
  const missing = new Map<ChangeHeader, number>();
  for (const change of left.values()) {
    const unmet = [...new Set(change.deps)].filter((dep) => left.has(dep) || !batch.isDecided(dep));
    missing.set(change, unmet.length);
    if (unmet.length === 0) queue.push(change);
    for (const dep of unmet) dependents.set(dep, [...(dependents.get(dep) ?? []), change]);
  }
  for (const change of queue) {
    batch.decide(change);
    left.delete(change.hash);
    for (const dependent of dependents.get(change.hash) ?? []) {
      const still = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, still);
      if (still === 0) queue.push(dependent);
    }
  }
  return { sound: batch.sound, waiting: [...left.values()], refused: batch.refused };
}

class Batch {
  readonly sound: ChangeHeader[] = [];
  readonly refused: RefusedChange[] = [];
  readonly #document: CheckedDocument;
  readonly #soundByHash = new Map<string, ChangeHeader>();
  readonly #refusedHashes: Set<string>;
  readonly #lastByActor = new Map<string, number>();
  /** Of these changes. */
  #maxOp = 0;

  constructor(document: CheckedDocument, refusedBefore: ReadonlySet<string>) {
    this.#document = document;
    this.#refusedHashes = new Set(refusedBefore);
  }

  /** Whether a dependency is known to be sound, or not to be. */
  isDecided(hash: string): boolean {
    return this.#refusedHashes.has(hash) || this.#find(hash) !== undefined;
  }

  decide(change: ChangeHeader): void {
    const reason = this.#faultOf(change);
    if (reason !== undefined) {
      this.#refusedHashes.add(change.hash);
      this.refused.push({ hash: change.hash, reason });
      return;
    }
    this.sound.push(change);
    this.#soundByHash.set(change.hash, change);
    this.#lastByActor.set(change.actor, change.maxOp);
    this.#maxOp = Math.max(this.#maxOp, change.maxOp);
  }

  #find(hash: string): HeldChange | undefined {
    return this.#soundByHash.get(hash) ?? this.#document.change(hash);
  }

  #faultOf(change: ChangeHeader): string | undefined {
    const { hash, deps } = change;
    if (this.#refusedHashes.has(hash)) return "It was refused before.";
    const refused = deps.find((dep) => this.#refusedHashes.has(dep));
    if (refused !== undefined) return `It rests on the refused change ${refused}.`;
    const held = deps.flatMap((dep) => this.#find(dep) ?? []);
    return changeFault(change, held, {
      change: (dep) => this.#find(dep),
      maxOp: () => Math.max(this.#maxOp, this.#document.maxOp()),
      hasObject: (id) => this.#isNewObject(id) || this.#document.hasObject(id),
    });
  }

  /** An object may also be made by these changes. Which of their operations make one is left to Automerge. */
  #isNewObject(id: string): boolean {
    const [counter, maker = ""] = id.split("@");
    return Number(counter) <= (this.#lastByActor.get(maker) ?? 0);
  }
}

/**
 * @param deps - all that it depends on, as the document holds it
 * @returns a sentence, if it must not be taken
 */
export function changeFault(
  change: ChangeHeader,
  deps: readonly HeldChange[],
  document: CheckedDocument,
): string | undefined {
  const { startOp, maxOp } = change;
  if (new Set(change.deps).size < change.deps.length) return "It names a dependency twice.";
  let last = 0;
  for (const dep of deps) last = Math.max(last, dep.maxOp);
  if (startOp <= last) return `Its first operation is ${startOp}; its dependencies end with ${last}.`;
  if (startOp > last + 1) {
    if (maxOp < startOp) return `It has no operation, and skips those from ${last + 1} to ${maxOp}.`;
    const end = document.maxOp();
    if (startOp > end + 1 + MAX_AHEAD)
      return `Its first operation is ${startOp}; the document ends with ${end}.`;
  }
  if (!isNext(change, deps, document))
    return `Its actor's change ${change.seq - 1} is not among its ancestors.`;
  return objectFault(change, document);
}

/** Whether the change before it, of the same actor, is among its ancestors. */
function isNext(
  { actor, seq, deps }: ChangeHeader,
  held: readonly HeldChange[],
  document: CheckedDocument,
): boolean {
  if (seq === 1) return true; // Automerge refuses a number that is taken
  if (held.some((dep) => dep.seq === seq - 1 && dep.actor === actor)) return true;
  const queue = [...deps];
  const seen = new Set(queue);
  for (let looked = 0; looked < MAX_ANCESTORS; looked += 1) {
    const hash = queue.shift();
    if (hash === undefined) return false;
    const ancestor = document.change(hash);
    if (ancestor?.actor === actor) {
      if (ancestor.seq === seq - 1) return true;
      continue;
    }
    for (const dep of ancestor?.deps ?? []) {
      if (seen.has(dep)) continue;
      seen.add(dep);
      queue.push(dep);
    }
  }
  return false;
}

function objectFault(
  { objects, actor, startOp, maxOp }: ChangeHeader,
  document: CheckedDocument,
): string | undefined {
  for (const id of objects) {
    const [counterText = "", maker = ""] = id.split("@");
    const counter = Number(counterText);
    const isOwn = maker === actor && counter >= startOp && counter <= maxOp;
    if (!isOwn && !document.hasObject(id)) return `It writes to ${id}, which is not in the document.`;
  }
  return undefined;
}
