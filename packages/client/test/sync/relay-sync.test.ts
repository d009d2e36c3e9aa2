/** Stock Repos, our adapter, the real relay. */
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getHeads } from "@automerge/automerge";
import { type DocHandle, type DocumentId, Repo } from "@automerge/automerge-repo";
import { documentIdFromHex, type SpaceId } from "@cambium/core";
import { type Relay, startRelay } from "@cambium/sync-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RelayAdapter } from "../../src/sync/relay-adapter.js";
import type { RelayLink } from "../../src/sync/relay-adapter-options.js";
import {
  createRelaySpace,
  createRelayToken,
  fetchSnapshot,
  relaySpaceOf,
  revokeRelayToken,
} from "../../src/sync/relay-http.js";
import { SyncTracker } from "../../src/sync/sync-tracker.js";
import { Inbox } from "./support/inbox.js";
import { SPACE } from "./support/scripted-relay.js";

const space = SPACE as SpaceId;
const ADMIN = "admin-token-of-the-test";
const DOCUMENT_IDS = ["0a", "0b", "0c"].map(
  (byte) => documentIdFromHex(byte.repeat(16)) as string as DocumentId,
);
const [DOCUMENT = "" as DocumentId, OTHER = "" as DocumentId, FORK = "" as DocumentId] = DOCUMENT_IDS;

interface Notes {
  notes?: Record<string, number>;
}

/** A Repo that reports its documents to a tracker, and loads what the tracker asks for. */
class Replica implements AsyncDisposable {
  readonly states = new Inbox<RelayLink>();
  readonly tracker = new SyncTracker({ rows: [], now: () => 1, onRow: () => {} });
  readonly adapter: RelayAdapter;
  readonly repo: Repo;
  readonly #followed = new Set<string>();

  constructor({ url, token }: { readonly url: string; readonly token: string }) {
    const { tracker } = this;
    this.adapter = new RelayAdapter({
      url,
      token,
      space,
      sendCheck: () => undefined,
      onWelcome: (welcome) => {
        tracker.welcome(welcome);
        this.adapter.requestList(tracker.cursor());
      },
      onHeads: (update) => {
        tracker.heads(update);
        for (const id of tracker.toLoad()) void this.load(id as DocumentId);
      },
      onReceipt: (receipt) => tracker.receipt(receipt),
      onState: (state) => {
        if (state !== "online") tracker.offline();
        this.states.put(state);
      },
      random: () => 0,
    });
    this.repo = new Repo({ network: [this.adapter] });
  }

  async load(id: DocumentId): Promise<DocHandle<Notes>> {
    return this.#follow(await this.repo.find<Notes>(id, { allowableStates: ["ready", "unavailable"] }));
  }

  create(id: DocumentId): DocHandle<Notes> {
    // An empty document is none to automerge-repo; the first change makes it one.
    const handle = this.#follow(this.repo.import<Notes>(new Uint8Array(), { docId: id }));
    handle.doneLoading();
    return handle;
  }

  write(handle: DocHandle<Notes>, key: string): void {
    handle.change((draft) => {
      draft.notes ??= {};
      draft.notes[key] = 1;
    });
  }

  #follow(handle: DocHandle<Notes>): DocHandle<Notes> {
    const { documentId } = handle;
    const tell = () => handle.isReady() && this.tracker.localHeads(documentId, getHeads(handle.doc()));
    if (!this.#followed.has(documentId))
      handle.on("heads-changed", ({ doc }) => this.tracker.localHeads(documentId, getHeads(doc)));
    this.#followed.add(documentId);
    tell();
    return handle;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.adapter.close();
  }
}

