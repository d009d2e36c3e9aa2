/**
 * A merge of 500 and 500: what is revised on a branch and meanwhile on main, and what both together say.
 *
 * @module
 */
import { type Workload, withSentence } from "./workload.ts";

export interface Revision {
  readonly id: string;
  readonly content: string;
}

export interface MergeTask {
  readonly onBranch: readonly Revision[];
  readonly onMain: readonly Revision[];
  /** What every memory touched has to say after the merge. */
  readonly expected: ReadonlyMap<string, string>;
}

/** How many such merges one workload has fresh memories for. */
export const MERGES = 3;
const MERGED_ALONE = 450;
const MERGED_TOGETHER = 50;
const [FIRST, LAST] = [0.05, 0.95];

/**
 * Chooses memories that no earlier task had: 500 for each side, 50 of them on both, in different
 * sentences; fewer, in these proportions, in a small workload.
 */
export function mergeTask(workload: Workload): MergeTask {
  const chosen = workload.sampleFresh(
    Math.floor(Math.min(MERGED_ALONE * 2 + MERGED_TOGETHER, workload.ids.length / MERGES)),
  );
  const togetherEnd = Math.ceil((chosen.length * MERGED_TOGETHER) / (MERGED_ALONE * 2 + MERGED_TOGETHER));
  const middle = Math.floor((togetherEnd + chosen.length) / 2);
  const expected = new Map(chosen.map((id) => [id, workload.contentOf(id)]));
  const revise = (ids: readonly string[], place: number): readonly Revision[] =>
    ids.map((id) => {
      const sentence = workload.sentence();
      expected.set(id, withSentence(expected.get(id) as string, place, sentence));
      return { id, content: withSentence(workload.contentOf(id), place, sentence) };
    });
  return {
    onBranch: revise(chosen.slice(0, middle), FIRST),
    onMain: revise([...chosen.slice(0, togetherEnd), ...chosen.slice(middle)], LAST),
    expected,
  };
}
