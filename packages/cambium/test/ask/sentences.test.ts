/**
 * Labelled sentences in the voices of many people, written without knowing what the reader can do. Whatever it makes of
 * them, it takes nothing away that nobody asked for.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Surroundings } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";
import { someOf } from "./some-of.js";

interface Labelled {
  /** As it was typed. */
  readonly s: string;
  readonly act: string;
  /** Parts of the sentence. */
  readonly slots: Readonly<Record<string, string | readonly string[]>>;
}

const DIRECTORY = join(import.meta.dirname, "sentences");
const SENTENCES: readonly Labelled[] = readdirSync(DIRECTORY)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) => readFileSync(join(DIRECTORY, name), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line) as Labelled);

/** Everything that a sentence names is there. */
function around({ slots }: Labelled): Surroundings {
  const named = (...names: readonly string[]) => names.flatMap((name) => slots[name] ?? []);
  return {
    now: new Date(2026, 10, 20, 15, 30).getTime(),
    branches: ["main", ...named("branch", "into")],
    checkpoints: named("state"),
    agents: ["cli", "claude-code", "cursor", ...named("agent")],
    devices: ["laptop", "phone", ...named("device")],
    categories: named("category"),
    tags: named("tag"),
  };
}

/** What takes something away, or moves what is there. */
const TAKING: ReadonlySet<string> = new Set([
  "forget",
  "undo",
  "take-back",
  "rollback",
  "fresh",
  "delete-branch",
  "delete-checkpoint",
]);
/** Acts of people that are done by one of these; to correct something may be to go back. */
const MAY_TAKE: ReadonlySet<string> = new Set([
  ...["forget", "undo", "take-back", "rollback", "restore", "delete-branch", "correct"],
]);
/** All of them take half a minute. */
const TRIED = someOf(SENTENCES, 16);

test("[AS86] of sentences that ask for nothing of the kind, none takes anything away", async () => {
  const wrong: string[] = [];
  for (const sentence of TRIED) {
    const found = await understand(sentence.s, around(sentence));
    if (!found.understood || MAY_TAKE.has(sentence.act)) continue;
    if (TAKING.has(found.request.operation) && found.isPreview !== true)
      wrong.push(`${sentence.act} → ${found.request.operation}: ${sentence.s}`);
  }
  expect(wrong).toEqual([]);
});
