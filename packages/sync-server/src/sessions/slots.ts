/**
 * What replicas leave for each other, sealed: one piece for each replica of a token. Kept while the relay runs: a
 * replica leaves it again when it connects.
 *
 * @module
 */
import type { Slot } from "@cambium/core/wire";

/** Of one space. */
const MAX_SLOTS = 1_024;
/** Of one token: a device has one or a few replicas. */
const MAX_SLOTS_OF_TOKEN = 16;

export class Slots {
  /** By space, then by token, then by replica; those written last are behind. */
  readonly #bySpace = new Map<string, Map<string, Map<string, Slot>>>();

  /** Takes the place of what the replica left before. Where there is no room, of the oldest of whoever has most. */
  put(space: string, tokenId: string, { replica, bytes }: Slot): void {
    const tokens = this.#bySpace.get(space) ?? new Map<string, Map<string, Slot>>();
    this.#bySpace.set(space, tokens);
    const slots = tokens.get(tokenId) ?? new Map<string, Slot>();
    tokens.set(tokenId, slots);
    slots.delete(replica);
    slots.set(replica, { replica, bytes: new Uint8Array(bytes) });
    if (slots.size > MAX_SLOTS_OF_TOKEN) dropOldest(slots);
    else if (this.of(space).length > MAX_SLOTS) {
      const [most, theirs] = [...tokens].reduce((a, b) => (b[1].size > a[1].size ? b : a));
      dropOldest(theirs);
      if (theirs.size === 0) tokens.delete(most);
    }
  }

  forget(space: string): void {
    this.#bySpace.delete(space);
  }

  of(space: string): readonly Slot[] {
    return [...(this.#bySpace.get(space)?.values() ?? [])].flatMap((slots) => [...slots.values()]);
  }
}

const dropOldest = (slots: Map<string, Slot>): void => {
  slots.delete(slots.keys().next().value as string);
};
