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
  type SpaceId,
} from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type { RelayAccess, Sync, SyncStatus } from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import * as A from "../documents/automerge.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer } from "../platform/timers.js";
import { correctClock } from "./clock-corrections.js";
import { CollisionRepair } from "./collision-repair.js";
import { forkToAsk } from "./fork-to-ask.js";
import type { RelayAdapter } from "./relay-adapter.js";
import type { RelayAdapterOptions, RelayLink } from "./relay-adapter-options.js";
import type { HeadsUpdate, Refused, Welcome } from "./relay-frames.js";
import type { DocumentSnapshot } from "./relay-http.js";
import { SessionWatch } from "./session-watch.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";
import { syncStatus } from "./sync-status.js";
import { SyncTracker } from "./sync-tracker.js";

/** What a relay says of changes that it cannot take in. */
const UNSOUND: ReadonlySet<string> = new Set(["BAD_CHUNK", "BAD_INPUT"]);
/** A relay that refuses more makes them up. */
const MAX_REFUSALS = 1_000;
/** A branch comes a round trip after the pack that it refers to. */
const STORE_AFTER_MS = 20;

/** What a branch refers to has to be on the relay before it. */
const GATING_KINDS: ReadonlySet<DocumentKind> = new Set(["catalog", "pack"]);

