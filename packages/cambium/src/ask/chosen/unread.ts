/**
 * What a reader of choices is given, and says where a part of one means nothing here.
 *
 * @module
 */
import type { Surroundings, Understood } from "../intent.js";
import type { Choice } from "./choice.js";

export interface Heard {
  readonly choice: Choice;
  readonly sentence: string;
  readonly around: Surroundings;
}

/** The words that mean nothing here, or would have narrowed what is done. */
export interface Unread {
  readonly left: string;
}

export type Read = Omit<Understood, "understood"> | Unread;
export type Reader = (heard: Heard) => Promise<Read>;