let dataDir: string;
let relay: Relay;
let token: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cambium-network-"));
  relay = await startRelay({ dataDir, adminToken: ADMIN });
  ({ token } = await createRelaySpace({ url: relay.url, token: ADMIN }, space));
});
afterEach(async () => {
  await relay.close();
  await rm(dataDir, { recursive: true });
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

describe("through the real relay", () => {
  test("[NW16] two Repos write one document at once and hold the same, acknowledged", async () => {
    await using one = new Replica({ url: relay.url, token });
    await using two = new Replica({ url: relay.url, token });
    const here = one.create(DOCUMENT);
    one.write(here, "first");
    await one.tracker.whenSynced();
    await until(() => two.tracker.progress(DOCUMENT) !== undefined);
    await two.tracker.whenSynced();
    const there = await two.load(DOCUMENT);
    for (let count = 0; count < 20; count += 1) {
      one.write(here, `one ${count}`);
      two.write(there, `two ${count}`);
    }
    await until(() => getHeads(here.doc()).join() === getHeads(there.doc()).join());
    await Promise.all([one.tracker.whenSynced(), two.tracker.whenSynced()]);
    expect(Object.keys(here.doc().notes ?? {})).toHaveLength(41);
    expect(there.doc()).toEqual(here.doc());
    expect(one.tracker.isReceipted(DOCUMENT)).toBe(true);
  });

  test("[NW16] a relay that restarts is found again, and what was written meanwhile arrives", async () => {
    await using one = new Replica({ url: relay.url, token });
    await using two = new Replica({ url: relay.url, token });
    const here = one.create(DOCUMENT);
    one.write(here, "before");
    await one.tracker.whenSynced();
    const { port } = relay;
    await relay.close();
    await one.states.until((state) => state === "offline");
    one.write(here, "meanwhile");
    one.write(one.create(OTHER), "new");
    expect(one.tracker.isSynced()).toBe(false);
    relay = await startRelay({ dataDir, port });
    await one.tracker.whenSynced();
    await until(() => two.tracker.progress(OTHER) !== undefined);
    await two.tracker.whenSynced();
    expect((await two.load(DOCUMENT)).doc()).toEqual({ notes: { before: 1, meanwhile: 1 } });
    expect((await two.load(OTHER)).doc()).toEqual({ notes: { new: 1 } });
  });

  test("[NW9] a relay restored from an old copy gets back what it lost", async () => {
    await using one = new Replica({ url: relay.url, token });
    const here = one.create(DOCUMENT);
    one.write(here, "kept");
    await one.tracker.whenSynced();
    const { port } = relay;
    await relay.close();
    await one.states.until((state) => state === "offline");
    const copyDir = `${dataDir}-copy`;
    await cp(dataDir, copyDir, { recursive: true });
    relay = await startRelay({ dataDir, port });
    one.write(here, "lost");
    one.write(one.create(OTHER), "lost");
    await one.tracker.whenSynced();
    await relay.close();
    await one.states.until((state) => state === "offline");
    await rm(dataDir, { recursive: true });
    await rename(copyDir, dataDir);
    relay = await startRelay({ dataDir, port });
    await one.tracker.whenSynced();
    const call = { url: relay.url, token };
    const snapshot = await fetchSnapshot(call, { space, documentId: DOCUMENT });
    expect(snapshot?.heads).toEqual(getHeads(here.doc()));
    expect(snapshot?.generation).toBe(relay.generation);
    expect(await fetchSnapshot(call, { space, documentId: OTHER })).toBeDefined();
    expect(await fetchSnapshot(call, { space, documentId: FORK })).toBeUndefined();
  });

  test("[NW2] without a relay, a document that is nowhere is unavailable at once, and found once it is there", async () => {
    const { port } = relay;
    await using one = new Replica({ url: relay.url, token });
    one.write(one.create(DOCUMENT), "there");
    await one.tracker.whenSynced();
    await relay.close();
    await using two = new Replica({ url: relay.url, token });
    await expect(two.repo.find(DOCUMENT)).rejects.toThrow("unavailable");
    relay = await startRelay({ dataDir, port });
    const handle = await two.load(DOCUMENT);
    await handle.whenReady();
    expect(handle.doc()).toEqual({ notes: { there: 1 } });
    await expect(two.repo.find(OTHER)).rejects.toThrow("unavailable");
  });

  test("[NW13] a fork is made on the relay; unknown heads are HEADS_NOT_HERE", async () => {
    await using one = new Replica({ url: relay.url, token });
    const here = one.create(DOCUMENT);
    one.write(here, "first");
    await one.tracker.whenSynced();
    const heads = getHeads(here.doc());
    one.write(here, "later");
    await one.adapter.requestFork({ documentId: FORK, from: DOCUMENT, heads });
    await until(() => one.tracker.progress(FORK) !== undefined);
    await one.tracker.whenSynced();
    expect((await one.load(FORK)).doc()).toEqual({ notes: { first: 1 } });
    const unknown = one.adapter.requestFork({ documentId: OTHER, from: DOCUMENT, heads: ["ab".repeat(32)] });
    await expect(unknown).rejects.toMatchObject({ code: "HEADS_NOT_HERE" });
  });

  test("[NW3] a revoked token ends the session for good; an unknown one never gets in", async () => {
    const call = { url: relay.url, token };
    const guest = await createRelayToken(call, { space, role: "write", label: "guest" });
    expect(await relaySpaceOf({ ...call, token: guest.token })).toEqual({ space, role: "write" });
    await using one = new Replica({ url: relay.url, token: guest.token });
    await one.states.until((state) => state === "online");
    await revokeRelayToken(call, { space, tokenId: guest.tokenId });
    await one.states.until((state) => state === "refused");
    await using two = new Replica({ url: relay.url, token: "unknown" });
    await two.states.until((state) => state === "refused");
    await expect(createRelaySpace({ ...call, token: ADMIN }, space)).rejects.toMatchObject({
      code: "SPACE_EXISTS",
    });
    await expect(createRelaySpace(call, space)).rejects.toMatchObject({ code: "ROLE_REFUSED" });
  });
});
