/**
 * Changes that only look like Automerge's: rewritten, with the checksum that belongs to what they say then.
 *
 * @module
 */
import { hash } from "node:crypto";
import { deflateRawSync } from "node:zlib";

/** The change as a deflated chunk, of other content if given. */
export function deflated(bytes: Uint8Array, content?: Uint8Array): Uint8Array {
  const [body] = bodyOf(bytes);
  const deflatedBody = deflateRawSync(content ?? body);
  return Buffer.concat([bytes.subarray(0, 8), Buffer.of(2), unsigned(deflatedBody.length), deflatedBody]);
}

/** The change with another header or other columns, and the checksum that belongs to them. */
export function rewritten(bytes: Uint8Array, draw: (below: number) => number): Uint8Array {
  const [body, fields] = bodyOf(bytes);
  const altered = Buffer.from(body);
  const kind = draw(7);
  if (kind === 0) return withoutDependencies(bytes);
  if (kind === 1) return withNumber(body, fields.seq, fields.start, draw(60));
  if (kind === 2) return withStartOp(bytes, [1 + draw(8), draw(2_000), draw(2 ** 31)][draw(3)] as number);
  if (kind === 3 && fields.actor > 1) {
    altered[1 + draw(fields.actor - 1)] = draw(256);
    return chunkOf(altered);
  }
  if (kind === 4) return chunkOf(Buffer.concat([body, Buffer.of(draw(256))]));
  for (let times = 0; times <= draw(3); times += 1)
    altered[fields.time + draw(body.length - fields.time)] = draw(256);
  return chunkOf(altered);
}

/** The change with another first operation. */
export function withStartOp(bytes: Uint8Array, startOp: number): Uint8Array {
  const [body, fields] = bodyOf(bytes);
  return withNumber(body, fields.start, fields.time, startOp);
}

/** The change without what it depends on. */
export function withoutDependencies(bytes: Uint8Array): Uint8Array {
  const [body, fields] = bodyOf(bytes);
  return chunkOf(Buffer.concat([Buffer.of(0), body.subarray(fields.actor)]));
}

function withNumber(body: Uint8Array, from: number, to: number, value: number): Uint8Array {
  return chunkOf(Buffer.concat([body.subarray(0, from), unsigned(value), body.subarray(to)]));
}

function chunkOf(body: Uint8Array): Uint8Array {
  const hashed = Buffer.concat([Buffer.of(1), unsigned(body.length), body]);
  const checksum = hash("sha256", hashed, "buffer").subarray(0, 4);
  return Buffer.concat([Buffer.of(0x85, 0x6f, 0x4a, 0x83), checksum, hashed]);
}

/** Where the fields of a change begin, found without the code under test. */
function bodyOf(
  bytes: Uint8Array,
): [Uint8Array, { actor: number; seq: number; start: number; time: number }] {
  const body = bytes.subarray(numberAt(bytes, 9)[1]);
  const [dependencies, first] = numberAt(body, 0);
  const actor = first + 32 * dependencies;
  const [length, afterLength] = numberAt(body, actor);
  const seq = afterLength + length;
  const [, start] = numberAt(body, seq);
  const [, time] = numberAt(body, start);
  return [body, { actor, seq, start, time }];
}

function numberAt(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start, factor = 1; ; at += 1, factor *= 128) {
    const byte = bytes[at] as number;
    value += (byte % 128) * factor;
    if (byte < 128) return [value, at + 1];
  }
}

function unsigned(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}
