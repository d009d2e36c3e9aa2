/**
 * Attacks through the log protocol and HTTP, by members of one space. Each goes on until it is over.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { deflateRawSync } from "node:zlib";
import { encodeClientFrame, encodeItems, LOG_LIMITS } from "@cambium/core/wire";
import {
  type Attack,
  type AttackWorld,
  atScale,
  batchFrame,
  chainOf,
  frameHead,
  Hostile,
  pause,
  rawChange,
  rawSocket,
  upload,
} from "./hostile-client.js";
import { HTTP_ATTACKS } from "./http-attacks.js";
import { PATIENT_ATTACKS } from "./patient-attacks.js";
import { STOCK_ATTACKS } from "./stock-attacks.js";

const id = (): string => randomBytes(16).toString("hex");
const hash = (): string => randomBytes(32).toString("hex");
const ids = (count: number): string[] => Array.from({ length: count }, id);
const hashes = (count: number): string[] => Array.from({ length: count }, hash);
const INFLATES_TO_MORE = deflateRawSync(Buffer.alloc(10_000_000));
const DEEP = { documents: 5_000, changes: 10_000 };

/** Sends what `make` gives with a session, and with a new one when that has ended. */
async function again(world: AttackWorld, token: string, make: (round: number) => Uint8Array): Promise<void> {
  let client: Hostile | undefined;
  world.onBegun();
  for (let round = 0; !world.isOver(); round += 1) {
    if (client?.isOpen !== true) client = await Hostile.open(world, token);
    if (client === undefined) await pause(20);
    await client?.send(make(round));
    if (round % 16 === 15) await pause();
  }
}

async function inParallel(
  world: AttackWorld,
  count: number,
  run: (at: number) => Promise<void>,
): Promise<void> {
  world.onBegun();
  await Promise.all(Array.from({ length: count }, (_, at) => run(at)));
}

async function withLongDocument(
  world: AttackWorld,
  attack: (document: string, chain: ReturnType<typeof chainOf>) => Promise<void>,
): Promise<void> {
  const [document, client] = [id(), await Hostile.open(world, world.tokens.write)];
  const chain = chainOf(atScale(world, DEEP.changes));
  if (client !== undefined)
    await upload(
      client,
      document,
      chain.map(({ chunk }) => chunk),
    );
  await attack(document, chain);
}

/** Frames over and over from many sessions that read what they are sent. */
async function flood(
  world: AttackWorld,
  token: string,
  sessions: number,
  make: (round: number, client: Hostile) => Uint8Array,
): Promise<void> {
  const clients = await Hostile.openMany(world, token, atScale(world, sessions));
  world.onBegun();
  for (let round = 0; !world.isOver() && clients.length > 0; round += 1) {
    for (const client of clients) await client.send(make(round, client));
    await pause();
  }
}

const ephemeral = (bytes: number): Uint8Array =>
  encodeClientFrame({ type: "ephemeral", bytes: randomBytes(bytes) });
const heads = (documents: readonly string[]): Uint8Array =>
  encodeClientFrame({ type: "heads", ask: 1, of: { documents } });
const subscribe = encodeClientFrame({ type: "subscribe", marks: [], credit: 2 ** 26 });

/** A frame whose items inflate to what a batch may have. */
function bomb(n: number): Uint8Array {
  const chunk = Buffer.alloc(LOG_LIMITS.changeBytes);
  const items = encodeItems([{ kind: "change", document: id(), chunk }]);
  return encodeClientFrame({
    ...{ type: "batch", n, resume: n - 1 },
    items: { form: "deflated", inflatedBytes: items.length, bytes: deflateRawSync(items) },
  });
}

