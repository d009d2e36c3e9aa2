/** Documents in Automerge's format that hold far more than they are long. */
import * as A from "@automerge/automerge";
import type { ChunkTools } from "@cambium/core";

interface Column {
  readonly id: number;
  readonly bytes: Uint8Array;
}

interface Parts {
  /** Actors and heads. */
  readonly start: Uint8Array;
  readonly changes: readonly Column[];
  readonly operations: readonly Column[];
  readonly rest: Uint8Array;
}

const FLAGS = 4;
const TEXTS = 5;
const BYTES = 7;
const DEFLATED = 8;
/** Of operations: where they are applied, and the place in a list. In a map there is none. */
const OBJECT_AND_ELEMENT: readonly number[] = [0x01, 0x02, 0x11, 0x13];
/** Who made an operation, and what it is; of the first there is one, of the second a put. */
const ONES: readonly number[] = [0x23, 0x42];

function unsigned(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.of(...bytes, rest);
}

/** Positive, so that the highest bit that is not continued has to be 0. */
const signed = (value: number): Uint8Array => {
  const bytes = unsigned(value);
  const last = bytes.at(-1) as number;
  return last < 64 ? bytes : Uint8Array.of(...bytes.slice(0, -1), last | 128, 0);
};

function smallDocument(): Parts {
  const doc = A.from({ a: 1, b: "hello" }, { actor: "ab".repeat(16) });
  const chunk = A.save(doc);
  let at = 9;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = chunk[at++] as number;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  number();
  const begin = at;
  const skip = (bytes: number): void => {
    at += bytes;
  };
  for (let actors = number(); actors > 0; actors -= 1) skip(number());
  skip(32 * number());
  const start = chunk.slice(begin, at);
  const layout = (): [number, number][] => Array.from({ length: number() }, () => [number(), number()]);
  const [changes, operations] = [layout(), layout()];
  const columns = (of: readonly [number, number][]): Column[] =>
    of.map(([id, length]) => {
      at += length;
      return { id, bytes: chunk.slice(at - length, at) };
    });
  return { start, changes: columns(changes), operations: columns(operations), rest: chunk.slice(at) };
}

function written({ start, changes, operations, rest }: Parts, { sha256 }: ChunkTools): Uint8Array {
  const layout = (of: readonly Column[]): Uint8Array[] => [
    unsigned(of.length),
    ...of.flatMap(({ id, bytes }) => [unsigned(id), unsigned(bytes.length)]),
  ];
  const columns = [...changes, ...operations].map(({ bytes }) => bytes);
  const body = Buffer.concat([start, ...layout(changes), ...layout(operations), ...columns, rest]);
  const head = Buffer.concat([Uint8Array.of(0), unsigned(body.length)]);
  const digest = sha256(Buffer.concat([head, body]));
  return Buffer.concat([Uint8Array.of(0x85, 0x6f, 0x4a, 0x83), digest.subarray(0, 4), head, body]);
}

/** A whole document with this in the place of the bytes of its values. */
export function deflatedColumn(deflated: Uint8Array, tools: ChunkTools): Uint8Array {
  const parts = smallDocument();
  const operations = parts.operations.map((column) =>
    column.id % 8 === BYTES ? { id: column.id | DEFLATED, bytes: deflated } : column,
  );
  return written({ ...parts, operations }, tools);
}

/** A whole document of so many times the same operation. */
export function repeatedRows(count: number, tools: ChunkTools): Uint8Array {
  const parts = smallDocument();
  const repeated = ({ id }: Column): Uint8Array => {
    if (OBJECT_AND_ELEMENT.includes(id)) return Buffer.concat([Uint8Array.of(0), unsigned(count)]);
    if (id % 8 === FLAGS) return unsigned(count);
    if (id % 8 === BYTES) return new Uint8Array();
    const value = id % 8 === TEXTS ? [1, 97] : [ONES.includes(id) ? 1 : 0];
    return Buffer.concat([signed(count), Uint8Array.from(value)]);
  };
  const operations = parts.operations.map((column) => ({ id: column.id, bytes: repeated(column) }));
  return written({ ...parts, operations }, tools);
}
