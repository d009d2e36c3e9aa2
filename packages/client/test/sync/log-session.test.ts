/** Replicas and a relay that read one log, over lines that a test delivers, garbles and cuts as it likes. */
import * as Automerge from "@automerge/automerge";
import { type DocumentId, documentIdFromHex, documentIdToHex } from "@cambium/core";
import type { LogClientFrame, LogRelayFrame } from "@cambium/core/wire";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadAutomerge } from "../../src/documents/automerge.js";
import { itemsOf, withItems } from "../support/relay-proxy.js";
import { LogRelay, type LogRelaySession } from "./support/log-relay.js";
import { DOCUMENTS, FORK, LogSide } from "./support/log-side.js";

type FromRelay = Parameters<LogSide["hear"]>[0];

class Line {
  readonly side: LogSide;
  readonly toRelay: LogClientFrame[] = [];
  readonly fromRelay: FromRelay[] = [];
  readonly #relay: LogRelay;
  #session: LogRelaySession | undefined;

  constructor(side: LogSide, relay: LogRelay) {
    this.side = side;
    this.#relay = relay;
  }

  open(): void {
    if (this.#session !== undefined) return;
    this.#session = this.#relay.join((frame: LogRelayFrame) => {
      if (frame.type !== "welcome") this.fromRelay.push(frame);
    });
    this.side.begin((frame) => this.toRelay.push(frame));
  }

  cut(): void {
    this.#session?.end();
    this.#session = undefined;
    this.toRelay.length = 0;
    this.fromRelay.length = 0;
    this.side.hangUp();
  }

  deliver(alter: (frame: FromRelay) => FromRelay = (frame) => frame): boolean {
    const up = this.toRelay.shift();
    if (up !== undefined) this.#session?.receive(up);
    const down = this.fromRelay.shift();
    if (down !== undefined) this.side.hear(alter(down));
    return up !== undefined || down !== undefined;
  }
}

/** Turns a bit of the last item that a frame carries. */
function garbled(frame: FromRelay): FromRelay {
  if (frame.type !== "entries") return frame;
  const items = itemsOf(frame);
  const last = items.at(-1);
  if (last?.kind !== "change") return frame;
  const chunk = last.chunk.slice();
  chunk[chunk.length - 1] = (chunk.at(-1) ?? 0) ^ 1;
  return withItems(frame, [...items.slice(0, -1), { ...last, chunk }]) as FromRelay;
}

async function settle(lines: readonly Line[]): Promise<void> {
  for (let quiet = 0, round = 0; quiet < 3; round += 1) {
    if (round > 400) throw new Error("They never stop talking.");
    let isBusy = false;
    for (const line of lines) {
      line.open();
      line.side.flush();
      await line.side.settle();
      while (line.deliver()) isBusy = true;
      await line.side.settle();
    }
    quiet = isBusy ? 0 : quiet + 1;
  }
}

/** What a branch refers to has to be in the log before it. */
function brokenReferences(relay: LogRelay): readonly string[] {
  const put = new Set<string>();
  return relay.entries.flatMap(({ item }) => {
    if (item.kind !== "change") return [];
    const { message } = Automerge.decodeChange(item.chunk);
    const said = JSON.parse(message ?? "{}") as { readonly put?: string; readonly refers?: string };
    if (said.put !== undefined) put.add(said.put);
    return said.refers === undefined || put.has(said.refers) ? [] : [said.refers];
  });
}

const pairOn = (relay: LogRelay): readonly [Line, Line] => [
  new Line(new LogSide("aa"), relay),
  new Line(new LogSide("bb"), relay),
];

