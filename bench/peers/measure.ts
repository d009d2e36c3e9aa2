/**
 * Runs a peer through the plan: each way of each operation timed alone, one call after the other, and
 * every answer checked after the clock has stopped.
 *
 * @module
 */
import { type Quantiles, quantiles, timed } from "../support/statistics.ts";
import { checkDiff, checkFound, checkHistory, checkMerged, checkRead, checkState } from "./checks.ts";
import { Oracle } from "./oracle.ts";
import {
  type DiskUse,
  OPERATION_TITLES,
  type Operations,
  type Peer,
  type Unsupported,
  type Ways,
} from "./peer.ts";
import { type Plan, WARM_UPS, type Write } from "./plan.ts";

export interface Measured extends Quantiles {
  readonly way: string;
  readonly partial?: string | undefined;
}

export interface PeerReport {
  readonly name: Peer["name"];
  readonly version: string;
  readonly loading: { readonly how: string; readonly ms: number };
  readonly disk: readonly DiskUse[];
  readonly operations: Readonly<Record<keyof Operations, readonly Measured[] | Unsupported>>;
  /** Per merge, how many memories were left for somebody to decide. */
  readonly conflictsPerMerge: readonly number[];
}

/** @param say - told of what begins: some of it takes minutes */
export async function measurePeer(peer: Peer, plan: Plan, say: (text: string) => void): Promise<PeerReport> {
  const oracle = new Oracle();
  say("loading");
  const loading = await timed(() => peer.load(plan.writes, progress(plan.writes.length, say)));
  for (const write of plan.writes) oracle.note(write);
  const disk = await peer.disk();
  const conflictsPerMerge: number[] = [];
  const operations = await measureOperations(peer, plan, oracle, conflictsPerMerge, say);
  return {
    name: peer.name,
    version: peer.version,
    loading: { how: peer.loading, ms: Math.round(loading.ms) },
    disk,
    operations,
    conflictsPerMerge,
  };
}

async function measureOperations(
  peer: Peer,
  plan: Plan,
  oracle: Oracle,
  conflictsPerMerge: number[],
  say: (text: string) => void,
): Promise<PeerReport["operations"]> {
  const { remember, revise, read, search, stateAt, history, diff, branch, merge } = peer.operations;
  const most = peer.maxSamples ?? Number.POSITIVE_INFINITY;
  const run = <Task, Answer>(
    operation: keyof Operations,
    ways: Ways<Task, Answer>,
    tasks: readonly Task[],
    check: Check<Task, Answer>,
  ) => {
    say(`measuring: ${OPERATION_TITLES[operation]}`);
    return measureWays(ways, tasks.slice(0, WARM_UPS + most), { warmUps: WARM_UPS, check });
  };
  const note: Check<Write, void> = (_, write) => oracle.note(write);
  const measured = {
    remember: await run("remember", remember, plan.remember, note),
    revise: await run("revise", revise, plan.revise, note),
    read: await run("read", read, plan.read, (text, id) => checkRead(oracle, id, text)),
    search: await run("search", search, plan.search, (found, words) => checkFound(oracle, words, found)),
    stateAt: await run("stateAt", stateAt, plan.stateAt, (state, time) => checkState(oracle, time, state)),
    history: await run("history", history, plan.history, (texts, id) => checkHistory(oracle, id, texts)),
    diff: await run("diff", diff, plan.diff, (found, period) => checkDiff(oracle, period, found)),
    branch: await run("branch", branch, plan.branch, () => {}),
  };
  say(`measuring: ${OPERATION_TITLES.merge}`);
  const merges = await measureWays(merge, plan.merge, {
    warmUps: 0,
    prepare: (task) => peer.prepareMerge(task),
    check: async (merged, task) => {
      conflictsPerMerge.push(merged.conflicts.size);
      await checkMerged(task, merged, readerOf(peer));
    },
  });
  return { ...measured, merge: merges };
}

type Check<Task, Answer> = (answer: Answer, task: Task) => void | Promise<void>;

async function measureWays<Task, Answer>(
  ways: Ways<Task, Answer>,
  tasks: readonly Task[],
  {
    warmUps,
    prepare,
    check,
  }: {
    readonly warmUps: number;
    readonly prepare?: (task: Task) => Promise<void>;
    readonly check: Check<Task, Answer>;
  },
): Promise<readonly Measured[] | Unsupported> {
  if ("reason" in ways) return ways;
  const measured: Measured[] = [];
  for (const { name, partial, run } of ways) {
    const values: number[] = [];
    globalThis.gc?.();
    for (const task of tasks) {
      await prepare?.(task);
      const { ms, result } = await timed(() => run(task));
      await check(await result(), task);
      values.push(ms);
    }
    measured.push({ way: name, partial, ...quantiles(values.slice(warmUps)) });
  }
  return measured;
}

/** What a memory says now, by the peer's first way of reading. */
function readerOf({ operations }: Peer): (id: string) => Promise<string> {
  return async (id) => {
    const [way] = "reason" in operations.read ? [] : operations.read;
    if (way === undefined) throw new Error("A peer that merges has to be readable.");
    return (await way.run(id))();
  };
}

const PROGRESS_STEPS = 5;

function progress(total: number, say: (text: string) => void): (done: number) => void {
  let shown = 0;
  return (done) => {
    const step = Math.floor((done / total) * PROGRESS_STEPS);
    if (step > shown) say(`${done} of ${total} changes loaded`);
    shown = Math.max(shown, step);
  };
}
