/**
 * The weights of the trained reader, from their file in this package: read when a sentence is first asked about.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { modelFrom, type TrainedModel } from "./trained/model-bytes.js";

/** From here, from what the compiler wrote of this, and from the bundle it is the same way. */
const FILE = new URL("../../models/ask.bin", import.meta.url);

let loaded: TrainedModel | undefined;

export function trainedModel(): TrainedModel {
  loaded ??= modelFrom(readFileSync(FILE));
  return loaded;
}
