/**
 * Automerge's sync protocol with the relay, for the documents of a `Repo`, in the place of automerge-repo's own.
 *
 * That lets ten messages a second leave for each document, so that a change in a stream of them arrives a tenth of a
 * second later. Here a message is made as soon as what is new is on disk, and the next one when the relay has answered
 * it: a change that comes alone leaves at once, and what comes during a round trip leaves together.
 *
 * @module
 */
import type { DocHandle, PeerId, Repo, RequestMessage, SyncMessage } from "@automerge/automerge-repo";
import { type DocumentId, type RefusedChange, sameHeads } from "@cambium/core";
import * as A from "./automerge.js";
import { receiveCarefully } from "./careful-receive.js";
import { freeSoon } from "./free-soon.js";

type DocMessage = Parameters<Repo["synchronizer"]["receiveMessage"]>[0];
type DataMessage = SyncMessage | RequestMessage;

interface SyncedDocument {
  readonly handle: DocHandle<unknown>;
  /** What the relay is known to hold of it; undefined until it has been sent for in this session. */
  state: A.SyncState | undefined;
  /** A message is on its way, or waits for its check. */
  isUnanswered: boolean;
  /** What the last message of this session said. */
  lastSaid?: { readonly heads: A.Heads; readonly need: readonly string[] } | undefined;
  /** There is something new, and no message of it yet. */
  isOwed: boolean;
}

type Asked = Pick<A.DecodedSyncMessage, "changes" | "need">;

/** Where changes go that a document must not hold. */
export interface RefusedChanges {
  hashesOf(document: DocumentId): ReadonlySet<string>;
  add(change: RefusedChange & { readonly document: DocumentId }, bytes: Uint8Array | undefined): void;
}

export class SyncedDocuments {
  readonly #open: (id: DocumentId) => Promise<void>;
  readonly #documents = new Map<DocumentId, SyncedDocument>();
  /** What came for documents that are not in memory. */
  readonly #early = new Map<DocumentId, DataMessage[]>();
  readonly #refused: RefusedChanges;
  #repo: Repo | undefined;
  #relay: PeerId | undefined;

  /** @param open - brings a stored document into memory */
  constructor(open: (id: DocumentId) => Promise<void>, refused: RefusedChanges) {
    this.#open = open;
    this.#refused = refused;
  }

  /** Makes a repo sync this way. Automerge has to be loaded by the time it does. */
  serve(repo: Repo): void {
    this.#repo = repo;
    const { synchronizer } = repo;
    synchronizer.addDocument = (handle) => this.#add(handle);
    synchronizer.removeDocument = (id) => void this.#documents.delete(id as string as DocumentId);
    synchronizer.addPeer = (relay) => this.#beginSession(relay);
    synchronizer.removePeer = (relay) => this.#endSession(relay);
    synchronizer.receiveMessage = async (message) => this.#receive(message);
  }

  /** What the document holds now is on disk. */
  offer(id: DocumentId): void {
    const document = this.#documents.get(id);
    if (document === undefined || this.#relay === undefined) return;
    if (document.state === undefined) this.#begin(document);
    else document.isOwed = true;
    // After those who waited for the disk.
    if (!document.isUnanswered) setImmediate(() => this.#pay(document));
  }

  /** The relay has dealt with what it was last sent of the document. */
  answered(id: DocumentId): void {
    const document = this.#documents.get(id);
    if (document === undefined) return;
    document.isUnanswered = false;
    this.#pay(document);
  }

  #pay(document: SyncedDocument): void {
    if (document.isOwed && !document.isUnanswered) this.#notify(document);
  }

  #beginSession(relay: PeerId): void {
    this.#relay = relay;
    for (const document of this.#documents.values()) this.#begin(document);
  }

  #endSession(relay: PeerId): void {
    if (relay !== this.#relay) return;
    this.#relay = undefined;
    this.#early.clear();
    for (const document of this.#documents.values()) {
      Object.assign(document, { state: undefined, isUnanswered: false, isOwed: false });
      giveUp(document.handle);
    }
  }

  /** Called by the `Repo`, more than once: also before the document is made, or was looked for in the store. */
  #add(handle: DocHandle<unknown>): void {
    const id = handle.documentId as string as DocumentId;
    let document = this.#documents.get(id);
    if (document?.handle !== handle) {
      document = { handle, state: undefined, isUnanswered: false, isOwed: false };
      this.#documents.set(id, document);
    }
    if (this.#relay === undefined) giveUp(handle);
    else if (document.state === undefined) this.#begin(document);
  }

  /** Sends for the document, unless nobody knows yet whether it is here. */
  #begin(document: SyncedDocument): void {
    const { handle } = document;
    if (!handle.inState(["ready", "requesting", "unavailable"])) return;
    document.state = A.initSyncState();
    document.lastSaid = undefined;
    this.#notify(document);
    const id = handle.documentId as string as DocumentId;
    const early = this.#early.get(id) ?? [];
    this.#early.delete(id);
    for (const message of early) this.#take(document, message);
  }

