/**
 * Why something is to be done, said beside it: "the bike is back, delete that note". What may be a condition, an
 * exception, a time or a second order is no reason. Pure.
 *
 * @module
 */
import { leavesMore } from "../one-thing.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { narrowsBeside } from "./checks.js";

interface Reasoned {
  /** The sentence without them. */
  readonly rest: string;
  readonly reasons: readonly string[];
}

/** It begins or ends with the sentence, or at a sign. */
const BEFORE = /(?:^|[.,;:!–—(-]\s*|\s(?:so|because|since|cos|as) )$/i;
const AFTER = /^(?:$|(?:\s*[.,;:!–—)-]|\s+so\b)(?! then\b))/i;
/** What begins so says how much, when, whether or what else. */
const MORE =
  /^(?:and|or|but|if|from|by|for|in|on|until|till|as|with|without|only|at|than|then|also|to|not|no|never|except|unless|after|before|when|while|instead|next|tomorrow|tonight|today|later|now|just|please|don't|dont|do|keep|leave|save|tell|send|email|text|call|show|list|make|add|put|take|undo|forget|delete|remove|restore|merge|remember|first|ask|check|wait|remind|once)\b|\babout\b/i;
/** Of the last change, why says nothing of which one: "that was nonsense", and not "the milk is gone". */
const OF_ITSELF = /^(?:that|it|this|which|I)\b/i;
const LEAST_WORDS = 2;

/** @returns the sentence without what the reader takes for no part of the request, if that only says why */
export function withoutReasons(sentence: string, { acts, slots }: TrainedReading): Reasoned {
  const isLast = acts[0]?.act === "undo";
  const found = slots.filter(({ name, start, end }) => {
    const words = sentence.slice(start, end).trim();
    return (
      name === "left" &&
      words.split(/\s+/).length >= LEAST_WORDS &&
      BEFORE.test(sentence.slice(0, start)) &&
      AFTER.test(sentence.slice(end)) &&
      !MORE.test(words) &&
      (!isLast || OF_ITSELF.test(words)) &&
      !leavesMore(words) &&
      !narrowsBeside(words)
    );
  });
  const rest = found
    .toReversed()
    .reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, sentence)
    .replace(/\s+/g, " ")
    .replace(/^[\s.,;:!?–—)-]+(?:so |then |and )?|[\s,;:–—(-]+$/gi, "")
    .replace(/^(?:so|then|and|hence|therefore) /i, "")
    .replace(/\s*[,;:–—-]\s*([.!?])/g, "$1");
  return { rest, reasons: found.map(({ start, end }) => sentence.slice(start, end)) };
}
