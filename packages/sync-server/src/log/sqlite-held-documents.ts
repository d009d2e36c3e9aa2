/**
 * What SQLite holds of documents, as admission asks for it, and the walks along their history.
 *
 * @module
 */
import type { HeldDocument, HeldEntry } from "../admission/check-item.js";
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import { bytesToPositions } from "./position-list.js";

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

interface EntryRow {
  readonly position: number;
  readonly actor_no: number;
  readonly number: number;
  readonly max_op: number;
  readonly deps: Uint8Array;
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

const LAST_POSITION = Number.MAX_SAFE_INTEGER;
const NONE: ReadonlySet<number> = new Set();
/** A fork of a fork of a fork: nobody needs more, and each costs every look-up. */
export const MAX_LAYERS = 32;

export class SqliteHeldDocuments {
  readonly #byNo: StatementSync;
  readonly #byId: StatementSync;
  readonly #byHash: StatementSync;
  readonly #hashAt: StatementSync;
  readonly #numbered: StatementSync;
  readonly #operation: StatementSync;
  readonly #actorNo: StatementSync;
  readonly #actor: StatementSync;
  readonly #history: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#byNo = prepare("SELECT * FROM log_documents WHERE document_no = ?");
    this.#byId = prepare("SELECT * FROM log_documents WHERE space_no = ? AND document = ?");
    this.#byHash = prepare(
      "SELECT position, actor_no, number, max_op, deps FROM log_entries WHERE document_no = ? AND hash = ?",
    );
    this.#hashAt = prepare("SELECT hash FROM log_entries WHERE space_no = ? AND position = ?");
    this.#numbered = prepare(
      "SELECT position, hash FROM log_entries WHERE document_no = ? AND actor_no = ? AND number = ?",
    );
    this.#operation = prepare(
      `SELECT position FROM log_entries
       WHERE document_no = ? AND actor_no = ? AND start_op <= ? AND max_op >= ? ORDER BY number LIMIT 1`,
    );
    this.#actorNo = prepare("SELECT actor_no FROM log_actors WHERE actor = ?");
    this.#actor = prepare("SELECT actor FROM log_actors WHERE actor_no = ?");
    this.#history = prepare(
      `SELECT position, deps FROM log_entries
       WHERE document_no = ? AND position <= ? AND actor_no IS NOT NULL ORDER BY position`,
    );
  }

  row(spaceNo: number, document: string): DocumentRow | undefined {
    return this.#byId.get(spaceNo, fromHex(document)) as DocumentRow | undefined;
  }

  /** The document itself, then what it has of its base, and what that has of its own. */
  layers(row: DocumentRow): readonly Layer[] {
    const layers: Layer[] = [{ documentNo: row.document_no, upTo: LAST_POSITION, without: NONE }];
    let at = row;
    let upTo = LAST_POSITION;
    const without = new Set<number>();
    while (at.base_no !== null && layers.length < MAX_LAYERS) {
      upTo = Math.min(upTo, at.base_position ?? 0);
      for (const position of bytesToPositions(at.base_without ?? new Uint8Array())) without.add(position);
      layers.push({ documentNo: at.base_no, upTo, without: new Set(without) });
      at = this.#byNo.get(at.base_no) as unknown as DocumentRow;
    }
    return layers;
  }

  held(spaceNo: number, row: DocumentRow): HeldDocument {
    const layers = this.layers(row);
    const operations = new Set<string>();
    return {
      change: (hash) => this.#change(spaceNo, layers, hash),
      numbered: (actor, number) => this.#hashOfNumber(layers, actor, number),
      maxOp: () => row.max_op,
      hasOperation: (id) => {
        const has = operations.has(id) || this.#hasOperation(layers, id);
        if (has) operations.add(id);
        return has;
      },
    };
  }

  /** All changes of a document in order of position; those of a base first. */
  history(row: DocumentRow): readonly HistoryEntry[] {
    return this.layers(row)
      .toReversed()
      .flatMap((layer) => {
        const rows = this.#history.all(layer.documentNo, layer.upTo) as unknown as readonly {
          readonly position: number;
          readonly deps: Uint8Array;
        }[];
        return rows
          .filter(({ position }) => !layer.without.has(position))
          .map(({ position, deps }) => ({ position, deps: bytesToPositions(deps) }));
      });
  }

  #change(spaceNo: number, layers: readonly Layer[], hash: string): HeldEntry | undefined {
    const wanted = fromHex(hash);
    for (const { documentNo, upTo, without } of layers) {
      const row = this.#byHash.get(documentNo, wanted) as EntryRow | undefined;
      if (row === undefined || row.actor_no === null || row.position > upTo || without.has(row.position))
        continue;
      const { position, number: seq, max_op: maxOp } = row;
      const [hashAt, actorOf] = [this.#hashAt, this.#actor];
      return {
        ...{ position, seq, maxOp },
        get actor() {
          return toHex((actorOf.get(row.actor_no) as { actor: Uint8Array }).actor);
        },
        get deps() {
          return bytesToPositions(row.deps).map((at) =>
            toHex((hashAt.get(spaceNo, at) as { hash: Uint8Array }).hash),
          );
        },
      };
    }
    return undefined;
  }

  #hashOfNumber(layers: readonly Layer[], actor: string, number: number): string | undefined {
    const actorNo = this.#noOf(actor);
    if (actorNo === undefined) return undefined;
    for (const { documentNo, upTo, without } of layers) {
      const row = this.#numbered.get(documentNo, actorNo, number) as
        | { position: number; hash: Uint8Array }
        | undefined;
      if (row !== undefined && row.position <= upTo && !without.has(row.position)) return toHex(row.hash);
    }
    return undefined;
  }

  #hasOperation(layers: readonly Layer[], id: string): boolean {
    const [counter = "", actor = ""] = id.split("@");
    const actorNo = this.#noOf(actor);
    if (actorNo === undefined) return false;
    return layers.some(({ documentNo, upTo, without }) => {
      const row = this.#operation.get(documentNo, actorNo, Number(counter), Number(counter));
      const position = row?.position as number | undefined;
      return position !== undefined && position <= upTo && !without.has(position);
    });
  }

  #noOf(actor: string): number | undefined {
    return this.#actorNo.get(fromHex(actor))?.actor_no as number | undefined;
  }
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

export const fromHex = (hex: string): Uint8Array => Buffer.from(hex, "hex");
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
