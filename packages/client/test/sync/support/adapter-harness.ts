/** An adapter whose every callback lands in an inbox, and whose time stands still. */

import { change, generateSyncMessage, init, initSyncState } from "@automerge/automerge";
import type { Message, PeerId } from "@automerge/automerge-repo";
import { type CambiumError, documentIdFromHex } from "@cambium/core";
import { type ManualTimers, manualTimers } from "../../../src/platform/timers.js";
import { RelayAdapter } from "../../../src/sync/relay-adapter.js";
import type { RelayAdapterOptions, RelayLink, RelayNotice } from "../../../src/sync/relay-adapter-options.js";
import type { HeadsUpdate, Receipt, Welcome } from "../../../src/sync/relay-frames.js";
import { Inbox } from "./inbox.js";

export const DOCUMENT_A = documentIdFromHex("0a".repeat(16));
export const DOCUMENT_B = documentIdFromHex("0b".repeat(16));

/** A sync message of a document with one change, as Automerge makes it. */
export function syncData(value: number): Uint8Array {
  const document = change(init<{ value: number }>({ actor: "0a0b" }), { time: 0 }, (draft) => {
    draft.value = value;
  });
  const [, message] = generateSyncMessage(document, initSyncState());
  if (message === null) throw new Error("Automerge had nothing to say");
  return message;
}

export interface Link {
  readonly state: RelayLink;
  readonly reason: CambiumError | undefined;
}

export class AdapterHarness implements AsyncDisposable {
  readonly timers: ManualTimers = manualTimers();
  readonly states = new Inbox<Link>();
  readonly notices = new Inbox<RelayNotice>();
  readonly messages = new Inbox<Message>();
  readonly peers = new Inbox<string>();
  readonly welcomes = new Inbox<Welcome>();
  readonly updates = new Inbox<HeadsUpdate>();
  readonly receipts = new Inbox<Receipt>();
  readonly adapter: RelayAdapter;
  relayPeerId: PeerId | undefined;

  constructor(url: string, options: Partial<RelayAdapterOptions> = {}) {
    this.adapter = new RelayAdapter({
      url,
      token: "token-1",
      sendCheck: () => undefined,
      onWelcome: (welcome) => this.welcomes.put(welcome),
      onHeads: (update) => this.updates.put(update),
      onReceipt: (receipt) => this.receipts.put(receipt),
      onState: (state, reason) => this.states.put({ state, reason }),
      onNotice: (notice) => this.notices.put(notice),
      random: () => 0.5,
      timers: this.timers,
      ...options,
    });
    this.adapter.on("message", (message) => this.messages.put(message));
    this.adapter.on("peer-candidate", ({ peerId }) => {
      this.relayPeerId = peerId;
      this.peers.put(`+${peerId}`);
    });
    this.adapter.on("peer-disconnected", ({ peerId }) => this.peers.put(`-${peerId}`));
  }

  connect(): this {
    this.adapter.connect("replica-1" as PeerId, {});
    return this;
  }

  /** Waits for this state, past all others. */
  state(state: RelayLink): Promise<Link> {
    return this.states.until((link) => link.state === state);
  }

  sync(documentId: string, data: Uint8Array): void {
    this.send("sync", documentId, data);
  }

  /** As the `Repo` would, to the relay of the last session. */
  send(type: string, documentId: string, data: Uint8Array): void {
    const targetId = this.relayPeerId as PeerId;
    this.adapter.send({ type, senderId: "replica-1", targetId, documentId, data } as Message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.adapter.close();
  }
}
