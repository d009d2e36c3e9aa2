/**
 * Attacks through HTTP, by an admin of one space, by whoever reads it, and by strangers.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { documentIdFromHex } from "@cambium/core";
import {
  type Attack,
  type AttackWorld,
  atScale,
  Hostile,
  pause,
  rawChange,
  upload,
} from "./hostile-client.js";

const id = (): string => randomBytes(16).toString("hex");
const TOKENS = "/spaces/hostile/tokens";

const ask = (world: AttackWorld, method: string, path: string, body?: object): Promise<Response> =>
  fetch(world.url + path, {
    method,
    headers: { authorization: `Bearer ${world.tokens.admin}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

/** @returns its id; undefined where the relay makes none */
async function makeToken(world: AttackWorld): Promise<string | undefined> {
  const made = await ask(world, "POST", TOKENS, { role: "read", label: "x".repeat(200) }).catch(
    () => undefined,
  );
  return made?.status === 201 ? ((await made.json()) as { tokenId: string }).tokenId : undefined;
}

/** So many at a time, each over and over. */
async function overAndOver(
  world: AttackWorld,
  count: number,
  once: (round: number) => Promise<unknown>,
): Promise<void> {
  world.onBegun();
  const one = async (): Promise<void> => {
    for (let round = 0; !world.isOver(); round += 1) await once(round).catch(() => pause(10));
  };
  await Promise.all(Array.from({ length: atScale(world, count) }, one));
}

const read = (answer: Promise<Response>): Promise<unknown> => answer.then((one) => one.arrayBuffer());

function stranger(world: AttackWorld): Promise<Socket> {
  const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
  const settled = Promise.race(
    ["connect", "error", "close"].map((name) => once(socket, name).catch(() => {})),
  );
  socket.on("error", () => {});
  return settled.then(() => socket);
}

export const HTTP_ATTACKS: Readonly<Record<string, Attack>> = {
  "a role that is changed back and forth": async (world) => {
    const tokenId = await makeToken(world);
    await overAndOver(world, 24, (round) =>
      read(ask(world, "PATCH", `${TOKENS}/${tokenId}`, { role: round % 2 === 0 ? "write" : "read" })),
    );
  },
  "tokens made and revoked, over and over": (world) =>
    overAndOver(world, 24, async () => {
      const tokenId = await makeToken(world);
      if (tokenId === undefined) await pause(10);
      else await read(ask(world, "DELETE", `${TOKENS}/${tokenId}`));
    }),
  "thousands of tokens, listed over and over": async (world) => {
    const most = atScale(world, 2_000);
    for (let made = 0; made < most && !world.isOver(); made += 20)
      await Promise.all(Array.from({ length: Math.min(20, most) }, () => makeToken(world)));
    const paths = ["tokens", "members", "invitations"];
    await overAndOver(world, 24, (round) =>
      read(ask(world, "GET", `/spaces/hostile/${paths[round % paths.length]}`)),
    );
  },
  "whole documents that nobody reads": async (world) => {
    const [document, client] = [id(), await Hostile.open(world, world.tokens.write)];
    const chunks = Array.from(
      { length: atScale(world, 40) },
      () => rawChange({ actor: id(), message: randomBytes(400_000).toString("hex") }).chunk,
    );
    if (client !== undefined) for (const chunk of chunks) await upload(client, document, [chunk]);
    const path = `/spaces/hostile/documents/${documentIdFromHex(document)}`;
    const head = `GET ${path} HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer ${world.tokens.read}\r\n\r\n`;
    const sockets: Socket[] = [];
    world.onBegun();
    while (!world.isOver()) {
      if (sockets.length >= atScale(world, 400)) sockets.shift()?.destroy();
      const socket = await stranger(world);
      sockets.push(socket);
      socket.pause();
      socket.write(head);
      await pause(2);
    }
    for (const socket of sockets) socket.destroy();
  },
  "strangers who connect and say nothing": async (world) => {
    let sockets: Socket[] = [];
    world.onBegun();
    while (!world.isOver()) {
      sockets = sockets.filter(({ destroyed }) => !destroyed);
      if (sockets.length < atScale(world, 8_000))
        sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => stranger(world)))));
      await pause(2);
    }
    for (const socket of sockets) socket.destroy();
  },
};
