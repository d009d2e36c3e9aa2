/**
 * Requests for approval, and decisions about them, whose words speak of what is erased: a call that is kept to be made
 * again repeats its text.
 *
 * @module
 */
import {
  type MemoryId,
  parseDecisionEntry,
  parseRequestEntry,
  type RecordHash,
  type Reference,
  requestOfKey,
} from "@cambium/core";
import type { ErasureServices } from "./services.js";

/** What is shorter stands in every other sentence. */
const LEAST_LETTERS = 3;

/** Returns the records that hold such words, decided requests included. */
export async function quotingRequests(
  { catalog, packs }: ErasureServices,
  memories: ReadonlySet<MemoryId>,
  contents: readonly string[],
): Promise<readonly RecordHash[]> {
  const quoting = new Set<RecordHash>();
  const texts = contents.filter((text) => text.trim().length >= LEAST_LETTERS);
  const inCalls = [...memories, ...texts.map((text) => JSON.stringify(text).slice(1, -1))];
  const inSentences = [...memories, ...texts];
  for (const [key, { value, others }] of catalog.current.settings) {
    const request = requestOfKey(key);
    if (request === undefined) continue;
    for (const one of [value, ...others]) {
      const text = textOf(one.value, request.isDecision);
      const reading = text && (await packs.readOnce(text, request.id));
      if (reading?.status !== "here") continue;
      const { fields, notes } = reading.record;
      const sentences = request.isDecision ? [fields.content] : [notes.reason ?? ""];
      const isQuoting =
        (!request.isDecision && inCalls.some((words) => fields.content.includes(words))) ||
        sentences.some((sentence) => inSentences.some((words) => sentence.includes(words)));
      if (isQuoting) quoting.add((text as Reference).record);
    }
  }
  return [...quoting];
}

const textOf = (entry: unknown, isDecision: boolean): Reference | undefined =>
  (isDecision ? parseDecisionEntry(entry) : parseRequestEntry(entry))?.text;
