/**
 * Reading the states of a space: memories, lists, search, log and differences, now or at any ref.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  bytesToBase64Url,
  CambiumError,
  type ChangeHash,
  compareText,
  diffOf,
  isUuid,
  type Memory,
  type MemoryConflicts,
  type MemoryId,
  type MemoryReading,
  readMemory,
  valuesOf,
} from "@cambium/core";
import type {
  AtRef,
  DiffOptions,
  DiffResult,
  ListOptions,
  LogOptions,
  LogPage,
  MemoryPage,
  Recalled,
  RecallOptions,
} from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { Forgotten, ListPlace } from "../index-store/state-pages.js";
import type { UsageCounter } from "../usage/usage-counter.js";
import { unknownAuthors } from "./authors.js";
import { branchNotHere } from "./branch-absence.js";
import { chosenChanges } from "./chosen-changes.js";
import { ofFuture } from "./future-state.js";
import { type ListedPage, OrderedLists } from "./list-order.js";
import type { LogEvents } from "./log-events.js";
import { filtered } from "./memory-filter.js";
import { unreadRecords } from "./missing-records.js";
import type { Recaller } from "./recaller.js";
import type { FoundState, StateFinder } from "./state-finder.js";

const DEFAULT_LIMIT = 100;
const DEFAULT_RECALL = 10;
const MAX_LIMIT = 10_000;
/** Of memories that begin with the same text, so many are named. */
const MAX_MATCHES = 64;

export interface StateReaderOptions {
  readonly finder: StateFinder;
  readonly recaller: Recaller;
  readonly index: SpaceIndex;
  readonly events?: LogEvents | undefined;
  readonly uses: Pick<UsageCounter, "all">;
  readonly now: () => number;
}

export class StateReader {
  readonly #services: StateReaderOptions;
  readonly #ordered = new OrderedLists();

  constructor(services: StateReaderOptions) {
    this.#services = services;
  }

  async get(id: string, options?: AtRef): Promise<Memory> {
    const found = await this.#services.finder.find(options);
    const { states, tables } = this.#services.index;
    const known = isUuid(id) ? tables.memories.find(id as MemoryId) : undefined;
    const shown = known === undefined ? undefined : states.memory(found.state, known);
    if (shown !== undefined) return shown;
    const { number, full } = this.#locate(found, id);
    const memory = states.memory(found.state, number);
    if (memory !== undefined) return memory;
    throw await this.unreadable(found, full);
  }

