/**
 * Attacks of stock clients: automerge-repo's protocol, served by threads with Automerge in them.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { documentIdFromHex } from "@cambium/core";
import { chunkTools } from "../../src/chunk-tools.js";
import { automerge } from "../../src/stock/wasm.js";
import { RawClient } from "../support/raw-client.js";
import { deflatedColumn, repeatedRows } from "../support/swollen-documents.js";
import { type Attack, type AttackWorld, atScale, pause } from "./hostile-client.js";

const newDocument = (): string => documentIdFromHex(randomBytes(16).toString("hex"));

function syncFrame(documentId: string, message: Partial<A.DecodedSyncMessage>, type = "sync") {
  const whole = { heads: ["ab".repeat(32)], need: [], have: [], changes: [], type: "v2" as const };
  return { type, documentId, data: automerge().encodeSyncMessage({ ...whole, ...message }) };
}

/** The same from several clients over and over. Whoever is cut off comes again. */
async function asStockClients(
  world: AttackWorld,
  { token, clients = 4 }: { readonly token: string; readonly clients?: number },
  send: (client: RawClient, round: number) => void,
): Promise<void> {
  world.onBegun();
  const one = async (): Promise<void> => {
    let client: RawClient | undefined;
    let isClosed = true;
    for (let round = 0; !world.isOver(); round += 1) {
      if (isClosed) {
        client = await RawClient.open(world.url, token).catch(() => undefined);
        isClosed = client === undefined;
        void client?.closed.then(() => {
          isClosed = true;
        });
        client?.send({
          ...{ type: "join", senderId: "x", peerMetadata: {} },
          supportedProtocolVersions: ["1"],
        });
      }
      if (client !== undefined && !isClosed) send(client, round);
      await pause(20);
    }
    await client?.[Symbol.asyncDispose]();
  };
  await Promise.all(Array.from({ length: atScale(world, clients) }, one));
}

/** A change that obeys all rules, whose one value is so many zeros. */
function zeros(bytes: number): { readonly heads: string[]; readonly changes: Uint8Array[] } {
  const doc = A.from<{ x: Uint8Array }>({ x: new Uint8Array(bytes) });
  return { heads: A.getHeads(doc), changes: A.getAllChanges(doc) };
}

const kept = new Map<string, unknown>();
/** Made once, when it is needed. */
function once<Value>(name: string, make: () => Value): Value {
  if (!kept.has(name)) kept.set(name, make());
  return kept.get(name) as Value;
}

export const STOCK_ATTACKS: Readonly<Record<string, Attack>> = {
  "stock clients: sound changes of very many zeros": (world) => {
    const large = once("large", () => zeros(Math.max(1_000_000, atScale(world, 50_000_000))));
    return asStockClients(world, { token: world.tokens.write }, (client) =>
      client.send(syncFrame(newDocument(), large)),
    );
  },
  "stock clients: documents of zeros, one after the other": (world) => {
    const middle = once("middle", () => zeros(Math.max(1_000_000, atScale(world, 20_000_000))));
    return asStockClients(world, { token: world.tokens.write, clients: 1 }, (client) =>
      client.send(syncFrame(newDocument(), middle)),
    );
  },
  "stock clients: whole documents whose columns are deflated zeros": (world) => {
    const bytes = Math.max(1_000_000, atScale(world, 500_000_000));
    const chunk = once("swollen", () => deflatedColumn(deflateRawSync(Buffer.alloc(bytes)), chunkTools));
    return asStockClients(world, { token: world.tokens.write }, (client) =>
      client.send(syncFrame(newDocument(), { changes: [chunk] })),
    );
  },
  "stock clients: whole documents of millions of equal operations": (world) => {
    const chunk = repeatedRows(10_000_000, chunkTools);
    return asStockClients(world, { token: world.tokens.write }, (client) =>
      client.send(syncFrame(newDocument(), { changes: Array.from({ length: 64 }, () => chunk) })),
    );
  },
  "stock clients: documents that are announced and never sent": (world) =>
    asStockClients(world, { token: world.tokens.write, clients: 100 }, (client, round) => {
      const documentId = once(`announced ${round % 50}`, newDocument);
      const isAnnounced = round % 2 === 0;
      client.send(
        isAnnounced
          ? syncFrame(documentId, { need: ["cd".repeat(32)] })
          : syncFrame(documentId, { heads: [] }, "request"),
      );
    }),
};
