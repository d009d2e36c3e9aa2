/** A relay that sends what a document could not be loaded with again, to a Repo whose documents sync our way. */
import * as Automerge from "@automerge/automerge";
import { type DocHandle, type PeerId, Repo } from "@automerge/automerge-repo";
import { type DocumentId, documentIdFromHex } from "@cambium/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Draw, draws } from "../../../core/test/support/random-documents.js";
import { rewritten, withStartOp } from "../../../core/test/support/rewritten-changes.js";
import { loadAutomerge } from "../../src/documents/automerge.js";
import { SetAside } from "../../src/documents/set-aside.js";
import { SyncedDocuments } from "../../src/documents/synced-documents.js";
import { openMemoryStore } from "../../src/storage/memory-store.js";

type Notes = Record<string, number>;

const DOCUMENT = documentIdFromHex("0a".repeat(16));
const GENESIS = Automerge.save(Automerge.from<Notes>({ first: 1 }, "0a".repeat(16)));
/** Messages there and back; a quiet pair needs no more. */
const MANY_ROUNDS = 40;

/** A stock relay: Automerge as it is, which takes everything and passes it on. */
class StockRelay {
  doc = Automerge.load<Notes>(GENESIS, "bb".repeat(16));
  #state = Automerge.initSyncState();

  hear(data: Uint8Array): void {
    [this.doc, this.#state] = Automerge.receiveSyncMessage(this.doc, this.#state, data);
  }

  say(): Uint8Array | null {
    const [state, data] = Automerge.generateSyncMessage(this.doc, this.#state);
    this.#state = state;
    return data;
  }

  write(key: string, value: number): Uint8Array {
    this.doc = Automerge.change(this.doc, (notes) => {
      notes[key] = value;
    });
    return Automerge.getLastLocalChange(this.doc) as Uint8Array;
  }
}

class Device {
  readonly sent: Uint8Array[] = [];
  readonly repo = new Repo({ peerId: "here" as PeerId });
  readonly setAside = new SetAside(openMemoryStore());
  readonly synced = new SyncedDocuments(async () => {}, this.setAside);
  readonly handle: DocHandle<Notes>;

  constructor() {
    this.repo.networkSubsystem.send = (message) =>
      void this.sent.push((message as { data: Uint8Array }).data);
    this.synced.serve(this.repo);
    this.handle = this.repo.import<Notes>(GENESIS, { docId: DOCUMENT as never });
    this.repo.synchronizer.addPeer("relay" as PeerId);
  }

  /** As whoever loads the saved document sees it. */
  get content(): Notes {
    return Automerge.toJS(Automerge.load<Notes>(Automerge.save(this.handle.doc())));
  }

  hear(data: Uint8Array): void {
    const message = { type: "sync", documentId: DOCUMENT, senderId: "relay", data };
    void this.repo.synchronizer.receiveMessage(message as never);
  }

  write(key: string, value: number): void {
    this.handle.change((notes) => {
      notes[key] = value;
    });
    this.synced.offer(DOCUMENT as DocumentId);
  }
}

/** @returns how many messages it took until both had nothing more to say */
async function settle(device: Device, relay: StockRelay): Promise<number> {
  let messages = 0;
  for (let round = 0; round < MANY_ROUNDS; round += 1) {
    device.synced.offer(DOCUMENT as DocumentId);
    await new Promise<void>((resolve) => setImmediate(resolve));
    const said = device.sent.splice(0);
    for (const data of said) relay.hear(data);
    device.synced.answered(DOCUMENT as DocumentId);
    const answer = relay.say();
    if (answer !== null) device.hear(answer);
    if (said.length === 0 && answer === null) return messages;
    messages += said.length + (answer === null ? 0 : 1);
  }
  return messages;
}

describe("a relay that passes on what a document could not be loaded with", () => {
  beforeAll(loadAutomerge);

  test("[NW19] a bad change and what rests on it are set aside; the others come in, and syncing goes on and ends", async () => {
    const [device, relay] = [new Device(), new StockRelay()];
    await settle(device, relay);
    const bad = withStartOp(relay.write("bad", 1), 200_000);
    relay.doc = Automerge.load<Notes>(GENESIS, "bb".repeat(16));
    relay.doc = Automerge.merge(relay.doc, device.handle.doc());
    const base = Automerge.clone(relay.doc, "cc".repeat(16));
    relay.doc = Automerge.applyChanges(relay.doc, [bad])[0];
    const resting = relay.write("resting", 2);
    const beside = Automerge.change(base, (notes) => {
      notes.beside = 3;
    });
    relay.doc = Automerge.merge(relay.doc, beside);
    expect(await settle(device, relay)).toBeLessThan(12);
    const hashes = [bad, resting].map((bytes) => Automerge.decodeChange(bytes).hash);
    expect(device.setAside.all().map(({ hash }) => hash)).toEqual(hashes);
    expect(device.content).toEqual({ first: 1, beside: 3 });
    device.write("mine", 4);
    expect(await settle(device, relay)).toBeLessThan(12);
    expect(relay.doc).toMatchObject({ mine: 4 });
    relay.doc = Automerge.merge(
      relay.doc,
      Automerge.change(beside, (notes) => {
        notes.later = 5;
      }),
    );
    expect(await settle(device, relay)).toBeLessThan(12);
    expect(device.content).toEqual({ first: 1, beside: 3, mine: 4, later: 5 });
  });

  test("[NW20] whatever the relay sends in the place of a change, the document loads again and syncing goes on", async () => {
    for (let seed = 1; seed <= 10; seed += 1) await play(draws(seed), `seed ${seed}`);
  });
});

async function play(draw: Draw, label: string): Promise<void> {
  const [device, relay] = [new Device(), new StockRelay()];
  await settle(device, relay);
  for (let step = 0; step < 6; step += 1) {
    const before = relay.doc;
    const changeBy = (actor: number): Uint8Array =>
      Automerge.getLastLocalChange(
        Automerge.change(Automerge.clone(before, `${actor}`.repeat(16)), (notes) => {
          notes[`theirs ${actor}`] = step;
        }),
      ) as Uint8Array;
    const change = changeBy(10 + step);
    if (draw(2) === 0) relay.doc = Automerge.applyChanges(before, [change])[0];
    const bad = rewritten(changeBy(20 + step), draw);
    device.hear(Automerge.encodeSyncMessage(messageWith(relay.doc, draw(2) === 0 ? [bad] : [bad, change])));
    device.write(`mine ${step}`, step);
    expect(await settle(device, relay), label).toBeLessThan(MANY_ROUNDS);
    expect(relay.doc, label).toMatchObject({ [`mine ${step}`]: step });
    expect(device.content, label).toMatchObject(Automerge.toJS(relay.doc));
  }
}

const messageWith = (doc: Automerge.Doc<Notes>, changes: Uint8Array[]) =>
  ({
    ...{ heads: Automerge.getHeads(doc), need: [], have: [], changes },
    ...{ type: "v2", supportedCapabilities: ["supports-sync-reset"] },
  }) as never;
