/**
 * Answers that rest on one index. A reader waits in the midst of its work, and meanwhile an erasure may have thrown the
 * index away: rows that it holds are gone then, or are those of something else.
 *
 * @module
 */
import type { SpaceIndex } from "../index-store/space-index.js";

/** Each time it was thrown away once more. */
const MAX_ATTEMPTS = 10;

/** Asks again where the index was thrown away meanwhile, whatever came of it. */
export async function steadyAnswer<Answer>(
  index: Pick<SpaceIndex, "generation">,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const { generation } = index;
    const isSteady = (): boolean => index.generation === generation || attempt === MAX_ATTEMPTS;
    try {
      const answer = await ask();
      if (isSteady()) return answer;
    } catch (error) {
      if (isSteady()) throw error;
    }
  }
}
