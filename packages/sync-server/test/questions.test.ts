import { type AskHeadsFrame, decodeRelayFrame, encodeClientFrame, type HeadsFrame } from "@cambium/core/wire";
import { expect, test } from "vitest";
import type { DocumentState, SpaceLog } from "../src/log/space-log.js";
import { answersTo } from "../src/sessions/answers.js";
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

/** What an answer says in each of its frames. */
async function headsIn(of: AskHeadsFrame["of"], heads: readonly number[]) {
  const documents = heads.map((count, at) => ({
    document: documentHex(at + 1),
    heads: Array.from({ length: count }, () => "ab".repeat(32)),
    position: at + 1,
  }));
  const upTo = (found: readonly DocumentState[], mostHeads = Number.POSITIVE_INFINITY) => {
    let sum = 0;
    const end = found.findIndex((state) => {
      sum += state.heads.length;
      return sum > mostHeads;
    });
    return end === -1 ? found : found.slice(0, end + 1);
  };
  const log: Pick<SpaceLog, "documents" | "describe" | "changes"> = {
    documents: async ({ after, limit, mostHeads }) =>
      upTo(documents.filter(({ position }) => position > after).slice(0, limit), mostHeads),
    describe: async (_space, asked, mostHeads) =>
      upTo(
        asked.flatMap((id) => documents.filter(({ document }) => document === id)),
        mostHeads,
      ),
    async *changes() {},
  };
  const frames: HeadsFrame[] = [];
  for await (const bytes of answersTo(log, "s", { type: "heads", ask: 1, of }))
    frames.push(decodeRelayFrame(bytes) as HeadsFrame);
  return frames;
}

test("[RL90] heads are told in frames of some thousand, each document once, however often it is asked for", async () => {
  const heads = Array.from({ length: 200 }, (_, at) => (at % 20 < 10 ? 1_024 : at % 3));
  const ids = heads.map((_, at) => documentHex(at + 1));
  const named = [documentHex(999), ...ids, ...ids, documentHex(998)];
  for (const of of [{ after: 0 }, { documents: named }]) {
    const frames = await headsIn(of, heads);
    for (const { documents } of frames)
      expect(documents.reduce((sum, state) => sum + state.heads.length, 0)).toBeLessThanOrEqual(
        2_048 + 1_024,
      );
    expect(frames.flatMap(({ documents }) => documents.map(({ document }) => document))).toEqual(ids);
    expect(frames.map(({ complete }) => complete)).toEqual(frames.map((_, at) => at === frames.length - 1));
  }
});
