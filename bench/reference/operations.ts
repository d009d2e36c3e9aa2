/**
 * The operations of one device on the reference space, each timed alone; what they returned is checked
 * after the clock has stopped.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Agent, Memory, Space } from "@cambium/client";
import { type Quantiles, quantiles, timed } from "../support/statistics.ts";
import { BUDGETS, type Figure, figure, type Operation } from "./budgets.ts";
import { MERGES, mergeTask, type Revision } from "./merge-task.ts";
import { type Workload, YEAR_MS, YEAR_START } from "./workload.ts";

const WRITES = 200;
const READS = 1_000;
const SEARCHES = 200;
const LISTS = 21;
const BRANCHES = 10;
const CHECKPOINTS = 40;
const MAX_PAGE = 10_000;
const ROLLBACKS = 3;
const ROLLED_BACK = 500;

/** @param onStart - told of each operation before it is measured: some take minutes */
export async function measureOperations(
  space: Space,
  workload: Workload,
  onStart: (operation: string) => void,
): Promise<readonly Figure[]> {
  const middle = isoAt(0.5);
  const measures: readonly (readonly [Operation, () => Promise<Quantiles>])[] = [
    ["remember", () => measureRemember(space, workload)],
    ["revise", () => measureRevise(space, workload)],
    ["get", () => measureGet(space, workload)],
    ["recall", () => measureRecall(space, workload)],
    ["stateAtDate", () => measureStates(space, workload, `main@${middle}`)],
    ["stateAtRef", async () => measureStates(space, workload, await headsRef(space, middle))],
    ["diff", () => measureDiff(space, workload)],
    ["checkpoint", () => measureCheckpoint(space, workload)],
    ["branch", () => measureBranch(space, workload)],
    ["merge", () => measureMerge(space, workload)],
    ["rollback", () => measureRollback(space, workload)],
  ];
  const figures: Figure[] = [];
  for (const [operation, measure] of measures) {
    onStart(BUDGETS[operation].operation);
    figures.push(figure(operation, await measure()));
  }
  return figures;
}

/** One memory at a time, on disk when the call returns. */
function measureRemember(space: Space, workload: Workload): Promise<Quantiles> {
  const agent = space.as({ agent: "bench" });
  return repeat(workload, WRITES, async () => {
    const input = workload.input();
    const { ms } = await timed(() => workload.remember(agent, input));
    return ms;
  });
}

function measureRevise(space: Space, workload: Workload): Promise<Quantiles> {
  const agent = space.as({ agent: "bench" });
  return repeat(workload, WRITES, async () => {
    const [id = ""] = workload.sample(1);
    const content = workload.revision(workload.contentOf(id));
    const { ms } = await timed(() => workload.revise(agent, id, content));
    return ms;
  });
}

function measureGet(space: Space, workload: Workload): Promise<Quantiles> {
  return repeat(workload, READS, async () => {
    const [id = ""] = workload.sample(1);
    const { ms, result } = await timed(() => space.get(id));
    assert.equal(result.content, workload.contentOf(id));
    return ms;
  });
}

function measureRecall(space: Space, workload: Workload): Promise<Quantiles> {
  return repeat(workload, SEARCHES, async () => {
    const query = `${workload.topic()} ${workload.topic()} ${workload.topic()}`;
    const { ms, result } = await timed(() => space.recall(query, { limit: 10 }));
    for (const { matched } of result) assert(matched.every((word) => query.includes(word)));
    assert(result.some(({ matched }) => matched.length > 0));
    return ms;
  });
}

/** All memories of a past state; what it shows has to be what its own history says. */
function measureStates(space: Space, workload: Workload, at: string): Promise<Quantiles> {
  return repeat(workload, LISTS, async () => {
    const { ms, result } = await timed(() => space.list({ at, limit: MAX_PAGE }));
    assert(result.memories.length > 0);
    const [first, last] = [result.memories[0] as Memory, result.memories.at(-1) as Memory];
    for (const memory of [first, last]) {
      const versions = await space.history(memory.id);
      assert(versions.some(({ record, content }) => record === memory.record && content === memory.content));
    }
    return ms;
  });
}

