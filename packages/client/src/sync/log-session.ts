/**
 * What is said with a relay while a line to it is open: where the log is read from, what is asked of the relay, and when
 * something may leave. See docs/relay-log.md.
 *
 * @module
 */
import { CambiumError, type DocumentId, documentIdFromHex, documentIdToHex } from "@cambium/core";
import {
  type DocumentHeads,
  decodeEntryItems,
  type FetchedFrame,
  type HeadsFrame,
  LOG_LIMITS,
  type LogClientFrame,
  type LogRelayFrame,
  type RefusedFrame,
  type StateFrame,
  unpack,
  type WelcomeFrame,
} from "@cambium/core/wire";
import { chunkTools, entryTools } from "../platform/node-platform.js";
import type { Incoming } from "./incoming.js";
import type { LogCursor } from "./log-cursor.js";
import type { Outgoing } from "./outgoing.js";
import { relayRefusal } from "./relay-refusal.js";
import type { Retirements } from "./retirements.js";
import type { SyncTracker } from "./sync-tracker.js";

export interface LogSessionOptions {
  readonly tracker: SyncTracker;
  readonly cursor: LogCursor;
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  readonly retirements: Pick<Retirements, "begin">;
  readonly send: (frame: LogClientFrame) => void;
  /** Whether this replica may add to the log, now. */
  readonly maySend: () => boolean;
  /** Everything that the log held is here. */
  readonly onCaughtUp: () => void;
  /** What came was garbled, more than once without anything sound between. */
  readonly onBreak: () => void;
}

/** How many bytes of entries may be under way. */
const CREDIT_BYTES = 4 * 1024 * 1024;
/** So often it is read again at once what came garbled. */
const MAX_READ_AGAIN = 3;

type Answer = { readonly chunks: Uint8Array[] } & PromiseWithResolvers<readonly Uint8Array[]>;

export class LogSession {
  readonly #options: LogSessionOptions;
  /** Counts questions of all kinds: each has its own number. */
  #asked = 0;
  readonly #fetches = new Map<number, Answer>();
  /** Questions about what the log holds now, and the tracker's number of each. */
  readonly #counts = new Map<number, { readonly ask: number; upTo: number }>();
  /** Questions about documents, and which. */
  readonly #lookups = new Map<number, { readonly left: Set<string>; readonly found: DocumentHeads[] }>();
  /** What was answered of documents, to be believed once the log has been read up to there. */
  #claims: DocumentHeads[] = [];
  #isSubscribed = false;
  #isCaughtUp = false;
  #gaps = 0;

  constructor(options: LogSessionOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#subscribe();
  }

