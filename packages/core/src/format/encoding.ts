/**
 * Deterministic CBOR (RFC 8949 §4.2.1): one value has one encoding, so bytes can be hashed and
 * compared. Whatever would be ambiguous is refused instead of repaired.
 *
 * @module
 */
import { decode, encode, rfc8949EncodeOptions } from "cborg";
import { CambiumError } from "../errors.js";

/** What may be written into a record, an entry or a message. */
export type Encodable =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly Encodable[]
  | { readonly [key: string]: Encodable | undefined };

/**
 * Encodes `value`; object keys that hold `undefined` are left out.
 *
 * @throws {CambiumError} BAD_INPUT for NaN, infinities, integers beyond 2^53-1 and lone surrogates
 */
export function encodeCanonical(value: Encodable): Uint8Array {
  return encode(checked(value, "value"), rfc8949EncodeOptions);
}

/** @throws {CambiumError} STORE_DAMAGED when the bytes are not CBOR of the kinds we write */
export function decodeCanonical(bytes: Uint8Array): unknown {
  try {
    return decode(bytes, {
      rejectDuplicateMapKeys: true,
      allowUndefined: false,
      allowNaN: false,
      allowInfinity: false,
    });
  } catch (cause) {
    throw new CambiumError("STORE_DAMAGED", "Stored bytes are not a valid encoding.", { cause });
  }
}

function checked(value: Encodable | undefined, path: string): Encodable {
  if (typeof value === "string") return checkedText(value, path);
  if (typeof value === "number") return checkedNumber(value, path);
  if (value === null || typeof value === "boolean" || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item, index) => checked(item, `${path}[${index}]`));
  if (typeof value === "object" && isPlain(value)) {
    const kept = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(
      kept.map(([key, item]) => [checkedText(key, path), checked(item, `${path}.${key}`)]),
    );
  }
  throw new CambiumError("BAD_INPUT", `Cannot store ${path}: it is a ${typeof value}, not plain data.`);
}

function checkedText(text: string, path: string): string {
  if (text.isWellFormed()) return text;
  throw new CambiumError("BAD_INPUT", `Cannot store ${path}: the text holds half of a surrogate pair.`);
}

function checkedNumber(number: number, path: string): number {
  if (!Number.isFinite(number))
    throw new CambiumError("BAD_INPUT", `Cannot store ${path}: ${number} is not a finite number.`);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new CambiumError("BAD_INPUT", `Cannot store ${path}: ${number} is beyond 2^53-1.`);
  }
  return Object.is(number, -0) ? 0 : number;
}

function isPlain(value: object): value is { readonly [key: string]: Encodable | undefined } {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
