/**
 * Random lives of a space with many branches: replicas with wrong clocks write, decide, forget, restore,
 * undo, fork from now, from dates and from heads, merge, and sync in pieces; now and then a stranger
 * writes what no member signed, or a clock turns out to have been wrong.
 */
import * as A from "@automerge/automerge";
import {
  type BranchId,
  type ChangeHash,
  changesUntil,
  encodeReferences,
  isCambiumError,
  type MemoryId,
  memoryIds,
  memoryKey,
  memoryOf,
  referencesAt,
} from "@cambium/core";
import fc from "fast-check";
import type { SimulatedReplica } from "../../../../core/test/support/simulated-replica.js";
import { deliverRecords, SimulatedSpace } from "../../../../core/test/support/simulated-space.js";

export const WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron"];

const KINDS = [
  ...(["remember", "remember", "revise", "revise", "revise", "forget", "restore", "resolve"] as const),
  ...(["undo", "fork", "fork-past", "fork-date", "merge", "merge", "merge"] as const),
  ...(["deliver", "deliver", "deliver", "piece", "piece", "forge", "correct", "unseen", "unseen"] as const),
];

export const lifeStep = fc.record({
  kind: fc.constantFrom(...KINDS),
  replica: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 1_000 }),
  other: fc.nat({ max: 1_000 }),
  /** Moves the clock of the space, in milliseconds: several changes may bear the same time. */
  tick: fc.constantFrom(0, 0, 1_000, 1_000, 3_000),
});
export type LifeStep = typeof lifeStep extends fc.Arbitrary<infer Value> ? Value : never;

export interface LifeOptions {
  readonly seed: number;
  /** How wrong the clock of each writer is. */
  readonly clockOffsetsMs: readonly number[];
  readonly maxBranches: number;
}

export class SpaceLife implements Disposable {
  readonly space: SimulatedSpace;
  readonly writers: readonly SimulatedReplica[];
  readonly #maxBranches: number;

  constructor({ seed, clockOffsetsMs, maxBranches }: LifeOptions) {
    this.space = new SimulatedSpace(seed);
    this.writers = clockOffsetsMs.map((offset) => this.space.addReplica(offset));
    for (const [index, writer] of this.writers.entries())
      writer.context = () => ({ at: writer.now(), author: { agent: `agent ${index}`, replica: writer.id } });
    this.#maxBranches = maxBranches;
  }

  [Symbol.dispose](): void {
    this.space[Symbol.dispose]();
  }

  /** One memory that everybody knows. */
  async begin(): Promise<void> {
    const [first] = this.writers as [SimulatedReplica];
    await first.remember(this.space.main, { content: "amber birch", tags: ["t0"] });
    for (const to of this.writers) if (to !== first) give(first, to, 1);
  }

  async take(step: LifeStep): Promise<void> {
    this.space.tick(step.tick);
    try {
      await this.#take(step);
    } catch (error) {
      // A random step may well be refused: a forgotten memory, an open conflict, records that are late.
      if (!isCambiumError(error) || error.code === "INTERNAL") throw error;
    }
  }