  /**
   * Reads a memory with everything that was ever known of it, by id or by a unique beginning of one.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY, CONTENT_NOT_HERE
   */
  async reading(found: FoundState, id: string): Promise<MemoryReading> {
    const { number, full } = this.#locate(found, id);
    const state = this.#services.index.states.writesAt(found.state, number);
    const reading = await readMemory(state, full, this.#services.index.load);
    if (reading !== undefined) return reading;
    throw await this.unreadable(found, full);
  }

  /**
   * The id of a memory that the state has, from itself or a unique beginning of it.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY
   */
  idOf(found: FoundState, text: string): MemoryId {
    return this.#locate(found, text).full;
  }

  /** Nothing of the memory can be read: not yet, or not by us. */
  async unreadable({ view }: FoundState, id: MemoryId): Promise<CambiumError> {
    const unread = await unreadRecords(view.referencesOf(id), id, this.#services.index.load);
    const tooNew = unread.find((one) => one.status === "invalid" && one.code === "SCHEMA_TOO_NEW");
    return tooNew === undefined ? contentNotHere(id) : writtenByNewer(id);
  }

  #locate(
    { state, view, branch }: FoundState,
    text: string,
  ): { readonly number: number; readonly full: MemoryId } {
    const { memories } = this.#services.index.tables;
    const wanted = text.trim().toLowerCase();
    const known = isUuid(wanted) ? memories.find(wanted as MemoryId) : undefined;
    if (known !== undefined && this.#services.index.states.has(state, known)) {
      return { number: known, full: wanted as MemoryId };
    }
    const isPart = wanted.length >= SHORTEST_PART && /^[0-9a-f-]+$/.test(wanted);
    const { concealed } = this.#services.index.tables;
    const anywhere = (isPart ? memories.matching(wanted, MAX_MATCHES) : []).filter(
      ({ number }) => !concealed.has(number),
    );
    const matching = anywhere.filter(({ number }) => this.#services.index.states.has(state, number));
    if (matching.length > 1)
      throw ambiguous(
        text,
        matching.map(({ id }) => id),
      );
    const [found] = matching;
    if (found !== undefined) return { number: found.number, full: found.id };
    const { absence } = view;
    if (absence !== undefined) throw branchNotHere(branch.name, absence);
    throw memoryNotFound(text, anywhere.length > 0);
  }

  async list(options: ListOptions = {}): Promise<MemoryPage> {
    const limit = checkedLimit(options.limit, DEFAULT_LIMIT);
    const at = await this.#services.finder.find(options);
    const now = this.#services.now();
    const { states } = this.#services.index;
    let asked = 0;
    const { answer, advice: ofLabels } = await filtered(options, { states, found: at, now }, (passes) => {
      asked += 1;
      return this.#listed(at, options, { limit, now, passes, asked });
    });
    const { memories, cursor } = answer;
    const unreadable = states.unreadable(at.state).length;
    const advice = [...ofLabels, ...(await ofFuture(at, now))];
    return {
      memories,
      ...(cursor === undefined ? {} : { cursor }),
      ...(unreadable === 0 ? {} : { unreadable }),
      ...(advice.length === 0 ? {} : { advice }),
    };
  }

  async #listed(
    { state }: FoundState,
    { order = "changed", cursor, ...options }: ListOptions,
    { limit, now, passes, asked }: ListedBy,
  ): Promise<ListedPage> {
    const { states, tables } = this.#services.index;
    const filter = { forgotten: forgottenIn(options), passes };
    if (order === "changed") {
      const after = cursor === undefined ? undefined : parseCursor(cursor);
      return firstPage(states.list(state, filter, limit + 1, after), limit);
    }
    // What a filter was read as differs from the filter: each reading is a list of its own.
    const of = states.nameOf(state, JSON.stringify([options, asked]));
    return await this.#ordered.page(
      { order, of, limit, cursor },
      {
        all: () => states.list(state, filter, Number.MAX_SAFE_INTEGER, undefined),
        get: (id) => states.memory(state, tables.memories.find(id) ?? -1),
        facts: { since: () => states.shownSince(state), uses: () => this.#services.uses.all(), now },
      },
    );
  }

  async recall(query?: string, options: RecallOptions = {}): Promise<Recalled> {
    const limit = checkedLimit(options.limit, DEFAULT_RECALL);
    return this.#services.recaller.recall(query, await this.#services.finder.find(options), limit, options);
  }

  /** @throws {CambiumError} BAD_INPUT when the query is empty */
  everMatching(query: string, ...on: readonly FoundState[]): Promise<readonly MemoryId[]> {
    return this.#services.recaller.everMatching(query, on);
  }

  /** The same, concealed ones included: for what destroys. */
  everMatchingAny(query: string, ...on: readonly FoundState[]): Promise<readonly MemoryId[]> {
    return this.#services.recaller.everMatching(query, on, { withConcealed: true });
  }

  async log(options: LogOptions = {}): Promise<LogPage> {
    const limit = checkedLimit(options.limit, DEFAULT_LIMIT);
    const now = this.#services.now();
    const begin = await startOf(options.since, now);
    const end = await endOf(options.until, now);
    if (end !== undefined && options.at !== undefined)
      throw new CambiumError("BAD_INPUT", "Give a state or an end of the period, not both.");
    const { state, branch } = await this.#services.finder.find(
      end === undefined
        ? options
        : { ...options, at: `${options.branch ?? ""}@${new Date(end).toISOString()}` },
    );
    // Changes later than this are shown, and the first of the period is one of them.
    const since = begin === undefined ? -Number.MAX_VALUE : begin - 1;
    const after = options.cursor as ChangeHash | undefined;
    const { log, loadAndKeep } = this.#services.index;
    const chosen = chosenChanges(options);
    const found = await chosen.pageOf({ log, state, load: loadAndKeep }, { since, limit: limit + 1, after });
    const changes = found.slice(0, limit);
    const last = changes.at(-1);
    const times = {
      after: found[limit]?.at ?? since,
      until: after === undefined ? (end ?? Number.POSITIVE_INFINITY) : (changes[0]?.at ?? since),
    };
    const noted = options.at === undefined ? await this.#services.events?.of(branch, times) : [];
    const events = noted?.filter(chosen.hasEvent) ?? [];
    const isNothing = found.length === 0 && events.length === 0 && after === undefined;
    // Whoever wrote at another time is known.
    const written = { log, load: loadAndKeep, branch: branch.name };
    const whole = this.#services.index.states.stateAt(state.row, undefined);
    const source = { ...written, state: whole };
    const advice = [
      ...(isNothing ? await unknownAuthors(valuesOf(options, "agent"), source) : []),
      // Nothing would tell that nothing was left out.
      ...(after === undefined
        ? await unknownAuthors(valuesOf(options.not, "agent"), source, "so nothing of theirs was left out")
        : []),
    ];
    const parts = new Map(changes.flatMap(({ operation, hash }) => (operation ? [[operation, hash]] : [])));
    const operations = [...parts].flatMap(([operation, hash]) => log.operationOf(hash, operation) ?? []);
    return {
      changes,
      ...(operations.length === 0 ? {} : { operations }),
      ...(advice.length === 0 ? {} : { advice }),
      ...(events.length === 0 ? {} : { events }),
      ...(found.length > limit && last !== undefined ? { cursor: last.hash } : {}),
    };
  }

