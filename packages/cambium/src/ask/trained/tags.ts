/**
 * The tags of tokens: outside of every part, or at the beginning of one, or further inside it.
 *
 * @module
 */
import { SLOT_NAMES, type SlotName } from "./acts.js";

export const OUTSIDE = 0;
export const TAGS = 1 + 2 * SLOT_NAMES.length;
export const beginsOf = (slot: number): number => 1 + 2 * slot;
export const goesOnOf = (slot: number): number => 2 + 2 * slot;

export interface TaggedPart {
  readonly name: SlotName;
  /** Tokens. */
  readonly from: number;
  readonly to: number;
}

export const isInside = (tag: number): boolean => tag !== OUTSIDE && tag % 2 === 0;

/** A part goes on only after itself. */
export const mayFollow = (before: number, tag: number): boolean =>
  !isInside(tag) || before === tag || before === tag - 1;

export function partsOf(chain: readonly number[]): readonly TaggedPart[] {
  const parts: TaggedPart[] = [];
  for (const [at, tag] of chain.entries()) {
    const last = parts.at(-1);
    if (isInside(tag) && last !== undefined) parts[parts.length - 1] = { ...last, to: at + 1 };
    else if (tag !== OUTSIDE)
      parts.push({ name: SLOT_NAMES[(tag - 1) >> 1] as SlotName, from: at, to: at + 1 });
  }
  return parts;
}
