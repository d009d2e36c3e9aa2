/**
 * How sure the two readers of a request are of it: what the grammar found for any words, and what it found exactly; what a
 * statement is no statement for. Pure.
 *
 * @module
 */
import { READS } from "../examples.js";
import { knownName } from "../grammar/known-names.js";
import type { Intent, Surroundings, Understood } from "../intent.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { isOf, SAME } from "./beside.js";
import { nameRead } from "./words.js";

export const SURE = 0.95;
/** With less for what would be written, it is not. */
export const LEAST_TO_WRITE = 0.5;

export const ANSWERED: ReadonlySet<string> = new Set([...READS, "at-past"]);

/** "I don't need the note on Grafana any more" says nothing of what is so. */
const OF_A_NOTE =
  /^(?:I|we|you) (?:no longer|don't|do not|won't) (?:need|want|use|care).*\b(?:notes?|memor(?:y|ies)|entr(?:y|ies)|reminders?)\b/i;

export function givesWay(found: Understood, reading: TrainedReading, around: Surroundings): boolean {
  const [top] = reading.acts;
  const { request } = found;
  if (top === undefined || isOf(found, top.act) || request.operation === "doubt") return false;
  // "We no longer stock it" says what is so, and may not be an order.
  if (request.operation === "correct" && request.isNegation && !OF_A_NOTE.test(request.content)) return false;
  const sure = top.probability >= SURE;
  return (
    isLoose(found, reading, around) ||
    isVetoed(found, reading) ||
    (sure && ANSWERED.has(request.operation) && found.isPreview !== true)
  );
}

/** What a statement may be read as, where the reader says that it is none, or nothing that is answered. */
export function isVetoed(found: Understood, reading: TrainedReading): boolean {
  const [top] = reading.acts;
  const { request } = found;
  if (top === undefined || isOf(found, top.act)) return false;
  // "We stopped using Jenkins" is one statement; with more, the rest may be an order.
  const isNote = request.operation === "correct" && OF_A_NOTE.test(request.content);
  if (request.operation === "correct" && request.isNegation && !isNote && !MORE_CLAUSES.test(request.content))
    return false;
  const isExact = request.operation === "correct" && found.isLoose !== true;
  if (isExact && top.probability < LEAST_AGAINST_EXACT) return false;
  if (request.operation === "correct" || (request.operation === "remember" && request.isStated))
    return (agreement(found, reading) ?? 1) < Math.min(LEAST_TO_WRITE, top.probability);
  return request.operation === "recall" && found.isLoose === true && NO_ANSWER.has(top.act)
    ? top.probability >= (top.act === "none" ? LEAST_OF_NONE : SURE)
    : false;
}
const LEAST_OF_NONE = 0.95;
const LEAST_AGAINST_EXACT = 0.65;
const MORE_CLAUSES = /[,;.] \S|\bso\b/;
const NO_ANSWER: ReadonlySet<Act> = new Set<Act>([
  ...(["none", "forget", "undo", "take-back", "rollback", "restore"] as const),
]);

/** How one thing came to be what it is, is shown with who wrote it and when. A state of the past says less than asked. */
export const CAME_TO_BE: readonly Act[] = ["history", "blame"];
export const PAST: readonly Act[] = [...CAME_TO_BE, "at-past"];
export const LEAST_OF_PAST = 0.8;
export const agreementOf = ({ acts }: TrainedReading, of: readonly Act[]): number =>
  acts.reduce((sum, { act, probability }) => sum + (of.includes(act) ? probability : 0), 0);

/** How likely it is what the grammar says; undefined where the reader knows nothing of the kind. */
export function agreement({ request }: Understood, reading: TrainedReading): number | undefined {
  const same = SAME[request.operation];
  return same && agreementOf(reading, same);
}

const MAY_BE_OTHER: ReadonlySet<string> = new Set([...ANSWERED, "remember", "correct"]);
const SURE_OF_ONE = 0.75;

/** Read because something is found for any words, or because anything may be stated. */
export function isLoose(
  { request, readAs, isLoose: isGuessed, others = [], branch }: Understood,
  { acts: [top] }: TrainedReading,
  around: Surroundings,
): boolean {
  // Two questions are two, unless they surely are one of another kind.
  if (others.length > 0) {
    const all = [request, ...others.map((one) => one.request)];
    return (
      top !== undefined &&
      top.probability >= SURE_OF_ONE &&
      !all.some(({ operation }) => top.act === "none" || SAME[operation]?.includes(top.act))
    );
  }
  if (isOfNobody(request, around)) return true;
  if (readAs !== undefined || (isGuessed === true && MAY_BE_OTHER.has(request.operation))) return true;
  switch (request.operation) {
    case "remember":
      return request.isStated === true;
    case "doubt":
      return true;
    case "correct":
      return request.isNegation !== true && branch === undefined;
    case "merge":
      return request.from.matches.length === 0;
    default:
      return false;
  }
}

/** "What did Figtree charge in August" names nobody who writes here. */
export const isOfNobody = (request: Intent, { agents }: Surroundings): boolean =>
  (request.operation === "list" || request.operation === "recall") &&
  request.agent !== undefined &&
  agents !== undefined &&
  knownName(nameRead(request.agent, agents), agents) === undefined;
