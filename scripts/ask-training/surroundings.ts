/**
 * Which names a space might have in which a sentence is said: those that the sentence means, and others that the same
 * person speaks of elsewhere.
 *
 * @module
 */
import type { KnownNames, SlotName } from "../../packages/cambium/dist/ask/trained/acts.js";
import type { Random } from "./random.ts";
import type { Labelled } from "./sentences.ts";

const KINDS: Readonly<Record<keyof KnownNames, readonly SlotName[]>> = {
  branches: ["branch", "into"],
  checkpoints: ["state"],
  tags: ["tag"],
  categories: ["category"],
  agents: ["agent"],
  devices: ["device"],
};

/** Nothing but the branch that every space has. */
export const NO_NAMES: KnownNames = { branches: ["main"] };

/** With names of others of the same people. */
export function withNames(
  sentences: readonly Labelled[],
  random: Random,
): readonly { readonly sentence: Labelled; readonly names: KnownNames }[] {
  const byWriter = Map.groupBy(sentences, ({ writer }) => writer);
  return sentences.map((sentence) => ({
    sentence,
    names: namesAround(sentence, byWriter.get(sentence.writer) ?? [], random),
  }));
}

/** So many other sentences lend their names. */
const LENDERS = 18;

function namesAround(sentence: Labelled, others: readonly Labelled[], random: Random): KnownNames {
  const lenders = Array.from({ length: LENDERS }, () => others[random.below(others.length)] as Labelled);
  return Object.fromEntries(
    Object.entries(KINDS).map(([kind, slots]) => [
      kind,
      [
        ...(NO_NAMES[kind as keyof KnownNames] ?? []),
        ...[sentence, ...lenders].flatMap((one) => named(one, slots)),
      ],
    ]),
  );
}

const named = ({ slots }: Labelled, names: readonly SlotName[]): readonly string[] =>
  names.flatMap((name) => slots[name] ?? []);
