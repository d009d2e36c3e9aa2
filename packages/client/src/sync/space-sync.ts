/**
 * Keeping a space in step with its relay: what leaves and when, what has to be fetched, and what is
 * known to be safe there.
 *
 * @module
 */
import {
  allUsageDocuments,
  CambiumError,
  type DocumentId,
  type DocumentKind,
  documentIdFromHex,
  isCambiumError,
} from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import { SIGNATURES } from "../api/signatures.js";
import type { Erasure, RelayAccess, Role, Sync, SyncStatus, Withheld } from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer } from "../platform/timers.js";
import { Admission } from "./admission.js";
import { cleanKeptOut } from "./cleaning.js";
import { correctClock } from "./clock-corrections.js";
import { CollisionRepair } from "./collision-repair.js";
import { connectable } from "./late-trade.js";
import { LineState } from "./line-state.js";
import type { LogLink } from "./log-link.js";
import type { RelayLink } from "./relay-line-options.js";
import { Retirements } from "./retirements.js";
import { SeenByOthers } from "./seen-by-others.js";
import { seenSources } from "./seen-sources.js";
import { SessionWatch } from "./session-watch.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";
import { syncStatus } from "./sync-status.js";
import { CURSOR_ROW, SyncTracker } from "./sync-tracker.js";

/** A branch comes right after the pack that it refers to. */
const STORE_AFTER_MS = 20;