  /** Makes the message that is due, if one is. */
  #notify(document: SyncedDocument): void {
    const { handle, state } = document;
    if (state === undefined || this.#relay === undefined) return;
    document.isOwed = false;
    const isHere = handle.isReady();
    const doc = isHere ? (handle.doc() as A.Doc<unknown>) : A.init();
    const [next, data] = A.generateSyncMessage(doc, state);
    const stated = data === null ? undefined : A.decodeSyncMessage(data);
    const heads = A.getHeads(doc);
    if (stated !== undefined && this.#asksInVain(document, heads, stated)) return;
    document.state = next;
    if (data === null) return;
    document.lastSaid = stated && { heads, need: stated.need };
    document.isUnanswered = true;
    this.#repo?.networkSubsystem.send({
      type: isHere ? "sync" : "request",
      targetId: this.#relay,
      documentId: handle.documentId,
      data,
    });
  }

  /**
   * Whether the message only asks again for what was refused, or for what did not come the last time. The relay would
   * answer that it has it, for ever.
   */
  #asksInVain({ handle, lastSaid }: SyncedDocument, heads: A.Heads, { changes, need }: Asked): boolean {
    const refused = this.#refused.hashesOf(handle.documentId as string as DocumentId);
    if (refused.size === 0 || lastSaid === undefined || !sameHeads(lastSaid.heads, heads)) return false;
    return changes.length === 0 && need.every((hash) => refused.has(hash) || lastSaid.need.includes(hash));
  }

  #receive(message: DocMessage): void {
    if (message.senderId !== this.#relay) return;
    const id = message.documentId as string as DocumentId;
    const document = this.#documents.get(id);
    switch (message.type) {
      case "doc-unavailable":
        this.answered(id);
        if (document !== undefined) giveUp(document.handle);
        return;
      case "sync":
      case "request":
        if (document?.state !== undefined) this.#take(document, message);
        else if (A.decodeSyncMessage(message.data).changes.length > 0) this.#keep(id, message);
    }
  }

  /** The relay does not send these changes again in this session. */
  #keep(id: DocumentId, message: DataMessage): void {
    this.#early.set(id, [...(this.#early.get(id) ?? []), message]);
    this.#open(id).catch(() => {}); // those who need it get the error
  }

  #take(document: SyncedDocument, { data }: DataMessage): void {
    const { handle } = document;
    const id = handle.documentId as string as DocumentId;
    let isNew = false;
    let isSpoilt = false;
    handle.update((doc) => {
      if (document.state === undefined) return doc;
      const before = A.getHeads(doc);
      const received = receiveCarefully(doc, document.state, data, this.#refused.hashesOf(id));
      document.state = received.state;
      document.isUnanswered = false;
      for (const { hash, reason, bytes } of received.refused)
        this.#refused.add({ document: id, hash, reason }, bytes);
      isSpoilt = received.refused.length > 0;
      isNew = !sameHeads(before, A.getHeads(received.doc));
      if (A.getBackend(received.doc) !== A.getBackend(doc)) freeSoon(doc);
      return received.doc;
    });
    // What is new is answered when it is on disk.
    if (isNew) document.isOwed = true;
    else if (!isSpoilt) this.#notify(document);
    else if (handle.inState(["requesting"])) giveUp(handle); // it would send the same again
  }
}

/** Nobody is there, or nobody has it: those who wait for the document need not wait longer. */
function giveUp(handle: DocHandle<unknown>): void {
  if (handle.inState(["requesting"])) handle.unavailable();
}
