/**
 * Which of this replica's changes the audit log tells of: of each actor all up to a number, and some beyond.
 *
 * @module
 */

export class AuditCoverage {
  readonly #upTo = new Map<string, number>();
  readonly #beyond = new Map<string, Set<number>>();

  /** @param covered - as `toJSON` gave it; it comes from a file, so whatever else stands there is passed over */
  constructor(covered: unknown = {}) {
    for (const [actor, numbers] of Object.entries(covered ?? {})) {
      if (!Array.isArray(numbers) || !numbers.every(Number.isSafeInteger)) continue;
      const [upTo = 0, ...beyond] = numbers as readonly number[];
      this.#upTo.set(actor, upTo);
      this.#beyond.set(actor, new Set(beyond));
    }
  }

  has(actor: string, seq: number): boolean {
    return seq <= (this.#upTo.get(actor) ?? 0) || this.#beyond.get(actor)?.has(seq) === true;
  }

  /** Writes are acknowledged in another order than they are made: numbers may come early. */
  add(actor: string, seq: number): void {
    if (this.has(actor, seq)) return;
    const beyond = this.#beyond.get(actor) ?? new Set();
    this.#beyond.set(actor, beyond.add(seq));
    let upTo = this.#upTo.get(actor) ?? 0;
    while (beyond.delete(upTo + 1)) upTo += 1;
    this.#upTo.set(actor, upTo);
  }

  /** @param covered - as `toJSON` gave it, of another part of the log */
  addAll(covered: unknown): void {
    const other = new AuditCoverage(covered);
    for (const [actor, upTo] of other.#upTo) {
      if (upTo > (this.#upTo.get(actor) ?? 0)) this.#upTo.set(actor, upTo);
      for (const seq of other.#beyond.get(actor) ?? []) this.add(actor, seq);
    }
  }

  toJSON(): Record<string, readonly number[]> {
    const entries = [...this.#upTo].map(([actor, upTo]) => {
      const beyond = [...(this.#beyond.get(actor) ?? [])].sort((a, b) => a - b);
      return [actor, [upTo, ...beyond]] as const;
    });
    return Object.fromEntries(entries);
  }
}
