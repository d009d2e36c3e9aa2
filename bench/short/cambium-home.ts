/**
 * A home that a workload was written into and that was closed, and what retention leaves of it a year later.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, openReplica, type Replica, type Space } from "@cambium/client";
import type { Write } from "../peers/plan.ts";
import { YEAR_MS, YEAR_START } from "../reference/workload.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { isSession, type ShortWorkload } from "./workloads.ts";

const SPACE = "short";
const READ_AT_ONCE = 1_000;

export class CambiumHome {
  readonly dir: string;
  readonly #stateDir: string;
  readonly #seed: number;
  readonly #clock = { now: YEAR_START };
  readonly #ids = new Map<string, string>();

  constructor(dir: string, seed: number) {
    this.dir = join(dir, "home");
    this.#stateDir = join(dir, "state");
    this.#seed = seed;
  }

  /** Closed afterwards. */
  async write(writes: readonly Write[], inFlight: number): Promise<void> {
    await using replica = await this.#open(3);
    const space = await replica.createSpace({ name: SPACE });
    const agent = space.as({ agent: "bench" });
    for (let start = 0; start < writes.length; ) {
      const batch = withoutRepeats(writes.slice(start, start + inFlight));
      this.#clock.now = (batch[0] as Write).time;
      await Promise.all(batch.map((write) => this.#write(agent, write)));
      start += batch.length;
    }
  }

  /** Reads everything again in a new session, and closes it. */
  async check(workload: ShortWorkload): Promise<void> {
    await using replica = await this.#open(4);
    await this.#check(await replica.openSpace(SPACE), workload);
  }

  /** What the preset prunes when a year has passed since the last write. */
  async prune(preset: string, workload: ShortWorkload): Promise<void> {
    this.#clock.now += YEAR_MS;
    await using replica = await this.#open(5);
    const space = await replica.openSpace(SPACE);
    const owner = space.as({ role: "owner" });
    await owner.changeSettings({ preset });
    await owner.prune();
    await this.#check(space, workload);
  }

  #open(stream: number): Promise<Replica> {
    return openReplica({
      ...{ dir: this.dir, stateDir: this.#stateDir, connect: false },
      clock: () => this.#clock.now,
      random: seededRandom(this.#seed, stream).bytes,
    });
  }

  async #write(agent: Agent, { id, type, content, category, tags }: Write): Promise<void> {
    if (type === "revise") {
      await agent.revise(this.#ids.get(id) as string, { content });
      return;
    }
    const [speaker = ""] = tags;
    const labels = isSession(category)
      ? { source: { kind: "conversation", session: category, speaker } }
      : { category, tags };
    this.#ids.set(id, (await agent.remember({ content, ...labels })).id);
  }

  async #check(space: Space, { writes }: ShortWorkload): Promise<void> {
    const expected = new Map(writes.map(({ id, content }) => [this.#ids.get(id), content]));
    let cursor: string | undefined;
    do {
      const page = await space.list({ limit: READ_AT_ONCE, ...(cursor === undefined ? {} : { cursor }) });
      for (const { id, content } of page.memories) {
        if (expected.get(id) !== content) throw new Error(`${id} is not what was written.`);
        expected.delete(id);
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
    if (expected.size > 0) throw new Error(`${expected.size} memories are missing.`);
  }
}

/** Up to the first that writes a memory again. */
function withoutRepeats(batch: readonly Write[]): readonly Write[] {
  const ids = new Set<string>();
  const end = batch.findIndex(({ id }) => ids.size === ids.add(id).size);
  return end < 0 ? batch : batch.slice(0, end);
}
