/**
 * Attacks that send little, or nothing that breaks a rule: they wait, repeat, or ask without a token.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { encodeClientFrame } from "@cambium/core/wire";
import { PackMaker, recordName } from "../support/change-maker.js";
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

const id = (): string => randomBytes(16).toString("hex");

async function asWriters(
  world: AttackWorld,
  sessions: number,
  attack: (client: Hostile, round: number) => Promise<void>,
): Promise<void> {
  const clients = await Hostile.openMany(world, world.tokens.write, atScale(world, sessions));
  world.onBegun();
  for (let round = 0; !world.isOver() && clients.length > 0; round += 1) {
    for (const client of clients) await attack(client, round);
    await pause();
  }
}

async function asReaders(world: AttackWorld, sessions: number, make: () => Uint8Array): Promise<void> {
  const clients = await Hostile.openMany(world, world.tokens.read, atScale(world, sessions));
  world.onBegun();
  while (!world.isOver() && clients.length > 0) {
    for (const client of clients) await client.send(make());
    await pause();
  }
}

async function asAnybody(world: AttackWorld, ask: (at: number) => Promise<Response>): Promise<void> {
  world.onBegun();
  const one = async (at: number): Promise<void> => {
    while (!world.isOver())
      await ask(at)
        .then((response) => response.arrayBuffer())
        .catch(() => pause(10));
  };
  await Promise.all(Array.from({ length: atScale(world, 24) }, (_, at) => one(at)));
}

export const PATIENT_ATTACKS: Readonly<Record<string, Attack>> = {
  "sockets that go silent in the middle of a frame": async (world) => {
    const sockets = await Promise.all(
      Array.from({ length: atScale(world, 400) }, () => rawSocket(world, world.tokens.write)),
    );
    for (const socket of sockets) socket?.write(frameHead(0x82, 2_000_000));
    world.onBegun();
    while (!world.isOver()) {
      for (const socket of sockets) socket?.write(Buffer.alloc(200));
      await pause(20);
    }
    for (const socket of sockets) socket?.destroy();
  },
  "one document forked thousands of times": async (world) => {
    const [document, client] = [id(), await Hostile.open(world, world.tokens.write)];
    const chain = chainOf(64);
    if (client !== undefined)
      await upload(
        client,
        document,
        chain.map(({ chunk }) => chunk),
      );
    const heads = [chain.at(-1)?.hash ?? ""];
    await asWriters(world, 4, (one) => {
      const forks = Array.from({ length: 64 }, () => ({ document: id(), from: document, heads }));
      const n = one.nextN;
      return one.send(
        batchFrame(
          n,
          forks.map((fork) => ({ kind: "fork", ...fork })),
          n - 1,
        ),
      );
    });
  },
  "forks of forks, hundreds deep, and the last one fetched": async (world) => {
    const client = await Hostile.open(world, world.tokens.write);
    const chain = chainOf(64);
    const last = chain.at(-1)?.hash ?? "";
    let document = id();
    if (client !== undefined) {
      await upload(
        client,
        document,
        chain.map(({ chunk }) => chunk),
      );
      for (let depth = 0; depth < atScale(world, 800) && client.isOpen; depth += 1) {
        const fork = { kind: "fork", document: id(), from: document, heads: [last] } as const;
        await client.batch([fork]);
        document = fork.document;
      }
    }
    const fetch = encodeClientFrame({ type: "fetch", ask: 1, document, have: [] });
    await asReaders(world, 20, () => fetch);
  },
  "one document by thousands of actors": async (world) => {
    const document = id();
    await asWriters(world, 4, (one) => {
      const changes = Array.from({ length: 16 }, () => rawChange({ actor: id() }).chunk);
      const n = one.nextN;
      const items = changes.map((chunk) => ({ kind: "change", document, chunk }) as const);
      return one.send(batchFrame(n, items, n - 1));
    });
  },
  "the heads of a document with a thousand of them, over and over": async (world) => {
    const [document, client] = [id(), await Hostile.open(world, world.tokens.write)];
    const roots = Array.from({ length: atScale(world, 1_000) }, () => rawChange({ actor: id() }).chunk);
    if (client !== undefined) await upload(client, document, roots);
    const ask = encodeClientFrame({
      ...{ type: "heads", ask: 1 },
      of: { documents: Array.from({ length: 1_000 }, () => document) },
    });
    await asReaders(world, 20, () => ask);
  },
  "retirements of a large pack that is carried nowhere": async (world) => {
    const [document, client] = [id(), await Hostile.open(world, world.tokens.write)];
    const maker = new PackMaker("ab");
    const names = Array.from({ length: atScale(world, 2_000) }, (_, at) => recordName(at.toString(16)));
    if (client !== undefined) await upload(client, document, [...maker.write(...names)]);
    await asWriters(world, 4, (one) => {
      const n = one.nextN;
      return one.send(batchFrame(n, [{ kind: "retire", document, carriedIn: [], erased: [] }], n - 1));
    });
  },
  "segments, over and over": async (world) => {
    const client = await Hostile.open(world, world.tokens.write);
    const chunks = chainOf(atScale(world, 10_000)).map(({ chunk }) => chunk);
    if (client !== undefined) await upload(client, id(), chunks);
    const subscribe = encodeClientFrame({
      ...{ type: "subscribe", marks: [], credit: 2 ** 26 },
      reads: ["zstd", "deflate"],
    });
    await asWriters(world, 50, (one) => one.send(subscribe));
  },
  "invitations that nobody made": (world) =>
    asAnybody(world, () =>
      fetch(`${world.url}/trade`, {
        method: "POST",
        headers: { authorization: `Bearer cambium_invitation_${id()}`, "content-type": "application/json" },
        body: JSON.stringify({ hash: id() + id() }),
      }),
    ),
  "questions of an operator without a token": (world) =>
    asAnybody(world, (at) => {
      const paths = ["/readyz", "/healthz", "/metrics", "/spaces", "/spaces/hostile/usage", `/${id()}`];
      return fetch(world.url + paths[at % paths.length]);
    }),
};