  end(reason: CambiumError): void {
    const { tracker, incoming, outgoing } = this.#options;
    this.#isSubscribed = false;
    this.#isCaughtUp = false;
    incoming.end();
    outgoing.close();
    tracker.offline();
    for (const { reject } of this.#fetches.values()) reject(reason);
    for (const questions of [this.#fetches, this.#counts, this.#lookups]) questions.clear();
    this.#claims = [];
  }

  frame(frame: Exclude<LogRelayFrame, WelcomeFrame>): void {
    const { incoming, outgoing } = this.#options;
    switch (frame.type) {
      case "state":
        this.#state(frame);
        return;
      case "entries":
        incoming.entries(frame);
        return;
      case "receipt":
        outgoing.receipt(frame.n, frame.positions);
        return;
      case "refused":
        this.#refused(frame);
        return;
      case "heads":
        this.#heads(frame);
        return;
      case "fetched":
        this.#fetched(frame);
        return;
      case "ephemeral":
      case "slots":
        return;
    }
  }

  /** What came does not fit what was read before. */
  readAgain(): void {
    this.#gaps += 1;
    if (this.#gaps <= MAX_READ_AGAIN) this.#subscribe();
    else this.#options.onBreak();
  }

  /** What was read is in the documents. */
  applied(): void {
    this.#gaps = 0;
    this.#believe();
    this.#goOn();
  }

  /** Sends the newest question of the tracker. While there is no session, it waits for one. */
  count(): void {
    const { tracker, cursor, send } = this.#options;
    const { ask } = tracker;
    if (!this.#isSubscribed || ask === undefined) return;
    const after = cursor.point.position;
    this.#asked += 1;
    this.#counts.set(this.#asked, { ask, upTo: after });
    send({ type: "heads", ask: this.#asked, of: { after } });
  }

  /** The relay is asked again what it has of a document, and nothing of it leaves before. */
  doubt(document: DocumentId): void {
    this.#options.tracker.doubt(document);
    this.#lookUp([document]);
  }

  /**
   * Changes of a document that the relay has and that `have` lacks, in order.
   *
   * @throws {CambiumError} RELAY_UNREACHABLE, or what the relay refuses it for
   */
  fetch(document: DocumentId, have: readonly string[]): Promise<readonly Uint8Array[]> {
    if (!this.#isSubscribed) {
      return Promise.reject(new CambiumError("RELAY_UNREACHABLE", "There is no connection to the relay."));
    }
    this.#asked += 1;
    const answer = { chunks: [], ...Promise.withResolvers<readonly Uint8Array[]>() };
    this.#fetches.set(this.#asked, answer);
    const known = have.slice(0, LOG_LIMITS.fetchHave);
    this.#options.send({ type: "fetch", ask: this.#asked, document: documentIdToHex(document), have: known });
    return answer.promise;
  }

  #subscribe(): void {
    const { cursor, incoming, send } = this.#options;
    this.#isCaughtUp = false;
    incoming.end();
    const reads = Object.keys(entryTools.decompress);
    send({ type: "subscribe", marks: cursor.points, credit: CREDIT_BYTES, reads });
  }

  #state({ common, upTo }: StateFrame): void {
    const { cursor, tracker, incoming } = this.#options;
    cursor.rewindTo(common);
    const untold = tracker.begin(common, upTo);
    this.#options.retirements.begin(common.position);
    incoming.begin(common, upTo);
    this.#isSubscribed = true;
    this.#lookUp(untold);
    this.count();
    this.#goOn();
  }

  #lookUp(documents: readonly string[]): void {
    for (let start = 0; start < documents.length; start += LOG_LIMITS.askedDocuments) {
      const asked = documents.slice(start, start + LOG_LIMITS.askedDocuments);
      const ids = asked.map((id) => documentIdToHex(id as DocumentId));
      this.#asked += 1;
      this.#lookups.set(this.#asked, { left: new Set(ids), found: [] });
      this.#options.send({ type: "heads", ask: this.#asked, of: { documents: ids } });
    }
  }

  #heads({ ask, complete, documents }: HeadsFrame): void {
    const count = this.#counts.get(ask);
    if (count !== undefined) {
      count.upTo = documents.reduce((last, { position }) => Math.max(last, position), count.upTo);
      if (!complete) return;
      this.#counts.delete(ask);
      this.#options.tracker.answer(count.ask, count.upTo);
    }
    const lookup = this.#lookups.get(ask);
    if (lookup !== undefined) {
      lookup.found.push(...documents);
      for (const { document } of documents) lookup.left.delete(document);
      if (!complete) return;
      this.#lookups.delete(ask);
      this.#claims.push(...lookup.found);
      for (const document of lookup.left) this.#claims.push({ document, heads: [], position: 0 });
      this.#believe();
    }
    this.#goOn();
  }

  /** What the relay has of a document is here once the log was read up to there. */
  #believe(): void {
    const { tracker, outgoing } = this.#options;
    const left: DocumentHeads[] = [];
    for (const claim of this.#claims) {
      const document = documentIdFromHex(claim.document);
      if (claim.position > tracker.position) left.push(claim);
      else {
        tracker.holds(document, claim.heads, claim.position);
        outgoing.offer(document);
      }
    }
    this.#claims = left;
  }

  /** Nothing leaves before everything that the log held is here. */
  #goOn(): void {
    const { tracker, outgoing, maySend, onCaughtUp } = this.#options;
    const isKnown = this.#lookups.size === 0 && this.#claims.length === 0;
    if (this.#isCaughtUp || !this.#isSubscribed || !tracker.isCaughtUp || !isKnown) return;
    this.#isCaughtUp = true;
    if (maySend()) outgoing.open(tracker.unsettled);
    onCaughtUp();
  }

  #refused(frame: RefusedFrame): void {
    const { outgoing, tracker } = this.#options;
    if (frame.ask === undefined) {
      outgoing.refused(frame);
      return;
    }
    this.#fetches.get(frame.ask)?.reject(relayRefusal(frame.code, frame.message));
    this.#fetches.delete(frame.ask);
    const count = this.#counts.get(frame.ask);
    if (count !== undefined) tracker.answer(count.ask, count.upTo);
    this.#counts.delete(frame.ask);
    for (const document of this.#lookups.get(frame.ask)?.left ?? [])
      this.#claims.push({ document, heads: [], position: 0 });
    this.#lookups.delete(frame.ask);
    this.#believe();
    this.#goOn();
  }

  #fetched({ ask, complete, items }: FetchedFrame): void {
    const answer = this.#fetches.get(ask);
    if (answer === undefined) return;
    try {
      for (const item of decodeEntryItems(unpack(items, chunkTools.inflate)))
        if (item.kind === "change") answer.chunks.push(item.chunk);
      if (complete) answer.resolve(answer.chunks);
    } catch (error) {
      answer.reject(error);
    }
    if (complete) this.#fetches.delete(ask);
  }
}
