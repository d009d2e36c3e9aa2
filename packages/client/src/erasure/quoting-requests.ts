/**
 * Requests for approval whose words speak of what is erased: a call that is kept to be made again repeats its text.
 *
 * @module
 */
import { type MemoryId, parseRequestEntry, type RecordHash, requestOfKey } from "@cambium/core";
import type { ErasureServices } from "./services.js";

/** Returns the records that hold the words of such requests, decided ones included. */
export async function quotingRequests(
  { catalog, packs }: ErasureServices,
  memories: ReadonlySet<MemoryId>,
  texts: readonly string[],
): Promise<readonly RecordHash[]> {
  const quoting: RecordHash[] = [];
  const quoted = [...memories, ...texts.map((text) => JSON.stringify(text).slice(1, -1))];
  for (const [key, { value }] of catalog.current.settings) {
    const request = requestOfKey(key);
    if (request === undefined || request.isDecision) continue;
    const text = parseRequestEntry(value.value)?.text;
    if (text === undefined) continue;
    const reading = await packs.readOnce(text, request.id);
    if (reading.status !== "here") continue;
    const { content } = reading.record.fields;
    if (quoted.some((words) => content.includes(words))) quoting.push(text.record);
  }
  return quoting;
}
