/**
 * Spaces in which several senders write at the time: they can share commits. Turn by turn.
 *
 * @module
 */
const NOBODY: ReadonlySet<object> = new Set();

export class SharedSpaces {
  #senders = new Map<string, Set<object>>();
  #sendersBefore = new Map<string, Set<object>>();

  add(space: string, sender: object): void {
    const senders = this.#senders.get(space) ?? new Set();
    this.#senders.set(space, senders.add(sender));
  }

  /** A turn begins. */
  turn(): void {
    this.#sendersBefore = this.#senders;
    this.#senders = new Map();
  }

  has(space: string): boolean {
    const [now, before] = [this.#senders.get(space), this.#sendersBefore.get(space)];
    if (now === undefined || before === undefined) return (now ?? before ?? NOBODY).size > 1;
    if (now.size > 1 || before.size > 1) return true;
    return !now.isSubsetOf(before);
  }
}
