/**
 * The ranking alone, with settings to choose, on the turns of a conversation held in memory. What a
 * replica answers by its defaults is measured by `recalled.ts`; this one is for comparing settings.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { FullText } from "../../packages/client/dist/search/full-text.js";
import { placeInSource, speakerOf } from "../../packages/client/dist/search/place-in-source.js";
import { parseQuery, type SearchQuery } from "../../packages/client/dist/search/query.js";
import type { CandidateFacts, RankSettings } from "../../packages/client/dist/search/rank.js";
import { type RecallState, recallSnapshots } from "../../packages/client/dist/search/recall-snapshots.js";
import { Stemmer } from "../../packages/client/dist/search/stemmer.js";
import { TEXT_TABLES_SCHEMA } from "../../packages/client/dist/search/text-tables.js";
import type { Turn } from "../conversations/locomo.ts";
import { memoryOf } from "../conversations/speak.ts";
import { DEPTH } from "./measures.ts";
import type { Quiz } from "./questions.ts";

export type Answer = (settings: RankSettings) => readonly (readonly string[])[];

/** Prepares a conversation; the function returned answers its questions: ids of turns, best first. */
export async function directAnswers({ name, turns, questions }: Quiz): Promise<Answer> {
  const database = new DatabaseSync(":memory:");
  database.exec(TEXT_TABLES_SCHEMA);
  const text = new FullText(database);
  for (const [snapshot, turn] of turns.entries())
    text.add(snapshot, {
      content: turn.content,
      kind: "turn",
      tags: [],
      aliases: [],
      links: [],
      source: memoryOf(turn).source,
    });
  const state = stateOf(name, turns);
  using stemmer = new Stemmer();
  const queries: SearchQuery[] = [];
  for (const question of questions)
    queries.push(await parseQuery(question.text, { now: Date.now(), stemmer }));
  return (settings) =>
    queries.map((query) =>
      recallSnapshots(text, state, { query, limit: DEPTH, past: false, settings }).map(
        ({ facts }) => turns[facts.snapshot]?.id ?? "",
      ),
    );
}

/** The turns as they stand in the file are in the order of their sessions and places. */
function stateOf(conversation: string, turns: readonly Turn[]): RecallState {
  const all: readonly CandidateFacts[] = turns.map((turn, snapshot) => {
    const { source } = memoryOf(turn);
    const { id: memory, occurredAt } = turn;
    const session = placeInSource({ source, conversation, occurredAt, at: 0 })?.session;
    return { snapshot, memory, at: 0, occurredAt, speaker: speakerOf(source), session };
  });
  return {
    facts: (snapshots) => snapshots.flatMap((snapshot) => all[snapshot] ?? []),
    sessions: (facts) =>
      [...new Set(facts.map(({ session }) => session))].map((wanted) =>
        all.filter(({ session }) => session === wanted).map(({ snapshot }) => snapshot),
      ),
    contents: (snapshots) => snapshots.map((snapshot) => turns[snapshot]?.content ?? ""),
  };
}
