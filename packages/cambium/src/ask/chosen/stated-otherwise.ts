/**
 * A statement that the trained reader takes for a correction: its parts, and what is only told beside it. Pure.
 *
 * @module
 */
import type { Intent, Understood } from "../intent.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { typedParts } from "../typed-parts.js";
import type { Beside } from "./beside.js";
import type { Choice } from "./choice.js";
import { unaccounted } from "./doing.js";
import { isLoose } from "./how-sure.js";
import { choiceOf } from "./slot-texts.js";
import { topicRead } from "./words.js";

/** So sure that a statement says what is otherwise now. */
const LEAST_TO_CORRECT = 0.5;

/** A statement that the reader takes for a correction is no second memory, whatever else is said in it. */
export function withOtherwise(sentence: string, found: Understood, { reading, around }: Beside): Understood {
  const [top] = reading.acts;
  const { request } = found;
  if (request.operation !== "correct" && request.operation !== "remember") return found;
  if (top?.act !== "correct" || top.probability < LEAST_TO_CORRECT || !isLoose(found, reading, around))
    return found;
  const value = valueIn(choiceOf("correct", sentence, reading, around), sentence, reading);
  const apart = besideIn(request.content, reading);
  if (apart === undefined) return { ...found, request: { ...request, isOtherwise: true, ...value } };
  const { whole: _whole, ...rest } = { whole: undefined, ...request };
  return {
    ...found,
    request: { ...rest, content: apart.content, isOtherwise: true, ...value },
    leftOut: [...(found.leftOut ?? []), apart.beside],
  };
}

/** "Finn takes size 3 now, they grow so fast": what is only told behind a mark is no part of what is so. */
function besideIn(
  content: string,
  { slots }: TrainedReading,
): { readonly content: string; readonly beside: string } | undefined {
  for (const { name, text, sureness } of slots) {
    if (name !== "left" || sureness < SURE_OF_BESIDE || typedParts(text).length > 0) continue;
    const end = content.length - text.length;
    const before = content.slice(0, end);
    if (content.endsWith(text) && /[,;.–—-]\s*$/.test(before))
      return { content: before.replace(/[\s,;.–—-]+$/, ""), beside: text };
  }
  return undefined;
}
const SURE_OF_BESIDE = 0.6;

/** What is so now, of what and instead of what: where the grammar finds a correction and no memory for it. */
function valueIn(
  choice: Choice,
  sentence: string,
  { cue }: TrainedReading,
): Pick<Extract<Intent, { operation: "correct" }>, "named"> {
  const { slots } = choice;
  const [subject, now, insteadOf] = [slots.topic?.[0], slots.new?.[0], slots.old?.[0]];
  if (now === undefined || (subject ?? insteadOf) === undefined) return {};
  // "The release day is Monday for beta testers" is no other release day.
  const after = sentence.slice(sentence.indexOf(now) + now.length);
  if (RESTRICTED.test(after) && unaccounted(choice, after, cue.words).length > 0) return {};
  // "Saturdays at 11am": neither takes another's place alone.
  const kinds = new Set(typedParts(now).map(({ kind }) => kind));
  const named = [now, subject, insteadOf].join(" ");
  const isMore = typedParts(sentence).some(
    ({ kind, text }) => kind !== "number" && !kinds.has(kind) && !named.includes(text),
  );
  if (isMore && insteadOf === undefined) return {};
  return {
    named: { subject: topicRead(subject ?? ""), now, ...(insteadOf === undefined ? {} : { insteadOf }) },
  };
}

const RESTRICTED = /^ (?:only )?(?:for|when|if|unless|except|with|in|on|at|among|during) /i;
