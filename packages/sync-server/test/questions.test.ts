import { encodeClientFrame } from "@cambium/core/wire";
import { expect, test } from "vitest";
import type { SpaceLog } from "../src/log/space-log.js";
import { type LogChannel, LogSession, type LogSessionShared } from "../src/sessions/log-session.js";
import type { Turns } from "../src/sessions/turns.js";
import { documentHex } from "./support/change-maker.js";

/** A session whose steps are run by hand, and what it does to its socket. */
function openSession() {
  const steps: (() => Promise<void>)[] = [];
  const done = { frames: 0, codes: [] as number[], behind: [] as boolean[], spent: 0, processed: 0 };
  const channel: LogChannel = {
    ...{ isFull: false, isBusy: false, heartbeat: () => {}, terminate: () => {} },
    send: () => {
      done.frames += 1;
    },
    close: (code) => {
      done.codes.push(code);
    },
    processed: () => {
      done.processed += 1;
    },
    spend: (bytes) => {
      done.spent += bytes;
    },
    setBehind: (isBehind) => {
      done.behind.push(isBehind);
    },
  };
  const log = { async *changes() {} } as Partial<SpaceLog>;
  const turns = { add: (_space, _line, run) => steps.push(run) } as Partial<Turns>;
  const shared = { log, turns, now: () => 0, inSpace: () => [], onError: () => {} } as Partial<
    Record<keyof LogSessionShared, unknown>
  >;
  const member = { kind: "member", space: "s", role: "read", tokenId: "t" };
  const session = new LogSession("peer", member as never, shared as LogSessionShared);
  session.attach(channel);
  return { session, done, step: () => steps.shift()?.() };
}

const fetchOne = encodeClientFrame({ type: "fetch", ask: 1, document: documentHex(1), have: [] });

test("[RL135] a question is decoded in its turn; while eight wait nothing more is read, and each costs of the pace", async () => {
  const { session, done, step } = openSession();
  for (let sent = 0; sent < 9; sent += 1) session.receive(fetchOne);
  session.receive(Uint8Array.of(fetchOne[0] as number, 0xff));
  expect(done).toMatchObject({ frames: 1, codes: [], processed: 0, spent: 10 * 64 * 1024 });
  expect(done.behind.at(-1)).toBe(true);
  while (done.processed < 3) await step();
  expect(done.behind.at(-1)).toBe(false);
  while (done.processed < 9) await step();
  expect(done).toMatchObject({ frames: 10, codes: [] });
  await step();
  expect(done.codes).toEqual([4400]);
});

test("[RL135] a session that asks more than 512 questions before the first is answered ends with 4408; what is passed on is lost then", () => {
  const { session, done } = openSession();
  for (let sent = 0; sent < 512; sent += 1) session.receive(fetchOne);
  session.receive(encodeClientFrame({ type: "ephemeral", bytes: Uint8Array.of(1) }));
  expect(done).toMatchObject({ codes: [], processed: 1 });
  session.receive(fetchOne);
  expect(done.codes).toEqual([4408]);
  session.receive(fetchOne);
  expect(done).toMatchObject({ frames: 1, processed: 2 });
});
