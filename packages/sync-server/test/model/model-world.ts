/**
 * Replicas and a relay that anything may happen to: sockets cut with frames on their way, commits that fail before or
 * after they are done, restarts, restored backups, replicas that never come back, records that are erased, and a log
 * that is packed meanwhile. All of it follows from one seed.
 *
 * @module
 */
import { setImmediate as turn } from "node:timers/promises";
import * as A from "@automerge/automerge";
import { LOG_KINDS, LOG_START, nextPoint } from "@cambium/core/wire";
import { type Draw, draws } from "../../../core/test/support/random-documents.js";
import { chunkTools } from "../../src/chunk-tools.js";
import { all, type LogBatch, type LogEntry, type SpaceLog } from "../../src/log/space-log.js";
import { Appender } from "../../src/sessions/appender.js";
import { LogSession, type LogSessionShared } from "../../src/sessions/log-session.js";
import { Slots } from "../../src/sessions/slots.js";
import { SpaceFeed } from "../../src/sessions/space-feed.js";
import { Turns } from "../../src/sessions/turns.js";
import type { Member } from "../../src/tokens.js";
import { type ForgottenByClient, ModelClient } from "./model-client.js";
import { BRANCH, CATALOG, changeKey, Said } from "./model-disk.js";
import type { ModelLog, ModelStore } from "./model-store.js";

/** A rule that is left out. */
export type Forgotten = ForgottenByClient | "a refused batch stops its line";

interface Link {
  readonly client: ModelClient;
  readonly relay: ModelRelay;
  readonly session: LogSession;
  readonly toRelay: Uint8Array[];
  readonly toClient: Uint8Array[];
  isCut: boolean;
}

const SPACE = "space";
const MEMBER: Member = {
  kind: "member",
  tokenId: "token",
  space: SPACE,
  role: "write",
  hash: "none",
  expiresAt: undefined,
  isOidc: true,
};
const CLIENTS = ["1", "2", "3", "4"];
const ROUNDS_TO_SETTLE = 400;

interface ModelRelay {
  readonly stored: ModelLog;
  readonly shared: LogSessionShared & { readonly feed: SpaceFeed };
  readonly settled: () => Promise<void>;
}

export class ModelWorld {
  readonly #draw: Draw;
  readonly #forgets: Forgotten | undefined;
  readonly #said = new Said();
  #clients: ModelClient[];
  #links: Link[] = [];
  readonly #store: ModelStore;
  readonly #backups: (() => Promise<void>)[] = [];
  #relays: ModelRelay[] = [];
  #hasFaults = true;

  constructor(seed: number, store: ModelStore, forgets?: Forgotten) {
    this.#draw = draws(seed);
    this.#store = store;
    this.#forgets = forgets;
    const forgotten = forgets as ForgottenByClient | undefined;
    this.#clients = CLIENTS.map((name) => new ModelClient(name, this.#said, this.#draw, forgotten));
  }

  /** @returns what is wrong in the end, if anything */
  async run(steps: number): Promise<string | undefined> {
    await this.#start();
    for (let step = 0; step < steps; step += 1) {
      await this.#step();
      const fault = step % 10 === 0 ? await this.#faultOfLog() : undefined;
      if (fault !== undefined) return `step ${step}: ${fault}`;
    }
    this.#hasFaults = false;
    for (let round = 0; round < ROUNDS_TO_SETTLE; round += 1) {
      for (const client of this.#clients) if (!client.isConnected) this.#connect(client);
      for (const client of this.#clients) client.flush();
      await this.#deliver(() => true);
      const isQuiet = this.#links.every(({ toRelay, toClient }) => toRelay.length + toClient.length === 0);
      if (isQuiet && this.#clients.every(({ isSettled }) => isSettled)) return this.#faultOfEnd();
    }
    return "some replica never hears that all of its changes are in the log";
  }

  async #step(): Promise<void> {
    const client = this.#clients[this.#draw(this.#clients.length)] as ModelClient;
    const what = this.#draw(100);
    if (what < 28) client.disk.write();
    else if (what < 32) client.disk.erase();
    else if (what < 34) await this.#pack();
    else if (what < 46) client.flush();
    else if (what < 85) await this.#deliver(() => this.#draw(3) > 0);
    else if (what < 92) this.#connect(client);
    else if (what < 94) this.#cut(client);
    else if (what < 96) this.#backups.push(await this.#store.backup());
    else if (what < 98) await this.#restart(this.#backups[this.#draw(this.#backups.length + 1)]);
    else if (what < 99 && this.#clients.length > 2) this.#lose(client);
  }

  #connect(client: ModelClient): void {
    this.#cut(client);
    const relay = this.#relays[this.#relays.length === 1 ? 0 : this.#draw(this.#relays.length)] as ModelRelay;
    const session = new LogSession("peer", MEMBER, relay.shared);
    const link: Link = { client, relay, session, toRelay: [], toClient: [], isCut: false };
    this.#links.push(link);
    session.attach({
      ...{
        isFull: false,
        isBusy: false,
        processed: () => {},
        spend: () => {},
        setBehind: () => {},
        heartbeat: () => {},
      },
      send: (frame) => link.toClient.push(frame),
      close: () => this.#cutLink(link),
      terminate: () => this.#cutLink(link),
    });
    client.connect({ send: (frame) => link.toRelay.push(frame) });
  }

  #cut(client: ModelClient): void {
    for (const link of this.#links) if (link.client === client) this.#cutLink(link);
    client.disconnect();
  }

  #cutLink(link: Link): void {
    if (link.isCut) return;
    link.isCut = true;
    link.session.release();
    link.client.disconnect();
    this.#links = this.#links.filter((other) => other !== link);
  }

  #lose(client: ModelClient): void {
    this.#cut(client);
    this.#clients = this.#clients.filter((other) => other !== client);
  }

