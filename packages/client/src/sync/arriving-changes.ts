/**
 * Which of the changes that come a document is given. A change that counts has a member's code and was made in this very
 * document; it is given with everything that it builds on. What no such change builds on is held back: it may be
 * rubbish, or a change of another branch that somebody put here.
 *
 * Plan: begin with the last changes. One that counts takes all that it builds on along, unread; one that does not is
 * held, and what it builds on is looked at in turn. So of an honest document only the last changes are verified.
 *
 * @module
 */

/** A change that came, as its header has it. */
export interface ArrivingChange {
  readonly hash: string;
  readonly deps: readonly string[];
  readonly bytes: Uint8Array;
}

export interface SortedChanges<Arriving> {
  /** Each after what it follows. */
  readonly admitted: readonly Arriving[];
  readonly held: readonly Arriving[];
}

/**
 * @param changes - each after what it follows
 * @param counts - whether a change is signed and was made in this document; asked of few
 * @param begun - what the document began with: changes of its parent, which count here
 */
export function sortArriving<Arriving extends Omit<ArrivingChange, "bytes">>(
  changes: readonly Arriving[],
  counts: (change: Arriving) => boolean,
  begun: readonly string[] = [],
): SortedChanges<Arriving> {
  const byHash = new Map(changes.map((change) => [change.hash, change]));
  const admitted = new Set<string>();
  const admit = (hashes: readonly string[]): void => {
    const open = [...hashes];
    for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
      const change = byHash.get(hash);
      if (change === undefined || admitted.has(hash)) continue;
      admitted.add(hash);
      open.push(...change.deps);
    }
  };
  admit(begun);
  for (const change of changes.toReversed()) {
    if (!admitted.has(change.hash) && counts(change)) admit([change.hash]);
  }
  const isAdmitted = ({ hash }: Arriving): boolean => admitted.has(hash);
  return { admitted: changes.filter(isAdmitted), held: changes.filter((change) => !isAdmitted(change)) };
}

/** The same changes, each after what it follows. */
export function inOrder<Arriving extends ArrivingChange>(changes: readonly Arriving[]): readonly Arriving[] {
  const byHash = new Map(changes.map((change) => [change.hash, change]));
  const ordered = new Set<Arriving>();
  for (const change of changes) {
    const open = [change];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const before = next.deps.flatMap((dep) => byHash.get(dep) ?? []).filter((dep) => !ordered.has(dep));
      if (ordered.has(next) || before.length === 0) ordered.add(open.pop() as Arriving);
      else open.push(...before);
    }
  }
  return [...ordered];
}
