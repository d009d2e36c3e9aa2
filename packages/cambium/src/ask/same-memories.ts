/**
 * Memories that say what another one says: recall shows one of them, and the next one as soon as that is forgotten.
 *
 * @module
 */
import type { OnBranch, Space } from "@cambium/client";
import type { MemoryId } from "@cambium/core";

/** Of the pairs of words, as much as `consolidate` asks for. */
const THE_SAME = 0.8;
const MOST = 10;

/** @param except - what is not counted, such as the memory that is forgotten */
export async function memoriesSimilarTo(
  space: Pick<Space, "alike">,
  content: string,
  { branch, except }: OnBranch & { readonly except: readonly string[] },
): Promise<readonly MemoryId[]> {
  const found = await space.alike(content, { branch, threshold: THE_SAME, limit: MOST });
  return found.map(({ id }) => id).filter((id) => !except.includes(id));
}

/** The same after a write, which stands whatever becomes of this. */
export const memoriesStillSimilar: typeof memoriesSimilarTo = async (...args) => {
  try {
    return await memoriesSimilarTo(...args);
  } catch {
    return [];
  }
};