export class SpaceSync implements Sync {
  readonly #options: SpaceSyncOptions;
  readonly #tracker: SyncTracker;
  readonly #repair: CollisionRepair;
  readonly #admission: Admission;
  readonly #seen: SeenByOthers;
  readonly #retirements: Retirements;
  #erasing: Promise<void> | undefined;
  #isErasingAgain = false;
  #stopped = new AbortController();
  #isClosed = false;
  /** Undefined while nobody wants a line to the relay. */
  #connecting: Promise<void> | undefined;
  /** Resolves when the line before this one is gone, and what was read by it is in the store. */
  #stopping: Promise<void> = Promise.resolve();
  #log: LogLink | undefined;
  readonly #line = new LineState();
  /** How many wait for everything to be synced. */
  #waiting = 0;
  #cancelStore: CancelTimer | undefined;
  readonly #watch = new SessionWatch({
    begin: () => this.#log?.reopen(),
    isAtRest: () => this.#line.link !== "online" || this.#tracker.isAtRest,
  });

  constructor(options: SpaceSyncOptions) {
    this.#options = options;
    const { store, documents } = options;
    this.#tracker = new SyncTracker({ rows: store.rows(), now: options.platform.now });
    this.#retirements = new Retirements({
      ...options,
      isReceipted: (document) => this.#tracker.isReceipted(document),
    });
    documents.onCommit(() => this.#storeRead());
    documents.onDurable((document, heads) => {
      this.#tracker.localHeads(document, heads);
      this.#noteHeard();
      this.#log?.offer(document);
      options.onProgress();
    });
    documents.onDamage((document) => {
      if (this.#tracker.isCaughtUp) void this.#restore([document]);
    });
    documents.onHeads(({ isLocal }) => {
      if (this.#line.link === "online") this.#watch.noteProgress();
      if (isLocal) this.#flushSoon();
      else this.#storeSoon();
    });
    const kindOf = (document: DocumentId): DocumentKind => this.#kindOf(document);
    this.#seen = new SeenByOthers(seenSources(options));
    documents.onChange((request) => this.#seen.seenText(request));
    this.#admission = new Admission({
      seen: this.#seen,
      ...{ ...options, changeKey: options.keys.codes, kindOf },
      isKeyProven: () => typeof options.config().keyCheck === "string",
    });
    this.#repair = new CollisionRepair({
      ...options,
      kindOf,
      admission: this.#admission,
      fetch: async (document) => (await this.#log?.fetch(document, [])) ?? [],
      onRepaired: () => this.#log?.reopen(),
      onFailed: () => this.#watch.noteBreak(),
    });
  }

  /** With what was read, or after it: what is counted as read has to be here whatever happens. */
  #storeRead(log = this.#log): void {
    for (const row of log?.takeRows() ?? []) this.#options.store.putReceipt(row);
  }

  /** What the relay brings is safe there: unless somebody waits for it, it is stored with what follows it. */
  #storeSoon(): void {
    if (this.#waiting > 0) this.#flushSoon();
    else this.#cancelStore ??= idleTimers.after(STORE_AFTER_MS, () => this.#flushSoon());
  }

  /** A failing store shows at the next write. */
  #flushSoon(): void {
    this.#cancelStore?.();
    this.#cancelStore = undefined;
    this.#options.documents.flush().catch((error: unknown) => this.#options.onNotice(messageOf(error)));
  }

  /** Gives a document changes that came in another way than from the relay: those that count. */
  async takeIn(document: DocumentId, changes: readonly Uint8Array[]): Promise<void> {
    const { documents, setAside } = this.#options;
    const give = async (id: DocumentId, chunks: readonly Uint8Array[]): Promise<void> => {
      await documents.open(id);
      const admitted = await this.#admission.admit(id, chunks);
      await documents.open(id);
      const { refused } = documents.receive(id, admitted, setAside.hashesOf(id));
      for (const { hash, reason, bytes } of refused) setAside.add({ document: id, hash, reason }, bytes);
    };
    await give(document, changes);
    for (const waiting of await this.#admission.waiting()) await give(waiting, []);
  }

  start(): void {
    const { relay, id } = this.#options.config();
    if (relay === null || this.#isClosed) return;
    // Refused before there was a line, nothing is left that would try again.
    const isOver = this.#log === undefined && this.#line.link === "refused";
    if (this.#connecting !== undefined && !isOver) {
      this.#line.askAgain();
      this.#log?.retry();
      return;
    }
    this.#stopped = new AbortController();
    this.#line.begin();
    const { signal } = this.#stopped;
    this.#connecting = this.#connect(relay, id, signal).catch((cause: unknown) => {
      const failed = new CambiumError("RELAY_UNREACHABLE", "The relay cannot be reached.", { cause });
      this.#onState("refused", isCambiumError(cause) ? cause : failed);
    });
  }

  async #connect(stated: RelayAccess, space: string, signal: AbortSignal): Promise<void> {
    await this.#stopping;
    const [{ LogLink }] = await Promise.all([import("./log-link.js"), this.#options.documents.prepare()]);
    if (signal.aborted) return;
    await Promise.all([
      this.#options.beforeConnecting(),
      this.#options.setAside.read(),
      this.#options.held.read(),
      this.#readSeen(),
    ]);
    if (signal.aborted) return;
    const { trade } = this.#options;
    const onAway = (reason: CambiumError): void => this.#onState("offline", reason);
    const relay = await connectable({ relay: stated, trade, onAway, signal });
    if (signal.aborted) return;
    const [tracker, repair, watch] = [this.#tracker, this.#repair, this.#watch];
    this.#log = new LogLink({
      ...{ relay, space, services: this.#options, tracker, repair, watch, admission: this.#admission },
      seen: this.#seen,
      retirements: this.#retirements,
      kindOf: (document) => this.#kindOf(document),
      onWelcome: ({ role, time }) => this.#onWelcome(role as Role, time),
      onState: (link, reason) => this.#onState(link, reason),
      onStuck: (reason) => {
        this.#line.stick(reason);
        this.#options.onProgress();
      },
      onApplied: () => this.#onApplied(),
      onCaughtUp: () => {
        void this.#restoreLost();
        this.#log?.retire();
        this.#onApplied();
      },
    });
    this.#log.open();
  }

  async #readSeen(): Promise<void> {
    await this.#seen.read();
    const { invited } = this.#options.config();
    if (invited !== undefined) this.#seen.invited(invited.at, invited.heads);
  }

  /** Nothing is held back before all has been read that the relay gives. */
  async #compareWithOthers(): Promise<void> {
    if (!this.#tracker.isCaughtUp) return;
    const { config, onProgress, onNotice, onInvitationSeen } = this.#options;
    try {
      const before = this.#seen.withheld;
      await this.#seen.check();
      const { namedByRelay } = this.#seen;
      this.#log?.explain((document) => namedByRelay.has(document));
      const isInvitationOpen = this.#seen.withheld.some(({ by }) => by === "invitation");
      if (config().invited !== undefined && !isInvitationOpen) onInvitationSeen();
      if (this.#seen.withheld.length + before.length > 0) onProgress();
    } catch (error) {
      onNotice(messageOf(error));
    }
  }

  /** What others have seen and the relay has not given, with what earlier sessions found. */
  async withheld(): Promise<readonly Withheld[]> {
    await this.#seen.read();
    return this.#seen.withheld;
  }

  /** What others have seen is gone for good, says the owner. */
  async acceptWithheld(): Promise<void> {
    await this.#seen.read();
    if (this.#seen.withheld.length > 0) this.#seen.accept();
    if (this.#options.config().invited !== undefined) this.#options.onInvitationSeen();
  }

  /** Removes what counts for nothing. @returns how many changes */
  clean(): Promise<number> {
    // Under a key that may be wrong, nothing seems to count.
    const isProven = typeof this.#options.config().keyCheck === "string";
    return isProven ? cleanKeptOut(this.#options, this.#admission) : Promise.resolve(0);
  }

  /**
   * Once everything has been read: what takes the place of retired documents may be on its way. What comes while it
   * runs is looked at before it resolves.
   */
  erase(): Promise<void> {
    this.#isErasingAgain = true;
    this.#erasing ??= this.#eraseWhileAsked();
    return this.#erasing;
  }

  async #eraseWhileAsked(): Promise<void> {
    while (this.#isErasingAgain) {
      this.#isErasingAgain = false;
      await this.#options.erase().catch((error: unknown) => this.#options.onNotice(messageOf(error)));
    }
    this.#erasing = undefined;
    this.#log?.retire();
  }

  /** Whether the relay has confirmed all of a document, or there is no relay. */
  isSafe(document: DocumentId): boolean {
    return this.#options.config().relay === null || this.#tracker.isReceipted(document);
  }

  /** Whether the relay has destroyed what it was asked to. */
  get relayErased(): Erasure["relay"] {
    if (this.#options.config().relay === null) return "none";
    return this.#retirements.isDone ? "destroyed" : "pending";
  }

  #onApplied(): void {
    this.#noteHeard();
    if (this.#tracker.isCaughtUp) void this.erase();
    void this.#compareWithOthers();
    this.#options.onProgress();
    if (this.#options.documents.isDurable) this.#storeRead();
    else this.#storeSoon();
  }

  /**
   * Documents of which bytes were damaged, those that the catalog names and that are not here at all, and those of
   * which the relay did not give what it named.
   */
  async #restoreLost(): Promise<void> {
    const { store, documents, catalog } = this.#options;
    await this.#compareWithOthers();
    const damaged = store.quarantined().map(({ documentId }) => documentId as DocumentId);
    const { branches, documents: packs } = catalog.current;
    const named = [
      ...packs.keys(),
      ...[...branches.values()].map(({ value }) => value.document),
    ] as DocumentId[];
    const gone = named.filter(
      (id) => !documents.isHere(id) && !store.isRetired(id) && !catalog.isRetired(id),
    );
    const { namedByRelay } = this.#seen;
    await this.#restore([...new Set([...damaged, ...gone, ...namedByRelay.keys()])], namedByRelay);
  }

  async #restore(
    ids: readonly DocumentId[],
    namedByRelay: ReadonlyMap<DocumentId, readonly string[]> = new Map(),
  ): Promise<void> {
    const log = this.#log;
    for (const id of ids)
      await log?.restore(id, namedByRelay.get(id)).catch((error: unknown) => {
        // The state of the sync tells of a line that has ended, and the next session asks again.
        if (!isCambiumError(error, "RELAY_UNREACHABLE")) this.#options.onNotice(messageOf(error));
      });
    if (ids.length === 0) return;
    void this.#compareWithOthers();
    this.#storeSoon();
  }

  stop(): Promise<void> {
    if (this.#connecting === undefined) return this.#stopping;
    const log = this.#log;
    this.#connecting = undefined;
    this.#log = undefined; // what `start` begins from now on is another one
    this.#watch.forget();
    this.#stopped.abort();
    const gone = Promise.all([log?.close(), this.#stopping]);
    this.#onState("offline", undefined);
    const stopping = gone.then(() => {
      if (log !== undefined && this.#options.documents.isDurable) this.#storeRead(log);
      const lastReceiptAt = this.#lastReceiptAt();
      if (lastReceiptAt !== null) this.#options.onReceiptTime(lastReceiptAt);
    });
    this.#stopping = stopping.catch(() => {}); // whoever stops hears of it
    return stopping;
  }

  /**
   * Goes on with the relay that the settings name after this. What the one before confirmed does not count there.
   *
   * @param save - changes the settings
   */
  async changeRelay(save: () => void): Promise<void> {
    const wasRunning = this.#connecting !== undefined;
    await this.stop();
    const wasStarted = this.#connecting !== undefined; // meanwhile, for the relay of before
    if (wasStarted) await this.stop();
    try {
      save();
      this.#tracker.forgetRelay();
      this.#retirements.begin(-1);
      const { store } = this.#options;
      for (const row of this.#tracker.takeRows()) store.putReceipt(row);
      store.putReceipt({ documentId: CURSOR_ROW, receiptedHeads: [], receiptedAt: undefined });
    } finally {
      if (wasRunning || wasStarted) this.start();
    }
  }

  /** Stops for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelStore?.();
    await this.stop();
  }

  /** Receipts of this session, or else what an earlier one noted. */
  #lastReceiptAt(): number | null {
    const times = this.#tracker.allProgress().map(({ lastReceiptAt }) => lastReceiptAt ?? 0);
    return Math.max(0, ...times) || (this.#options.config().lastReceiptAt ?? null);
  }

  #kindOf(document: DocumentId): DocumentKind {
    const { catalog } = this.#options;
    if (document === catalog.document) return "catalog";
    if (catalog.current.documents.has(document)) return "pack";
    return allUsageDocuments(catalog.current).has(document) ? "uses" : "branch";
  }

  #onWelcome(role: Role, time: number): void {
    this.#options.onRole(role);
    const offsetMs = this.#options.clock.compare(time);
    if (offsetMs !== undefined) void this.#correctClock(offsetMs);
  }

  async #correctClock(offsetMs: number): Promise<void> {
    const { onNotice, config } = this.#options;
    const minutes = Math.round(offsetMs / 60_000);
    onNotice(`This device's clock is off by ${minutes} minutes; the relay's time is used instead.`);
    if (config().role === "read") return;
    try {
      await correctClock(this.#options, offsetMs);
      this.#flushSoon();
    } catch (error) {
      onNotice(`The times of earlier changes could not be corrected: ${messageOf(error)}`);
    }
  }

  #noteHeard(): void {
    const { config, onHeard, directory, onNotice } = this.#options;
    const isUnheard = config().isUnheard === true;
    if (!isUnheard || !this.#tracker.isHeard(documentIdFromHex(directory.main))) return;
    try {
      onHeard();
    } catch (error) {
      onNotice(messageOf(error)); // it is known in this session all the same
    }
  }

  /** Whether what is not here may come any moment. */
  get mayBring(): boolean {
    return ["online", "connecting"].includes(this.#line.link);
  }

  /** Whether what the relay holds is on its way. */
  get isReading(): boolean {
    return this.#line.link === "online" && !this.#tracker.isCaughtUp;
  }

  #onState(link: RelayLink, reason: CambiumError | undefined): void {
    this.#line.turn(link, reason);
    this.#options.onProgress();
  }

  async whenSynced({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const { documents, config } = this.#options;
    if (config().relay === null) {
      throw new CambiumError(
        "RELAY_UNREACHABLE",
        "This space has no relay, so there is nothing to sync with.",
        {
          hint: "Give it one: cambium link <url of the relay> --token <admin token of the relay>",
        },
      );
    }
    if (this.#isClosed) throw new CambiumError("REPLICA_CLOSED", "The space has been closed; open it again.");
    if (this.#line.link !== "refused") this.start();
    if (this.#line.isStuck) this.#log?.reopen(); // there may be room by now
    const stopped = this.#stopped.signal;
    const ended = signal === undefined ? stopped : AbortSignal.any([signal, stopped]);
    // What the relay last said may be old news: it is asked. While it is away, the question waits for its return.
    const ask = this.#tracker.newAsk();
    this.#log?.count();
    if (this.#line.link === "online") this.#watch.noteProgress(); // an answer is due
    this.#waiting += 1;
    try {
      do {
        await documents.flush();
        if (this.#tracker.isCaughtUp) await this.#restoreLost();
        await Promise.race([this.#tracker.whenSynced(ended, ask), this.#line.refused]);
        await this.erase();
        await documents.flush();
        this.#log?.retire();
        // A reader cannot ask the relay for anything.
        if (this.#tracker.isSynced(ask) && config().role !== "read")
          await Promise.race([this.#retirements.whenSettled(ended), this.#line.refused]);
      } while (!this.#tracker.isSynced(ask));
      this.#options.catalog.refuseWrongKey();
    } finally {
      this.#waiting -= 1;
    }
  }

  status(): Promise<SyncStatus> {
    return syncStatus({
      ...this.#options,
      tracker: this.#tracker,
      seen: this.#seen,
      line: this.#line,
      lastReceiptAt: () => this.#lastReceiptAt(),
      kindOf: (document) => this.#kindOf(document),
    });
  }
}

checkCallsOf(SpaceSync, SIGNATURES.sync);