export class SpaceSync implements Sync {
  readonly #options: SpaceSyncOptions;
  readonly #tracker: SyncTracker;
  readonly #repair: CollisionRepair;
  #stopped = new AbortController();
  #isClosed = false;
  /** Undefined while nobody wants a line to the relay. */
  #connecting: Promise<void> | undefined;
  #adapter: RelayAdapter | undefined;
  #link: RelayLink = "offline";
  #reason: CambiumError | undefined;
  #refusal = unheardRefusal();
  readonly #forksAsked = new Set<DocumentId>();
  /** How many wait for everything to be synced. */
  #waiting = 0;
  #cancelStore: CancelTimer | undefined;
  readonly #watch = new SessionWatch({
    begin: () => this.#reconnect(),
    isAtRest: () => this.#link !== "online" || this.#tracker.isSynced(),
  });
  /** What the relay has refused to take, as it said it. */
  readonly #refusals = new Set<string>();

  constructor(options: SpaceSyncOptions) {
    this.#options = options;
    const { store, documents, synced } = options;
    this.#tracker = new SyncTracker({
      rows: store.rows(),
      now: options.platform.now,
      onRow: (row) => store.putReceipt(row),
    });
    documents.onDurable((document, heads) => {
      this.#tracker.localHeads(document, heads);
      this.#noteHeard();
      synced.offer(document);
      options.onProgress();
    });
    options.setAside.onAdded((document) => {
      this.#noteRefused(document);
      this.#watch.noteBreak();
    });
    documents.onHeads(({ isLocal }) => {
      if (this.#link === "online") this.#watch.noteProgress();
      if (isLocal) this.#flushSoon();
      else this.#storeSoon();
    });
    this.#repair = new CollisionRepair({
      ...options,
      kindOf: (document) => this.#kindOf(document),
      fetch: (document) => this.#fetchSnapshot(document),
      onRepaired: () => this.#reconnect(),
    });
  }

  #noteRefused(document: DocumentId): void {
    this.#tracker.refuse(document, this.#options.setAside.hashesOf(document));
    this.#options.onProgress();
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

  start(): void {
    const { relay, id } = this.#options.config();
    if (relay === null || this.#isClosed) return;
    if (this.#connecting !== undefined) {
      // A process that stays must not answer with what the relay said hours ago.
      if (this.#link === "refused") this.#refusal = unheardRefusal();
      this.#adapter?.retry();
      return;
    }
    this.#stopped = new AbortController();
    this.#refusal = unheardRefusal();
    this.#link = "connecting";
    const { signal } = this.#stopped;
    // Loaded by those who connect: most processes that read never do.
    this.#connecting = this.#connect(relay, id, signal);
  }

  async #connect(relay: RelayAccess, id: string, signal: AbortSignal): Promise<void> {
    const [{ RelayAdapter }, repo] = await Promise.all([
      import("./relay-adapter.js"),
      this.#options.openRepo(),
      this.#options.documents.prepare(),
    ]);
    if (signal.aborted) return;
    await Promise.all([this.#options.beforeConnecting(), this.#options.setAside.read()]);
    if (signal.aborted) return;
    for (const { document } of this.#options.setAside.all()) this.#noteRefused(document);
    await this.#openDoubted();
    if (signal.aborted) return;
    this.#adapter = new RelayAdapter(this.#adapterOptions(relay, id));
    repo.networkSubsystem.addNetworkAdapter(this.#adapter);
  }

  /** The row of a document says what it had when it was whole. Only in memory does it show what has to be fetched again. */
  async #openDoubted(): Promise<void> {
    const { store, documents, onNotice } = this.#options;
    const ids = new Set(store.quarantined().map(({ documentId }) => documentId as DocumentId));
    for (const id of ids) await documents.open(id).catch((error: unknown) => onNotice(messageOf(error)));
  }

  #adapterOptions(relay: RelayAccess, id: string): RelayAdapterOptions {
    const { synced } = this.#options;
    return {
      url: relay.url,
      token: relay.token,
      space: id,
      sendCheck: (document, message) => this.#sendCheck(document as DocumentId, message.data),
      onWelcome: (welcome) => {
        this.#watch.noteProgress();
        this.#onWelcome(welcome);
      },
      onHeads: (update) => {
        this.#watch.noteProgress();
        this.#onHeads(update);
      },
      onReceipt: (receipt) => {
        this.#watch.noteProgress();
        this.#tracker.receipt(receipt);
        synced.answered(receipt.documentId as DocumentId);
        this.#options.onProgress();
      },
      onRefused: (refused) => this.#onRefused(refused),
      onState: (link, reason) => this.#onState(link, reason),
      onNotice: ({ kind, message }) => {
        this.#options.onNotice(message);
        if (kind === "invalid-frame") this.#watch.noteBreak();
      },
    };
  }

  /** What was garbled on its way there is sent again in a new session; what is refused for itself, only once more. */
  #onRefused({ documentId, code, message }: Refused): void {
    this.#options.synced.answered(documentId as DocumentId);
    const refusal = `${documentId} ${code} ${message}`;
    if (!UNSOUND.has(code) || this.#refusals.has(refusal) || this.#refusals.size >= MAX_REFUSALS) return;
    this.#refusals.add(refusal);
    this.#watch.noteBreak();
  }

  async stop(): Promise<void> {
    if (this.#connecting === undefined) return;
    this.#connecting = undefined;
    this.#watch.forget();
    this.#stopped.abort();
    const adapter = this.#adapter;
    this.#adapter = undefined;
    if (adapter !== undefined) {
      const repo = await this.#options.openRepo();
      repo.networkSubsystem.removeNetworkAdapter(adapter);
      await adapter.close();
    }
    this.#onState("offline", undefined);
    const lastReceiptAt = this.#lastReceiptAt();
    if (lastReceiptAt !== null) this.#options.onReceiptTime(lastReceiptAt);
  }

  /**
   * Goes on with the relay that the settings name after this. What the one before confirmed does not count there.
   *
   * @param save - changes the settings
   */
  async changeRelay(save: () => void): Promise<void> {
    const wasRunning = this.#connecting !== undefined;
    await this.stop();
    try {
      save();
      this.#tracker.forgetRelay();
      this.#refusals.clear();
    } finally {
      if (wasRunning) this.start();
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

  /**
   * A message leaves when what it carries is on disk here. One that carries changes of a branch waits
   * until the relay holds the records they refer to; else a device that dies between the two would
   * leave memories without content.
   */
  async #sendCheck(document: DocumentId, data: Uint8Array): Promise<void> {
    const { documents, catalog, store } = this.#options;
    await documents.flush();
    await this.#repair.settled();
    if (this.#kindOf(document) !== "branch" || A.decodeSyncMessage(data).changes.length === 0) return;
    const needed = [
      catalog.document,
      ...store.rows().map(({ documentId }) => documentId as DocumentId),
    ].filter((id) => GATING_KINDS.has(this.#kindOf(id)) && !this.#tracker.isReceipted(id));
    if (needed.length === 0) return;
    // As stored, not as in memory: of heads that are overtaken before a flush, nobody ever hears.
    const heads = needed.map((documentId) => ({
      documentId,
      heads: store.row(documentId)?.localHeads ?? [],
    }));
    await this.#tracker.whenReceipted(heads, this.#stopped.signal);
  }

  async #fetchSnapshot(documentId: DocumentId): Promise<DocumentSnapshot | undefined> {
    const { relay, id } = this.#options.config();
    const { signal } = this.#stopped;
    if (relay === null) return undefined;
    const { fetchSnapshot } = await import("./relay-http.js");
    return fetchSnapshot({ ...relay, signal }, { space: id as SpaceId, documentId });
  }

  /** Begins a new session, in which both sides know nothing of each other. */
  #reconnect(): void {
    const adapter = this.#adapter;
    if (adapter?.peerId === undefined) return;
    adapter.disconnect();
    adapter.connect(adapter.peerId, adapter.peerMetadata);
  }

  #kindOf(document: DocumentId): DocumentKind {
    const { catalog } = this.#options;
    if (document === catalog.document) return "catalog";
    if (catalog.current.documents.has(document)) return "pack";
    return allUsageDocuments(catalog.current).has(document) ? "uses" : "branch";
  }

  #onWelcome(welcome: Welcome): void {
    this.#tracker.welcome(welcome);
    this.#forksAsked.clear();
    this.#options.onRole(welcome.role);
    const offsetMs = this.#options.clock.compare(welcome.time);
    if (offsetMs !== undefined) void this.#correctClock(offsetMs);
    this.#requestList();
  }

  #requestList(): void {
    this.#adapter?.requestList(this.#tracker.cursor(), this.#tracker.ask);
  }

  async #correctClock(offsetMs: number): Promise<void> {
    const { directory, views, store, platform, catalog, identity, onNotice, config } = this.#options;
    onNotice(
      `This device's clock is off by ${Math.round(offsetMs / 60_000)} minutes; the relay's time is used instead.`,
    );
    if (config().role === "read") return;
    try {
      const pending = [];
      for (const { id } of await directory.all()) {
        const view = await views.look(id);
        pending.push({ view, receiptedHeads: store.row(view.document)?.receiptedHeads ?? [] });
      }
      await correctClock({ platform, catalog, replica: identity.id, offsetMs, pending });
      this.#flushSoon();
    } catch (error) {
      onNotice(`The times of earlier changes could not be corrected: ${messageOf(error)}`);
    }
  }

  #onHeads(update: Omit<HeadsUpdate, "type">): void {
    this.#tracker.heads(update);
    this.#noteHeard();
    this.#options.onProgress();
    void this.#loadNeeded();
  }

  #noteHeard(): void {
    const { config, onHeard, directory, onNotice } = this.#options;
    const isUnheard = config().isUnheard === true;
    if (!isUnheard || !this.#tracker.isCaughtUp(documentIdFromHex(directory.main))) return;
    try {
      onHeard();
    } catch (error) {
      onNotice(messageOf(error)); // it is known in this session all the same
    }
  }

  /** Whether what is not here may come any moment. */
  get mayBring(): boolean {
    return this.#link === "online" || this.#link === "connecting";
  }

  /** Brings into memory what differs, so that automerge-repo sends or fetches it. */
  async #loadNeeded(): Promise<void> {
    const { documents, store, onNotice } = this.#options;
    for (const id of this.#tracker.toLoad() as DocumentId[]) {
      if (store.isRetired(id) || this.#stopped.signal.aborted) continue;
      try {
        if (!documents.isHere(id)) documents.request(id);
        else if (!documents.isLoaded(id)) {
          await this.#forkOnRelay(id);
          await documents.open(id);
        }
      } catch (error) {
        onNotice(messageOf(error)); // one document that does not load must not hold up the others
      }
    }
  }

  /** Lets the relay copy what it holds of the parent, instead of sending it all again. */
  async #forkOnRelay(document: DocumentId): Promise<void> {
    if (this.#forksAsked.has(document) || this.#kindOf(document) !== "branch") return;
    this.#forksAsked.add(document);
    const fork = forkToAsk(document, this.#options);
    if (fork === undefined) return;
    try {
      await this.#adapter?.requestFork(fork);
    } catch {
      // The relay lacks the parent's state, or the line is down: then the branch is sent like any document.
    }
  }

  #onState(link: RelayLink, reason: CambiumError | undefined): void {
    this.#link = link;
    this.#reason = reason;
    if (link === "offline") this.#tracker.offline();
    if (link === "refused")
      this.#refusal.reject(reason ?? new CambiumError("TOKEN_REFUSED", "The relay refused this replica."));
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
    if (this.#link !== "refused") this.start();
    const stopped = this.#stopped.signal;
    const ended = signal === undefined ? stopped : AbortSignal.any([signal, stopped]);
    // What the relay last said may be old news: it is asked. While it is away, the question waits for its return.
    const ask = this.#tracker.newAsk();
    this.#requestList();
    this.#waiting += 1;
    try {
      do {
        await documents.flush();
        await this.#openDoubted();
        await Promise.race([this.#tracker.whenSynced(ended, ask), this.#refusal.promise]);
        await documents.flush();
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
      link: () => this.#link,
      reason: () => this.#reason,
      lastReceiptAt: () => this.#lastReceiptAt(),
      kindOf: (document) => this.#kindOf(document),
    });
  }
}

const messageOf = (error: unknown): string =>
  isCambiumError(error) || error instanceof Error ? error.message : String(error);

/** Nobody may be waiting when the relay refuses. */
function unheardRefusal(): PromiseWithResolvers<never> {
  const refusal = Promise.withResolvers<never>();
  refusal.promise.catch(() => {});
  return refusal;
}

checkCallsOf(SpaceSync, SIGNATURES.sync);
