/**
 * A space's line to its relay, with what is read from it and what is sent. Loaded by those who connect: most processes
 * that read never do.
 *
 * @module
 */
import { CambiumError, type DocumentId, type DocumentKind } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import type { LogRelayFrame, WelcomeFrame } from "@cambium/core/wire";
import type { RelayAccess } from "../api.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { Admission } from "./admission.js";
import type { CollisionRepair } from "./collision-repair.js";
import { EntryTaker } from "./entry-taker.js";
import { forkToAsk } from "./fork-to-ask.js";
import { Incoming } from "./incoming.js";
import { LogCursor } from "./log-cursor.js";
import { LogDocuments } from "./log-documents.js";
import { LogSession } from "./log-session.js";
import { Outgoing } from "./outgoing.js";
import { RelayLine } from "./relay-line.js";
import type { RelayLineOptions } from "./relay-line-options.js";
import type { Retirements } from "./retirements.js";
import type { SeenByOthers } from "./seen-by-others.js";
import type { SessionWatch } from "./session-watch.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";
import { CURSOR_ROW, type HeldRow, type SyncTracker } from "./sync-tracker.js";

export interface LogLinkOptions {
  readonly relay: RelayAccess;
  readonly space: string;
  readonly services: SpaceSyncOptions;
  readonly tracker: SyncTracker;
  readonly repair: CollisionRepair;
  readonly admission: Admission;
  readonly retirements: Retirements;
  readonly seen: Pick<SeenByOthers, "lacking" | "noteOwn">;
  readonly watch: SessionWatch;
  readonly kindOf: (document: DocumentId) => DocumentKind;
  readonly onWelcome: (welcome: WelcomeFrame) => void;
  readonly onState: RelayLineOptions["onState"];
  readonly onStuck: (reason: CambiumError) => void;
  /** What was read is in the documents, and not on disk. */
  readonly onApplied: () => void;
  readonly onCaughtUp: () => void;
}

export class LogLink {
  readonly #options: LogLinkOptions;
  readonly #cursor: LogCursor;
  readonly #line: RelayLine;
  readonly #session: LogSession;
  readonly #taker: EntryTaker;
  readonly #outgoing: Outgoing;
  readonly #documents: LogDocuments;
  /** The relay knows of batches that make room. */
  #letsMakeRoom = false;

