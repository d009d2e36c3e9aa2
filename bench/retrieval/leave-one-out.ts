/**
 * Whether the settings were fitted to these conversations: each conversation is scored with what the others
 * would have chosen.
 *
 * @module
 */
import { DEFAULT_RANK_SETTINGS, type RankSettings } from "../../packages/client/dist/search/rank.js";
import { directAnswers } from "./direct.ts";
import { type Measures, measure } from "./measures.ts";
import type { Quiz } from "./questions.ts";

export interface LeftOut {
  readonly conversation: string;
  /** Chosen on the other conversations. */
  readonly settings: RankSettings;
  /** One per question of the conversation. */
  readonly measures: readonly Measures[];
  readonly byDefaults: readonly Measures[];
}

const NEAR = [
  [0.6, 0.4],
  [0.7, 0.5],
  [0.8, 0.6],
];
const SESSION = [0.2, 0.4];
const COVERAGE = [0.25, 0.5, 0.75];
const SPEAKER = [0.2, 0.4];
const ASKING = [0.7, 0.8, 0.9];
const BRIEF_WORDS = [4, 6];

export const GRID: readonly RankSettings[] = NEAR.flatMap((near) =>
  SESSION.flatMap((session) =>
    COVERAGE.flatMap((coverage) =>
      SPEAKER.flatMap((speaker) =>
        ASKING.flatMap((asking) =>
          BRIEF_WORDS.map((briefWords) => ({
            ...DEFAULT_RANK_SETTINGS,
            ...{ near, session, coverage, speaker, asking, briefWords },
          })),
        ),
      ),
    ),
  ),
);

/** @param onProgress - told how many of the grid are done */
export async function leaveOneOut(
  quizzes: readonly Quiz[],
  onProgress: (done: number) => void,
): Promise<readonly LeftOut[]> {
  const answers = await Promise.all(quizzes.map(directAnswers));
  const scored = (settings: RankSettings): readonly (readonly Measures[])[] =>
    quizzes.map(({ questions }, index) =>
      (answers[index]?.(settings) ?? []).map((answer, question) =>
        measure(answer, questions[question]?.evidence ?? []),
      ),
    );
  const tried = GRID.map((settings, index) => {
    onProgress(index);
    return { settings, byQuiz: scored(settings) };
  });
  const byDefaults = scored(DEFAULT_RANK_SETTINGS);
  return quizzes.map(({ name: conversation }, left) => {
    const worth = ({ byQuiz }: (typeof tried)[number]): number =>
      byQuiz.flatMap((measures, index) => (index === left ? [] : measures.map(fitness))).reduce(add, 0);
    const best = tried.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    return {
      conversation,
      settings: best.settings,
      measures: best.byQuiz[left] ?? [],
      byDefaults: byDefaults[left] ?? [],
    };
  });
}

/** What the settings are chosen by. */
const fitness = ({ recallAt5, recallAt10 }: Measures): number => recallAt5 + recallAt10;

const add = (a: number, b: number): number => a + b;
