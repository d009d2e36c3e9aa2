/**
 * Reading a space: memories, lists, search, history and log, now or at any ref.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  bytesToBase64Url,
  CambiumError,
  compareText,
  diffStates,
  isUuid,
  type LogEntry,
  logOf,
  type Memory,
  type MemoryConflicts,
  type MemoryId,
  type MemoryReading,
  memoryIds,
  memoryOf,
  parseTime,
  type RecordLoader,
  readMemory,
  referencesAt,
  shownMemory,
  type Version,
  versionsOf,
} from "@cambium/core";
import type {
  AtRef,
  DiffResult,
  ListOptions,
  MemoryPage,
  RecalledMemory,
  RecallOptions,
  SpaceReader,
} from "../api.js";
import { recallFrom } from "./recall.js";
import type { FoundState, StateFinder } from "./state-finder.js";

const DEFAULT_LIMIT = 100;
const DEFAULT_RECALL = 10;
const MAX_LIMIT = 10_000;

type LogOptions = NonNullable<Parameters<SpaceReader["log"]>[0]>;

export class Reader implements SpaceReader {
  readonly #finder: StateFinder;
  readonly #load: RecordLoader;
  readonly #now: () => number;

  constructor(finder: StateFinder, load: RecordLoader, now: () => number) {
    this.#finder = finder;
    this.#load = load;
    this.#now = now;
  }

  /** The same reader fixed at a ref. */
  at(ref: string): SpaceReader {
    const fixed = <Options extends AtRef>(options: Options | undefined): Options => ({
      ...(options as Options),
      at: ref,
    });
    return {
      get: (id, options) => this.get(id, fixed(options)),
      list: (options) => this.list(fixed(options)),
      recall: (query, options) => this.recall(query, fixed(options)),
      history: (id, options) => this.history(id, fixed(options)),
      log: (options) => this.log(fixed(options)),
      conflicts: (options) => this.conflicts(fixed(options)),
    };
  }

  async get(id: string, options?: AtRef): Promise<Memory> {
    const found = await this.#finder.find(options);
    return memoryOf(await this.reading(found, id));
  }

  /**
   * Finds a memory by id or by a unique beginning of one.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY, CONTENT_NOT_HERE
   */
  async reading(found: FoundState, id: string): Promise<MemoryReading> {
    const full = findMemoryId(found, id);
    const reading = await readMemory(found.state, full, this.#load);
    if (reading !== undefined) return reading;
    throw new CambiumError(
      "CONTENT_NOT_HERE",
      `The memory ${full} is known here, but its content has not arrived yet.`,
      {
        hint: "Run `cambium sync`.",
        details: { id: full },
      },
    );
  }

  async list(options: ListOptions = {}): Promise<MemoryPage> {
    const limit = checkedLimit(options.limit, DEFAULT_LIMIT);
    const { memories: all, unreadable } = await this.#readAll(options);
    const memories = all.filter((memory) => matches(memory, options));
    memories.sort((a, b) => b.at - a.at || compareText(b.id, a.id));
    const after = options.cursor === undefined ? undefined : parseCursor(options.cursor);
    const rest =
      after === undefined
        ? memories
        : memories.filter(({ at, id }) => at < after.at || (at === after.at && id < after.id));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      memories: page,
      ...(rest.length > limit && last !== undefined ? { cursor: cursorOf(last) } : {}),
      ...(unreadable === 0 ? {} : { unreadable }),
    };
  }

  async recall(query: string, options: RecallOptions = {}): Promise<readonly RecalledMemory[]> {
    if (query.trim() === "") throw new CambiumError("BAD_INPUT", "The query is empty; say what to look for.");
    const limit = checkedLimit(options.limit, DEFAULT_RECALL);
    const memories = (await this.all(options)).filter((memory) => matches(memory, options));
    return recallFrom(memories, query, limit);
  }

  /** Every memory whose content is here, forgotten ones included. */
  async all(options?: AtRef): Promise<readonly Memory[]> {
    return (await this.#readAll(options)).memories;
  }

  async #readAll(
    options?: AtRef,
  ): Promise<{ readonly memories: readonly Memory[]; readonly unreadable: number }> {
    const { state } = await this.#finder.find(options);
    const memories: Memory[] = [];
    const ids = memoryIds(state);
    for (const id of ids) {
      const memory = await shownMemory(state, id, this.#load);
      if (memory !== undefined) memories.push(memory);
    }
    return { memories, unreadable: ids.length - memories.length };
  }

  async history(id: string, options?: AtRef): Promise<readonly Version[]> {
    return versionsOf(await this.reading(await this.#finder.find(options), id));
  }

  async log(
    options: LogOptions = {},
  ): Promise<{ readonly changes: readonly LogEntry[]; readonly cursor?: string }> {
    const limit = checkedLimit(options.limit, DEFAULT_LIMIT);
    const { state } = await this.#finder.find(options);
    const since =
      options.since === undefined ? Number.NEGATIVE_INFINITY : parseTime(options.since, this.#now());
    const entries = logOf(state).filter(({ at }) => at > since);
    const start =
      options.cursor === undefined ? 0 : entries.findIndex(({ hash }) => hash === options.cursor) + 1;
    if (options.cursor !== undefined && start === 0)
      throw new CambiumError("BAD_INPUT", "The cursor does not belong to this log.");
    const page = await Promise.all(
      entries.slice(start, start + limit).map((entry) => this.#withAuthor(state, entry)),
    );
    const last = page.at(-1);
    return entries.length > start + limit && last !== undefined
      ? { changes: page, cursor: last.hash }
      : { changes: page };
  }

  /** Who wrote a change, and why, stands in the records it wrote. */
  async #withAuthor(state: FoundState["state"], entry: LogEntry): Promise<LogEntry> {
    const change = state.history.get(entry.hash);
    const id = Array.isArray(entry.memories) ? (entry.memories[0] as MemoryId | undefined) : undefined;
    if (change === undefined || id === undefined) return entry;
    const at = {
      ...state,
      history: state.history,
      times: state.times,
      set: state.history.ancestors([entry.hash]),
    };
    const reading = await readMemory(at, id, this.#load);
    const record = [...(reading?.records.values() ?? [])].find(
      ({ hash }) => hash === reading?.resolved.shown,
    );
    if (record === undefined || record.author.replica !== entry.by.replica) return entry;
    const { reason } = record.notes;
    return { ...entry, by: record.author, ...(reason === undefined ? {} : { reason }) };
  }

  async conflicts(
    options?: AtRef,
  ): Promise<readonly (MemoryConflicts & { readonly branch: string; readonly memory: Memory })[]> {
    const { branch } = await this.#finder.find(options);
    return (await this.all(options))
      .filter((memory) => memory.conflicts.length > 0)
      .map((memory) => ({ id: memory.id, fields: memory.conflicts, branch: branch.name, memory }));
  }

  async diff(from: string, to = "main"): Promise<DiffResult> {
    const [before, after] = [await this.#finder.find({ at: from }), await this.#finder.find({ at: to })];
    return { from: before.ref, to: after.ref, ...(await diffStates(before.state, after.state, this.#load)) };
  }
}

function findMemoryId({ state }: FoundState, text: string): MemoryId {
  const wanted = text.trim().toLowerCase();
  if (isUuid(wanted) && referencesAt(state, wanted as MemoryId).length > 0) return wanted as MemoryId;
  const beginning =
    wanted.length >= 4 ? memoryIds(state).filter((id) => id.startsWith(wanted) || id.endsWith(wanted)) : [];
  if (beginning.length > 1) {
    throw new CambiumError("AMBIGUOUS_MEMORY", `${beginning.length} memories match ${text}.`, {
      hint: `Give more of the id: ${beginning.slice(0, 4).join(", ")}`,
      details: { ids: beginning.slice(0, 16) },
    });
  }
  const [found] = beginning;
  if (found !== undefined) return found;
  throw new CambiumError("MEMORY_NOT_FOUND", `There is no memory ${text} in this state.`, {
    hint: "See what is here with `cambium list`.",
    details: { id: text },
  });
}

function matches(memory: Memory, options: ListOptions): boolean {
  return (
    (options.deleted === true || !memory.deleted) &&
    (options.category === undefined || memory.category === options.category) &&
    (options.kind === undefined || memory.kind === options.kind) &&
    (options.area === undefined || memory.area === options.area) &&
    (options.tag === undefined || memory.tags.includes(options.tag))
  );
}

function checkedLimit(limit: number | undefined, fallback: number): number {
  if (limit === undefined) return fallback;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MAX_LIMIT}.`);
}

const cursorOf = ({ at, id }: Memory): string => bytesToBase64Url(new TextEncoder().encode(`${at} ${id}`));

function parseCursor(cursor: string): { readonly at: number; readonly id: string } {
  const [at = "", id = ""] = new TextDecoder().decode(bytesFromBase64Url(cursor)).split(" ");
  if (!/^\d+$/.test(at) || id === "")
    throw new CambiumError("BAD_INPUT", "The cursor is damaged; start the list again without it.");
  return { at: Number(at), id };
}
