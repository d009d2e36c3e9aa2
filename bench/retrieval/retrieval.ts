/**
 * How often recall finds what answers a question, against plain BM25 on the same texts.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Certainty } from "@cambium/client";
import { machine, machineLine, table, writeJson } from "../support/report.ts";
import { msText, quantiles } from "../support/statistics.ts";
import { UsageError } from "../support/usage-error.ts";
import { GRID, type LeftOut, leaveOneOut } from "./leave-one-out.ts";
import { MEASURE_TITLES, MEASURES, type Measures, mean, measure } from "./measures.ts";
import { answerByPlainBm25 } from "./plain-bm25.ts";
import { CATEGORIES, type Category, type Quiz, readQuizzes } from "./questions.ts";
import { answerByRecall } from "./recalled.ts";

interface Scored {
  readonly conversation: string;
  readonly category: Category;
  readonly question: string;
  readonly certainty: Certainty | undefined;
  readonly plain: Measures;
  readonly recall: Measures;
}

/** @returns 0: the figures are the result */
export async function retrieval(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { "leave-one-out": { type: "boolean", default: false }, json: { type: "string" } },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError("Give one file of conversations.");
  const on = await machine();
  const quizzes = await readQuizzes(path);
  const { scored, recall } = await score(quizzes);
  console.log(`retrieval\n${machineLine(on)}\n`);
  console.log(resultTable(scored));
  const leftOut = quizzes.reduce((total, { unanswerable }) => total + unanswerable, 0);
  console.log(
    `\n${scored.length} questions on ${quizzes.length} conversations; ${leftOut} more name no turn as evidence. Recall takes ${msText(recall.p50)} ms (p95 ${msText(recall.p95)} ms).`,
  );
  const folds = values["leave-one-out"] ? await leaveOneOut(quizzes, progress) : undefined;
  if (folds !== undefined) console.log(`\n${foldTable(folds)}`);
  if (values.json !== undefined)
    await writeJson(values.json, { benchmark: "retrieval", machine: on, scored, recall, leaveOneOut: folds });
  return 0;
}

async function score(quizzes: readonly Quiz[]) {
  const scored: Scored[] = [];
  const recallsMs: number[] = [];
  for (const quiz of quizzes) {
    console.error(`${quiz.name}: ${quiz.turns.length} turns, ${quiz.questions.length} questions`);
    const plain = answerByPlainBm25(quiz);
    const recalled = await answerByRecall(quiz);
    recallsMs.push(...recalled.recallsMs);
    for (const [index, { text: question, category, evidence }] of quiz.questions.entries())
      scored.push({
        conversation: quiz.name,
        category,
        question,
        certainty: recalled.certainties[index],
        plain: measure(plain[index] ?? [], evidence),
        recall: measure(recalled.answers[index] ?? [], evidence),
      });
  }
  return { scored, recall: quantiles(recallsMs) };
}

const progress = (done: number): void => {
  if (done % 12 === 0) console.error(`leave one out: ${done} of ${GRID.length} settings`);
};

/** Adversarial questions name the wrong person, so that they stand apart as well as in the whole. */
function resultTable(scored: readonly Scored[]): string {
  const groups: readonly (readonly [string, (one: Scored) => boolean])[] = [
    ["all", () => true],
    ["all but adversarial", ({ category }) => category !== 5],
    ...Object.entries(CATEGORIES).map(
      ([id, title]) => [title, (one: Scored) => one.category === Number(id)] as const,
    ),
    ...(["strong", "weak", "none"] as const).map(
      (certainty) => [`answered as ${certainty}`, (one: Scored) => one.certainty === certainty] as const,
    ),
    ...[...new Set(scored.map(({ conversation }) => conversation))].map(
      (name) => [name, (one: Scored) => one.conversation === name] as const,
    ),
  ];
  const rows = groups.flatMap(([title, belongs]) => {
    const members = scored.filter(belongs);
    return members.length === 0
      ? []
      : [
          cells(
            `${title}, plain BM25`,
            members.map(({ plain }) => plain),
          ),
          cells(
            `${title}, recall`,
            members.map(({ recall }) => recall),
          ),
        ];
  });
  return table(["questions", "n", ...MEASURE_TITLES], rows);
}

function foldTable(folds: readonly LeftOut[]): string {
  const rows = folds.flatMap(({ conversation, settings, measures, byDefaults }) => [
    cells(`${conversation}, chosen on the others: ${JSON.stringify(settings)}`, measures),
    cells(`${conversation}, defaults`, byDefaults),
  ]);
  const all = [
    cells(
      "all, chosen on the others",
      folds.flatMap(({ measures }) => measures),
    ),
    cells(
      "all, defaults",
      folds.flatMap(({ byDefaults }) => byDefaults),
    ),
  ];
  return table(["leave one out", "n", ...MEASURE_TITLES], [...rows, ...all]);
}

const cells = (title: string, measures: readonly Measures[]): readonly string[] => [
  title,
  String(measures.length),
  ...MEASURES.map((name) => mean(measures, name).toFixed(3)),
];
