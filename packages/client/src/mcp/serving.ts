/**
 * What all calls of one server process share: the replica, what was set at the start, and the session's id.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { isCambiumError } from "@cambium/core/errors";
import type { Agent, Replica, Space } from "../api.js";
import type { McpSettings } from "./settings.js";

/** Made when there is no space at all, so that a fresh installation remembers from its first call. */
const FIRST_SPACE = "memory";
const MAIN = "main";

export interface ServingOptions {
  readonly replica: Replica;
  readonly settings: McpSettings;
  readonly now?: (() => number) | undefined;
}

export class Serving {
  readonly settings: McpSettings;
  readonly session: string;
  readonly now: () => number;
  readonly #replica: Replica;
  readonly #listeners = new Set<(space: Space) => void>();
  readonly #used = new Map<string, Space>();
  readonly #branches = new Map<string, Promise<string>>();
  #first: Promise<Space> | undefined;

  constructor({ replica, settings, now = Date.now }: ServingOptions) {
    this.#replica = replica;
    this.settings = settings;
    this.session = settings.session ?? randomUUID();
    this.now = now;
  }

  /** The replica keeps its spaces open, and closes them with itself. */
  async space(name?: string): Promise<Space> {
    const wanted = name ?? this.settings.space;
    const space = await (wanted === undefined && (await this.#replica.spaces()).length === 0
      ? this.#firstSpace()
      : this.#replica.openSpace(wanted));
    this.#noteUse(space);
    return space;
  }

  /** The branch of a call that names none. */
  async branch(space: Space, agent: () => Agent): Promise<string> {
    const { branch = MAIN } = this.settings;
    if (typeof branch === "string") return branch;
    let opening = this.#branches.get(space.id);
    if (opening === undefined) {
      opening = branch({ space, agent: agent() }).then((name = MAIN) => name);
      this.#branches.set(space.id, opening);
      opening.catch(() => this.#branches.delete(space.id));
    }
    return await opening;
  }

  /** Where a client begins that names nothing; none is made for it. */
  async usualSpace(name: string | undefined = this.settings.space): Promise<Space | undefined> {
    if (name === undefined && (await this.#replica.spaces()).length === 0) return undefined;
    return this.space(name);
  }

  usualBranch(space: Space): Promise<string> {
    const { agent = "mcp" } = this.settings;
    return this.branch(space, () => space.as({ agent, session: this.session, trigger: "mcp" }));
  }

  async spaceNames(): Promise<readonly string[]> {
    return (await this.#replica.spaces()).map(({ name }) => name);
  }

  /** Calls back with every space that was or will be used, until the returned function is called. */
  onSpace(listener: (space: Space) => void): () => void {
    this.#listeners.add(listener);
    for (const space of this.#used.values()) listener(space);
    return () => this.#listeners.delete(listener);
  }

  #noteUse(space: Space): void {
    if (this.#used.get(space.id) === space) return;
    this.#used.set(space.id, space);
    for (const listener of this.#listeners) listener(space);
  }

  /** Two servers may begin at once. */
  #firstSpace(): Promise<Space> {
    this.#first ??= this.#replica.createSpace({ name: FIRST_SPACE }).catch((error: unknown) => {
      this.#first = undefined;
      if (isCambiumError(error, "SPACE_EXISTS")) return this.#replica.openSpace(FIRST_SPACE);
      throw error;
    });
    return this.#first;
  }
}
