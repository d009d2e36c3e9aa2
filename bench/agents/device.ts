/**
 * A device of its own: a copy of a written home, the environment that points commands at it, and what is known of
 * what its memories say.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { openReplica, type Replica } from "@cambium/client";
import type { Home } from "../reference/starts.ts";
import type { Workload } from "../reference/workload.ts";
import { copyHome } from "../scale/written-home.ts";
import { type Environment, endDaemon, runCambium } from "../support/cambium-command.ts";

/** Of a memory as it is shown: a tool may cut long texts. */
export interface Shown {
  readonly id: string;
  readonly content: string;
  readonly cut?: true;
}

export class Device implements AsyncDisposable {
  readonly home: Home;
  readonly env: Environment;
  /** Where its commands are started: nothing is pinned there. */
  readonly cwd: string;
  readonly workload: Workload;
  readonly daemons: number[] = [];

  readonly #stop: AbortSignal;

  private constructor(root: string, home: Home, workload: Workload, stop: AbortSignal) {
    this.#stop = stop;
    this.home = home;
    this.env = { CAMBIUM_HOME: home.dir, CAMBIUM_STATE: join(root, "state") };
    this.cwd = root;
    this.workload = workload;
  }

  /**
   * @param from - a directory that `writeHome` filled; nothing is written there
   * @param stop - when it fires, the next check fails: whatever was started can be ended in order
   */
  static async copy(from: string, root: string, samples: number, stop: AbortSignal): Promise<Device> {
    await mkdir(join(root, "state"), { recursive: true });
    const { home, workload } = await copyHome(from, root, samples);
    // Where commands look for it, which are told its parent only.
    const stateDir = join(root, "state", "cambium");
    await rename(home.stateDir, stateDir);
    return new Device(root, { dir: home.dir, stateDir }, workload, stop);
  }

  /** In this process. */
  open(): Promise<Replica> {
    return openReplica({ ...this.home, connect: false });
  }

  run(args: readonly string[], env: Environment = {}): Promise<string> {
    return runCambium(args, { ...this.env, ...env }, this.cwd);
  }

  /** Remembers which process it was, for checking that all are gone. */
  async endDaemon(): Promise<void> {
    const pid = await endDaemon(this.home.dir);
    if (pid !== undefined) this.daemons.push(pid);
  }

  /** Three words to search for; one of them is in some memory, so that even a small home has an answer. */
  words(): readonly string[] {
    this.#stop.throwIfAborted();
    const [id = ""] = this.workload.sample(1);
    const rare = this.workload.contentOf(id).match(RARE_WORD) ?? [];
    return [this.workload.topic(), this.workload.topic(), ...rare];
  }

  /** What was shown has to be what was written. */
  check(memories: readonly Shown[]): void {
    this.#stop.throwIfAborted();
    assert(memories.length > 0, "nothing was found");
    for (const { id, content, cut } of memories) {
      const written = this.workload.contentOf(id);
      if (cut === undefined) assert.equal(content, written);
      else assert(written.startsWith(content.slice(0, MOST_COMPARED)));
    }
  }

  /** Everything that was acknowledged, found again by a process that comes when all others are gone. */
  async checkAll(): Promise<void> {
    await this.endDaemon();
    await using replica = await this.open();
    const space = await replica.openSpace();
    for (const id of this.workload.ids) {
      const { content } = await space.get(id);
      assert.equal(content, this.workload.contentOf(id));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endDaemon();
  }
}

/** Common words are short. */
const RARE_WORD = /\b[a-z]{7,}\b/;

/** A cut text ends at a word, perhaps with a mark. */
const MOST_COMPARED = 200;
