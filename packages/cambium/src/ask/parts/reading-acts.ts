/**
 * Which answer a clause asks for: words speak for one or another, and the one with the most of them is taken. Nothing is
 * harmed by an answer, so words that it does not use are let pass.
 *
 * @module
 */
import type { Answered, Heard } from "./act.js";
import { OF_MEMORIES } from "./memory-acts.js";
import { STANDING } from "./standing-acts.js";

/** With less, the words may be about anything. */
const LEAST = 3;

/** Evidence may ask for slots, too: "<period>", or "<other>" for a branch beside main. */
function marked({ text, slots }: Heard): string {
  const marks = (["period", "state", "agent", "device", "labels"] as const).filter((kind) => slots.has(kind));
  const named = slots.all("branch").map(({ name }) => (name === "main" ? " <main>" : " <other>"));
  const isTwo = new Set(slots.all("branch").map(({ name }) => name)).size > 1;
  return `${text}${marks.map((kind) => ` <${kind}>`).join("")}${named.join("")}${isTwo ? " <branch><branch>" : ""}`;
}

/**
 * @param fresh - reads the slots anew for each act that tries: what one takes is no loss to another
 * @returns undefined where no act has enough of evidence, or two have as much
 */
export function readingOf(fresh: () => Heard): Answered | undefined {
  const heard = fresh();
  const spoken = marked(heard);
  const fits = (words: RegExp): boolean => words.test(heard.text) || words.test(spoken);
  const ranked = [...OF_MEMORIES, ...STANDING]
    .map((act) => ({
      act,
      weight: act.evidence.reduce(
        (sum, [words, weight]) =>
          sum + (fits(words) || (weight > 1 && words.test(heard.stated)) ? weight : 0),
        0,
      ),
    }))
    .filter(({ weight }) => weight >= LEAST)
    .toSorted((one, other) => other.weight - one.weight);
  for (const { act } of ranked) {
    const found = act.read(fresh());
    if (found !== undefined) return found;
  }
  return undefined;
}
