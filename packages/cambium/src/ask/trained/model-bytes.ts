/**
 * The file of weights: a header as JSON, then for acts and for tags of tokens the features by ascending hash, each as the distance from the
 * one before (in groups of seven bits) and its weights. Pure.
 *
 * @module
 */
import { type LinearWeights, rowLength } from "./linear-model.js";
import type { SlotWeights } from "./slot-tagger.js";

const MAGIC = "cambium-ask-1\n";

interface LinearHeader {
  readonly classes: number;
  readonly scale: number;
  readonly bias: readonly number[];
  readonly features: number;
  /** How many bytes its features take. */
  readonly length: number;
}

interface ModelHeader {
  /** SHA-256 of the sentences that it was trained on. */
  readonly sentences: string;
  /** What the scores of acts are divided by, so that their shares are probabilities. */
  readonly temperature: number;
  readonly acts: LinearHeader;
  readonly slots: Omit<SlotWeights, "tokens"> & { readonly tokens: LinearHeader };
}

export interface TrainedModel {
  readonly sentences: string;
  readonly temperature: number;
  readonly acts: LinearWeights;
  readonly slots: SlotWeights;
}

/** @throws {Error} where the bytes are no model */
export function modelFrom(bytes: Uint8Array): TrainedModel {
  const { header, rest } = headerOf(bytes);
  const { sentences, temperature, acts, slots } = header;
  const end = acts.length + slots.tokens.length;
  return {
    sentences,
    temperature,
    acts: linearFrom(acts, rest.subarray(0, acts.length)),
    slots: { ...slots, tokens: linearFrom(slots.tokens, rest.subarray(acts.length, end)) },
  };
}

function headerOf(bytes: Uint8Array): { header: ModelHeader; rest: Uint8Array } {
  const end = bytes.indexOf(10, MAGIC.length);
  const text = new TextDecoder().decode(bytes.subarray(0, end));
  if (end < 0 || !text.startsWith(MAGIC)) throw new Error("the file of weights is none");
  return { header: JSON.parse(text.slice(MAGIC.length)) as ModelHeader, rest: bytes.subarray(end + 1) };
}

function linearFrom(header: LinearHeader, bytes: Uint8Array): LinearWeights {
  const { classes, scale, bias, features } = header;
  const rows = new Map<number, number>();
  let at = 0;
  let hash = 0;
  for (let feature = 0; feature < features; feature += 1) {
    let distance = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] as number;
      at += 1;
      distance += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    hash += distance;
    rows.set(hash, at);
    at += rowLength(classes);
  }
  return { classes, scale, bias, rows, bytes };
}

/** The other way: what {@link modelFrom} reads. */
export function modelBytes(model: TrainedModel): Uint8Array {
  const acts = linearBytes(model.acts);
  const tokens = linearBytes(model.slots.tokens);
  const header: ModelHeader = {
    sentences: model.sentences,
    temperature: model.temperature,
    acts: headerFor(model.acts, acts),
    slots: { ...model.slots, tokens: headerFor(model.slots.tokens, tokens) },
  };
  return joined([new TextEncoder().encode(`${MAGIC}${JSON.stringify(header)}\n`), acts, tokens]);
}

const headerFor = ({ classes, scale, bias, rows }: LinearWeights, bytes: Uint8Array): LinearHeader => ({
  classes,
  scale,
  bias,
  features: rows.size,
  length: bytes.length,
});

function linearBytes({ classes, rows, bytes }: LinearWeights): Uint8Array {
  const written: number[] = [];
  let last = 0;
  for (const [hash, row] of [...rows].toSorted(([one], [other]) => one - other)) {
    let distance = hash - last;
    last = hash;
    for (; distance > 0x7f; distance = Math.floor(distance / 0x80)) written.push((distance & 0x7f) | 0x80);
    written.push(distance, ...bytes.subarray(row, row + rowLength(classes)));
  }
  return Uint8Array.from(written);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
