/**
 * What was acknowledged, and where it is known to be. A home that is set back to an older copy may lose what was written
 * since, if nobody else had it; everything else has to be there in the end.
 *
 * @module
 */
import type { Acknowledged, Observation } from "./protocol.ts";

/** A replica's name, or `relay`. */
export type Place = string;

export interface Write {
  readonly number: number;
  readonly by: Place;
  readonly what: Acknowledged;
}

export class Ledger {
  readonly #writes: Write[] = [];
  readonly #held = new Map<Place, Set<number>>();

  get count(): number {
    return this.#writes.length;
  }

  acknowledge(by: Place, what: Acknowledged): void {
    const number = this.#writes.length;
    this.#writes.push({ number, by, what });
    this.#at(by).add(number);
  }

  /** What a place holds, as it is now: for copies of it, and for what it has sent by some time. */
  heldBy(place: Place): ReadonlySet<number> {
    return new Set(this.#at(place));
  }

  /** The place holds this and nothing else that is known of. */
  setBack(place: Place, held: ReadonlySet<number>): void {
    this.#held.set(place, new Set(held));
  }

  receive(place: Place, held: ReadonlySet<number>): void {
    for (const number of held) this.#at(place).add(number);
  }

  /** Who is known to have it. */
  holdersOf({ number }: Write): readonly Place[] {
    return [...this.#held].flatMap(([place, held]) => (held.has(number) ? [place] : []));
  }

  /** Everyone has what anyone has. */
  shared(): void {
    const all = this.#claimed();
    for (const place of this.#held.keys()) this.#held.set(place, new Set(all));
  }

  /** What is lost although some place has it. */
  lostFrom(observation: Observation): readonly Write[] {
    const claimed = this.#claimed();
    return missingFrom(
      this.#writes.filter(({ number }) => claimed.has(number)),
      observation,
    );
  }

  /** Of what the place held. */
  lostAt(held: ReadonlySet<number>, observation: Observation): readonly Write[] {
    return missingFrom(
      this.#writes.filter(({ number }) => held.has(number)),
      observation,
    );
  }

  #claimed(): ReadonlySet<number> {
    return new Set([...this.#held.values()].flatMap((held) => [...held]));
  }

  #at(place: Place): Set<number> {
    const held = this.#held.get(place) ?? new Set();
    this.#held.set(place, held);
    return held;
  }
}

function missingFrom(writes: readonly Write[], observation: Observation): readonly Write[] {
  const [records, changes] = [new Set(observation.records), new Set(observation.changes)];
  const [branches, checkpoints] = [new Set(observation.branches), new Set(observation.checkpoints)];
  const isThere = (what: Acknowledged): boolean => {
    switch (what.kind) {
      case "record":
        return records.has(`${what.branch} ${what.memory} ${what.record}`);
      case "change":
        // Made again after a home was set back, a change has another hash.
        return (
          changes.has(`${what.branch} ${what.change}`) ||
          changes.has(`${what.branch} ${what.type} ${what.at}`)
        );
      case "branch":
        return branches.has(what.branch);
      case "checkpoint":
        return checkpoints.has(what.checkpoint);
      default:
        return what satisfies never;
    }
  };
  return writes.filter(({ what }) => !isThere(what));
}
