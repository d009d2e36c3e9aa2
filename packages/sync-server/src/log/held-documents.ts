/**
 * What a log holds of documents, as admission asks for it, and the walks along their history. It is the same for every
 * store; a store looks up rows.
 *
 * @module
 */
import type { HeldDocument, HeldEntry } from "../admission/check-item.js";
import { type OpenDocument, Refused } from "./open-batch.js";
import { bytesToPositions, positionsToBytes } from "./position-list.js";
import type { LogFork } from "./space-log.js";

/** A document as it is stored. Its number counts in its store or in its space. */
export interface DocumentRow {
  readonly document_no: number;
  readonly document: Uint8Array;
  readonly heads: Uint8Array;
  readonly position: number;
  readonly max_op: number;
  readonly base_no: number | null;
  readonly base_position: number | null;
  readonly base_without: Uint8Array | null;
}

/** An entry without its bytes. One of another kind than a change has no actor. */
export interface EntryRow {
  readonly position: number;
  readonly actor_no: number | null;
  readonly number: number | null;
  readonly max_op: number;
  readonly deps: Uint8Array;
}

/** Looks things up in one space. */
export interface DocumentRows {
  byNo(documentNo: number): DocumentRow;
  entry(documentNo: number, hash: string): EntryRow | undefined;
  hashAt(position: number): string;
  actorNo(actor: string): number | undefined;
  actor(actorNo: number): string;
  numbered(
    documentNo: number,
    actorNo: number,
    number: number,
  ): { readonly position: number; readonly hash: string } | undefined;
  /** Where the actor's change with an operation of this number is. */
  operation(documentNo: number, actorNo: number, counter: number): number | undefined;
  /** Its own changes up to a position, in order. */
  changes(
    documentNo: number,
    upTo: number,
  ): readonly { readonly position: number; readonly deps: Uint8Array }[];
}

/** A document, or the part of one that a fork has of it. */
interface Layer {
  readonly documentNo: number;
  readonly upTo: number;
  readonly without: ReadonlySet<number>;
}

/** One change in the history of a document. */
export interface HistoryEntry {
  readonly position: number;
  readonly deps: readonly number[];
}

/** Where the document of a fork is cut off from its base. */
export type ForkBase = Pick<DocumentRow, "heads" | "max_op" | "base_no" | "base_position" | "base_without">;

const LAST_POSITION = Number.MAX_SAFE_INTEGER;
const NONE: ReadonlySet<number> = new Set();
/** A fork of a fork of a fork: nobody needs more, and each costs every look-up. */
const MAX_LAYERS = 32;
/** A fork leaves out at most so many of the changes below its cut. */
const MAX_FORK_EXCEPTIONS = 4_096;
const HASH_BYTES = 32;

/** The document itself, then what it has of its base, and what that has of its own. */
function layersOf(rows: DocumentRows, row: DocumentRow): readonly Layer[] {
  const layers: Layer[] = [{ documentNo: row.document_no, upTo: LAST_POSITION, without: NONE }];
  let at = row;
  let upTo = LAST_POSITION;
  const without = new Set<number>();
  while (at.base_no !== null && layers.length < MAX_LAYERS) {
    upTo = Math.min(upTo, at.base_position ?? 0);
    for (const position of bytesToPositions(at.base_without ?? new Uint8Array())) without.add(position);
    layers.push({ documentNo: at.base_no, upTo, without: new Set(without) });
    at = rows.byNo(at.base_no);
  }
  return layers;
}

export function heldDocument(rows: DocumentRows, row: DocumentRow): HeldDocument {
  const layers = layersOf(rows, row);
  const operations = new Set<string>();
  return {
    change: (hash) => changeIn(rows, layers, hash),
    numbered: (actor, number) => hashOfNumber(rows, layers, actor, number),
    maxOp: () => row.max_op,
    hasOperation: (id) => {
      const has = operations.has(id) || hasOperation(rows, layers, id);
      if (has) operations.add(id);
      return has;
    },
  };
}

