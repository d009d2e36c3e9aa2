/**
 * The log of a state: its changes, newest first, by effective time, and who wrote them.
 *
 * @module
 */
import {
  type BranchId,
  bytesFromHex,
  bytesToHex,
  CambiumError,
  type ChangeHash,
  decodeReferences,
  describeChange,
  differingFields,
  type LogEntry,
  type Memory,
  type MemoryId,
  parseActorId,
  withoutLinksTo,
} from "@cambium/core";
import { contentWithTitle } from "@cambium/core/text";
import type { LoggedOperation } from "../api.js";
import { sharesOf } from "./branch-rows.js";
import { type StatementColumn, statementFromColumn } from "./change-columns.js";
import type { IndexTables } from "./index-tables.js";
import { hasHash, NOW, WRITES_OF_C, WRITTEN_BY_C } from "./schema.js";
import type { SnapshotId } from "./snapshot-columns.js";
import type { IndexedState } from "./state-queries.js";

export interface LogRequest {
  /** Only changes that count from later than this. */
  readonly since: number;
  readonly limit: number;
  /** The last change of the page before. */
  readonly after: ChangeHash | undefined;
  /** Only changes that wrote such a memory. Default: all. */
  readonly wrote?: ((memory: Memory) => boolean) | undefined;
}

type LogColumns = [
  id: number,
  at: number,
  depth: number,
  hash: Uint8Array,
  position: number,
  actor: string,
  deps: number | string,
  statement: StatementColumn,
  seq: number,
];

/** As the row of a write holds it. */
type WrittenValue = SnapshotId | Uint8Array;

type LogPlace = readonly [at: number, depth: number, hash: Uint8Array];

/** Of a memory's text, in characters. */
const MOST_WORDS = 120;
/** Longer texts are not compared to say in short what changed. */
const MOST_COMPARED = 4_000;

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** What a memory says, on one line and in short. */
export const lineOf = (memory: Parameters<typeof contentWithTitle>[0]): string =>
  cut(contentWithTitle(memory).trim().replace(/\s+/gu, " "), MOST_WORDS);

/** No log is as long. */
const EVERYTHING = Number.MAX_SAFE_INTEGER;

const newestFirst = (a: LogColumns, b: LogColumns): number =>
  b[1] - a[1] || b[2] - a[2] || Buffer.compare(b[3], a[3]);

const foreignCursor = (): CambiumError =>
  new CambiumError("BAD_INPUT", "The cursor does not belong to this log.");

const FIRST: LogPlace = [NOW, 0, new Uint8Array()];

/** An entry as the index has it: who wrote no record is named in a note. */
export interface NotedEntry extends LogEntry {
  readonly note?: string | undefined;
}

/** Changes that are looked through at once. */
const STRETCH = 256;

