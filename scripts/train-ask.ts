/**
 * Trains the reader of sentences of `cambium ask` on the labelled sentences, and writes its weights into the package.
 * The same sentences make the same bytes. Run `npm run build` before it.
 *
 *   node scripts/train-ask.ts                                        writes packages/cambium/models/ask.bin
 *   node scripts/train-ask.ts --without voices-3.jsonl --to <file>   leaves one person's sentences out
 *   node scripts/train-ask.ts --measure                              how well it reads people it was not trained on
 *
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { modelBytes } from "../packages/cambium/dist/ask/trained/model-bytes.js";
import { judgedByOthers, trainActs } from "./ask-training/act-model.ts";
import { temperatureOf } from "./ask-training/calibration.ts";
import { actFigures, slotFigures } from "./ask-training/figures.ts";
import { digestOfSentences, labelled } from "./ask-training/sentences.ts";
import { taggedByOthers, trainSlots } from "./ask-training/slot-model.ts";

/** The writers of one of them show how sure the model may be of others. */
const PARTS = 4;
const FILE = fileURLToPath(new URL("../packages/cambium/models/ask.bin", import.meta.url));

const { values } = parseArgs({
  options: { without: { type: "string" }, to: { type: "string" }, measure: { type: "boolean" } },
});
const sentences = labelled().filter(({ writer }) => writer !== values.without);

if (values.measure) measure();
else train(values.to ?? FILE);

function train(file: string): void {
  const temperature = temperatureOf(judgedByOthers(sentences, PARTS, 0));
  const bytes = modelBytes({
    sentences: digestOfSentences(),
    temperature,
    acts: trainActs(sentences),
    slots: trainSlots(sentences),
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  console.log(`${sentences.length} sentences, temperature ${temperature}, ${bytes.length} bytes`);
}

/** A quarter of the writers at a time is read by what was trained on the others. */
function measure(): void {
  const parts = Array.from({ length: PARTS }, (_, part) => part);
  const judged = parts.flatMap((part) => judgedByOthers(sentences, PARTS, part));
  for (const line of actFigures(judged, temperatureOf(judged))) console.log(line);
  const tagged = parts.flatMap((part) => taggedByOthers(sentences, PARTS, part));
  for (const line of slotFigures(tagged)) console.log(line);
}
