/**
 * What memories say: a few words that come again and again, so that texts collide and searches find several, and a
 * number of their own.
 *
 * @module
 */
import type { RememberInput } from "@cambium/client";
import type { Dice } from "../random.ts";

export const WORDS = ["harbour", "lantern", "orchard", "meeting", "deploy", "budget", "coffee", "train"];
const CATEGORIES = ["fact", "task", "preference"];
const TAGS = ["red", "green", "blue"];
const AREAS = ["home", "work"];

function someWords(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => dice.pick(WORDS)).join(" ");
}

/** A text of several sentences, so that parts of it can be changed apart. */
export const newContent = (dice: Dice, label: string): string =>
  `Note ${label} speaks of ${someWords(dice, 2)}. It was ${someWords(dice, 2)} then. It ends with ${someWords(dice, 1)}.`;

/** Some thousand units that do not get shorter by packing. */
export const longContent = (dice: Dice, label: string): string =>
  `${newContent(dice, label)} ${Array.from({ length: 400 + dice.below(400) }, () => dice.next().toString(36)).join(" ")}.`;

/** The text with one sentence changed, or one added. */
export function changedContent(dice: Dice, content: string, label: string): string {
  const sentences = content.split(/(?<=\.) /);
  if (dice.chance(0.3) || sentences.length > 8) return newContent(dice, label);
  const at = dice.below(sentences.length + 1);
  const replaced = at < sentences.length ? 1 : 0;
  sentences.splice(at, replaced, `Changed ${label} to ${someWords(dice, 2)}.`);
  return sentences.join(" ");
}

export function someLabels(dice: Dice): Pick<RememberInput, "category" | "tags" | "area" | "importance"> {
  return {
    ...(dice.chance(0.5) ? { category: dice.pick(CATEGORIES) } : {}),
    ...(dice.chance(0.5) ? { tags: TAGS.filter(() => dice.chance(0.4)) } : {}),
    ...(dice.chance(0.3) ? { area: dice.pick(AREAS) } : {}),
    ...(dice.chance(0.2) ? { importance: dice.below(11) / 10 } : {}),
  };
}
