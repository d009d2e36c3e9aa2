/**
 * What a replica answers: every turn a memory of its speaker, a space for each conversation, nothing set.
 *
 * @module
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certainty, openReplica } from "@cambium/client";
import { memoryOf } from "../conversations/speak.ts";
import { DEPTH } from "./measures.ts";
import type { Quiz } from "./questions.ts";

export interface Recalled {
  /** Ids of turns, best first, for each question. */
  readonly answers: readonly (readonly string[])[];
  /** How sure each answer was. */
  readonly certainties: readonly Certainty[];
  /** Of each call of `recall`, in milliseconds. */
  readonly recallsMs: readonly number[];
}

const WRITES_IN_FLIGHT = 32;

export async function answerByRecall({ name, turns, questions }: Quiz): Promise<Recalled> {
  await using home = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  const dir = join(home.path, "replica");
  await using replica = await openReplica({ dir, stateDir: `${dir}-state` });
  const space = await replica.createSpace({ name });
  for (let first = 0; first < turns.length; first += WRITES_IN_FLIGHT) {
    const batch = turns.slice(first, first + WRITES_IN_FLIGHT);
    await Promise.all(
      batch.map((turn) => space.as({ agent: turn.speaker, conversation: name }).remember(memoryOf(turn))),
    );
  }
  const answers: (readonly string[])[] = [];
  const certainties: Certainty[] = [];
  const recallsMs: number[] = [];
  for (const { text } of questions) {
    const start = performance.now();
    const found = await space.recall(text, { limit: DEPTH });
    recallsMs.push(performance.now() - start);
    certainties.push(found.certainty);
    answers.push(found.map(({ source }) => String(source?.turn)));
  }
  return { answers, certainties, recallsMs };
}