/** All changes of a document in order of position; those of a base first. */
export function historyOf(rows: DocumentRows, row: DocumentRow): readonly HistoryEntry[] {
  return layersOf(rows, row)
    .toReversed()
    .flatMap(({ documentNo, upTo, without }) =>
      rows
        .changes(documentNo, upTo)
        .filter(({ position }) => !without.has(position))
        .map(({ position, deps }) => ({ position, deps: bytesToPositions(deps) })),
    );
}

/** @throws {Refused} TOO_WIDE */
export function forkBase(
  rows: DocumentRows,
  { heads, document }: LogFork,
  source: OpenDocument & { readonly row: DocumentRow },
): ForkBase {
  const { row, held } = source;
  const base = { heads: hashesToBytes(heads), max_op: source.maxOp, base_no: row.document_no };
  if (heads.length === source.heads.size && heads.every((head) => source.heads.has(head)))
    return { ...base, base_position: source.position, base_without: new Uint8Array() };
  const history = historyOf(rows, row);
  const positions = heads.map((head) => held.change(head)?.position ?? 0);
  const kept = ancestors(history, positions);
  const last = Math.max(...positions);
  const without = history
    .map(({ position }) => position)
    .filter((position) => position <= last && !kept.has(position));
  if (without.length > MAX_FORK_EXCEPTIONS || layersOf(rows, row).length >= MAX_LAYERS) {
    const message = "The fork would leave out too much of its source; send its changes instead.";
    throw new Refused({ code: "TOO_WIDE", document, message });
  }
  return { ...base, base_position: last, base_without: positionsToBytes(without) };
}

function changeIn(rows: DocumentRows, layers: readonly Layer[], hash: string): HeldEntry | undefined {
  for (const { documentNo, upTo, without } of layers) {
    const row = rows.entry(documentNo, hash);
    if (row === undefined || row.position > upTo || without.has(row.position)) continue;
    const { position, actor_no: actorNo, number: seq, max_op: maxOp } = row;
    if (actorNo === null || seq === null) continue;
    return {
      ...{ position, seq, maxOp },
      get actor() {
        return rows.actor(actorNo);
      },
      get deps() {
        return bytesToPositions(row.deps).map((at) => rows.hashAt(at));
      },
    };
  }
  return undefined;
}

function hashOfNumber(
  rows: DocumentRows,
  layers: readonly Layer[],
  actor: string,
  number: number,
): string | undefined {
  const actorNo = rows.actorNo(actor);
  if (actorNo === undefined) return undefined;
  for (const { documentNo, upTo, without } of layers) {
    const row = rows.numbered(documentNo, actorNo, number);
    if (row !== undefined && row.position <= upTo && !without.has(row.position)) return row.hash;
  }
  return undefined;
}

function hasOperation(rows: DocumentRows, layers: readonly Layer[], id: string): boolean {
  const [counter = "", actor = ""] = id.split("@");
  const actorNo = rows.actorNo(actor);
  if (actorNo === undefined) return false;
  return layers.some(({ documentNo, upTo, without }) => {
    const position = rows.operation(documentNo, actorNo, Number(counter));
    return position !== undefined && position <= upTo && !without.has(position);
  });
}

/** What is at these positions, and everything that it follows. */
export function ancestors(
  history: readonly HistoryEntry[],
  positions: Iterable<number>,
): ReadonlySet<number> {
  const found = new Set(positions);
  for (const { position, deps } of history.toReversed()) {
    if (found.has(position)) for (const dep of deps) found.add(dep);
  }
  return found;
}

/** The positions of a change's dependencies, as they are stored. */
export const storedDeps = (deps: readonly string[], held: HeldDocument): Uint8Array =>
  positionsToBytes(deps.map((dep) => held.change(dep)?.position ?? 0).toSorted((a, b) => a - b));

export const hashesToBytes = (hashes: readonly string[]): Uint8Array => Buffer.from(hashes.join(""), "hex");

export function bytesToHashes(bytes: Uint8Array): readonly string[] {
  const hex = toHex(bytes);
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    hex.slice(index * HASH_BYTES * 2, (index + 1) * HASH_BYTES * 2),
  );
}

export const fromHex = (hex: string): Uint8Array => Buffer.from(hex, "hex");
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
