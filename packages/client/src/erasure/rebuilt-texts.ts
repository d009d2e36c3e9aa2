/**
 * Pruned texts that this device can put together again: no index finds them, and an erasure looks at them all the same.
 *
 * @module
 */
import type { RecordHash } from "@cambium/core";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { ErasureServices } from "./services.js";

/** Memories whose texts are put together before others get on. */
const MEMORIES_AT_ONCE = 16;

/** Returns them by the versions that said them. */
export async function rebuiltTexts(
  { differences }: Pick<ErasureServices, "differences">,
  headers: readonly HeldHeader[],
): Promise<ReadonlyMap<RecordHash, string>> {
  const texts = new Map<RecordHash, string>();
  const kept = new Set(differences.memories());
  if (kept.size === 0) return texts;
  const turns = new ShortTurns({ pieces: MEMORIES_AT_ONCE });
  for (const [memory, records] of Map.groupBy(headers, (header) => header.memory)) {
    if (!kept.has(memory)) continue;
    await turns.piece();
    const rebuilt = await differences.rebuiltOf(memory, new Set(records.map(({ content }) => content.hash)));
    for (const { hash, content } of records) {
      const text = rebuilt.get(content.hash);
      if (text !== undefined) texts.set(hash, text);
    }
  }
  return texts;
}
