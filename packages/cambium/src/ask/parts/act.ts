/**
 * What an answer is chosen by: a clause with what it names, and the words that speak for the answer.
 *
 * @module
 */
import type { Intent, ParsedBranch, Surroundings } from "../intent.js";
import { aboutOf, type Slots } from "./slots.js";

export interface Heard {
  readonly text: string;
  readonly slots: Slots;
  /** What was told beside it. */
  readonly stated: string;
  /** What "it" is: what was told or asked before speaks of it. */
  readonly before: string | undefined;
  readonly around: Surroundings;
}

/** What is answered, and on which branch. */
export interface Answered {
  readonly request: Intent;
  readonly branch?: ParsedBranch;
  readonly isPreview?: true;
}

export interface Act {
  /** How much each of them says for it. */
  readonly evidence: readonly (readonly [RegExp, number])[];
  readonly read: (heard: Heard) => Answered | undefined;
}

export const branchOf = (name: string): ParsedBranch => ({ said: name, matches: [name] });
export const plain = (
  operation: "conflicts" | "status" | "export" | "branches" | "checkpoints",
): Answered => ({
  request: { operation },
});

/** Words of the request, which no memory is about. */
export const OF_ASKING =
  /^(?:old|former|way|story|behind|highlights?|touch\w*|miss|missed|lately|chang\w*|switch\w*|mov(?:ed?|ing)|history|timeline|time|times|originally|previous|previously|before|first|initial|initially|earlier|over|used|always|ever|different\w*|differ\w*|compar\w*|versions?|updat\w*|edit\w*|correct\w*|last|latest|newest|recent|touched|come|comes|came|source|who|develop\w*|evol\w*|merg\w*|bring\w*|would|yesterday's|beginning|point|side|sides|since|became|become|new|news|messed|mess|screwed|broke|broken|jotted|look|show|tell|like|rundown|summary|overview|recap|quick|short|full|complete|happen\w*|stood|stand|stands|set|don't|didn't|conflict\w*|contradict\w*|itself|each|other|agree|disagree|decid\w*)$/i;

/** What it is about; "it" is what was spoken of before. */
export const topicOf = ({ slots, before }: Heard): string => {
  const about = aboutOf(slots.left, OF_ASKING);
  return about === "" ? (before ?? "") : about;
};

/** On the branch that is named, where it counts. */
export const placed = (request: Intent, { slots }: Heard): Answered => {
  const branch = slots.all("branch").find(({ isSure, name }) => isSure && name !== "main");
  return branch === undefined ? { request } : { request, branch: branchOf(branch.name) };
};

/** Taken first, so that its words are no topic. */
export const withoutBranch = (heard: Heard): Heard => {
  if (heard.slots.all("branch").some(({ isSure }) => isSure)) heard.slots.take("branch");
  return heard;
};
