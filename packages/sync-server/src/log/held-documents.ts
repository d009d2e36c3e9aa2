/**
 * What a log holds of documents, as admission asks for it, and the walks along their history. It is the same for every
 * store; a store looks up rows.
 *
 * @module
 */
import type { HeldDocument, HeldEntry } from "../admission/check-item.js";
import { type OpenDocument, Refused } from "./open-batch.js";
import { bytesToPositions, positionsToBytes } from "./position-list.js";
import type { LogChange, LogFork } from "./space-log.js";

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
  /** Where the entry is that retired it. */
  readonly retired_at: number | null;
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
  /** The highest number that the actor's changes have; absent where it would have to be waited for. */
  lastNumber?(documentNo: number, actorNo: number): number;
  /** Its own changes up to a position, the last first. Whoever asks stops soon. */
  changesDown(documentNo: number, upTo: number): Iterable<StoredStep>;
}

/** A change as walks along the history see it. */
export interface StoredStep {
  readonly position: number;
  readonly deps: Uint8Array;
  /** Whether it is known to follow all that its document had before it. */
  readonly isJoint: boolean;
}

/** A document, or the part of one that a fork has of it. */
interface Layer {
  readonly documentNo: number;
  readonly upTo: number;
  readonly without: ReadonlySet<number>;
}

/** Where the document of a fork is cut off from its base. */
export type ForkBase = Pick<DocumentRow, "heads" | "max_op" | "base_no" | "base_position" | "base_without">;

const LAST_POSITION = Number.MAX_SAFE_INTEGER;
const NONE: ReadonlySet<number> = new Set();
/** A fork of a fork of a fork: nobody needs more, and each costs every look-up. */
const MAX_LAYERS = 16;
/** A fork leaves out at most so many of the changes below its cut. */
const MAX_FORK_EXCEPTIONS = 4_096;
const HASH_BYTES = 32;
/** A change that follows everything before it is noted as a joint if its hash ends so: about one in 256. */
const JOINT_END = "00";
/** So many changes are looked at for one batch or one question. Below them, everything counts as unknown. */
export const MAX_WALK = 4_096;
/** For one question: some milliseconds, in which nobody else is served. Who lacks more is sent all of the document. */
const MAX_QUESTION_WALK = MAX_WALK / 4;
/** Of what a client says it has, so much is looked up. If it has more, it is sent some of it again. */
const MAX_WITHOUT = 64;

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

/** A document that is remembered from one transaction to the next. */
interface Remembering {
  /** How much is remembered of all of them. */
  readonly remembered: { count: number };
  /** As batches that were taken have made it. */
  readonly maxOp: () => number;
}

/** A document of a store, with what was looked up of it. */
export class StoredDocument implements HeldDocument {
  readonly #rows: DocumentRows;
  readonly #layers: readonly Layer[];
  readonly #remembered: Remembering["remembered"];
  readonly #maxOp: () => number;
  readonly #changes = new Map<string, HeldEntry & { readonly hash: string }>();
  readonly #operations = new Set<string>();
  /** By actor, of those that were asked for. */
  readonly #lastNumbers = new Map<string, number>();

  constructor(rows: DocumentRows, row: DocumentRow, remembering?: Remembering) {
    this.#rows = rows;
    this.#layers = layersOf(rows, row);
    this.#remembered = remembering?.remembered ?? { count: 0 };
    this.#maxOp = remembering?.maxOp ?? (() => row.max_op);
  }

