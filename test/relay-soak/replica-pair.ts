/**
 * Two real replicas of one space that write, branch and merge while the relay comes and goes.
 *
 * @module
 */
import { join } from "node:path";
import { openReplica, type Replica, type Space } from "@cambium/client";

const BRANCH_EVERY = 20;

export class ReplicaPair implements AsyncDisposable {
  readonly #replicas: readonly Replica[];
  readonly #spaces: readonly Space[];
  /** What a call that returned has written. */
  readonly #written: string[] = [];
  #count = 0;

  private constructor(replicas: readonly Replica[], spaces: readonly Space[]) {
    this.#replicas = replicas;
    this.#spaces = spaces;
  }

  static async open(dir: string, name: string, relay: { url: string; token: string }): Promise<ReplicaPair> {
    const open = (side: string): Promise<Replica> =>
      openReplica({ dir: join(dir, `${name}-${side}`), stateDir: join(dir, `${name}-${side}-state`) });
    const [here, there] = [await open("here"), await open("there")];
    const first = await here.createSpace({ name, relay });
    const second = await there.joinSpace(await first.invite({ role: "write" }));
    return new ReplicaPair([here, there], [first, second]);
  }

  /** One memory; now and then on a branch of its own that is merged at once. */
  async write(): Promise<void> {
    this.#count += 1;
    const space = this.#spaces[this.#count % 2] as Space;
    const content = `memory ${this.#count} of ${space.name}`;
    const agent = space.as({ agent: "soak" });
    if (this.#count % BRANCH_EVERY !== 0) {
      await agent.remember({ content });
    } else {
      const branch = `draft-${this.#count}`;
      await agent.branches.create(branch);
      await agent.remember({ content }, { branch });
      await agent.merge({ from: branch });
    }
    this.#written.push(content);
  }

  /** @returns what is wrong once both have everything */
  async faults(): Promise<readonly string[]> {
    await Promise.all(this.#spaces.map((space) => space.sync.whenSynced()));
    await Promise.all(this.#spaces.map((space) => space.sync.whenSynced()));
    const shown = await Promise.all(this.#spaces.map((space) => space.list({ limit: 10_000 })));
    const [first, second] = shown.map(({ memories }) => new Set(memories.map(({ content }) => content)));
    const lost = this.#written.filter((content) => !first?.has(content) || !second?.has(content));
    return [
      ...lost.map((content) => `"${content}" is lost.`),
      ...(first?.size === second?.size ? [] : ["The replicas differ."]),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }
}
