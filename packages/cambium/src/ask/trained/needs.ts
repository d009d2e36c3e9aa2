/**
 * Parts that nearly every sentence of an act has, so that a sentence without one hardly asks for it: "how much did the
 * tuner charge" names no time, and asks for what is known now. Pure.
 *
 * @module
 */
import type { Act, SlotName } from "./acts.js";
import type { TrainedSlot } from "./slot-tagger.js";

const WHICH: readonly SlotName[] = ["topic", "category", "tag", "agent", "period"];
const WHEN: readonly SlotName[] = ["period", "state"];

/** One of them is enough. */
const NEEDS: Readonly<Partial<Record<Act, readonly SlotName[]>>> = {
  recall: ["topic"],
  "at-past": WHEN,
  list: WHICH,
  history: ["topic"],
  blame: ["topic"],
  changes: WHEN,
  difference: ["branch"],
  remember: ["content"],
  correct: ["new"],
  file: ["category", "tag"],
  forget: WHICH,
  restore: WHICH,
  "take-back": ["agent"],
  rollback: WHEN,
  branch: ["name"],
  "use-branch": ["branch"],
  "delete-branch": ["branch"],
  merge: ["branch"],
};

/** What is left of the likelihood of an act whose part is nowhere. */
const LEAST = 0.05;

/** From 0 to 1: by how much the parts that were found for an act leave it as likely as its words made it. */
export function supportOf(act: Act, slots: readonly TrainedSlot[]): number {
  const needed = NEEDS[act];
  if (needed === undefined) return 1;
  const sureness = slots.flatMap((slot) => (needed.includes(slot.name) ? [slot.sureness] : []));
  return Math.sqrt(Math.max(LEAST, ...sureness));
}