  async conflicts(
    options?: AtRef,
  ): Promise<readonly (MemoryConflicts & { readonly branch: string; readonly memory: Memory })[]> {
    const { branch, state } = await this.#services.finder.find(options);
    return this.#services.index.states
      .unsettled(state)
      .filter((memory) => memory.conflicts.length > 0)
      .map((memory) => ({ id: memory.id, fields: memory.conflicts, branch: branch.name, memory }));
  }

  async diff(from: string, to = "main", { ids, onlyCounts }: DiffOptions = {}): Promise<DiffResult> {
    const [before, after] = [
      await this.#services.finder.find({ at: from }),
      await this.#services.finder.find({ at: to }),
    ];
    const { states, tables } = this.#services.index;
    const asked =
      ids === undefined ? undefined : new Set([ids].flat().map((id) => tables.memories.find(id as MemoryId)));
    const all = states.mayDiffer(before.state, after.state);
    const touched = asked === undefined ? all : all.filter((memory) => asked.has(memory));
    const pairs = [...states.pairs(before.state, after.state, touched)].sort(([a, b], [c, d]) =>
      compareText((a ?? b)?.id ?? "", (c ?? d)?.id ?? ""),
    );
    const refs = { from: before.ref, to: after.ref };
    const difference = diffOf(pairs);
    if (onlyCounts !== true) return { ...refs, ...difference };
    const { created, changed, deleted } = difference;
    return {
      ...{ ...refs, created: [], changed: [], deleted: [], conflicts: [] },
      counts: { created: created.length, changed: changed.length, deleted: deleted.length },
    };
  }
}

const contentNotHere = (id: MemoryId): CambiumError =>
  new CambiumError(
    "CONTENT_NOT_HERE",
    `The memory ${id} is known here, but its content has not arrived yet.`,
    { hint: "Run `cambium sync`.", details: { id } },
  );

const writtenByNewer = (id: MemoryId): CambiumError =>
  new CambiumError("SCHEMA_TOO_NEW", `A newer Cambium wrote the memory ${id}; this one cannot read it.`, {
    hint: "Update Cambium on this device.",
    details: { id },
  });

const ambiguous = (text: string, ids: readonly MemoryId[]): CambiumError =>
  new CambiumError("AMBIGUOUS_MEMORY", `${ids.length} memories match ${text}.`, {
    hint: `Give more of the id: ${ids.slice(0, 4).join(", ")}`,
    details: { ids: ids.slice(0, 16) },
  });

function checkedLimit(limit: number | undefined, fallback: number): number {
  if (limit === undefined) return fallback;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MAX_LIMIT}.`);
}

interface ListedBy {
  readonly limit: number;
  readonly now: number;
  readonly passes: (memory: Memory) => boolean;
  /** How often the filter was read. */
  readonly asked: number;
}

function firstPage(found: readonly Memory[], limit: number): ListedPage {
  const memories = found.slice(0, limit);
  const last = memories.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { memories, length: memories.length, ...(hasMore ? { cursor: cursorOf(last) } : {}) };
}

const cursorOf = ({ at, id }: Memory): string => bytesToBase64Url(new TextEncoder().encode(`${at} ${id}`));

function parseCursor(cursor: string): ListPlace {
  const [at = "", id = ""] = new TextDecoder().decode(bytesFromBase64Url(cursor)).split(" ");
  if (!/^\d+$/.test(at) || id === "")
    throw new CambiumError("BAD_INPUT", "The cursor is damaged; start the list again without it.");
  return { at: Number(at), id };
}

function forgottenIn({ deleted = false, forgotten = false }: ListOptions): Forgotten {
  if (forgotten) return "only";
  return deleted ? "with" : "without";
}

/** Fewer characters of an id name none. */
const SHORTEST_PART = 4;

/** @param isElsewhere - whether another state has one of which this is a beginning */
function memoryNotFound(text: string, isElsewhere: boolean): CambiumError {
  const find = "`cambium list` and `cambium recall <words>` show the ids of what is here";
  const short = `; the first ${SHORTEST_PART} characters or more of one are enough.`;
  const elsewhere =
    "It is on another branch, or was written later or earlier: `cambium branches` lists the branches. ";
  return new CambiumError("MEMORY_NOT_FOUND", `There is no memory ${JSON.stringify(text)} in this state.`, {
    hint: `${isElsewhere ? elsewhere : ""}${find}${short}`,
    details: { id: text },
  });
}