  /** @param restore - undefined: the log stays as it is */
  async #restart(restore: (() => Promise<void>) | undefined): Promise<void> {
    for (const link of [...this.#links]) this.#cutLink(link);
    await Promise.all(this.#relays.map((relay) => relay.settled()));
    await restore?.();
    await this.#start();
  }

  /** Packs the log, and whatever else happens happens meanwhile. */
  async #pack(): Promise<void> {
    const packed = Promise.all(this.#relays.map(({ stored }) => stored.packer?.packAll()));
    await this.#deliver(() => this.#draw(2) > 0);
    await packed;
  }

  async #start(): Promise<void> {
    const logs = await Promise.all(Array.from({ length: this.#store.relays }, () => this.#store.open()));
    this.#relays = logs.map((log) => this.#startRelay(log));
  }

  /** Some of the frames that are on their way arrive, in the order of each socket. */
  async #deliver(arrives: () => boolean): Promise<void> {
    for (const link of [...this.#links]) {
      while (!link.isCut && link.toRelay.length > 0 && arrives())
        link.session.receive(link.toRelay.shift() as Uint8Array);
    }
    await Promise.all(this.#relays.map((relay) => relay.settled()));
    if (this.#relays.length > 1) await this.#look();
    for (const link of [...this.#links]) {
      while (!link.isCut && link.toClient.length > 0 && arrives())
        link.client.receive(link.toClient.shift() as Uint8Array);
    }
  }

  /** Relays that share a log look what the others have added. */
  async #look(): Promise<void> {
    for (const relay of this.#relays) {
      const { position } = await relay.stored.end(SPACE);
      relay.shared.feed.see(SPACE, position);
      for (const session of this.#sessionsOf(relay.shared)) session.wake();
    }
  }

  #sessionsOf(shared: ModelRelay["shared"]): readonly LogSession[] {
    return this.#links.filter(({ relay }) => relay.shared === shared).map(({ session }) => session);
  }

  #startRelay(stored: ModelLog): ModelRelay {
    const log = this.#faulty(stored);
    const feed = new SpaceFeed(log);
    const appender = new Appender({
      ...{ log, probe: async () => {}, onEvent: () => {}, elapsed: () => 0, pause: async () => {} },
      onAppended: (space, _documents, added) => {
        feed.moved(space, added);
        for (const session of this.#sessionsOf(shared)) session.wake();
      },
    });
    const shared: ModelRelay["shared"] = {
      ...{ log, appender, feed, slots: new Slots(), now: () => 0 },
      turns: new Turns(() => 0),
      inSpace: () => this.#sessionsOf(shared),
      quotaRefusal: async () => undefined,
      broadcast: () => {},
      onError: (error: unknown) => {
        throw error;
      },
    };
    const settled = async (): Promise<void> => {
      for (let turns = 0; turns < 4; turns += 1) await turn();
      await appender.settled();
      for (let turns = 0; turns < 4; turns += 1) await turn();
    };
    return { shared, stored, settled };
  }

  #faulty(log: SpaceLog): SpaceLog {
    const refusedOneOf = this.#forgets === "a refused batch stops its line" ? 3 : 12;
    const isDue = (oneOf: number): boolean => this.#hasFaults && this.#draw(oneOf) === 0;
    return {
      ...log,
      append: async (batches) => {
        if (isDue(25)) throw new Error("It failed before the commit.");
        const outcomes = await log.append(batches.map((batch) => this.#spoilt(batch, isDue(refusedOneOf))));
        if (isDue(25)) throw new Error("The answer to the commit was lost.");
        return outcomes;
      },
    };
  }

  /** A batch that its store refuses, whatever is in it. */
  #spoilt(batch: LogBatch, isRefused: boolean): LogBatch {
    const { line, ...rest } = batch;
    const lined = this.#forgets === "a refused batch stops its line" || line === undefined ? rest : batch;
    return isRefused ? { ...lined, tokenHash: "a token that was revoked" } : lined;
  }

  async #entries(): Promise<readonly LogEntry[]> {
    const { stored } = this.#relays[0] as ModelRelay;
    return stored.read({ space: SPACE, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
  }

  async #faultOfLog(): Promise<string | undefined> {
    const { names, puts, erases } = this.#said;
    const entries = await this.#entries();
    const retired = retiredIn(entries);
    let point = LOG_START;
    const [seen, put, live, erased] = [1, 2, 3, 4].map(() => new Set<string>()) as [Keys, Keys, Keys, Keys];
    for (const { kind, document, hash, position, mark, bytes } of entries) {
      point = nextPoint(point, { kind, document, hash }, chunkTools.sha256);
      if (position !== point.position) return `position ${position} comes after ${point.position - 1}`;
      if (Buffer.compare(mark, point.mark) !== 0) return `the mark of ${position} is another`;
      const key = changeKey(document, hash);
      if (seen.has(key)) return `${key} is in the log twice`;
      seen.add(key);
      const isChange = kind === LOG_KINDS.change;
      if (isChange && (bytes === undefined) !== retired.has(document))
        return `${position} has the wrong bytes`;
      for (const record of puts.get(key) ?? []) put.add(record);
      if (!retired.has(document)) for (const record of puts.get(key) ?? []) live.add(record);
      erased.add(erases.get(key) ?? "");
      const named = names.get(key);
      if (named !== undefined && !put.has(named) && !erased.has(named))
        return `the branch at ${position} names what is not there`;
    }
    const lost = [...put].filter((record) => !live.has(record) && !erased.has(record));
    return lost.length > 0
      ? `${lost.length} records are in no live document, and nobody erased them`
      : undefined;
  }

  async #faultOfEnd(): Promise<string | undefined> {
    const fault = await this.#faultOfLog();
    if (fault !== undefined) return fault;
    const { stored } = this.#relays[0] as ModelRelay;
    const entries = await this.#entries();
    const retired = retiredIn(entries);
    const keys = entries.map(({ document, hash }) => changeKey(document, hash));
    const changes = entries.filter(
      ({ kind, document }) => kind === LOG_KINDS.change && !retired.has(document),
    );
    const inLog = new Set(changes.map(({ document, hash }) => changeKey(document, hash)));
    for (const { disk } of this.#clients) {
      const known = new Set(disk.changes.keys());
      if (!known.isSubsetOf(inLog)) return "changes of a replica are not in the log";
      if (!inLog.isSubsetOf(known))
        return `a replica lacks ${inLog.difference(known).size} changes of the log`;
      if (!disk.retired.isSubsetOf(retired)) return "what the catalog calls retired is in the log";
    }
    const { puts, erases, retires } = this.#said;
    const erased = new Set(keys.flatMap((key) => erases.get(key) ?? []));
    if (keys.some((key) => retires.has(key) && !retired.has(retires.get(key) as string)))
      return "nobody asked again for what is to be retired";
    if ([...inLog].some((key) => (puts.get(key) ?? []).some((record) => erased.has(record))))
      return "a record that was erased is in the log";
    return this.#faultOfHeads(stored, [CATALOG, BRANCH]);
  }

  async #faultOfHeads(stored: SpaceLog, documents: readonly string[]): Promise<string | undefined> {
    for (const document of documents) {
      const changes = (await all(stored.changes({ space: SPACE, document }))).map(({ bytes }) => bytes);
      const heads = A.getHeads(A.applyChanges(A.init(), changes)[0]);
      const [state] = await stored.describe(SPACE, [document]);
      if (heads.toSorted().join() !== (state?.heads ?? []).toSorted().join())
        return "the log's heads are others";
    }
    return undefined;
  }
}

type Keys = Set<string>;

const retiredIn = (entries: readonly LogEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ kind, document }) => (kind === LOG_KINDS.retire ? [document] : [])));
