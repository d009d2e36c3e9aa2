/**
 * What replicas leave for each other, sealed: one piece for each replica of a token. Kept while the relay runs.
 *
 * @module
 */
import type { Slot } from "@cambium/core/wire";

/** Of one space; a slot more takes the place of the one that was written longest ago. */
const MAX_SLOTS = 1_024;

export class Slots {
  readonly #bySpace = new Map<string, Map<string, Slot>>();

  put(space: string, tokenId: string, slot: Slot): void {
    const slots = this.#bySpace.get(space) ?? new Map<string, Slot>();
    this.#bySpace.set(space, slots);
    const key = `${tokenId} ${slot.replica}`;
    slots.delete(key);
    slots.set(key, { replica: slot.replica, bytes: new Uint8Array(slot.bytes) });
    if (slots.size > MAX_SLOTS) slots.delete(slots.keys().next().value as string);
  }

  forget(space: string): void {
    this.#bySpace.delete(space);
  }

  of(space: string): readonly Slot[] {
    return [...(this.#bySpace.get(space)?.values() ?? [])];
  }
}
