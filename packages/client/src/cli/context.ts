/**
 * What a verb works with: the replica and space it was pointed at, who it acts for, and how it may print.
 *
 * @module
 */
import { join } from "node:path";
import type { Agent, AgentIdentity, Confirm, OpenReplicaOptions, Replica, Space } from "../api.js";
import type { Answer } from "./answer.js";
import { given } from "./given.js";
import { showIndexProgress } from "./index-progress.js";
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
  readonly yes?: true;
}

type ConfirmQuestion = Parameters<Confirm>[0];

export interface SpaceUse {
  readonly space: Space;
  /** Who the writes of this call are by. */
  readonly agent: Agent;
}

/** What a verb needs beyond reading and writing. */
export interface SpaceNeeds {
  /** Vectors, where the environment names something that makes them. */
  readonly vectors?: boolean;
  /** Sentences about changes by a model, where the environment names one. */
  readonly summaries?: boolean;
}

export class Context {
  readonly io: Io;
  readonly style: Style;
  readonly json: boolean;
  /** Undefined: the library's default, `main`. */
  readonly branch: string | undefined;
  readonly #library: Library;
  readonly #options: ContextOptions;
  #hasAgreed = false;

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

  async withReplica<T>(
    use: (replica: Replica) => Promise<T>,
    { vectors = false, summaries = false }: SpaceNeeds = {},
  ): Promise<T> {
    // A write waits for the disk, never for the network: only `sync` connects.
    const opening = { dir: this.home, connect: false, signal: this.io.signal };
    const embedder = vectors ? await this.#embedder() : undefined;
    const summarizer = summaries ? await this.#summarizer() : undefined;
    const options = { ...opening, ...given({ embedder, summarizer }) };
    await using replica = await this.#library.openReplica(options);
    return await use(replica);
  }

  async withSpace<T>(use: (opened: SpaceUse) => Promise<T>, needs?: SpaceNeeds): Promise<T> {
    return await this.withReplica(async (replica) => {
      const wanted = this.#options.space ?? nonEmpty(this.io.env.CAMBIUM_SPACE);
      await using space = await replica.openSpace(wanted, { connect: false });
      using _progress = showIndexProgress(space, this.io);
      return await use({ space, agent: space.as(this.#identity()) });
    }, needs);
  }

  /** Whether recall searches by meaning, too. */
  get hasEmbedder(): boolean {
    return nonEmpty(this.io.env.CAMBIUM_EMBEDDINGS_URL) !== undefined;
  }

  async #summarizer(): Promise<OpenReplicaOptions["summarizer"]> {
    if (!Object.keys(this.io.env).some((name) => name.startsWith("CAMBIUM_SUMMARIES_"))) return undefined;
    const { summarizerFromEnvironment } = await import("../versions/summarizer-from-environment.js");
    return summarizerFromEnvironment(this.io.env);
  }

  async #embedder(): Promise<OpenReplicaOptions["embedder"]> {
    // Most people have none, and their verbs need not wait for what could make one.
    if (!Object.keys(this.io.env).some((name) => name.startsWith("CAMBIUM_EMBEDDINGS_"))) return undefined;
    const { embedderFromEnvironment } = await import("../embedding/embedder-from-environment.js");
    return embedderFromEnvironment(this.io.env);
  }

  /** Who sits at a terminal speaks for the owner, unless an agent is named. */
  #identity(): AgentIdentity {
    const named = this.#options.agent ?? nonEmpty(this.io.env.CAMBIUM_AGENT);
    const confirmed = this.#options.yes === true || ((question: ConfirmQuestion) => this.#confirm(question));
    const who = named === undefined ? ({ agent: "cli", role: "owner" } as const) : { agent: named };
    return { ...who, trigger: "cli", confirmed };
  }

  /** Whoever was shown what would be done has agreed: the policy need not ask again. */
  agree(): void {
    this.#hasAgreed = true;
  }

  async #confirm({ message }: ConfirmQuestion): Promise<boolean> {
    if (this.#hasAgreed) return true;
    if (!this.io.errors.isTerminal) return false;
    const { isConfirmed } = await import("./ask.js");
    return await isConfirmed(message, "Go on?", this.io);
  }

  /** Renders only what will be printed. */
  async answer(document: unknown, render: () => string | Promise<string>, exit = 0): Promise<Answer> {
    return { document, text: this.json ? "" : await render(), exit };
  }
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
