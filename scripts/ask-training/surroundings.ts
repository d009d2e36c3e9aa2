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

/** So many other sentences lend their names. */
const LENDERS = 18;

export function namesAround(sentence: Labelled, others: readonly Labelled[], random: Random): KnownNames {
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
