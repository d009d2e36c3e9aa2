/**
 * Real conversations through the whole system: nothing may be lost, and no replica may differ.
 *
 * @module
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startRelay } from "@cambium/sync-server";
import { directoryBytes } from "../support/disk.ts";
import { bytesText, machine, machineLine, table, writeJson } from "../support/report.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { msText, quantiles, timed } from "../support/statistics.ts";
import { UsageError, wholeNumber } from "../support/usage-error.ts";
import { readConversations } from "./locomo.ts";
import { memoryOf, type Spoken, speak } from "./speak.ts";
import {
  allMemories,
  closeStage,
  fingerprint,
  openStage,
  reopenOffline,
  type Stage,
  syncStage,
} from "./stage.ts";

export interface ConversationResult {
  readonly name: string;
  readonly replicas: number;
  /** Turns of the file, and acknowledged writes. */
  readonly turns: number;
  readonly written: number;
  /** Turns that every replica holds as they were said, after the sync and again from its disk. */
  readonly kept: number;
  /** Memories that nobody wrote. */
  readonly surplus: number;
  readonly diverging: number;
  readonly offlineSpells: number;
  readonly offlineTurns: number;
  readonly contentBytes: number;
  readonly homeBytes: number;
  readonly upBytes: number;
  readonly downBytes: number;
}

/** @returns 1 when a turn was lost or a replica differs */
export async function conversations(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seed: { type: "string", default: "1" }, json: { type: "string" } },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError("Give one file of conversations.");
  const seed = wholeNumber("seed", values.seed);
  const report = {
    benchmark: "conversations",
    seed,
    machine: await machine(),
    ...(await measure(path, seed)),
  };
  print(report);
  if (values.json !== undefined) await writeJson(values.json, report);
  return report.results.every(isSound) ? 0 : 1;
}

async function measure(path: string, seed: number) {
  const read = await readConversations(path);
  await using home = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  const dataDir = join(home.path, "relay");
  const relay = await startRelay({ dataDir });
  const token = relay.adminToken ?? "";
  const stages: Stage[] = [];
  for (const conversation of read)
    stages.push(await openStage(conversation, { root: home.path, relay, token }));

  const writing = await timed(() =>
    Promise.all(
      stages.map((stage, index) => speakAll(stage, (speaker) => seededRandom(seed, index * 100 + speaker))),
    ),
  );
  const syncing = await timed(() => Promise.all(stages.map(syncStage)));
  const results: ConversationResult[] = [];
  for (const [index, stage] of stages.entries())
    results.push(await resultOf(stage, writing.result[index] ?? []));
  await relay.close();
  return {
    results,
    writeMs: Math.round(writing.ms),
    syncMs: Math.round(syncing.ms),
    write: quantiles(writing.result.flat().flatMap(({ writesMs }) => writesMs)),
    relayBytes: await directoryBytes(dataDir),
  };
}

function speakAll(
  { conversation, speakers }: Stage,
  random: (index: number) => ReturnType<typeof seededRandom>,
): Promise<Spoken[]> {
  return Promise.all(speakers.map((speaker, index) => speak(conversation, speaker, random(index))));
}

/** Looks at every replica as it is, then at what it reads from its disk alone; takes the stage down. */
async function resultOf(stage: Stage, spoken: readonly Spoken[]): Promise<ConversationResult> {
  const { conversation, speakers } = stage;
  const sum = (pick: (one: Spoken) => number): number => spoken.reduce((total, one) => total + pick(one), 0);
  const live = await checkStage(stage);
  await reopenOffline(stage);
  const stored = await checkStage(stage);
  await closeStage(stage);
  const homes = await Promise.all(speakers.map(({ dir }) => directoryBytes(dir)));
  const reference = live.fingerprints[0];
  const differs = speakers.filter(
    (_, index) => live.fingerprints[index] !== reference || stored.fingerprints[index] !== reference,
  );
  return {
    name: conversation.name,
    replicas: speakers.length,
    turns: conversation.turns.length,
    written: sum(({ turns }) => turns),
    kept: Math.min(live.kept, stored.kept),
    surplus: Math.max(live.surplus, stored.surplus),
    diverging: differs.length,
    offlineSpells: sum(({ offlineSpells }) => offlineSpells),
    offlineTurns: sum(({ offlineTurns }) => offlineTurns),
    contentBytes: conversation.turns.reduce((total, { content }) => total + Buffer.byteLength(content), 0),
    homeBytes: homes.reduce((total, bytes) => total + bytes, 0),
    upBytes: speakers.reduce((total, { wire }) => total + wire.upBytes, 0),
    downBytes: speakers.reduce((total, { wire }) => total + wire.downBytes, 0),
  };
}

interface Check {
  readonly fingerprints: readonly string[];
  readonly kept: number;
  readonly surplus: number;
}

async function checkStage({ conversation, speakers }: Stage): Promise<Check> {
  const fingerprints: string[] = [];
  let [kept, surplus] = [conversation.turns.length, 0];
  for (const { space } of speakers) {
    fingerprints.push(await fingerprint(space));
    const memories = await allMemories(space);
    const held = new Map(
      memories.map(({ source, content, occurredAt, by }) => [
        String(source?.turn),
        JSON.stringify([content, occurredAt, by.agent]),
      ]),
    );
    const here = conversation.turns.filter((turn) => {
      const { content, occurredAt } = memoryOf(turn);
      return held.get(turn.id) === JSON.stringify([content, occurredAt, turn.speaker]);
    });
    kept = Math.min(kept, here.length);
    surplus = Math.max(surplus, memories.length - here.length);
  }
  return { fingerprints, kept, surplus };
}

const isSound = ({ turns, written, kept, surplus, diverging }: ConversationResult): boolean =>
  written === turns && kept === turns && surplus === 0 && diverging === 0;

type Report = Awaited<ReturnType<typeof measure>> & {
  readonly seed: number;
  readonly machine: Awaited<ReturnType<typeof machine>>;
};

function print({ results, seed, machine: on, writeMs, syncMs, write, relayBytes }: Report): void {
  const row = (result: ConversationResult): readonly string[] => {
    const {
      name,
      turns,
      written,
      kept,
      diverging,
      offlineSpells,
      offlineTurns,
      contentBytes,
      homeBytes,
      replicas,
      upBytes,
      downBytes,
    } = result;
    const counts = [turns, written, kept, diverging, offlineSpells, offlineTurns].map(String);
    const sizes = [contentBytes, homeBytes / replicas, upBytes, downBytes].map((bytes) =>
      bytesText(bytes / turns),
    );
    return [name, ...counts, ...sizes];
  };
  const titles = [
    "conversation",
    "turns",
    "written",
    "kept",
    "diverging",
    "spells",
    "written offline",
    "content/turn",
    "home/turn",
    "sent/turn",
    "received/turn",
  ];
  const turns = results.reduce((total, result) => total + result.turns, 0);
  console.log(`conversations, seed ${seed}\n${machineLine(on)}\n`);
  console.log(table(titles, results.map(row)));
  console.log(
    `\n${turns} turns written in ${(writeMs / 1_000).toFixed(1)} s (p50 ${msText(write.p50)} ms, p95 ${msText(write.p95)} ms to be on disk), in step ${(syncMs / 1_000).toFixed(1)} s later; relay ${bytesText(relayBytes / turns)} per turn.`,
  );
  console.log(
    results.every(isSound) ? "Nothing was lost, and no replica differs." : "LOST OR DIVERGED: see the table.",
  );
}
