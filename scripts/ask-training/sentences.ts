/**
 * The labelled sentences that the reader of `cambium ask` is trained on.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Act, SlotName } from "../../packages/cambium/dist/ask/trained/acts.js";

export interface Labelled {
  /** As it was typed. */
  readonly s: string;
  readonly act: Act;
  /** Parts of the sentence, in its words. */
  readonly slots: Readonly<Partial<Record<SlotName, string | readonly string[]>>>;
  /** The file that it is in: one a person. */
  readonly writer: string;
}

const DIRECTORY = fileURLToPath(new URL("../../packages/cambium/test/ask/sentences", import.meta.url));

const files = (): readonly string[] =>
  readdirSync(DIRECTORY)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted();

export const labelled = (): readonly Labelled[] =>
  files().flatMap((writer) =>
    readFileSync(join(DIRECTORY, writer), "utf8")
      .trim()
      .split("\n")
      .map((line) => ({ ...(JSON.parse(line) as Omit<Labelled, "writer">), writer })),
  );

/** Of the files and their names, whatever the ends of lines are. */
export function digestOfSentences(): string {
  const hash = createHash("sha256");
  for (const name of files())
    hash.update(`${name}\n${readFileSync(join(DIRECTORY, name), "utf8").replaceAll("\r\n", "\n")}`);
  return hash.digest("hex");
}

/** Of so many parts of the writers one is held out, so that nothing is known of who wrote its sentences. */
export function heldOut(
  sentences: readonly Labelled[],
  parts: number,
  part: number,
): { readonly others: readonly Labelled[]; readonly held: readonly Labelled[] } {
  const writers = [...new Set(sentences.map(({ writer }) => writer))];
  const out = new Set(writers.filter((_writer, at) => at % parts === part));
  return {
    others: sentences.filter(({ writer }) => !out.has(writer)),
    held: sentences.filter(({ writer }) => out.has(writer)),
  };
}