export class LogQueries {
  readonly #tables: IndexTables;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** @throws {CambiumError} BAD_INPUT when the page before is none of this log's */
  entries(state: IndexedState, request: LogRequest): readonly NotedEntry[] {
    if (state.timesThen !== undefined) return this.#entriesThen(state, state.timesThen(), request);
    const { since, limit, after, wrote } = request;
    const entries: NotedEntry[] = [];
    let place = after === undefined ? FIRST : this.#placeOf(state, after);
    for (;;) {
      const rows = this.#page(state, place, since, limit);
      for (const row of rows) {
        const includes = state.includes === undefined || state.includes(row[4]);
        const isWanted = includes && entries.length < limit && this.#isShown(row[0]);
        if (isWanted && this.#hasWritten(row[0], wrote)) entries.push(this.#entryOf(row));
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit || entries.length >= limit) return entries;
      place = [last[1], last[2], last[3]];
    }
  }

  /** One change of the branch; undefined where no member signed it. */
  entry({ row }: IndexedState, hash: ChangeHash): NotedEntry | undefined {
    const bytes = bytesFromHex(hash);
    const found = this.#tables.index
      .prepare(
        `SELECT c.id, 0, c.depth, c.hash, 0, a.actor, c.deps, c.statement, c.seq
         FROM changes c CROSS JOIN actors a ON a.id = c.actor WHERE c.statement IS NOT NULL AND ${hasHash("c.hash")}`,
      )
      .get(bytes, bytes) as unknown as LogColumns | undefined;
    const place = this.#tables.changes.placeOf(row, hash);
    if (found === undefined || place === undefined) return undefined;
    const [id, , ...rest] = found;
    if (!this.#isShown(id)) return undefined;
    return this.#entryOf([id, place.at, ...rest]);
  }

  /** By times that nothing later alters. */
  #entriesThen(
    state: IndexedState,
    times: ReadonlyMap<ChangeHash, number>,
    { since, limit, after, wrote }: LogRequest,
  ): readonly NotedEntry[] {
    const all = this.#page(state, FIRST, Number.NEGATIVE_INFINITY, EVERYTHING);
    const rows = all
      .filter((row) => state.includes === undefined || state.includes(row[4]))
      .map(([id, , depth, hash, ...rest]): LogColumns => {
        return [id, times.get(bytesToHex(hash) as ChangeHash) ?? 0, depth, hash, ...rest];
      })
      .sort(newestFirst);
    const last = after === undefined ? -1 : rows.findIndex(([, , , hash]) => bytesToHex(hash) === after);
    if (after !== undefined && last === -1) throw foreignCursor();
    return rows
      .slice(last + 1)
      .filter(([id, at]) => at > since && this.#isShown(id) && this.#hasWritten(id, wrote))
      .slice(0, limit)
      .map((row) => this.#entryOf(row));
  }

  /** What an operation of several changes did in all; undefined of one that is a single change. */
  operationOf(change: ChangeHash, operation: string): LoggedOperation | undefined {
    const bytes = bytesFromHex(change);
    const [id, actor] = this.#tables.index
      .prepare(`SELECT id, actor FROM changes WHERE ${hasHash("hash")}`)
      .get(bytes, bytes) as unknown as [number, number];
    const parts = this.#tables.index.prepare(
      "SELECT id FROM changes WHERE id BETWEEN ? AND ? AND actor = ? AND instr(statement, ?) > 0",
    );
    const found = new Set<number>();
    const named = `"operation":"${operation}"`;
    // They stand close together: what came from others in between is less than a stretch.
    for (const step of [-STRETCH, STRETCH])
      for (let at = id, isNear = true; isNear; at += step) {
        const rows = parts.all(Math.min(at, at + step), Math.max(at, at + step), actor, named);
        isNear = rows.length > 0 && at + step > 0;
        for (const [part] of rows as unknown as [number][]) if (this.#isShown(part)) found.add(part);
      }
    if (found.size < 2) return undefined;
    const writes = this.#tables.index.prepare(
      `SELECT o.value FROM changes c CROSS JOIN ${WRITTEN_BY_C}
       WHERE c.id = ? AND o.value NOT IN (SELECT memory FROM concealed)`,
    );
    const memories = new Set(
      [...found].flatMap((part) => writes.all(part).map((row) => Object.values(row)[0])),
    );
    return { operation, changes: found.size, memories: memories.size };
  }

  #placeOf({ row }: IndexedState, hash: ChangeHash): LogPlace {
    const place = /^[0-9a-f]{64}$/.test(hash) ? this.#tables.changes.placeOf(row, hash) : undefined;
    if (place === undefined) throw foreignCursor();
    const bytes = bytesFromHex(hash);
    const [depth] = this.#tables.index
      .prepare(`SELECT depth FROM changes WHERE ${hasHash("hash")}`)
      .get(bytes, bytes) as unknown as [number];
    return [place.at, depth, bytes];
  }

  #page(
    { row, levels }: IndexedState,
    [at, depth, hash]: LogPlace,
    since: number,
    limit: number,
  ): readonly LogColumns[] {
    const until = levels[0]?.until ?? NOW;
    const parameters: (number | Uint8Array)[] = [];
    const selects = sharesOf(row).map(({ row: level, size }) => {
      parameters.push(level.id, size, Math.min(until, at), since);
      return `SELECT p.change, p.at, p.position FROM placed p
        WHERE p.branch = ? AND p.position < ? AND p.at <= ? AND p.at > ?`;
    });
    return this.#tables.index
      .prepare(
        `SELECT c.id, p.at, c.depth, c.hash, p.position, a.actor, c.deps, c.statement, c.seq
         FROM (${selects.join(" UNION ALL ")}) p CROSS JOIN changes c ON c.id = p.change CROSS JOIN actors a ON a.id = c.actor
         WHERE c.statement IS NOT NULL AND (p.at, c.depth, c.hash) < (?, ?, ?)
         ORDER BY p.at DESC, c.depth DESC, c.hash DESC LIMIT ?`,
      )
      .all(...parameters, at, depth, hash, limit) as unknown as LogColumns[];
  }

