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
import {
  type DocumentId,
  type PlainSyncState,
  quickReceive,
  type SyncMessage as SyncContent,
  sameHeads,
} from "@cambium/core";
import * as A from "./automerge.js";

type DocMessage = Parameters<Repo["synchronizer"]["receiveMessage"]>[0];
type DataMessage = SyncMessage | RequestMessage;

interface SyncedDocument {
  readonly handle: DocHandle<unknown>;
  /** What the relay is known to hold of it; undefined until it has been sent for in this session. */
  state: A.SyncState | undefined;
  /** A message is on its way, or waits for its gate. */
  isUnanswered: boolean;
  /** There is something new, and no message of it yet. */
  isOwed: boolean;
}

export class SyncedDocuments {
  readonly #open: (id: DocumentId) => Promise<void>;
  readonly #documents = new Map<DocumentId, SyncedDocument>();
  /** What came for documents that are not in memory. */
  readonly #early = new Map<DocumentId, DataMessage[]>();
  #repo: Repo | undefined;
  #relay: PeerId | undefined;

  /** @param open - brings a stored document into memory */
  constructor(open: (id: DocumentId) => Promise<void>) {
    this.#open = open;
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
    // After whoever waited for the disk.
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
    if (document.isOwed && !document.isUnanswered) this.#say(document);
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
    this.#say(document);
    const id = handle.documentId as string as DocumentId;
    const early = this.#early.get(id) ?? [];
    this.#early.delete(id);
    for (const message of early) this.#take(document, message);
  }

  /** Makes the message that is due, if one is. */
  #say(document: SyncedDocument): void {
    const { handle, state } = document;
    if (state === undefined || this.#relay === undefined) return;
    document.isOwed = false;
    const isHere = handle.isReady();
    const [next, data] = A.generateSyncMessage(isHere ? (handle.doc() as A.Doc<unknown>) : A.init(), state);
    document.state = next;
    if (data === null) return;
    document.isUnanswered = true;
    this.#repo?.networkSubsystem.send({
      type: isHere ? "sync" : "request",
      targetId: this.#relay,
      documentId: handle.documentId,
      data,
    });
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
    this.#open(id).catch(() => {}); // whoever needs it will be told
  }

  #take(document: SyncedDocument, { data }: DataMessage): void {
    const { handle } = document;
    let isNew = false;
    handle.update((doc) => {
      if (document.state === undefined) return doc;
      const before = A.getHeads(doc);
      const [after, state] = receive(doc, document.state, data);
      document.state = state;
      document.isUnanswered = false;
      isNew = !sameHeads(before, A.getHeads(after));
      return after;
    });
    // What is new is answered when it is on disk.
    if (isNew) document.isOwed = true;
    else this.#say(document);
  }
}

/** What the message brings, and what the relay is known to hold then. */
function receive<Content>(
  doc: A.Doc<Content>,
  state: A.SyncState,
  data: Uint8Array,
): readonly [A.Doc<Content>, A.SyncState] {
  let after = doc;
  const backend = A.getBackend(doc);
  const handle = {
    getHeads: () => backend.getHeads(),
    getChangeMetaByHash: (hash: string) => backend.getChangeMetaByHash(hash),
    getChangesMeta: (since: string[]) => backend.getChangesMeta(since),
    applyChanges: (changes: Uint8Array[]) => {
      after = A.applyChanges(after, changes)[0];
    },
  };
  const known = state as A.SyncState & PlainSyncState;
  const next = quickReceive(handle, known, A.decodeSyncMessage(data) as SyncContent);
  if (next !== undefined) return [after, next];
  const [received, learned] = A.receiveSyncMessage(after, state, data);
  return [received, learned];
}

/** Nobody is there, or nobody has it: whoever waits for the document need not wait longer. */
function giveUp(handle: DocHandle<unknown>): void {
  if (handle.inState(["requesting"])) handle.unavailable();
}