/** By name. Those that stand for a script against the wire of old say so. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  ...PATIENT_ATTACKS,
  ...STOCK_ATTACKS,
  ...HTTP_ATTACKS,
  "questions about unknown documents": (world) =>
    flood(world, world.tokens.read, 20, (round) =>
      round % 2 === 0
        ? heads(ids(1_000))
        : encodeClientFrame({ type: "fetch", ask: 1, document: id(), have: hashes(LOG_LIMITS.fetchHave) }),
    ),
  "forks of a long document": (world) =>
    withLongDocument(world, async (document, chain) => {
      await flood(world, world.tokens.write, 4, (round, client) => {
        const at = (offset: number): string =>
          chain[(round * 97 + offset * 13) % chain.length]?.hash ?? hash();
        const fork = (offset: number) =>
          ({ kind: "fork", document: id(), from: document, heads: [at(offset)] }) as const;
        const n = client.nextN;
        return batchFrame(
          n,
          Array.from({ length: 15 }, (_, offset) => fork(offset)),
          n - 1,
        );
      });
    }),
  "maps of many keys and deep lists": (world) =>
    inParallel(world, 4, () =>
      again(world, world.tokens.write, (round) => {
        const size = round % 2 === 0 ? 60_000 : 2_000_000;
        const fill = round % 3 === 0 ? 0x81 : 0xa0;
        return Buffer.concat([
          Buffer.from([1 + (round % 5), 0xba, 0x00, 0x0f, 0, 0]),
          Buffer.alloc(size, fill),
        ]);
      }),
    ),
  "frames that a reader may not send": (world) =>
    inParallel(world, 8, () => again(world, world.tokens.read, () => Buffer.alloc(1_000_000, 6))),
  "deflated frames of zeros": (world) =>
    inParallel(world, 4, async () => {
      const client = await Hostile.open(world, world.tokens.write);
      while (client?.isOpen && !world.isOver()) {
        await client.send(bomb(client.nextN));
        await pause();
      }
    }),
  "frames that inflate to more than they say": (world) =>
    inParallel(world, 4, () =>
      again(world, world.tokens.write, () =>
        encodeClientFrame({
          ...{ type: "batch", n: 1, resume: 0 },
          items: { form: "deflated", inflatedBytes: 1_000, bytes: INFLATES_TO_MORE },
        }),
      ),
    ),
  "deflated chunks of zeros": (world) => {
    const inner = deflateRawSync(Buffer.alloc(40_000_000));
    const length = [(inner.length % 128) | 128, ((inner.length >> 7) % 128) | 128, inner.length >> 14];
    const chunk = Buffer.concat([Buffer.from([0x85, 0x6f, 0x4a, 0x83, 0, 0, 0, 0, 2, ...length]), inner]);
    return flood(world, world.tokens.write, 4, (_, client) => {
      const n = client.nextN;
      return batchFrame(n, [{ kind: "change", document: id(), chunk }], n - 1);
    });
  },
  "batches of as many changes as fit": (world) =>
    inParallel(world, 4, async () => {
      const client = await Hostile.open(world, world.tokens.write);
      const made = chainOf(1_024).map(({ chunk }) => chunk);
      while (client?.isOpen && !world.isOver()) await upload(client, id(), made);
    }),
  "batches of as many bytes as fit": (world) =>
    flood(world, world.tokens.write, 8, (_, client) => {
      const { chunk } = rawChange({ actor: id(), message: randomBytes(700_000).toString("hex") });
      const n = client.nextN;
      return batchFrame(n, [{ kind: "change", document: id(), chunk }], n - 1);
    }),
  // Alone, it has turns four times as large as when others are there.
  "turns filled by one writer": async (world) => {
    const client = await Hostile.open(world, world.tokens.write);
    world.onBegun();
    for (let round = 0; client?.isOpen && !world.isOver(); round += 1) {
      const [changes, bytes] = round % 2 === 0 ? [1, 240_000] : [LOG_LIMITS.batchItems, 16];
      const items = Array.from({ length: changes }, () => {
        const { chunk } = rawChange({ actor: id(), message: randomBytes(bytes / 2).toString("hex") });
        return { kind: "change", document: id(), chunk } as const;
      });
      const n = client.nextN;
      await client.send(batchFrame(n, items, n - 1));
      if (round % 4 === 3) await pause();
    }
  },
  // Below what counts as more than a small turn.
  "turns that stay small, one after the other": async (world) => {
    const client = await Hostile.open(world, world.tokens.write);
    world.onBegun();
    for (let heard = client?.heard ?? 0; client?.isOpen && !world.isOver(); heard = client.heard) {
      const items = Array.from({ length: 15 }, () => ({
        ...({ kind: "change", document: id(), chunk: rawChange({ actor: id() }).chunk } as const),
      }));
      await client.batch(items);
      while (client.isOpen && client.heard === heard && !world.isOver()) await once(client.socket, "message");
    }
  },
  "changes with thousands of dependencies": (world) =>
    flood(world, world.tokens.write, 8, (_, client) => {
      const changes = Array.from({ length: 8 }, () =>
        rawChange({ actor: id(), deps: hashes(2_000).toSorted() }),
      );
      const document = id();
      const n = client.nextN;
      return batchFrame(
        n,
        changes.map(({ chunk }) => ({ kind: "change", document, chunk })),
        n - 1,
      );
    }),
  "a document with a thousand heads": async (world) => {
    const [document, client] = [id(), await Hostile.open(world, world.tokens.write)];
    const roots = Array.from({ length: atScale(world, 1_000) }, () => rawChange({ actor: id() }));
    if (client !== undefined)
      await upload(
        client,
        document,
        roots.map(({ chunk }) => chunk),
      );
    const deps = roots.map((root) => root.hash).toSorted();
    await flood(world, world.tokens.write, 4, (_, one) => {
      const { chunk } = rawChange({ actor: id(), deps });
      const n = one.nextN;
      return batchFrame(n, [{ kind: "change", document, chunk }], n - 1);
    });
  },
  "pieces of frames that never end": async (world) => {
    const body = Buffer.alloc(1_900_000, 2);
    world.onBegun();
    while (!world.isOver()) {
      const sockets = await Promise.all(
        Array.from({ length: atScale(world, 100) }, () => rawSocket(world, world.tokens.write)),
      );
      for (const socket of sockets) {
        socket?.write(Buffer.concat([frameHead(0x82, 2_000_000), body]));
        await pause(2);
      }
      for (let waited = 0; waited < 20 && !world.isOver(); waited += 1) await pause(25);
      for (const socket of sockets) socket?.destroy();
    }
  },
  "fragments of one byte": (world) =>
    inParallel(world, 4, async () => {
      const piece = Buffer.alloc(7 * 2_000);
      for (let at = 0; at < piece.length; at += 7) piece.set([0x00, 0x81, 0, 0, 0, 0, 1], at);
      while (!world.isOver()) {
        const socket = await rawSocket(world, world.tokens.write);
        socket?.write(Buffer.from([0x02, 0x81, 0, 0, 0, 0, 2]));
        socket?.write(piece);
        await pause(10);
        socket?.destroy();
      }
    }),
  "pings that nobody reads the answers of": (world) =>
    inParallel(world, 4, async () => {
      const socket = await rawSocket(world, world.tokens.read);
      socket?.pause();
      const one = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
      const many = Buffer.concat(Array.from({ length: 500 }, () => one));
      while (socket !== undefined && !socket.destroyed && !world.isOver()) {
        if (socket.writableLength < 1_000_000) socket.write(many);
        await pause(1);
      }
      socket?.destroy();
    }),
  "hundreds of sessions of one token": (world) =>
    flood(world, world.tokens.write, 400, (round, client) => {
      if (round === 0) return subscribe;
      const n = client.nextN;
      return batchFrame(n, [{ kind: "change", document: id(), chunk: rawChange({ actor: id() }).chunk }]);
    }),
  "subscribing anew to a long log": (world) =>
    withLongDocument(world, () => flood(world, world.tokens.read, 50, () => subscribe)),
  "fetching a long document with much that one has": (world) =>
    withLongDocument(world, (document, chain) =>
      flood(world, world.tokens.read, 50, (round) => {
        const at = chain[(round * 311) % chain.length]?.hash ?? hash();
        return encodeClientFrame({
          type: "fetch",
          ask: 1,
          document,
          have: [at, ...hashes(LOG_LIMITS.fetchHave - 1)],
        });
      }),
    ),
  "listing thousands of documents": async (world) => {
    const client = await Hostile.open(world, world.tokens.write);
    const { chunk } = rawChange({ actor: id() });
    for (let at = 0; at < atScale(world, DEEP.documents) && client?.isOpen; at += LOG_LIMITS.batchItems)
      await client.batch(ids(LOG_LIMITS.batchItems).map((document) => ({ kind: "change", document, chunk })));
    const list = encodeClientFrame({ type: "heads", ask: 1, of: { after: 0 } });
    await flood(world, world.tokens.read, 50, () => list);
  },
  "readers that never read": async (world) => {
    const readers = await Hostile.openMany(world, world.tokens.read, atScale(world, 300));
    for (const reader of readers) {
      await reader.send(subscribe);
      reader.socket.pause();
    }
    await flood(world, world.tokens.write, 2, (round, client) => {
      if (round % 4 === 0) return ephemeral(60_000);
      const { chunk } = rawChange({ actor: id(), message: randomBytes(20_000).toString("hex") });
      const n = client.nextN;
      return batchFrame(n, [{ kind: "change", document: id(), chunk }], n - 1);
    });
  },
  "ephemeral bytes to hundreds of listeners": async (world) => {
    const listeners = await Hostile.openMany(world, world.tokens.read, atScale(world, 300));
    for (const listener of listeners) await listener.send(subscribe);
    await flood(world, world.tokens.read, 10, () => ephemeral(500));
  },
  "slots of thousands of replicas": (world) =>
    flood(world, world.tokens.read, 10, () =>
      encodeClientFrame({ type: "slot", replica: id(), bytes: randomBytes(1_024) }),
    ),
  "credit of every size": (world) =>
    withLongDocument(world, () =>
      flood(world, world.tokens.read, 20, (round) =>
        round % 50 === 0
          ? encodeClientFrame({ type: "subscribe", marks: [], credit: 0 })
          : encodeClientFrame({
              type: "credit",
              bytes: [0, 1, Number.MAX_SAFE_INTEGER][round % 3] as number,
            }),
      ),
    ),
  "batches that are refused, over and over": (world) =>
    flood(world, world.tokens.write, 20, (round, client) => {
      const { chunk } = rawChange({ actor: id(), deps: hashes(1) });
      const n = client.nextN;
      return batchFrame(n, [{ kind: "change", document: id(), chunk }], round % 7 === 0 ? n + 5 : n - 1);
    }),
  "batches of one change, as fast as they go": (world) =>
    flood(world, world.tokens.write, 20, (_, client) => {
      const n = client.nextN;
      return batchFrame(n, [{ kind: "change", document: id(), chunk: rawChange({ actor: id() }).chunk }]);
    }),
  "batch numbers of every kind": (world) =>
    inParallel(world, 8, () =>
      again(world, world.tokens.write, (round) =>
        batchFrame([2, 2 ** 32 - 1, 7][round % 3] as number, [], [0, 2 ** 32 - 1][round % 2]),
      ),
    ),
  "retirements with many carriers": (world) =>
    withLongDocument(world, (document) =>
      flood(world, world.tokens.write, 4, (_, client) => {
        const n = client.nextN;
        const retire = {
          kind: "retire",
          document,
          carriedIn: [document, ...ids(60)],
          erased: hashes(500),
        } as const;
        return batchFrame(
          n,
          Array.from({ length: 16 }, () => retire),
          n - 1,
        );
      }),
    ),
  "sessions opened and dropped": (world) =>
    inParallel(world, 16, async () => {
      while (!world.isOver()) (await Hostile.open(world, world.tokens.read))?.socket.terminate();
    }),
  "wrong tokens": (world) =>
    inParallel(world, 16, async () => {
      while (!world.isOver()) await Hostile.open(world, `cambium_space_${id()}`);
    }),
  "requests over HTTP": async (world) => {
    await withLongDocument(world, async () => {
      const headers = { authorization: `Bearer ${world.tokens.admin}` };
      const paths = [
        "/spaces/hostile/usage",
        "/spaces/hostile/tokens",
        "/spaces/hostile/members",
        "/space",
        "/x",
      ];
      await inParallel(world, 24, async (at) => {
        while (!world.isOver())
          await fetch(world.url + paths[at % paths.length], { headers })
            .then((response) => response.arrayBuffer())
            .catch(() => pause(10));
      });
    });
  },
  "requests in one piece": (world) =>
    inParallel(world, 16, async () => {
      const { connect } = await import("node:net");
      const one = `GET /space HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer ${world.tokens.read}\r\n\r\n`;
      while (!world.isOver()) {
        const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
        socket.on("error", () => {}).on("data", () => {});
        socket.write(one.repeat(500));
        await pause(20);
        socket.destroy();
      }
    }),
};