  constructor(options: LogLinkOptions) {
    const { services, tracker, repair, relay, space } = options;
    this.#options = options;
    this.#cursor = new LogCursor(services.store.row(CURSOR_ROW));
    this.#documents = new LogDocuments({
      ...services,
      admission: options.admission,
      isBeyondRepair: (document) => repair.isBeyondRepair(document),
    });
    this.#line = new RelayLine({
      ...{ url: relay.url, token: relay.token, space },
      onWelcome: (welcome) => this.#welcome(welcome),
      onFrame: (frame) => this.#frame(frame),
      onState: (state, reason) => this.#state(state, reason),
      onNotice: ({ kind, message }) => {
        services.onNotice(message);
        if (kind === "invalid-frame") options.watch.noteBreak();
      },
    });
    this.#taker = this.#newTaker();
    this.#outgoing = this.#newOutgoing();
    const incoming = new Incoming({
      ...{ tracker, cursor: this.#cursor, taker: this.#taker, timers: idleTimers },
      grant: (bytes) => this.#line.send({ type: "credit", bytes }),
      onGap: () => this.#session.readAgain(),
      onApplied: () => {
        this.#session.applied();
        options.onApplied();
      },
    });
    this.#session = new LogSession({
      ...{ tracker, cursor: this.#cursor, incoming, outgoing: this.#outgoing },
      retirements: options.retirements,
      send: (frame) => this.#line.send(frame),
      maySend: () => services.config().role !== "read" && !repair.isRunning,
      onCaughtUp: options.onCaughtUp,
      onBreak: () => options.watch.noteBreak(),
    });
  }

  #newTaker(): EntryTaker {
    const { services, tracker } = this.#options;
    return new EntryTaker({
      ...{ tracker, documents: this.#documents, setAside: services.setAside, onNotice: services.onNotice },
      onOwn: (document, { actor, seq }) => {
        const kind = services.documents.kindOf(document);
        if (kind === "branch" || kind === "catalog") this.#options.seen.noteOwn(actor, seq);
      },
      onWithheld: (document, hashes, chunks) => this.#options.seen.lacking(document, hashes, chunks),
      onRetired: (document, chunks) => {
        this.#carry(document, chunks).catch((error: unknown) => services.onNotice(messageOf(error)));
      },
      forkHeadsOf: (document) => this.#outgoing.forkHeadsOf(document),
      fetch: (document, have) => this.fetch(document, have),
    });
  }

  #newOutgoing(): Outgoing {
    const { services, tracker, repair, watch, kindOf } = this.#options;
    const { documents, store, onNotice } = services;
    return new Outgoing({
      ...{ tracker, onNotice, onStuck: this.#options.onStuck },
      kindOf: (document) => documents.kindOf(document) ?? kindOf(document),
      forkOf: (document) => forkToAsk(document, services),
      changesBetween: async (document, have, upTo) => {
        if (store.isRetired(document)) return [];
        // What is in it goes into another document first; until then nothing leaves that may rest on it.
        const isLeaving = services.catalog.isRetired(document) && documents.isHere(document);
        return isLeaving ? undefined : documents.changesBetween(document, have, upTo);
      },
      retirements: this.#options.retirements,
      makesRoom: () => this.#letsMakeRoom && !this.#options.retirements.isDone,
      onNotCarried: (document) => {
        const { retirements } = this.#options;
        const carry = () => this.fetch(document, []).then((chunks) => this.#carry(document, chunks));
        const carried = retirements.carry(document, carry).then(() => this.retire());
        carried.catch(() => undefined); // the next session asks again
      },
      send: (frame) => this.#line.send(frame),
      onDoubt: (document) => this.#session.doubt(document),
      onCollision: (document) => {
        this.#outgoing.close();
        repair.begin(document);
      },
      onReceipt: services.onProgress,
      onBreak: () => watch.noteBreak(),
      after: (delayMs, run) => void idleTimers.after(delayMs, run),
    });
  }

  /** Of a retired document, what members wrote goes into another one. What else is in it goes with it. */
  async #carry(document: DocumentId, chunks: readonly Uint8Array[]): Promise<void> {
    const { services, admission, retirements } = this.#options;
    const { admitted, held } = admission.sortAll(document, chunks);
    await services.carry(document, bytesOf(admitted));
    retirements.disown(document, bytesOf(held));
  }

  open(): void {
    this.#line.open();
  }

  /** Begins a new session, which reads on from what is stored. */
  reopen(): void {
    this.#line.hangUp();
    this.#line.open();
  }

  retry(): void {
    this.#line.retry();
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  /** What the document holds now is on disk. */
  offer(document: DocumentId): void {
    this.#outgoing.offer(document);
  }

  /** There may be something for the relay to destroy. */
  retire(): void {
    this.#outgoing.retire();
  }

  /** Sends the tracker's newest question. */
  count(): void {
    this.#session.count();
  }

  fetch(document: DocumentId, have: readonly string[]): Promise<readonly Uint8Array[]> {
    return this.#session.fetch(document, have);
  }

  /** How far has been read, and what was learnt by that: to be stored with what was read, or after it. */
  takeRows(): readonly HeldRow[] {
    const cursor = this.#cursor.takeRow();
    return [...this.#options.tracker.takeRows(), ...(cursor === undefined ? [] : [cursor])];
  }

  /**
   * Fetches what of a document is not here, though it was read once: its bytes were damaged, or are gone.
   *
   * @param named - the relay says that it has these
   */
  async restore(document: DocumentId, named: readonly string[] = []): Promise<void> {
    const { tracker, services } = this.#options;
    const documents = this.#documents;
    let isLacking = false;
    tracker.await(document, true);
    try {
      await documents.open(document);
      const changes = await this.fetch(document, documents.headsOf(document));
      const refusedBefore = services.setAside.hashesOf(document);
      const admitted = await documents.admit(document, changes);
      await documents.open(document);
      if (admitted.length > 0) services.documents.receive(document, admitted, refusedBefore);
      isLacking = named.some((hash) => documents.depsOf(document, hash) === undefined);
    } finally {
      if (isLacking) this.#taker.waitFor(document);
      else tracker.await(document, false);
    }
  }

  /** @param isNamed - whether the relay names something of a document that is not here */
  explain(isNamed: (document: DocumentId) => boolean): void {
    this.#taker.explain(isNamed);
  }

  #welcome(welcome: WelcomeFrame): void {
    this.#options.watch.noteProgress();
    this.#letsMakeRoom = welcome.limits.overQuotaPercent !== undefined;
    this.#options.onWelcome(welcome);
    this.#session.begin();
  }

  #frame(frame: Exclude<LogRelayFrame, WelcomeFrame>): void {
    this.#options.watch.noteProgress();
    this.#session.frame(frame);
  }

  readonly #state: NonNullable<RelayLineOptions["onState"]> = (state, reason) => {
    if (state === "offline" || state === "refused")
      this.#session.end(
        reason ?? new CambiumError("RELAY_UNREACHABLE", "The connection to the relay is closed."),
      );
    this.#options.onState?.(state, reason);
  };
}

const bytesOf = (changes: readonly { readonly bytes: Uint8Array }[]): readonly Uint8Array[] =>
  changes.map(({ bytes }) => bytes);
