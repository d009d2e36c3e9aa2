/**
 * What a verb works with: the replica and space it was pointed at, who it acts for, and how it may print.
 *
 * @module
 */
import { join } from "node:path";
import type { Agent, OpenReplicaOptions, Replica, Space } from "../api.js";
import type { Answer } from "./answer.js";
import type { Io } from "./io.js";
import type { Style } from "./render/style.js";

/** The door to the library; tests hand in a double. */
export interface Library {
  openReplica(options: OpenReplicaOptions): Promise<Replica>;
}

export interface ContextOptions {
  readonly json?: boolean;
  readonly space?: string;
  readonly branch?: string;
  readonly agent?: string;
}

export interface SpaceUse {
  readonly space: Space;
  /** Who the writes of this call are by. */
  readonly agent: Agent;
}

export class Context {
  readonly io: Io;
  readonly style: Style;
  readonly json: boolean;
  /** Undefined: the library's default, `main`. */
  readonly branch: string | undefined;
  readonly #library: Library;
  readonly #options: ContextOptions;

  constructor(io: Io, style: Style, library: Library, options: ContextOptions) {
    this.io = io;
    this.style = style;
    this.json = options.json === true;
    this.branch = options.branch ?? nonEmpty(io.env.CAMBIUM_BRANCH);
    this.#library = library;
    this.#options = options;
  }

  get home(): string {
    return nonEmpty(this.io.env.CAMBIUM_HOME) ?? join(this.io.userHome, ".cambium");
  }

  async withReplica<T>(use: (replica: Replica) => Promise<T>): Promise<T> {
    // A write waits for the disk, never for the network: only `sync` connects.
    const options = { dir: this.home, connect: false, signal: this.io.signal };
    await using replica = await this.#library.openReplica(options);
    return await use(replica);
  }

  async withSpace<T>(use: (opened: SpaceUse) => Promise<T>): Promise<T> {
    return await this.withReplica(async (replica) => {
      const wanted = this.#options.space ?? nonEmpty(this.io.env.CAMBIUM_SPACE);
      await using space = await replica.openSpace(wanted, { connect: false });
      return await use({ space, agent: space.as({ agent: this.agentName, trigger: "cli" }) });
    });
  }

  get agentName(): string {
    return this.#options.agent ?? nonEmpty(this.io.env.CAMBIUM_AGENT) ?? "cli";
  }

  /** Renders only what will be printed. */
  async answer(document: unknown, render: () => string | Promise<string>, exit = 0): Promise<Answer> {
    return { document, text: this.json ? "" : await render(), exit };
  }
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
