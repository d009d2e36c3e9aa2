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
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { modelBytes, modelFrom } from "../packages/cambium/dist/ask/trained/model-bytes.js";
import { judgedBy, trainActs } from "./ask-training/act-model.ts";
import { temperatureOf } from "./ask-training/calibration.ts";
import { actFigures, readBy, slotFigures } from "./ask-training/figures.ts";
import { digestOfSentences, heldOut, labelled } from "./ask-training/sentences.ts";
import { trainSlots } from "./ask-training/slot-model.ts";

/** The writers of one of them show how sure the model may be of others. */
const PARTS = 4;
const FILE = fileURLToPath(new URL("../packages/cambium/models/ask.bin", import.meta.url));

const { values } = parseArgs({
  options: { without: { type: "string" }, to: { type: "string" }, measure: { type: "boolean" } },
});
const sentences = labelled().filter(({ writer }) => writer !== values.without);

if (values.measure) measure();
else train(values.to ?? FILE);

/** By writers that the model was not trained on. */
function temperature(): number {
  const { others, held } = heldOut(sentences, PARTS, 0);
  return temperatureOf(judgedBy(trainActs(others), held));
}

function train(file: string): void {
  const model = {
    sentences: digestOfSentences(),
    temperature: temperature(),
    acts: trainActs(sentences),
    slots: trainSlots(sentences),
  };
  const bytes = modelBytes(model);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  console.log(`${sentences.length} sentences, temperature ${model.temperature}, ${bytes.length} bytes`);
}

/** A quarter of the writers at a time is read by what was trained on the others. */
function measure(): void {
  const { temperature } = modelFrom(readFileSync(FILE));
  const read = Array.from({ length: PARTS }, (_, part) => {
    const { others, held } = heldOut(sentences, PARTS, part);
    const weights = { acts: trainActs(others), slots: trainSlots(others) };
    return readBy({ sentences: "", temperature, ...weights }, held);
  }).flat();
  for (const line of [...actFigures(read), ...slotFigures(read)]) console.log(line);
}
