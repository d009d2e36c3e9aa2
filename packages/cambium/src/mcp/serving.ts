/**
 * What all calls of one server process share: the replica, what was set at the start, and the session's id.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import type { Agent, Replica, Space } from "@cambium/client";
import { isCambiumError } from "@cambium/core/errors";
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
  readonly #spaces = new Map<string, Promise<Space>>();
  readonly #used = new Map<string, Space>();
  readonly #branches = new Map<string, Promise<string>>();

  constructor({ replica, settings, now = Date.now }: ServingOptions) {
    this.#replica = replica;
    this.settings = settings;
    this.session = settings.session ?? randomUUID();
    this.now = now;
  }

  /**
   * Opened once for each name; the replica keeps it open, and closes it with itself. So a client that names none
   * stays with the space it began with.
   */
  space(name: string | undefined = this.settings.space): Promise<Space> {
    const key = name ?? "";
    let opening = this.#spaces.get(key);
    if (opening === undefined) {
      opening = this.#open(name);
      this.#spaces.set(key, opening);
      opening.catch(() => this.#spaces.delete(key));
    }
    return opening;
  }

  async #open(name: string | undefined): Promise<Space> {
    const isFirst = name === undefined && (await this.#hasNone());
    const opened = await (isFirst ? this.#firstSpace() : this.#replica.openSpace(name));
    // By its name or its id, it is one space, and watched once.
    const known = this.#used.get(opened.id);
    if (known !== undefined) return known;
    this.#used.set(opened.id, opened);
    for (const listener of this.#listeners) listener(opened);
    return opened;
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
    if (name === undefined && (await this.#hasNone())) return undefined;
    return this.space(name);
  }

  /** A space that is damaged is one, and must not be taken for none. */
  async #hasNone(): Promise<boolean> {
    if ((await this.#replica.spaces()).length > 0) return false;
    return (await this.#replica.damagedSpaces()).length === 0;
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

  /** Two servers may begin at once. */
  async #firstSpace(): Promise<Space> {
    try {
      return await this.#replica.createSpace({ name: FIRST_SPACE });
    } catch (error) {
      if (isCambiumError(error, "SPACE_EXISTS")) return this.#replica.openSpace(FIRST_SPACE);
      throw error;
    }
  }
}