describe("replicas that read one log", () => {
  beforeAll(loadAutomerge);

  test("[NW16] [NW11] whatever is written, cut, garbled, crashed and restored, all hold the same in the end", async () => {
    const step = fc.record({
      line: fc.constantFrom(0, 1),
      act: fc.constantFrom(
        ...["write", "write", "write", "fork", "on-fork", "flush", "flush", "flush", "all", "all", "all"],
        ...["all", "one", "one", "garble", "garble", "cut", "crash", "restore", "refuse"],
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 70, size: "max" }), async (steps) => {
        const relay = new LogRelay();
        const lines = pairOn(relay);
        const kept = new Set<string>();
        const unkept: string[][] = [[], []];
        for (const [index, { line: which, act }] of steps.entries()) {
          const line = lines[which] as Line;
          const { side } = line;
          const key = `${index}`;
          if (act === "write" || act === "on-fork") {
            side.write(key, act === "write" ? DOCUMENTS.branch : FORK);
            unkept[which]?.push(key);
          } else if (act === "fork") side.fork();
          else if (act === "flush") {
            side.flush();
            for (const one of unkept[which]?.splice(0) ?? []) kept.add(one);
          } else if (act === "one" || act === "garble" || act === "all") {
            line.open();
            line.deliver(act === "garble" ? garbled : undefined);
            for (let more = act === "all"; more; more = line.deliver()) await side.settle();
          } else if (act === "cut") line.cut();
          else if (act === "crash") {
            line.cut();
            side.crash();
            unkept[which]?.splice(0);
          } else if (act === "restore") {
            for (const each of lines) each.cut();
            relay.cutTo(Math.floor((relay.entries.length * (index % 4)) / 4));
          } else if (act === "refuse") {
            relay.refusals.push(([item]) => item && { code: "BUSY", document: item.document });
          }
          await side.settle();
        }
        relay.refusals.length = 0;
        for (const { side } of lines) side.timers.advance(2_000);
        await settle(lines);
        expect(brokenReferences(relay)).toEqual([]);
        const [one, two] = lines.map(({ side }) => side) as [LogSide, LogSide];
        for (const id of [...Object.values(DOCUMENTS), FORK]) expect(one.keysOf(id)).toEqual(two.keysOf(id));
        const written = new Set([...one.keysOf(DOCUMENTS.branch), ...one.keysOf(FORK)]);
        expect([...kept].filter((key) => !written.has(key))).toEqual([]);
        for (const side of [one, two]) {
          expect(side.tracker.isSynced()).toBe(true);
          expect(side.refused).toEqual([]);
          for (const id of [...Object.values(DOCUMENTS), FORK]) {
            const { chunks } = relay.document(documentIdToHex(id));
            expect(side.hashesOf(id).filter((hash) => !chunks.has(hash))).toEqual([]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  /** A relay that has erased the pack, and a replica that reads its log from the start. */
  async function readErased(retire: boolean): Promise<{ relay: LogRelay; line: Line }> {
    const relay = new LogRelay();
    const first = new Line(new LogSide("aa"), relay);
    first.side.write("1");
    first.side.write("2");
    await settle([first]);
    relay.gone.add(documentIdToHex(DOCUMENTS.pack));
    if (retire) first.side.retire(DOCUMENTS.pack);
    await settle([first]);
    const line = new Line(new LogSide("bb"), relay);
    await settle([line]);
    return { relay, line };
  }

  /** A log with a record of 3 documents each, and a replica that takes some time for each of them. */
  async function readSlowly(): Promise<{ relay: LogRelay; line: Line; order: DocumentId[] }> {
    const relay = new LogRelay();
    const first = new Line(new LogSide("aa"), relay);
    first.side.write("1");
    first.side.retire(DOCUMENTS.uses);
    first.side.write("2");
    await settle([first]);
    const line = new Line(new LogSide("bb"), relay);
    const order: DocumentId[] = [];
    line.side.whileAdmitting = (document) => {
      order.push(document);
      const until = performance.now() + 25;
      while (performance.now() < until);
    };
    return { relay, line, order };
  }

  test("[NW26] documents take in what came in its order, and others get on between them", async () => {
    const { relay, line, order } = await readSlowly();
    let ticks = 0;
    const after: number[] = [];
    const { whileAdmitting } = line.side;
    line.side.whileAdmitting = (document) => {
      after.push(ticks);
      whileAdmitting(document);
    };
    const tick = (): void => {
      ticks += 1;
      if (order.length < 3) setImmediate(tick);
    };
    tick();
    await settle([line]);
    const came = relay.entries.map(({ item }) => documentIdFromHex(item.document));
    expect(order).toEqual([...new Set(came)]);
    expect(order).toHaveLength(3);
    expect(new Set(after).size).toBe(3);
    expect(line.side.tracker.isSynced()).toBe(true);
  });

  test("[NW26] a line that is cut between two documents leaves what is not taken in to the next one", async () => {
    const { line, order } = await readSlowly();
    const { whileAdmitting } = line.side;
    let cuts = 0;
    line.side.whileAdmitting = (document) => {
      if (cuts < 3) setImmediate(() => line.cut());
      cuts += 1;
      whileAdmitting(document);
    };
    await settle([line]);
    expect(order.length).toBeGreaterThan(3);
    expect(line.side.tracker.isSynced()).toBe(true);
    expect(line.side.keysOf(DOCUMENTS.branch)).toEqual(["1", "2"]);
    expect(line.side.keysOf(DOCUMENTS.pack)).toEqual(["1", "2"]);
  });

  test("[NW26] [ER20] of a document that is retired while it takes in what came, that is carried", async () => {
    const { line } = await readSlowly();
    line.side.whileAdmitting = (document) => {
      if (document === DOCUMENTS.pack) line.side.retire(DOCUMENTS.pack);
    };
    await settle([line]);
    expect(line.side.ofRetired).toContain(DOCUMENTS.pack);
    expect(line.side.tracker.allProgress().every(({ behind }) => behind === 0)).toBe(true);
  });

  test("[NW27] the relay is told in pieces what was read, and not after each change", async () => {
    const relay = new LogRelay();
    const [writer, reader] = pairOn(relay);
    const told: number[] = [];
    const { push } = reader.toRelay;
    reader.toRelay.push = (...frames) => {
      told.push(...frames.flatMap((frame) => (frame.type === "credit" ? [frame.bytes] : [])));
      return push.apply(reader.toRelay, frames);
    };
    await settle([writer, reader]);
    for (let change = 0; change < 10; change += 1) {
      writer.side.write(`${change}`);
      await settle([writer, reader]);
    }
    expect(reader.side.keysOf(DOCUMENTS.branch)).toHaveLength(10);
    expect(told).toEqual([]);
    for (const letter of "abcd") writer.side.write(letter.repeat(100_000));
    await settle([writer, reader]);
    expect(told.length).toBeGreaterThan(0);
    for (const bytes of told) expect(bytes).toBeGreaterThanOrEqual(256 * 1024);
  });

  test("[RL192] what is stored while a batch is made is sent after it", async () => {
    const relay = new LogRelay();
    const line = new Line(new LogSide("aa"), relay);
    const { side } = line;
    side.write("1");
    await settle([line]);
    side.whileReading = () => {
      side.whileReading = () => {};
      side.write("3");
      side.flush();
    };
    side.write("2");
    await settle([line]);
    expect(side.tracker.isSynced()).toBe(true);
    const other = new Line(new LogSide("bb"), relay);
    await settle([other]);
    expect(other.side.keysOf(DOCUMENTS.branch)).toEqual(["1", "2", "3"]);
  });

  test("[NW28] what is stored while the relay is busy is sent once it is not", async () => {
    const relay = new LogRelay();
    const line = new Line(new LogSide("aa"), relay);
    const { side } = line;
    side.write("1");
    await settle([line]);
    relay.refusals.push(([item]) => item && { code: "BUSY", document: item.document });
    side.write("2");
    await settle([line]);
    expect(side.tracker.isSynced()).toBe(false);
    side.fork();
    side.write("3", FORK);
    await settle([line]);
    const asked = side.tracker.newAsk();
    side.session.count();
    const synced = side.tracker.whenSynced(undefined, asked);
    side.timers.advance(1_000);
    await settle([line]);
    expect(side.tracker.unsettled).toEqual([]);
    await synced;
  });

  test("[RL150] what was erased is passed over, though the catalog says so only later in the log", async () => {
    const { relay, line } = await readErased(true);
    expect(line.side.cursor.point.position).toBe(relay.end.position);
    expect(line.side.tracker.isSynced()).toBe(true);
    expect(line.side.tracker.allProgress().every(({ behind }) => behind === 0)).toBe(true);
    expect(line.side.withheld).toEqual([]);
    expect(line.side.keysOf(DOCUMENTS.branch)).toEqual(["1", "2"]);

    relay.gone.clear(); // as a relay that has lost the retirement
    const third = new Line(new LogSide("cc"), relay);
    third.side.write("3");
    await settle([third, line]);
    expect(line.side.ofRetired).toEqual([DOCUMENTS.pack]);
    expect(line.side.tracker.isSynced()).toBe(true);
  });

  test("[RL151] what the relay calls erased and the catalog does not is awaited, until the catalog says so", async () => {
    const { relay, line } = await readErased(false);
    const { side } = line;
    expect(side.withheld.length).toBeGreaterThan(0);
    expect(side.cursor.point.position).toBe(relay.end.position);
    expect(side.tracker.isCaughtUp).toBe(true);
    expect(side.tracker.isSynced()).toBe(false);
    const third = new Line(new LogSide("cc"), relay);
    await settle([third, line]);
    third.side.retire(DOCUMENTS.pack);
    await settle([third, line]);
    expect(side.tracker.isSynced()).toBe(true);
    expect(side.tracker.allProgress().every(({ behind }) => behind === 0)).toBe(true);
  });

  test("[RL151] the log is read again if what the relay calls erased cannot be remembered", async () => {
    const relay = new LogRelay();
    const first = new Line(new LogSide("aa"), relay);
    first.side.write("1");
    await settle([first]);
    relay.gone.add(documentIdToHex(DOCUMENTS.pack));
    const side = new LogSide("bb");
    side.isRemembering = false;
    const line = new Line(side, relay);
    await settle([line]);
    expect(side.cursor.point.position).toBe(0);
    relay.gone.clear();
    line.cut();
    await settle([line]);
    expect(side.cursor.point.position).toBe(relay.end.position);
    expect(side.keysOf(DOCUMENTS.pack)).toEqual(["1"]);
  });
});
