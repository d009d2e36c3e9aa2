/**
 * What people and agents keep most: short texts. Each workload is a list of writes that every peer is given alike.
 *
 * @module
 */
import { makePlan, type Write } from "../peers/plan.ts";
import { YEAR_MS, YEAR_START } from "../reference/workload.ts";
import { type English, english } from "../support/english.ts";
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts";

export const WORKLOAD_NAMES = ["facts", "turns", "versions", "long"] as const;
export type WorkloadName = (typeof WORKLOAD_NAMES)[number];

export interface ShortWorkload {
  readonly name: WorkloadName;
  readonly title: string;
  readonly writes: readonly Write[];
  readonly memories: number;
  /** Bytes of the contents of all versions, as UTF-8. */
  readonly contentBytes: number;
  /** Of those that are current at the end. */
  readonly currentBytes: number;
}

interface Shape {
  readonly title: string;
  readonly sizeBytes: number;
  readonly versions: number;
  /** For each of those asked for. */
  readonly times: number;
}

const SHAPES: Readonly<Record<Exclude<WorkloadName, "long">, Shape>> = {
  facts: { title: "facts of 60 B", sizeBytes: 60, versions: 1, times: 4 },
  turns: { title: "turns of 150 B", sizeBytes: 150, versions: 1, times: 2 },
  versions: { title: "500 B, five versions", sizeBytes: 500, versions: 5, times: 1 },
};
const CATEGORIES = ["work", "home", "people", "code", "places", "plans"];
const SPEAKERS = ["Ines", "Tove"];
const TURNS_OF_A_SESSION = 20;
const SESSION = "session-";

/** @param memories - of those with versions: there are more facts and turns */
export async function shortWorkload(
  name: WorkloadName,
  memories: number,
  seed: number,
): Promise<ShortWorkload> {
  if (name === "long") {
    const size = { memories, changes: memories * 3, samples: 1 };
    const { writes } = await makePlan(size, seed);
    return described(name, "2 kB, three versions", writes);
  }
  const { title, times } = SHAPES[name];
  return described(name, title, writesOf(name, memories * times, seed));
}

function writesOf(name: Exclude<WorkloadName, "long">, memories: number, seed: number): readonly Write[] {
  const { sizeBytes, versions } = SHAPES[name];
  const random = seededRandom(seed, 11);
  const words = english(seededRandom(seed, 12));
  const stepMs = YEAR_MS / (memories * versions);
  const first = Array.from({ length: memories }, (_, index) => ({
    id: Buffer.from(random.bytes(16)).toString("hex"),
    ...labelsOf(name, index, random, words),
    content: textOf(words, sizeBytes),
  }));
  const contents = first.map(({ content }) => content);
  return Array.from({ length: versions }, (_, version) =>
    first.map((memory, index): Write => {
      if (version > 0) contents[index] = revised(contents[index] as string, words, random.unit());
      return {
        ...memory,
        content: contents[index] as string,
        type: version === 0 ? "remember" : "revise",
        time: YEAR_START + Math.round((version * memories + index) * stepMs),
      };
    }),
  ).flat();
}

/** Whole words, a few bytes more or less than asked for. */
export function textOf({ sentence }: English, sizeBytes: number): string {
  let text = sentence();
  while (text.length < sizeBytes) text += ` ${sentence()}`;
  const end = text.lastIndexOf(" ", sizeBytes);
  return end <= 0 ? text : text.slice(0, end);
}

/** The text with a tenth of its words exchanged for others. */
export function revised(content: string, { sentence }: English, place: number): string {
  const words = content.split(" ");
  const count = Math.ceil(words.length / 10);
  const start = Math.floor(place * (words.length - count));
  return words.toSpliced(start, count, ...sentence().split(" ").slice(0, count)).join(" ");
}

/** A turn has its session and its speaker in their place. */
function labelsOf(
  name: WorkloadName,
  index: number,
  random: SeededRandom,
  words: English,
): Pick<Write, "category" | "tags"> {
  if (name === "turns") {
    const session = Math.floor(index / TURNS_OF_A_SESSION) + 1;
    return { category: `${SESSION}${session}`, tags: [SPEAKERS[index % SPEAKERS.length] as string] };
  }
  const category = CATEGORIES[random.below(CATEGORIES.length)] as string;
  return { category, tags: name === "versions" ? [words.topic()] : [] };
}

/** The category of a turn: who keeps sources puts it there. */
export const isSession = (category: string): boolean => category.startsWith(SESSION);

function described(name: WorkloadName, title: string, writes: readonly Write[]): ShortWorkload {
  const current = new Map(writes.map(({ id, content }) => [id, content]));
  const sum = (contents: Iterable<string>): number =>
    [...contents].reduce((bytes, content) => bytes + Buffer.byteLength(content), 0);
  return {
    ...{ name, title, writes, memories: current.size },
    contentBytes: sum(writes.map(({ content }) => content)),
    currentBytes: sum(current.values()),
  };
}
