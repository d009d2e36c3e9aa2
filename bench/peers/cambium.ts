/**
 * Cambium, through its public interface, embedded in this process.
 *
 * @module
 */
import { join } from "node:path";
import { type Memory, openReplica, type Replica, type Space } from "@cambium/client";
import { directoryBytes } from "../support/disk.ts";
import { seededRandom } from "../support/seeded-random.ts";
import type { Differences, Found, Merged, Operations, Peer, Way } from "./peer.ts";
import type { BranchMerge, Period, Write } from "./plan.ts";

const SPACE = "peers";
const IN_FLIGHT = 32;
const MAX_PAGE = 10_000;

export async function makeCambium(dir: string, seed: number): Promise<Peer> {
  const clock = { now: 0 };
  const home = { dir: join(dir, "home"), stateDir: join(dir, "state") };
  const open = (stream: number): Promise<Replica> =>
    openReplica({
      ...home,
      clock: () => clock.now,
      random: seededRandom(seed, stream).bytes,
      connect: false,
    });
  return new Cambium(home.dir, open, clock);
}

class Cambium implements Peer {
  readonly name = "cambium";
  readonly version = "this build, SQLite store";
  readonly loading = "remember and revise, 32 in flight";
  readonly operations: Operations;
  readonly #dir: string;
  readonly #open: (stream: number) => Promise<Replica>;
  readonly #clock: { now: number };
  /** Its ids by those of the plan, and back. */
  readonly #ids = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #replica: Replica | undefined;
  #space: Space | undefined;

  constructor(dir: string, open: (stream: number) => Promise<Replica>, clock: { now: number }) {
    this.#dir = dir;
    this.#open = open;
    this.#clock = clock;
    this.operations = {
      remember: [{ name: "remember", run: (write) => this.#write(write) }],
      revise: [{ name: "revise", run: (write) => this.#write(write) }],
      read: [this.#read()],
      search: [this.#search()],
      stateAt: [{ name: "list", run: (time) => this.#stateAt(time) }],
      history: [this.#history()],
      diff: [{ name: "diff", run: (period) => this.#diff(period) }],
      branch: [this.#branch()],
      merge: [{ name: "merge", run: (task) => this.#merge(task) }],
    };
  }

  async load(writes: readonly Write[], onProgress: (done: number) => void): Promise<void> {
    this.#clock.now = writes[0]?.time ?? 0;
    const replica = await this.#open(3);
    this.#space = await replica.createSpace({ name: SPACE });
    await this.#writeAll(writes, "main", onProgress);
    await replica.close();
    // A process that did not write everything itself is what a person has.
    this.#replica = await this.#open(4);
    this.#space = await this.#replica.openSpace(SPACE);
  }

  async disk() {
    return [{ name: "the replica's directory", bytes: await directoryBytes(this.#dir) }];
  }

  async prepareMerge({ branch, onBranch, onMain }: BranchMerge): Promise<void> {
    await this.#loaded.branches.create(branch);
    await this.#writeAll(onBranch, branch, () => {});
    await this.#writeAll(onMain, "main", () => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#replica?.close();
  }

  get #loaded(): Space {
    if (this.#space === undefined) throw new Error("Nothing is loaded yet.");
    return this.#space;
  }

  /** Those of one time together. */
  async #writeAll(
    writes: readonly Write[],
    branch: string,
    onProgress: (done: number) => void,
  ): Promise<void> {
    for (let start = 0; start < writes.length; ) {
      const { time } = writes[start] as Write;
      const batch = writes.slice(start, start + IN_FLIGHT).filter((write) => write.time === time);
      await Promise.all(batch.map((write) => this.#write(write, branch)));
      start += batch.length;
      onProgress(start);
    }
  }

  async #write({ id, type, content, category, tags, time }: Write, branch = "main"): Promise<() => void> {
    this.#clock.now = time;
    const agent = this.#loaded.as({ agent: "bench" });
    if (type === "revise") {
      await agent.revise(this.#idOf(id), { content }, { branch });
      return () => {};
    }
    const memory = await agent.remember({ content, category, tags }, { branch });
    this.#ids.set(id, memory.id);
    this.#keys.set(memory.id, id);
    return () => {};
  }

  #read(): Way<string, string> {
    return {
      name: "get",
      run: async (id) => {
        const { content } = await this.#loaded.get(this.#idOf(id));
        return () => content;
      },
    };
  }

  #search(): Way<readonly string[], Found> {
    return {
      name: "recall",
      run: async (words) => {
        const memories = await this.#loaded.recall(words.join(" "), { limit: 10 });
        return () => ({ kind: "ten best", ids: memories.map(({ id }) => this.#keyOf(id)) });
      },
    };
  }

  async #stateAt(time: number): Promise<() => ReadonlyMap<string, string>> {
    const at = refAt(time);
    const memories: Memory[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#loaded.list({ at, limit: MAX_PAGE, ...(cursor !== undefined && { cursor }) });
      memories.push(...page.memories);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return () => new Map(memories.map(({ id, content }) => [this.#keyOf(id), content]));
  }

  #history(): Way<string, readonly string[]> {
    return {
      name: "history",
      run: async (id) => {
        const versions = await this.#loaded.history(this.#idOf(id));
        return () => versions.toSorted((a, b) => a.version - b.version).map(({ content }) => content);
      },
    };
  }

  async #diff({ from, to }: Period): Promise<() => Differences> {
    const { created, changed, deleted } = await this.#loaded.diff(refAt(from), refAt(to));
    return () => {
      const differences = new Map<string, { before: string | null; after: string | null }>();
      for (const { id, content } of created)
        differences.set(this.#keyOf(id), { before: null, after: content });
      for (const { id, content } of deleted)
        differences.set(this.#keyOf(id), { before: content, after: null });
      for (const { id, before, after } of changed) {
        differences.set(this.#keyOf(id), { before: before.content, after: after.content });
      }
      return differences;
    };
  }

  #branch(): Way<string, void> {
    return {
      name: "branches.create",
      run: async (name) => {
        await this.#loaded.branches.create(name);
        return () => {};
      },
    };
  }

  async #merge({ branch, time }: BranchMerge): Promise<() => Merged> {
    this.#clock.now = time;
    const { status } = await this.#loaded.as({ agent: "bench" }).merge({ from: branch });
    if (status !== "merged") throw new Error(`The merge of ${branch} ended as "${status}".`);
    return () => ({ conflicts: new Map() });
  }

  #idOf(key: string): string {
    return this.#ids.get(key) ?? key;
  }

  #keyOf(id: string): string {
    return this.#keys.get(id) ?? id;
  }
}

const refAt = (time: number): string => `main@${new Date(time).toISOString()}`;