  change(hash: string): HeldEntry | undefined {
    const known = this.#changes.get(hash);
    if (known !== undefined) return known;
    const found = changeIn(this.#rows, this.#layers, hash);
    if (found === undefined) return undefined;
    this.#changes.set(hash, found);
    this.#remembered.count += 1;
    return found;
  }

  numbered(actor: string, number: number): string | undefined {
    return hashOfNumber(this.#rows, this.#layers, actor, number);
  }

  maxOp(): number {
    return this.#maxOp();
  }

  hasOperation(id: string): boolean {
    if (this.#operations.has(id)) return true;
    const has = hasOperation(this.#rows, this.#layers, id);
    if (has) this.#operations.add(id);
    if (has) this.#remembered.count += 1;
    return has;
  }

  isBeyondAll({ actor, seq }: Pick<LogChange, "actor" | "seq">): boolean {
    return seq > this.#lastNumber(actor);
  }

  /** The store has it from now on. */
  add({ actor, seq, maxOp, hash }: LogChange, position: number, ownDeps: readonly HeldEntry[]): void {
    // Texts that are here already: those of the change go with its bytes.
    const deps = ownDeps.map((dep) => dep.hash);
    this.#changes.set(hash, { hash, position, actor, seq, maxOp, deps });
    this.#remembered.count += 1;
    const last = this.#lastNumbers.get(actor);
    if (last !== undefined) this.#lastNumbers.set(actor, Math.max(last, seq));
  }

  #lastNumber(actor: string): number {
    const known = this.#lastNumbers.get(actor);
    if (known !== undefined) return known;
    const rows = this.#rows;
    if (rows.lastNumber === undefined) return Number.POSITIVE_INFINITY;
    const actorNo = rows.actorNo(actor);
    const numbers = this.#layers.map(({ documentNo }) =>
      actorNo === undefined ? 0 : (rows.lastNumber?.(documentNo, actorNo) ?? 0),
    );
    const last = Math.max(...numbers);
    this.#lastNumbers.set(actor, last);
    this.#remembered.count += 1;
    return last;
  }
}

/** Whether a change that follows all that its document had is to be noted, so that walks may end there. */
export const isJoint = (hash: string, headsBefore: ReadonlySet<string>, deps: readonly string[]): boolean =>
  hash.endsWith(JOINT_END) &&
  headsBefore.size <= deps.length &&
  [...headsBefore].every((head) => deps.includes(head));

/** The parts of a document that can be read in order, the oldest first. */
export const partsOf = (rows: DocumentRows, row: DocumentRow): readonly Layer[] =>
  layersOf(rows, row).toReversed();

/** What lies outside the history of some changes. */
export interface Outside {
  /** Positions of changes that these changes do not follow, the last first. */
  readonly positions: readonly number[];
  /** At and below this position nobody has looked; 0 if everything there is in their history. */
  readonly unseenTo: number;
}

/** Walks down from a position, until all that is left is in the history of the changes at `from`. */
function outsideOf(
  rows: DocumentRows,
  row: DocumentRow,
  { from, upTo = LAST_POSITION, most }: { from: readonly number[]; upTo?: number; most: number },
): Outside & { readonly walked: number } {
  const wanted = new Set(from);
  const positions: number[] = [];
  let walked = 0;
  for (const layer of layersOf(rows, row)) {
    for (const { position, deps, isJoint } of rows.changesDown(
      layer.documentNo,
      Math.min(layer.upTo, upTo),
    )) {
      if (layer.without.has(position)) continue;
      if (walked === most) return { positions, unseenTo: position, walked };
      walked += 1;
      if (!wanted.delete(position)) positions.push(position);
      else if (isJoint) return { positions, unseenTo: 0, walked };
      else for (const dep of bytesToPositions(deps)) wanted.add(dep);
    }
  }
  return { positions, unseenTo: 0, walked };
}

/** What a client lacks of a document that has some of its changes, with all that they follow. */
export function lackedWith(rows: DocumentRows, row: DocumentRow, have: readonly string[]): Outside {
  const held = new StoredDocument(rows, row);
  const from = have.slice(0, MAX_WITHOUT).flatMap((hash) => held.change(hash)?.position ?? []);
  if (from.length === 0) return { positions: [], unseenTo: LAST_POSITION };
  return outsideOf(rows, row, { from, most: MAX_QUESTION_WALK });
}

/** @throws {Refused} TOO_WIDE */
export function forkBase(
  rows: DocumentRows,
  { heads, document }: LogFork,
  source: OpenDocument & { readonly row: DocumentRow },
  budget: { walk: number },
): ForkBase {
  const { row, held } = source;
  const base = { heads: hashesToBytes(heads), max_op: source.maxOp, base_no: row.document_no };
  const message = "The fork would leave out too much of its source; send its changes instead.";
  const tooWide = new Refused({ code: "TOO_WIDE", document, message });
  if (layersOf(rows, row).length >= MAX_LAYERS) throw tooWide;
  if (heads.length === source.heads.size && heads.every((head) => source.heads.has(head)))
    return { ...base, base_position: source.position, base_without: new Uint8Array() };
  const from = heads.map((head) => held.change(head)?.position ?? 0);
  const last = Math.max(...from);
  const { positions, unseenTo, walked } = outsideOf(rows, row, { from, upTo: last, most: budget.walk });
  budget.walk -= walked;
  if (unseenTo > 0 || positions.length > MAX_FORK_EXCEPTIONS) throw tooWide;
  return { ...base, base_position: last, base_without: positionsToBytes(positions.toReversed()) };
}

function changeIn(rows: DocumentRows, layers: readonly Layer[], hash: string): StoredChange | undefined {
  for (const { documentNo, upTo, without } of layers) {
    const row = rows.entry(documentNo, hash);
    if (row === undefined || row.position > upTo || without.has(row.position)) continue;
    if (row.actor_no !== null && row.number !== null) return new StoredChange(rows, row, hash);
  }
  return undefined;
}

/** Whoever made it and what it follows is looked up when it is asked for. */
class StoredChange implements HeldEntry {
  readonly hash: string;
  readonly position: number;
  readonly seq: number;
  readonly maxOp: number;
  readonly #rows: DocumentRows;
  readonly #row: EntryRow;
  #actor: string | undefined;
  #deps: readonly string[] | undefined;

  constructor(rows: DocumentRows, row: EntryRow, hash: string) {
    this.#rows = rows;
    this.#row = row;
    this.hash = hash;
    this.position = row.position;
    this.seq = row.number as number;
    this.maxOp = row.max_op;
  }

  get actor(): string {
    this.#actor ??= this.#rows.actor(this.#row.actor_no as number);
    return this.#actor;
  }

  get deps(): readonly string[] {
    this.#deps ??= bytesToPositions(this.#row.deps).map((at) => this.#rows.hashAt(at));
    return this.#deps;
  }
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

/** The positions of a change's dependencies, as they are stored. */
export const storedDeps = (deps: readonly HeldEntry[]): Uint8Array =>
  positionsToBytes(deps.map(({ position }) => position).sort((a, b) => a - b));

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