  /**
   * Which changes a state has that another lacks: of those that wrote certain memories, if any are named.
   *
   * @returns how many, and when the last one counts that both have
   */
  changesSince(
    past: IndexedState,
    current: IndexedState,
    memories?: readonly MemoryId[],
  ): { readonly changes: number; readonly since: number | undefined } {
    const before = new Map(this.#placesOf(past));
    const own = this.#placesOf(current).filter(([change]) => !before.has(change));
    const since = [...before.values()].reduce((last, at) => Math.max(last, at), 0);
    const written = memories && new Set(memories.flatMap((id) => this.#changesOf(id)));
    const changes = own.filter(([change]) => written?.has(change) !== false).length;
    return { changes, since: since === 0 ? undefined : since };
  }

  /** Without order, and without what no member signed. */
  #placesOf({ row, levels, includes }: IndexedState): readonly (readonly [change: number, at: number])[] {
    const until = levels[0]?.until ?? NOW;
    const parameters: number[] = [];
    const selects = sharesOf(row).map(({ row: level, size }) => {
      parameters.push(level.id, size, until);
      return "SELECT p.change, p.at, p.position FROM placed p WHERE p.branch = ? AND p.position < ? AND p.at <= ?";
    });
    const rows = this.#tables.index
      .prepare(
        `SELECT p.change, p.at, p.position FROM (${selects.join(" UNION ALL ")}) p
         CROSS JOIN changes c ON c.id = p.change WHERE c.statement IS NOT NULL`,
      )
      .all(...parameters) as unknown as [change: number, at: number, position: number][];
    return rows
      .filter(([, , position]) => includes === undefined || includes(position))
      .filter(([change]) => this.#isShown(change))
      .map(([change, at]) => [change, at]);
  }

  /** A change of concealed memories and nothing else is not told of. */
  #isShown(change: number): boolean {
    if (this.#tables.concealed.isEmpty) return true;
    const { memories, concealed } = this.#tables.changes.concealedIn(change);
    return concealed === 0 || concealed < memories;
  }

  #changesOf(id: MemoryId): readonly number[] {
    const memory = this.#tables.memories.find(id);
    if (memory === undefined) return [];
    const rows = this.#tables.index.prepare("SELECT change FROM writes WHERE memory = ?").all(memory);
    return (rows as unknown as [number][]).map(([change]) => change);
  }

  #entryOf([id, at, , hash, , actorText, deps, statement, seq]: LogColumns): NotedEntry {
    const { changes } = this.#tables;
    const { type, from, heads, of, operation, note, ...rest } = statementFromColumn(statement, () =>
      changes.memoriesWrittenBy(id),
    );
    const memories = this.#shownOf(id, rest.memories);
    const actor = parseActorId(actorText);
    // Of more than a few, a change says only how many.
    const first = typeof memories === "number" ? changes.firstMemoryWrittenBy(id) : memories[0];
    const written = this.#authorOf(id, first);
    const isTheirs = written !== undefined && written.by.replica === actor?.replica;
    return {
      hash: bytesToHex(hash) as ChangeHash,
      type,
      memories,
      seq,
      at,
      by: isTheirs ? written.by : actor === undefined ? {} : { replica: actor.replica },
      branch: (actor?.document ?? "") as BranchId,
      parents: changes.vouchedParents(deps, (change) => this.#isShown(change)),
      ...(isTheirs && written.reason !== undefined ? { reason: written.reason } : {}),
      ...(written === undefined ? {} : this.#wordsOf(written)),
      ...(from === undefined ? {} : { from, ...(heads === undefined ? { partial: true as const } : {}) }),
      ...(of === undefined ? {} : { of }),
      ...(operation === undefined ? {} : { operation }),
      ...(note === undefined ? {} : { note }),
    };
  }

  #shownOf(change: number, memories: LogEntry["memories"]): LogEntry["memories"] {
    const { concealed, changes } = this.#tables;
    if (concealed.isEmpty) return memories;
    if (typeof memories === "number") return memories - changes.concealedIn(change).concealed;
    return memories.filter((memory) => !concealed.hasId(memory));
  }

  #wordsOf(written: Memory): Pick<LogEntry, "text" | "what"> {
    const text = lineOf(written);
    const [parent] = this.#tables.snapshots.record(written.record)?.record.parents ?? [];
    const snapshot = parent && this.#tables.snapshots.idOf(parent);
    if (snapshot === undefined || written.content.length > MOST_COMPARED) return { text };
    const before = this.#shown(this.#tables.snapshots.memory(snapshot, 0, 0));
    const after = this.#shown(written);
    const isChanged = before.deleted === after.deleted && differingFields(before, after).length > 0;
    return isChanged ? { text, what: describeChange(before, after) } : { text };
  }

  /** Sentences name what a memory links to. */
  #shown(memory: Memory): Memory {
    const { concealed } = this.#tables;
    return concealed.isEmpty ? memory : withoutLinksTo((id) => concealed.hasId(id), memory);
  }

  /** Who wrote a change, and why, stands in the records it wrote. */
  #authorOf(change: number, id: MemoryId | undefined) {
    const memory = id === undefined ? undefined : this.#tables.memories.find(id);
    if (memory === undefined) return undefined;
    const row = this.#tables.index
      .prepare("SELECT value FROM writes WHERE memory = ? AND change = ? LIMIT 1")
      .get(memory, change) as unknown as [WrittenValue] | undefined;
    return row && this.#versionIn(row[0]);
  }

  /** Of a memory, as the change left it. */
  #hasWritten(change: number, isWanted: LogRequest["wrote"]): boolean {
    if (isWanted === undefined) return true;
    const rows = this.#tables.index
      .prepare(`SELECT w.value, w.memory FROM changes c CROSS JOIN ${WRITES_OF_C} WHERE c.id = ?`)
      .all(change) as unknown as readonly [WrittenValue, number][];
    return rows.some(([value, memory]) => {
      if (this.#tables.concealed.has(memory)) return false;
      const version = this.#versionIn(value);
      return version !== undefined && isWanted(version);
    });
  }

  #versionIn(value: WrittenValue): Memory | undefined {
    const snapshot = typeof value === "number" ? value : this.#formIn(value);
    return snapshot === undefined ? undefined : this.#tables.snapshots.memory(snapshot, 0, 0);
  }

  #formIn(references: Uint8Array): SnapshotId | undefined {
    const [own] = decodeReferences(references) ?? [];
    return own && this.#tables.snapshots.idOf(own.record);
  }
}
