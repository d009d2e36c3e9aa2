/**
 * The bodies of small frames: one CBOR map. How many values it has and how deep they are is looked at before a decoder
 * makes anything of it: a map of a million keys takes seconds to build.
 *
 * @module
 */
import { decode, encode, rfc8949EncodeOptions } from "cborg";
import { bytesFromHex, bytesToHex } from "../format/bytes.js";
import { FrameReader, HASH_BYTES, ID_BYTES, MARK_BYTES } from "./frame-bytes.js";
import { LOG_LIMITS } from "./limits.js";
import { malformedFrame } from "./malformed.js";
import type { LogPoint } from "./marks.js";

/** Fields that are undefined are left out. */
export function encodeControl(fields: Readonly<Record<string, unknown>>): Uint8Array {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  const bytes = encode(Object.fromEntries(kept), rfc8949EncodeOptions);
  scan(bytes);
  return bytes;
}

export const pointToWire = ({ position, mark }: LogPoint): readonly unknown[] => [position, mark];

/** The fields of a control frame. Each is checked when it is asked for; others are ignored. */
export class ControlFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(bytes: Uint8Array) {
    scan(bytes);
    let fields: unknown;
    try {
      fields = decode(bytes, { rejectDuplicateMapKeys: true, allowIndefinite: false, allowBigInt: false });
    } catch (cause) {
      throw malformedFrame("its body is not CBOR", cause);
    }
    if (typeof fields !== "object" || fields === null || Array.isArray(fields) || isBytes(fields))
      throw malformedFrame("its body is not a map");
    this.#fields = fields as Readonly<Record<string, unknown>>;
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  number(name: string): number {
    return numberOf(this.#get(name), name);
  }

  text(name: string, maxLength: number): string {
    return textOf(this.#get(name), name, maxLength);
  }

  texts(name: string, max: number, maxLength: number): readonly string[] {
    return this.#list(name, max).map((value) => textOf(value, name, maxLength));
  }

  id(name: string): string {
    return hexOf(this.#get(name), ID_BYTES, name);
  }

  ids(name: string, max: number): readonly string[] {
    return this.#list(name, max).map((value) => hexOf(value, ID_BYTES, name));
  }

  hashes(name: string, max: number): readonly string[] {
    return this.#list(name, max).map((value) => hexOf(value, HASH_BYTES, name));
  }

  point(name: string): LogPoint {
    return pointOf(this.#get(name), name);
  }

  points(name: string, max: number): readonly LogPoint[] {
    return this.#list(name, max).map((value) => pointOf(value, name));
  }

  numbers(name: string): Readonly<Record<string, number>> {
    const value = this.#get(name);
    if (typeof value !== "object" || value === null || Array.isArray(value) || isBytes(value))
      throw malformedFrame(`"${name}" must be a map`);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numberOf(item, key)]));
  }

  #list(name: string, max: number): readonly unknown[] {
    const value = this.#get(name);
    if (Array.isArray(value) && value.length <= max) return value;
    throw malformedFrame(`"${name}" must be a list of at most ${max}`);
  }

  /** Only what the frame itself says: a decoded `__proto__` must not fill in for a field. */
  #get(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }
}

function numberOf(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw malformedFrame(`"${name}" must be a whole number`);
}

function textOf(value: unknown, name: string, maxLength: number): string {
  if (typeof value === "string" && value.length <= maxLength) return value;
  throw malformedFrame(`"${name}" must be a text of at most ${maxLength} characters`);
}

function hexOf(value: unknown, length: number, name: string): string {
  if (isBytes(value) && value.length === length) return bytesToHex(value);
  throw malformedFrame(`"${name}" must have ${length} bytes`);
}

function pointOf(value: unknown, name: string): LogPoint {
  if (!Array.isArray(value) || value.length < 2) throw malformedFrame(`"${name}" is no position with a mark`);
  const [position, mark] = value as readonly unknown[];
  return { position: numberOf(position, name), mark: bytesFromHex(hexOf(mark, MARK_BYTES, name)) };
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

const ARRAY = 4;
const MAP = 5;
const TAG = 6;
/** How many bytes follow the first, by its low five bits. */
const LENGTHS: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4, 27: 8 };

function scan(bytes: Uint8Array): void {
  if (bytes.length > LOG_LIMITS.controlBytes) throw malformedFrame("its body is too large");
  scanCbor(bytes);
}

/**
 * Counts the values of a CBOR text and how deep they are, without making anything of it.
 *
 * @throws {CambiumError} RELAY_PROTOCOL where they are more, or deeper, than a control frame's
 */
export function scanCbor(bytes: Uint8Array): void {
  const reader = new FrameReader(bytes);
  let values = 0;
  /** How many values are still to come, at each depth. */
  const open = [1];
  while (open.length > 0) {
    const depth = open.length - 1;
    if (open[depth] === 0) {
      open.pop();
      continue;
    }
    open[depth] = (open[depth] as number) - 1;
    values += 1;
    if (values > LOG_LIMITS.controlValues) throw malformedFrame("its body has too many values");
    const inside = scanValue(reader);
    if (inside === undefined) continue;
    if (open.length > LOG_LIMITS.controlDepth) throw malformedFrame("its body is nested too deep");
    open.push(inside);
  }
  reader.end();
}

/** @returns how many values are in it, if it is a list or a map */
function scanValue(reader: FrameReader): number | undefined {
  const first = reader.byte();
  const major = first >> 5;
  const argument = argumentOf(first & 0x1f, reader);
  if (major === TAG) throw malformedFrame("its body has tags");
  if (major === ARRAY) return argument;
  if (major === MAP) return argument * 2;
  if (major === 3 && argument > LOG_LIMITS.controlBytes)
    throw malformedFrame("it has a text that is too long");
  if (major === 2 || major === 3) reader.take(argument);
  return undefined;
}

function argumentOf(low: number, reader: FrameReader): number {
  if (low < 24) return low;
  const length = LENGTHS[low];
  if (length === undefined) throw malformedFrame("its body has a length that is not given");
  let value = 0;
  for (const byte of reader.take(length)) value = value * 256 + byte;
  return value;
}
