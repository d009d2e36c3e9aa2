import { quickReceive } from "@cambium/core/changes";
import fc from "fast-check";
import { expect, test } from "vitest";
import { automerge, type Handle, type SyncState } from "../src/stock/wasm.js";

const wasm = automerge();

/** One end of a connection, and what is on its way to it. */
interface End {
  readonly handle: Handle;
  state: SyncState;
  readonly inbox: Uint8Array[];
}

const step = fc.record({
  kind: fc.constantFrom("write", "send", "deliver", "answer"),
  peer: fc.nat({ max: 2 }),
});

test("[RL45] the quick way concludes what Automerge's own receiveSyncMessage concludes", () => {
  let quick = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 200 }), (steps) => {
      const relay = wasm.create();
      const peers: End[] = [0, 1, 2].map(() => newEnd(wasm.create()));
      const sessions: End[] = peers.map(() => newEnd(relay));
      for (const [index, { kind, peer }] of steps.entries()) {
        const [client, session] = [peers[peer] as End, sessions[peer] as End];
        if (kind === "write") write(client.handle, index);
        if (kind === "send") send(client, session);
        if (kind === "deliver") quick += deliver(session);
        if (kind === "answer") {
          send(session, client);
          for (const data of client.inbox.splice(0)) client.handle.receiveSyncMessage(client.state, data);
        }
      }
      for (let round = 0; round < 12; round += 1) {
        for (const [index, client] of peers.entries()) {
          const session = sessions[index] as End;
          send(client, session);
          quick += deliver(session);
          send(session, client);
          for (const data of client.inbox.splice(0)) client.handle.receiveSyncMessage(client.state, data);
        }
      }
      for (const { handle } of peers) expect(handle.getHeads()).toEqual(relay.getHeads());
    }),
    { numRuns: 80, seed: 45 },
  );
  expect(quick).toBeGreaterThan(200);
});

const newEnd = (handle: Handle): End => ({ handle, state: wasm.initSyncState(), inbox: [] });

function write(handle: Handle, value: number): void {
  handle.put("/", `key ${value % 5}`, value);
  handle.commit(undefined, 0);
}

function send(from: End, to: End): void {
  const data = from.handle.generateSyncMessage(from.state);
  if (data !== null) to.inbox.push(data);
}

/** Takes in what has arrived, both ways, and compares. */
function deliver(session: End): number {
  let quick = 0;
  for (const data of session.inbox.splice(0)) {
    const twin = session.handle.clone();
    const expected = session.state.clone();
    twin.receiveSyncMessage(expected, data);
    const next = quickReceive(
      session.handle,
      wasm.exportSyncState(session.state),
      wasm.decodeSyncMessage(data),
    );
    if (next === undefined) {
      session.handle.receiveSyncMessage(session.state, data);
    } else {
      quick += 1;
      session.state.free();
      session.state = wasm.importSyncState(next);
      expect(wasm.exportSyncState(session.state)).toEqual(wasm.exportSyncState(expected));
    }
    expect(session.handle.getHeads()).toEqual(twin.getHeads());
    twin.free();
    expected.free();
  }
  return quick;
}
