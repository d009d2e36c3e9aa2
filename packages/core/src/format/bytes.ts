/**
 * Byte strings: comparison, concatenation and their text forms.
 *
 * @module
 */
import {
  concatBytes,
  bytesToHex as joinedHex,
  hexToBytes as readHex,
  utf8ToBytes,
} from "@noble/hashes/utils.js";
import { CambiumError } from "../errors.js";

export { concatBytes, utf8ToBytes };

/** What is used of Node's `Buffer`. */
interface NodeBuffer {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(form: "hex"): string };
  from(text: string, form: "hex"): Uint8Array;
}

/** Absent outside of Node. */
const { Buffer: nodeBuffer } = globalThis as { readonly Buffer?: NodeBuffer };

/** Two digits for each byte. Node makes them in one piece: digits that are joined take a kilobyte for each hash. */
export function bytesToHex(bytes: Uint8Array): string {
  if (nodeBuffer === undefined) return joinedHex(bytes);
  return nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** @throws {CambiumError} BAD_INPUT when `hex` is not an even number of hexadecimal digits */
export function bytesFromHex(hex: string): Uint8Array {
  try {
    return nodeBuffer === undefined ? readHex(hex) : wholeHex(nodeBuffer, hex);
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", "Expected an even number of hexadecimal digits.", { cause });
  }
}

/** Node stops at what is no digit. */
function wholeHex(buffer: NodeBuffer, hex: string): Uint8Array {
  const bytes = new Uint8Array(buffer.from(hex, "hex"));
  return bytes.length * 2 === hex.length ? bytes : readHex(hex);
}

/** Compares length and contents. Not in constant time: not for secrets. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/** Lexicographic order of unsigned bytes; a prefix comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Order of strings by code unit, the same on every machine (`localeCompare` is not). */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the bytes in RFC 4648's URL-safe alphabet, without padding. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @throws {CambiumError} BAD_INPUT when `text` is not base64url */
export function bytesFromBase64Url(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new CambiumError("BAD_INPUT", "Expected base64url text.");
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", "Expected base64url text.", { cause });
  }
}
