/**
 * Memories that say what another one says: recall shows one of them, and the next one as soon as that is forgotten.
 *
 * @module
 */
import type { OnBranch, Space } from "@cambium/client";
import { isDuplicateText } from "@cambium/client/host";
import type { MemoryId } from "@cambium/core";

/** Of the pairs of words, as much as `consolidate` asks for. */
const THE_SAME = 0.8;
const MOST = 10;
/** The same words in another order have few pairs in common, and recall shows one of them all the same. */
const COMPARED = { threshold: 0.1, limit: 40 };

/** @param except - what is not counted, such as the memory that is forgotten */
export async function memoriesSimilarTo(
  space: Pick<Space, "alike">,
  content: string,
  { branch, except }: OnBranch & { readonly except: readonly string[] },
): Promise<readonly MemoryId[]> {
  const found = await space.alike(content, { branch, ...COMPARED });
  return found
    .filter((memory) => memory.similarity >= THE_SAME || isDuplicateText(content, memory.content))
    .map(({ id }) => id)
    .filter((id) => !except.includes(id))
    .slice(0, MOST);
}

/** The same after a write, which stands whatever becomes of this. */
export const memoriesStillSimilar: typeof memoriesSimilarTo = async (...args) => {
  try {
    return await memoriesSimilarTo(...args);
  } catch {
    return [];
  }
};