async function headsRef(space: Space, date: string): Promise<string> {
  const { changes } = await space.log({ limit: 1, at: `main@${date}` });
  return `main@heads:${changes[0]?.hash}`;
}

function measureDiff(space: Space, workload: Workload): Promise<Quantiles> {
  const from = `main@${isoAt(1 - 1 / 30)}`;
  return repeat(workload, LISTS, async () => {
    const { ms, result } = await timed(() => space.diff(from, `main@${isoAt(1)}`));
    assert(result.changed.length > 0);
    for (const { before, after } of result.changed.slice(0, 10))
      assert.notEqual(before.content, after.content);
    return ms;
  });
}

/** Each of a state that no other one names: a memory is revised before it, which is not timed. */
function measureCheckpoint(space: Space, workload: Workload): Promise<Quantiles> {
  const agent = space.as({ agent: "bench" });
  return repeat(workload, CHECKPOINTS, async (round) => {
    const [id = ""] = workload.sample(1);
    await workload.revise(agent, id, workload.revision(workload.contentOf(id)));
    const { ms, result } = await timed(() => agent.checkpoints.create({ name: `bench-${round}` }));
    const { content } = await space.get(id, { at: `checkpoint:${result.name}` });
    assert.equal(content, workload.contentOf(id));
    return ms;
  });
}

function measureBranch(space: Space, workload: Workload): Promise<Quantiles> {
  return repeat(workload, BRANCHES, async (round) => {
    const { ms, result } = await timed(() => space.branches.create(`fork-${round}`));
    assert.equal(result.parent, "main");
    await space.branches.delete(result.id);
    return ms;
  });
}

/**
 * 500 memories revised on each side, 50 of them on both, in different sentences. Branching and revising
 * are not timed.
 */
function measureMerge(space: Space, workload: Workload): Promise<Quantiles> {
  const agent = space.as({ agent: "bench" });
  return repeat(workload, MERGES, async (round) => {
    const branch = `merge-${round}`;
    await space.branches.create(branch);
    const { onBranch, onMain, expected } = mergeTask(workload);
    await reviseAll(agent, onBranch, branch);
    await reviseAll(agent, onMain, "main");
    const { ms, result } = await timed(() => agent.merge({ from: branch }));
    assert.equal(result.status, "merged");
    for (const [id, content] of expected) {
      assert.equal((await space.get(id)).content, content);
      workload.note(id, content);
    }
    return ms;
  });
}

/** 500 memories revised, one change each, and all of them as they were before, as one change. */
function measureRollback(space: Space, workload: Workload): Promise<Quantiles> {
  const agent = space.as({ agent: "bench", role: "owner", confirmed: true });
  return repeat(workload, ROLLBACKS, async () => {
    const { head } = (await space.status()).branch;
    const ids = workload.sample(Math.min(ROLLED_BACK, workload.ids.length));
    await reviseAll(
      agent,
      ids.map((id) => ({ id, content: workload.revision(workload.contentOf(id)) })),
      "main",
    );
    const { ms, result } = await timed(() => agent.rollback({ to: `main@heads:${head.join(",")}` }));
    assert.equal(result.counts.changed, ids.length);
    for (const id of ids) assert.equal((await space.get(id)).content, workload.contentOf(id));
    return ms;
  });
}

const WRITES_IN_FLIGHT = 32;

async function reviseAll(agent: Agent, revisions: readonly Revision[], branch: string): Promise<void> {
  for (let start = 0; start < revisions.length; start += WRITES_IN_FLIGHT) {
    const batch = revisions.slice(start, start + WRITES_IN_FLIGHT);
    await Promise.all(batch.map(({ id, content }) => agent.revise(id, { content }, { branch })));
  }
}

async function repeat(
  { size }: Workload,
  times: number,
  measure: (round: number) => Promise<number>,
): Promise<Quantiles> {
  const values: number[] = [];
  for (let round = 0; round < Math.min(times, size.samples); round += 1) values.push(await measure(round));
  return quantiles(values);
}

/** @param part - of the workload's year */
const isoAt = (part: number): string => new Date(YEAR_START + part * YEAR_MS).toISOString();
