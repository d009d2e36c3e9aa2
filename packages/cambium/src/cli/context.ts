/**
 * What a verb works with: the replica and space it was pointed at, who it acts for, and how it may print.
 *
 * @module
 */

import { join } from "node:path";
import type { Agent, AgentIdentity, Confirm, OpenReplicaOptions, Replica, Space } from "@cambium/client";
import { nonEmpty, omitUndefined, oneLine, onlyStyled, shellWord } from "@cambium/core/text";
import type { ConnectReplicaOptions } from "../daemon-client/connect-options.js";
import type { DaemonNews } from "../daemon-client/daemon-connection.js";
import type { Spaces } from "../daemon-client/remote-replica.js";
import type { Binding } from "../workspace/binding.js";
import type { Answer } from "./answer.js";
import { showIndexProgress } from "./index-progress.js";
import type { Io } from "./io.js";
import { ProgressLine } from "./progress-line.js";
import type { Style } from "./render/style.js";
import { type HeardIo, heard, showStillWorking } from "./still-working.js";
import { UsageError } from "./usage-error.js";

/** The way into the library; tests pass a double. */
export interface Library {
  /** In this process. */
  openReplica(options: OpenReplicaOptions): Promise<Replica>;
  /** Through the daemon, which is started if need be. */
  connectReplica?(options: ConnectReplicaOptions, news?: DaemonNews): Promise<Replica>;
  /** The same without a call to the daemon: the first call is one to a space. */
  connectSpaces?(options: ConnectReplicaOptions, news?: DaemonNews): Promise<Spaces>;
}

export interface ContextOptions {
  readonly json?: boolean;
  readonly space?: string;
  readonly branch?: string;
  readonly agent?: string;
  readonly yes?: true;
  readonly ownerCodeFile?: string;
}

