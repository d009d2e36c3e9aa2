/**
 * The last events of a space, so that a listener that was cut off for a moment goes on where it was. What quotes or
 * names memories or branches is not kept, but how it is read again: it may have been erased or concealed since.
 *
 * @module
 */

export interface KeptEvent {
  readonly id: string;
  readonly event: string;
  readonly data: EventData;
}

/** JSON, or what reads it as it is by then; undefined where nothing is left to say. */
export type EventData = string | (() => Promise<string | undefined>);

const MOST_EVENTS = 1_000;

export class EventRing {
  readonly #instance: string;
  readonly #capacity: number;
  readonly #events: KeptEvent[] = [];
  #count = 0;

  /** @param instance - of the daemon and the feed: numbers of another one mean nothing here */
  constructor(instance: string, capacity = MOST_EVENTS) {
    this.#instance = instance;
    this.#capacity = capacity;
  }

  /** Where a reader stands who has seen everything. */
  get lastId(): string {
    return `${this.#instance}-${this.#count}`;
  }

  add(event: string, data: EventData): KeptEvent {
    this.#count += 1;
    const kept = { id: this.lastId, event, data };
    // Twice the capacity at most: moving every element at every event would be the dearest part of it.
    if (this.#events.length >= 2 * this.#capacity) this.#events.splice(0, this.#capacity);
    this.#events.push(kept);
    return kept;
  }

  /** @returns undefined when nobody knows any more what came after it */
  after(id: string): readonly KeptEvent[] | undefined {
    const [instance, number] = splitId(id);
    if (instance !== this.#instance || number > this.#count) return undefined;
    const missed = this.#count - number;
    if (missed > Math.min(this.#events.length, this.#capacity)) return undefined;
    return missed === 0 ? [] : this.#events.slice(-missed);
  }
}

function splitId(id: string): [instance: string, number: number] {
  const dash = id.lastIndexOf("-");
  const number = id.slice(dash + 1);
  return [
    id.slice(0, Math.max(dash, 0)),
    /^\d{1,15}$/.test(number) ? Number(number) : Number.POSITIVE_INFINITY,
  ];
}
