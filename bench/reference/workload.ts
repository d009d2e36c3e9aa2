/**
 * The reference workload: a year in which memories of about 2 KB are written and each is revised a few
 * times, a sentence at a time. The same for the same seed and sizes.
 *
 * @module
 */
import type { RememberInput, Space } from "@cambium/client";
import { type English, english } from "../support/english.ts";
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts";

export interface WorkloadSize {
  readonly memories: number;
  /** Every memory takes one to be written; the rest are revisions. */
  readonly changes: number;
  /** At most so many measurements of each operation. */
  readonly samples: number;
}

/** What the space must hold afterwards. */
export interface Written {
  readonly contentById: Map<string, string>;
  /** Bytes of all contents of all versions, as UTF-8. */
  rawBytes: number;
  changes: number;
}

/** The one who writes the memories down: an agent of a space, or a list of what was written. */
export interface Writer {
  remember(input: RememberInput): Promise<{ readonly id: string }>;
  revise(id: string, input: { readonly content: string }): Promise<unknown>;
}

/** Time that only moves when the workload says so. */
export interface WorkloadClock {
  now: number;
}

export const YEAR_START = Date.UTC(2026, 0, 1);
export const YEAR_MS = 365 * 86_400_000;
const CATEGORIES = ["work", "home", "people", "code", "places", "plans", "health", "reading"];
/** Writes in flight together, as of a few agents on one device: they share commits. */
const IN_FLIGHT = 32;

export class Workload {
  readonly size: WorkloadSize;
  readonly #random: SeededRandom;
  readonly #english: English;
  readonly #clock: WorkloadClock;
  readonly written: Written = { contentById: new Map(), rawBytes: 0, changes: 0 };
  readonly #ids: string[] = [];
  readonly #taken = new Set<string>();

  constructor(size: WorkloadSize, seed: number, clock: WorkloadClock) {
    this.size = size;
    this.#random = seededRandom(seed, 1);
    this.#english = english(seededRandom(seed, 2));
    this.#clock = clock;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Writes everything through the library, in the order of its dates. */
  write(space: Space, onProgress: (changes: number) => void): Promise<void> {
    return this.writeTo(space.as({ agent: "bench" }), onProgress);
  }

  async writeTo(writer: Writer, onProgress: (changes: number) => void): Promise<void> {
    const { memories, changes } = this.size;
    const stepMs = YEAR_MS / changes;
    while (this.written.changes < changes) {
      const count = Math.min(IN_FLIGHT, changes - this.written.changes);
      await Promise.all(this.#batch(writer, count, memories));
      this.written.changes += count;
      this.#clock.now = YEAR_START + Math.round(this.written.changes * stepMs);
      onProgress(this.written.changes);
    }
  }

  /** New memories come evenly over the first two thirds of the year; no batch writes one memory twice. */
  #batch(writer: Writer, count: number, memories: number): Promise<void>[] {
    const due = Math.ceil(((this.written.changes + count) / this.size.changes) * 1.5 * memories);
    const fresh = Math.min(count, Math.max(0, Math.min(due, memories) - this.#ids.length));
    const revised = this.sample(Math.min(count - fresh, this.#ids.length));
    const creations = Array.from({ length: count - revised.length }, () => this.remember(writer));
    return [...creations, ...revised.map((id) => this.revise(writer, id))];
  }

  /** Distinct memories. */
  sample(count: number): readonly string[] {
    const chosen = new Set<string>();
    while (chosen.size < count) chosen.add(this.#ids[this.#random.below(this.#ids.length)] as string);
    return [...chosen];
  }

  /** Distinct memories that no earlier call gave. */
  sampleFresh(count: number): readonly string[] {
    const fresh = this.#ids.filter((id) => !this.#taken.has(id));
    const chosen: string[] = [];
    while (chosen.length < count && fresh.length > 0) {
      chosen.push(...fresh.splice(this.#random.below(fresh.length), 1));
    }
    for (const id of chosen) this.#taken.add(id);
    return chosen;
  }

  topic(): string {
    return this.#english.topic();
  }

  input(): RememberInput {
    const content = this.#english.text(1_600 + this.#random.below(800));
    return {
      content,
      category: CATEGORIES[this.#random.below(CATEGORIES.length)],
      tags: [this.#english.topic(), this.#english.topic()],
      importance: this.#random.below(11) / 10,
      source: { kind: "bench", conversation: this.#random.below(1_000) },
    };
  }

  async remember(writer: Writer, input = this.input()): Promise<void> {
    const { id } = await writer.remember(input);
    this.#ids.push(id);
    this.note(id, input.content);
  }

  async revise(writer: Writer, id: string, content = this.revision(this.contentOf(id))): Promise<void> {
    await writer.revise(id, { content });
    this.note(id, content);
  }

  /** What a memory has to say now. */
  contentOf(id: string): string {
    return this.written.contentById.get(id) as string;
  }

  /** The text with one sentence exchanged for a new one. */
  revision(content: string, place = this.#random.unit()): string {
    return withSentence(content, place, this.#english.sentence());
  }

  sentence(): string {
    return this.#english.sentence();
  }

  /** A version has been written. */
  note(id: string, content: string): void {
    this.written.contentById.set(id, content);
    this.written.rawBytes += Buffer.byteLength(content);
  }
}

/** @param place - which sentence: 0 is the first, just below 1 the last */
export function withSentence(content: string, place: number, sentence: string): string {
  const sentences = content.split(/(?<=\.)(?=[ \n])/);
  const index = Math.floor(place * sentences.length);
  const gap = index === 0 ? "" : (sentences[index] as string).charAt(0);
  return sentences.toSpliced(index, 1, `${gap}${sentence}`).join("");
}
