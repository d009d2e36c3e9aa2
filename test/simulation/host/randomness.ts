/**
 * Randomness: whatever asks the machine for some gets it from the world's dice.
 *
 * @module
 */
import type nodeCrypto from "node:crypto";
import type { KeyObject } from "node:crypto";
import { currentWorld } from "./current-world.ts";

export function installRandomness(require: NodeJS.Require): void {
  const crypto = require("node:crypto") as typeof nodeCrypto;
  const real = {
    bytes: crypto.randomBytes,
    values: globalThis.crypto.getRandomValues.bind(globalThis.crypto),
    random: Math.random,
    keyPair: crypto.generateKeyPairSync,
  };
  const fill = <View extends ArrayBufferView>(view: View): View => {
    const world = currentWorld();
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    if (world === undefined) real.values(bytes as never);
    else bytes.set(world.dice.bytes(bytes.length));
    return view;
  };
  const uuid = (): string => {
    const bytes = fill(Buffer.alloc(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };
  Math.random = () => currentWorld()?.dice.fraction() ?? real.random();
  Object.assign(crypto, {
    randomBytes: (length: number) =>
      currentWorld() === undefined ? real.bytes(length) : fill(Buffer.alloc(length)),
    randomFillSync: fill,
    randomUUID: uuid,
    generateKeyPairSync: (type: "x25519") =>
      currentWorld() === undefined ? real.keyPair(type) : keyPairOf(crypto, fill(Buffer.alloc(32))),
  });
  // Automerge gives each document it makes or loads an actor of its own, until it is told which.
  const fillUnseen = <View extends ArrayBufferView>(view: View): View => {
    const world = currentWorld();
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    if (world === undefined) real.values(bytes as never);
    else bytes.set(world.entropy.bytes(bytes.length));
    return view;
  };
  Object.assign(globalThis.crypto, { randomUUID: uuid, getRandomValues: fillUnseen });
}

/** What stands before the 32 bytes of an X25519 key in PKCS #8. */
const X25519_PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");

function keyPairOf(
  crypto: typeof nodeCrypto,
  secret: Buffer,
): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const key = Buffer.concat([X25519_PKCS8, secret]);
  const privateKey = crypto.createPrivateKey({ key, format: "der", type: "pkcs8" });
  return { privateKey, publicKey: crypto.createPublicKey(privateKey) };
}
