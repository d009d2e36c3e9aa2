/**
 * Random lives of a space: replicas write, decide, forget, undo, fork, merge and sync, with packs that
 * come late. Every decided value is a token of its own, and it is noted what each writer was shown.
 */
import fc from "fast-check";
import {
  type BranchId,
  type ChangeHash,
  isCambiumError,
  type Memory,
  type MemoryId,
  memoryIds,
  memoryOf,
  type StateField,
} from "../../src/index.js";
import type { SimulatedReplica } from "./simulated-replica.js";
import { deliverAll, deliverChanges, deliverRecords, SimulatedSpace } from "./simulated-space.js";

export const lifeStep = fc.record({
  kind: fc.constantFrom(
    ...(["remember", "revise", "revise", "revise", "revise", "tag", "resolve", "resolve", "forget"] as const),
    ...(["undo", "fork", "merge", "merge", "deliver", "deliver", "deliver", "late", "late"] as const),
  ),
  replica: fc.nat({ max: 2 }),
  /** Picks a branch, a memory, a field or a strategy, whatever the step needs. */
  pick: fc.nat({ max: 1_000 }),
  other: fc.nat({ max: 1_000 }),
});
export type LifeStep = typeof lifeStep extends fc.Arbitrary<infer Value> ? Value : never;

/** A value someone decided on purpose. */
export interface Decision {
  readonly branch: BranchId;
  readonly memory: MemoryId;
  readonly token: string;
}

export class RandomLife implements Disposable {
  readonly space: SimulatedSpace;
  readonly decisions: Decision[] = [];
  /** Per memory, everything that was in view of someone who then decided something about it. */
  readonly seenByDeciders = new Map<MemoryId, string>();
  #tokens = 0;

  constructor(seed: number, replicas = 3) {
    this.space = new SimulatedSpace(seed);
    for (let count = 0; count < replicas; count += 1) this.space.addReplica();
  }

  /** Begins with one memory that everybody knows. */
  async play(steps: readonly LifeStep[]): Promise<void> {
    await this.#take({ kind: "remember", replica: 0, pick: 0, other: 0 });
    deliverAll(this.space);
    for (const step of steps) {
      this.space.tick();
      try {
        await this.#take(step);
      } catch (error) {
        // A random step may well be refused: forgotten memory, open conflict, records that are late.
        if (!isCambiumError(error) || error.code === "INTERNAL") throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.space[Symbol.dispose]();
  }

  async #take({ kind, replica: index, pick, other }: LifeStep): Promise<void> {
    const { replicas, main } = this.space;
    const replica = replicas[index % replicas.length] as SimulatedReplica;
    const here = [main, ...replica.branchesHere().filter((branch) => branch !== main)];
    const branch = here[pick % here.length] as BranchId;
    const peer = replicas[other % replicas.length] as SimulatedReplica;
    switch (kind) {
      case "fork":
        if (this.space.branches.size < 3) replica.fork(branch);
        return;
      case "merge":
        return this.#merge(replica, here[other % here.length] as BranchId, branch, pick + other);
      case "deliver":
        deliverRecords(replica, peer);
        return deliverChanges(replica, peer);
      case "late":
        return deliverChanges(replica, peer);
      case "remember": {
        const content = `${this.#token()} ${this.#token()} ${this.#token()}`;
        const id = await replica.remember(branch, { content, kind: this.#token() });
        this.#decided(branch, id, content.split(" "));
        return;
      }
      case "undo":
        return this.#undo(replica, branch, other);
      default:
        return this.#write(kind, { replica, branch, pick, other });
    }
  }

  async #write(
    kind: "revise" | "tag" | "resolve" | "forget",
    {
      replica,
      branch,
      pick,
      other,
    }: {
      readonly replica: SimulatedReplica;
      readonly branch: BranchId;
      readonly pick: number;
      readonly other: number;
    },
  ): Promise<void> {
    const ids = memoryIds(replica.state(branch)).toSorted();
    const id = ids[other % Math.max(1, ids.length)];
    const reading = id === undefined ? undefined : await replica.read(branch, id);
    if (id === undefined || reading === undefined) return;
    const memory = memoryOf(reading);
    const token = this.#token();
    if (kind === "forget") await replica.forget(branch, id);
    else if (kind === "tag")
      await replica.revise(branch, id, { tags: [...memory.tags.slice(pick % 2), token] });
    else if (kind === "revise") await replica.revise(branch, id, revision(memory, token, pick));
    else {
      const conflict = memory.conflicts[pick % Math.max(1, memory.conflicts.length)];
      if (conflict === undefined) return;
      await replica.resolve(
        branch,
        id,
        conflict.field,
        conflict.values[other % conflict.values.length]?.value,
      );
    }
    this.#saw(id, memory);
    if (kind === "tag" || kind === "revise") this.#decided(branch, id, [token]);
  }

  async #merge(replica: SimulatedReplica, source: BranchId, target: BranchId, pick: number): Promise<void> {
    if (source === target) return;
    const again = pick % 2 === 0;
    const preview = await replica.preview(source, target, { again });
    const views: [MemoryId, unknown][] = preview.conflicts.map(({ id, fields }) => [id, fields]);
    for (const branch of [source, target]) {
      for (const id of memoryIds(replica.state(branch))) {
        const reading = await replica.read(branch, id);
        if (reading !== undefined) views.push([id, memoryOf(reading)]);
      }
    }
    const strategy = (["source", "target", "newest", "both", "manual"] as const)[pick % 5] ?? "manual";
    const { writes, change } = await replica.merge(source, target, { strategy, again });
    if (change === undefined) return;
    const decided = new Set(writes.map(({ memory }) => memory));
    for (const [id, view] of views) if (decided.has(id)) this.#saw(id, view);
  }

  async #undo(replica: SimulatedReplica, branch: BranchId, pick: number): Promise<void> {
    const own = replica.history(branch).changes.filter(({ actor }) => actor.startsWith(branch));
    const change = own[pick % Math.max(1, own.length)];
    if (change === undefined) return;
    const views = new Map<MemoryId, Memory>();
    for (const id of memoryIds(replica.state(branch))) {
      const reading = await replica.read(branch, id);
      if (reading !== undefined) views.set(id, memoryOf(reading));
    }
    const { writes } = await replica.undo(branch, change.hash as ChangeHash);
    for (const { memory } of writes) this.#saw(memory, views.get(memory));
  }

  #token(): string {
    this.#tokens += 1;
    return `t${this.#tokens}x`;
  }

  #decided(branch: BranchId, memory: MemoryId, tokens: readonly string[]): void {
    for (const token of tokens) this.decisions.push({ branch, memory, token });
  }

  #saw(id: MemoryId, view: unknown): void {
    this.seenByDeciders.set(id, (this.seenByDeciders.get(id) ?? "") + JSON.stringify(view));
  }
}

/** One field, or one word of the content. */
function revision({ content }: Memory, token: string, pick: number): Partial<Record<StateField, unknown>> {
  const field = (["kind", "area", "content"] as const)[pick % 3] ?? "content";
  if (field !== "content") return { [field]: token };
  const words = content.split(" ");
  return { content: words.with(pick % words.length, token).join(" ") };
}