export type RunVerb = (argv: readonly string[], io: Io, library: Library) => Promise<number>;

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
  readonly #silent: Io;
  readonly #heard: HeardIo;
  readonly #library: Library;
  readonly #options: ContextOptions;
  #hasAgreed = false;
  #opened: { readonly binding: Binding; readonly branch: string | undefined } | undefined;

  readonly #typed: readonly string[];
  readonly #runVerb: RunVerb | undefined;

  /**
   * @param typed - the words of the command line
   * @param runVerb - runs another verb, for those that stand before one
   */
  constructor(
    io: Io,
    style: Style,
    library: Library,
    options: ContextOptions,
    typed: readonly string[] = [],
    runVerb?: RunVerb,
  ) {
    this.#silent = io;
    this.#heard = heard(io);
    this.io = this.#heard.io;
    this.#typed = typed;
    this.#runVerb = runVerb;
    this.style = style;
    this.json = options.json === true;
    this.#library = library;
    this.#options = options;
  }

  /** @returns the exit code of the verb, which prints by itself */
  async runVerb(argv: readonly string[], env: Io["env"], library: Library): Promise<number> {
    if (this.#runVerb === undefined) throw new Error("Verbs are run by the program.");
    const io = Object.create(this.#silent, { env: { value: env } }) as Io;
    return await this.#runVerb(argv, io, library);
  }

  get home(): string {
    return nonEmpty(this.io.env.CAMBIUM_HOME) ?? join(this.io.userHome, ".cambium");
  }

  /** The same call on another branch. */
  onBranch(branch: string): Context {
    const same = new Context(this.io, this.style, this.#library, { ...this.#options, branch }, this.#typed);
    if (this.#opened !== undefined) same.#opened = { ...this.#opened, branch };
    return same;
  }

  /** Known inside `withSpace`: it may depend on the space. Undefined: the library's default, `main`. */
  get branch(): string | undefined {
    return this.#whenOpen.branch;
  }

  /** Why it is this space and this branch; known inside `withSpace`. */
  get binding(): Binding {
    return this.#whenOpen.binding;
  }

  get #whenOpen() {
    if (this.#opened === undefined) throw new Error("The branch is known once a space is open.");
    return this.#opened;
  }

  async withReplica<T>(use: (replica: Replica) => Promise<T>, needs?: SpaceNeeds): Promise<T> {
    const { connectReplica } = this.#library;
    await using replica = await (this.#isThroughDaemon && connectReplica !== undefined
      ? this.#notifyingOfWait(connectReplica(this.#connecting, this.#news))
      : this.#openReplica(needs));
    return await use(replica);
  }

  async withSpaces<T>(use: (spaces: Spaces) => Promise<T>, needs?: SpaceNeeds): Promise<T> {
    const { connectSpaces } = this.#library;
    if (!this.#isThroughDaemon || connectSpaces === undefined) return await this.withReplica(use, needs);
    await using spaces = await connectSpaces(this.#connecting, this.#news);
    return await use(spaces);
  }

  /** Whether a daemon has the space open, which connects by itself. */
  get hasDaemon(): boolean {
    return this.#isThroughDaemon && this.#library.connectSpaces !== undefined;
  }

  get #isThroughDaemon(): boolean {
    return this.io.env.CAMBIUM_DAEMON !== "off";
  }

  get #connecting(): ConnectReplicaOptions {
    const { signal, env } = this.io;
    return { dir: this.home, signal, env };
  }

  /** Said where it says no more than the verb's one document. */
  get #news(): DaemonNews {
    return this.json ? {} : { onHandOver: (message) => this.io.errors.write(`${onlyStyled(message)}\n`) };
  }

  async #openReplica({ vectors = false, summaries = false }: SpaceNeeds = {}): Promise<Replica> {
    // A write waits for the disk, never for the network: only `sync` connects.
    const opening = this.#opening;
    const embedder = vectors ? await this.#embedder() : undefined;
    const summarizer = summaries ? await this.#summarizer() : undefined;
    const sourceFetchers = await this.#sourceFetchers();
    const options = { ...opening, ...omitUndefined({ embedder, summarizer, sourceFetchers }) };
    return await this.#library.openReplica(options);
  }

  /** In this process, whether or not a daemon could be started. */
  async openHere(): Promise<Replica> {
    return await this.#library.openReplica(this.#opening);
  }

  get #opening() {
    const { home: dir, io } = this;
    const onWait = ({ pid }: { readonly pid?: number }): void => void this.#tellWait(pid);
    return { dir, connect: false, signal: io.signal, onWait };
  }

  async #tellWait(pid: number | undefined): Promise<void> {
    const { readDaemonNote } = await import("../doctor/read-daemon-note.js");
    const { daemonPlace } = await import("../daemon-client/daemon-place.js");
    const isDaemon = pid !== undefined && readDaemonNote(daemonPlace(this.home).note)?.pid === pid;
    const who = pid === undefined ? "another process" : `${isDaemon ? "the daemon, " : ""}process ${pid}`;
    this.io.errors.write(`Waiting for ${who}, which has ${oneLine(this.home)} open …\n`);
  }

  async withSpace<T>(use: (opened: SpaceUse) => Promise<T>, needs?: SpaceNeeds): Promise<T> {
    // Loaded with the library, not before: `--help` and a typing mistake need neither.
    const { explainPinned, findBinding, openPinnedBranch } = await import("../workspace/binding.js");
    const { cwd, userHome, env } = this.io;
    const { space: wanted, branch } = this.#options;
    const binding = findBinding({ cwd, userHome, env, space: wanted, branch });
    return await this.withSpaces(async (replica) => {
      await using space = await this.#notifyingOfWait(
        replica.openSpace(binding.space?.value, { connect: false }),
      );
      using _progress = showIndexProgress(space, this.io);
      using _working = this.showWorking();
      const opened = { space, agent: space.as(this.#identity()) };
      const onMade = (name: string): void => this.#tellMade(name);
      this.#opened = { binding, branch: await openPinnedBranch(binding.branch, opened, onMade) };
      return await use(opened);
    }, needs).catch(async (error: unknown) => {
      const { withBackupNamed } = await import("../backup/damaged-space.js");
      throw withBackupNamed(explainPinned(error, binding), this.home);
    });
  }

  /** Refuses options that mean nothing here, as they were typed. @throws {UsageError} */
  refuseTyped(names: readonly ("space" | "branch")[], message: string, hint: string): void {
    if (names.some((name) => this.#options[name] !== undefined)) throw new UsageError(message, hint);
  }

  /** Says after a second that the verb works, unless it has said something itself. */
  showWorking(): Disposable {
    return showStillWorking(this.#silent, this.#heard.onWrite, this.json);
  }

  /** The daemon may have to start, or to wait for a program that has the memory open. */
  async #notifyingOfWait<T>(opening: Promise<T>): Promise<T> {
    using line = new ProgressLine(this.io);
    const cancel = this.io.timers.after(OPENING_MS, () => {
      if (line.isWanted) line.show(WAITING);
      else if (!this.json) this.io.errors.write(`${WAITING}\n`);
    });
    try {
      return await opening;
    } finally {
      cancel();
    }
  }

  #tellMade(branch: string): void {
    this.io.errors.write(`Made the branch ${oneLine(branch)} from main, for this git worktree.\n`);
  }

  /** Whether recall searches by meaning, too. */
  get hasEmbedder(): boolean {
    return nonEmpty(this.io.env.CAMBIUM_EMBEDDINGS_URL) !== undefined;
  }

  async #summarizer(): Promise<OpenReplicaOptions["summarizer"]> {
    if (!Object.keys(this.io.env).some((name) => name.startsWith("CAMBIUM_SUMMARIES_"))) return undefined;
    const { summarizerFromEnvironment } = await import("@cambium/client/host");
    return summarizerFromEnvironment(this.io.env);
  }

  async #sourceFetchers(): Promise<OpenReplicaOptions["sourceFetchers"]> {
    if (nonEmpty(this.io.env.CAMBIUM_IMAP_URL) === undefined) return undefined;
    const { fetchersFromEnvironment } = await import("../sources/fetchers-from-environment.js");
    return fetchersFromEnvironment(this.io.env);
  }

  async #embedder(): Promise<OpenReplicaOptions["embedder"]> {
    // Most people have none, and their verbs need not wait for what could make one.
    if (!Object.keys(this.io.env).some((name) => name.startsWith("CAMBIUM_EMBEDDINGS_"))) return undefined;
    const { embedderFromEnvironment } = await import("@cambium/client/host");
    return embedderFromEnvironment(this.io.env);
  }

  /** Who the writes of this call would be by. */
  get agentName(): string {
    return this.#namedAgent ?? CLI_AGENT;
  }

  get #namedAgent(): string | undefined {
    return this.#options.agent ?? nonEmpty(this.io.env.CAMBIUM_AGENT);
  }

  /** @throws {CambiumError} ROLE_REFUSED for what only the owner of the device may do */
  async refuseAgents(what: string): Promise<void> {
    if (this.#namedAgent === undefined) return;
    const { CambiumError } = await import("@cambium/core/errors");
    throw new CambiumError("ROLE_REFUSED", `${oneLine(this.#namedAgent)} may not ${what}.`, {
      hint: "Ask the owner of this device.",
    });
  }

  /** Whether no agent is named. */
  get isForOwner(): boolean {
    return this.#namedAgent === undefined;
  }

  /** Who sits at a terminal speaks for the owner, unless an agent is named. */
  #identity(): AgentIdentity {
    const named = this.#namedAgent;
    const confirmed = this.#options.yes === true || ((question: ConfirmQuestion) => this.#confirm(question));
    const who = named === undefined ? ({ agent: CLI_AGENT, role: "owner" } as const) : { agent: named };
    const ownerCode = named === undefined ? () => this.#ownerCode() : undefined;
    return { ...who, trigger: "cli", confirmed, ...omitUndefined({ ownerCode }) };
  }

  /** Whether the caller has agreed beforehand, or when asked. */
  get hasAgreed(): boolean {
    return this.#hasAgreed || this.#options.yes === true;
  }

  async #ownerCode(): Promise<string | undefined> {
    const { statedOwnerCode } = await import("./owner-code.js");
    return await statedOwnerCode(this.#options.ownerCodeFile, this.io);
  }

  /** Someone was shown what would be done and has agreed: the policy need not ask again. */
  agree(): void {
    this.#hasAgreed = true;
  }

  async #confirm({ message }: ConfirmQuestion): Promise<boolean> {
    if (this.#hasAgreed) return true;
    if (!this.io.errors.isTerminal) return false;
    const { isConfirmed } = await import("./ask.js");
    return await isConfirmed(message, "Go on?", this.io);
  }

  /** What a verb for the same space needs behind it, where this call named the space itself. */
  get spaceWords(): string {
    const { space } = this.#options;
    return space === undefined ? "" : ` --space ${shellWord(space)}`;
  }

  /** The same command once more with another value of an option, to be copied. */
  commandWith(option: `--${string}`, value: string): string {
    const at = this.#typed.indexOf(option);
    const words = this.#typed.filter(
      (word, index) => !(word.startsWith(`${option}=`) || (at !== -1 && (index === at || index === at + 1))),
    );
    return ["cambium", ...words, option, value].map(shellWord).join(" ");
  }

  /** A command about the same space and branch, to be copied. */
  commandHere(...words: readonly string[]): string {
    const { space, branch } = this.#options;
    const where = { ...omitUndefined({ "--space": space, "--branch": branch }) };
    return ["cambium", ...words, ...Object.entries(where).flat()].map(shellWord).join(" ");
  }

  /** Renders only what will be printed. */
  async answer(document: unknown, render: () => string | Promise<string>, exit = 0): Promise<Answer> {
    return { document, text: this.json ? "" : await render(), exit };
  }
}

/** Nobody wonders before. */
const OPENING_MS = 800;
const WAITING = "Waiting for the memory to open …";

/** Who writes when nobody is named. */
const CLI_AGENT = "cli";
