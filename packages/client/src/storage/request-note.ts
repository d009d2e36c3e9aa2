/**
 * Notes of requests as text, with a checksum of their own: a damaged one would name a change that nobody made,
 * or keep a call from being made. It counts as none.
 *
 * @module
 */
import { hash } from "../platform/newer-node.js";
import { type Check, isNumber, isText, isTextList, readShape } from "../platform/plain-shape.js";
import type { RequestNote } from "./store.js";

export const REQUEST_KEPT_MS = 86_400_000;

/**
 * Each new note takes so many of the oldest with it, when their day is over: no sweep, and no commit of its own.
 * More than one, so that there are fewer and fewer after a busy day.
 */
export const DROPPED_WITH_EACH = 4;

export interface NoteText {
  readonly text: string;
  readonly sha256: string;
}

export function noteToText({ key, fingerprint, change, type, branch, memories, at }: RequestNote): NoteText {
  const text = JSON.stringify({ key, fingerprint, change, type, branch, memories, at });
  return { text, sha256: checksumOf(text) };
}

/** Returns undefined for a note that is not as it was written. */
export function textToNote({ text, sha256 }: NoteText): RequestNote | undefined {
  if (checksumOf(text) !== sha256) return undefined;
  return readShape<RequestNote>(JSON.parse(text), {
    ...{ key: isText, fingerprint: isText, change: isText, type: isText, branch: isText },
    ...{ memories: isTextListOrNumber, at: isNumber },
  });
}

/** Which of the oldest notes go when one of `at` comes. */
export function overdueNotes(oldestFirst: Iterable<RequestNote>, at: number): readonly RequestNote[] {
  const overdue: RequestNote[] = [];
  let looked = 0;
  for (const note of oldestFirst) {
    if (looked === DROPPED_WITH_EACH) break;
    looked += 1;
    if (note.at < at - REQUEST_KEPT_MS) overdue.push(note);
  }
  return overdue;
}

const checksumOf = (text: string): string => hash("sha256", text, "hex").slice(0, 32);

const isTextListOrNumber: Check<readonly string[] | number> = (value): value is readonly string[] | number =>
  isTextList(value) || isNumber(value);