  async #take({ kind, replica: index, pick, other }: LifeStep): Promise<void> {
    const writer = this.writers[index % this.writers.length] as SimulatedReplica;
    const peer = this.writers[other % this.writers.length] as SimulatedReplica;
    const branches = branchesOf(writer);
    const branch = branches[pick % branches.length] as BranchId;
    switch (kind) {
      case "remember":
        await writer.remember(branch, { content: wordsOf(pick, other), tags: [`t${other % 3}`] });
        return;
      case "undo": {
        const own = writer.history(branch).changes.filter(({ actor }) => actor.startsWith(branch));
        const change = own[other % Math.max(1, own.length)];
        if (change !== undefined) await writer.undo(branch, change.hash);
        return;
      }
      case "fork":
      case "fork-past":
      case "fork-date":
        return this.#fork(kind, writer, branch, other);
      case "merge":
        return this.#merge(writer, branch, branches[other % branches.length] as BranchId, pick + other);
      case "unseen":
        return this.#writeUnseen(writer, branch, pick, other);
      case "deliver":
        deliverRecords(writer, peer);
        return give(writer, peer, 1);
      case "piece":
        return give(writer, peer, (other % 4) / 4);
      case "correct":
        return this.#correct(writer, branch, pick, other);
      default:
        return this.#write(kind, writer, branch, { pick, other });
    }
  }

  async #write(
    kind: "revise" | "forget" | "restore" | "resolve" | "forge",
    writer: SimulatedReplica,
    branch: BranchId,
    { pick, other }: { readonly pick: number; readonly other: number },
  ): Promise<void> {
    const ids = memoryIds(writer.state(branch)).toSorted();
    const id = ids[other % Math.max(1, ids.length)];
    const reading = id === undefined ? undefined : await writer.read(branch, id);
    if (id === undefined || reading === undefined) return;
    const memory = memoryOf(reading);
    switch (kind) {
      case "forget":
        await writer.forget(branch, id);
        return;
      case "revise":
        await writer.revise(
          branch,
          id,
          pick % 3 === 0 ? { tags: [`t${pick % 5}`] } : { content: wordsOf(other, pick) },
        );
        return;
      case "restore": {
        const past = [...reading.records.values()][pick % reading.records.size];
        if (past !== undefined) await writer.restore(branch, id, past.fields);
        return;
      }
      case "resolve": {
        const conflict = memory.conflicts[pick % Math.max(1, memory.conflicts.length)];
        if (conflict !== undefined)
          await writer.resolve(branch, id, conflict.field, conflict.values[0]?.value);
        return;
      }
      case "forge":
        if (pick % 3 === 0) forge(writer, branch, id);
        return;
      default:
        return kind satisfies never;
    }
  }

  #fork(
    kind: "fork" | "fork-past" | "fork-date",
    writer: SimulatedReplica,
    branch: BranchId,
    pick: number,
  ): void {
    if (this.space.branches.size > this.#maxBranches) return;
    if (kind === "fork") {
      writer.fork(branch);
      return;
    }
    const history = writer.history(branch);
    const { times } = writer.state(branch);
    if (history.size === 0) return;
    const position = pick % history.size;
    const heads: readonly ChangeHash[] =
      kind === "fork-past"
        ? [history.changes[position]?.hash as ChangeHash]
        : history.headsOf(changesUntil(times, times[position] as number));
    if (heads.length > 0) writer.fork(branch, heads);
  }

  async #merge(writer: SimulatedReplica, source: BranchId, target: BranchId, pick: number): Promise<void> {
    if (source === target) return;
    const strategy = (["source", "target", "newest", "both", "manual"] as const)[pick % 5] ?? "manual";
    await writer.merge(source, target, { strategy, again: pick % 2 === 0 });
  }

  /** Merges into a branch that the catalog names, perhaps before anything of it has come, or writes there. */
  async #writeUnseen(writer: SimulatedReplica, from: BranchId, pick: number, other: number): Promise<void> {
    const branches = [...this.space.branches.keys()];
    const branch = branches[other % branches.length] as BranchId;
    if (pick % 4 > 0) return this.#merge(writer, from, branch, pick);
    await writer.remember(branch, { content: wordsOf(other, pick) });
  }

  #correct(writer: SimulatedReplica, branch: BranchId, pick: number, other: number): void {
    if (pick % 3 !== 0 || this.space.corrections.length > 1) return;
    const [fromSeq, lastSeq] = [1 + (pick % 3), 1 + (pick % 3) + (other % 3)];
    const offsetMs = ((other % 5) - 2) * 2_000;
    this.space.corrections.push({
      replica: writer.id,
      epoch: 0,
      document: branch,
      fromSeq,
      lastSeq,
      offsetMs,
    });
  }
}

const branchesOf = (replica: SimulatedReplica): readonly BranchId[] => {
  const { main } = replica.space;
  return [main, ...replica.branchesHere().filter((branch) => branch !== main)];
};

/** Carries the first part of what `to` lacks. */
function give(from: SimulatedReplica, to: SimulatedReplica, part: number): void {
  for (const branch of from.branchesHere()) {
    const lacking = from.changesLackedBy(to, branch);
    to.receive(branch, lacking.slice(0, Math.ceil(lacking.length * part)));
  }
}

/** Writes what is shown again, twice, in a change that no member signed. */
function forge(writer: SimulatedReplica, branch: BranchId, id: MemoryId): void {
  const references = referencesAt(writer.state(branch), id);
  const write = { key: memoryKey(id), value: encodeReferences([...references, ...references]) };
  writer.writeChange(branch, { type: "revise", memories: [id] }, [write], undefined, () => "");
}

const wordsOf = (a: number, b: number): string =>
  [a, b, a + b, a * 3 + 1, b * 5 + 2].map((number) => WORDS[number % WORDS.length]).join(" ");

/** All changes of a branch as some writer has it, each once, dependencies first. */
export function changesOfAll(writers: readonly SimulatedReplica[], branch: BranchId): readonly Uint8Array[] {
  let doc = A.init<unknown>();
  for (const writer of writers) {
    if (writer.branchesHere().includes(branch)) [doc] = A.applyChanges(doc, [...writer.changes(branch)]);
  }
  const changes = A.getAllChanges(doc);
  A.free(doc);
  return changes;
}
