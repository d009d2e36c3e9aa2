/**
 * Concealing memories: one entry of the catalog for each, which the index keeps to.
 *
 * @module
 */
import {
  type Author,
  CambiumError,
  type Concealment,
  concealmentEntry,
  concealmentKey,
  concealmentsIn,
  isCambiumError,
  isUuid,
  type Memory,
  type MemoryId,
  withoutLinksTo,
} from "@cambium/core";
import type { ConcealedMemory } from "../api.js";
import type { SpaceServices } from "../space/space-services.js";

export interface ConcealmentServices
  extends Pick<
    SpaceServices,
    "catalog" | "documents" | "directory" | "finder" | "reader" | "index" | "now" | "replica"
  > {}

/** Fewer characters of an id name none. */
const SHORTEST_PART = 4;
/** Entries of one change, which a relay has to take whole. */
const AT_ONCE = 1_024;

export class ConcealmentKeeper {
  readonly #services: ConcealmentServices;

  constructor(services: ConcealmentServices) {
    this.#services = services;
  }

  get #current(): ReadonlyMap<MemoryId, Concealment> {
    return concealmentsIn(this.#services.catalog.current.settings);
  }

  /** Without what names a concealed memory. Nothing is looked at where nothing is concealed. */
  withoutLinks<Value>(value: Value): Value {
    const concealed = this.#current;
    return concealed.size === 0 ? value : withoutLinksTo((id) => concealed.has(id), value);
  }

  /** Whether a memory is concealed, which no index need know. */
  isConcealed(id: MemoryId): boolean {
    return this.#current.has(id);
  }

  /** Whole ids of memories that a branch shows, forgotten ones included. */
  async shown(names: readonly string[], branch: string | undefined): Promise<readonly MemoryId[]> {
    const { finder, reader } = this.#services;
    const found = await finder.find({ branch });
    return [...new Set(names.map((name) => reader.idOf(found, name)))];
  }

  /** @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY */
  concealed(names: readonly string[]): readonly MemoryId[] {
    const all = [...this.#current.keys()];
    return [...new Set(names.map((name) => concealedAs(name, all)))];
  }

  /**
   * Whole ids, as one names them who does not see the list: of memories that may be concealed, or may not be at all.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND for parts of ids, and for what is shown
   */
  notShown(names: readonly string[]): readonly MemoryId[] {
    const { memories } = this.#services.index.tables; // which may not have heard yet of what has just come
    const ids = names.map((name) => {
      const id = name.trim().toLowerCase() as MemoryId;
      const isOpen = isUuid(id) && (memories.find(id) === undefined || this.#current.has(id));
      if (isOpen) return id;
      throw noneConcealed(name, "Give its whole id: only the owner sees what is concealed.");
    });
    return [...new Set(ids)];
  }

  /** Newest first, as a branch has them. */
  async list(branch: string | undefined, ids?: readonly MemoryId[]): Promise<readonly ConcealedMemory[]> {
    const wanted = [...this.#current.values()].filter(({ id }) => ids?.includes(id) !== false);
    const found: ConcealedMemory[] = [];
    for (const one of wanted) found.push(concealedMemory(one, await this.#memoryOf(one.id, branch)));
    return found.sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  }

  async #memoryOf(id: MemoryId, branch: string | undefined): Promise<Memory | undefined> {
    const { finder, directory, index } = this.#services;
    const named = await finder.find({ branch });
    const here = await index.whateverOf(named.view.row, id);
    if (here !== undefined) return here;
    for (const other of await directory.all()) {
      try {
        const { view } = await finder.find({ branch: other.id });
        const there = await index.whateverOf(view.row, id);
        if (there !== undefined) return there;
      } catch (error) {
        if (!isCambiumError(error)) throw error; // not arrived: there is nothing to look at
      }
    }
    return undefined;
  }

  /** Durable when it resolves. What is so already is not written again. */
  async set(ids: readonly MemoryId[], concealed: boolean, agent: string | undefined): Promise<void> {
    const { catalog, documents, now, replica } = this.#services;
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const part = ids.slice(start, start + AT_ONCE);
      await catalog.put(({ settings }) => {
        const entry = concealmentEntry(concealed, { at: now(), by: replica(), agent });
        const known = concealmentsIn(settings);
        return part.flatMap((id) =>
          known.has(id) === concealed ? [] : [{ map: "settings", key: concealmentKey(id), entry } as const],
        );
      });
    }
    await documents.flush();
  }
}

function concealedMemory({ id, at, by, agent }: Concealment, memory: Memory | undefined): ConcealedMemory {
  const author: Author = { replica: by, ...(agent === undefined ? {} : { agent }) };
  return { id, at, by: author, ...(memory === undefined ? {} : { memory }) };
}

function concealedAs(name: string, all: readonly MemoryId[]): MemoryId {
  const part = name.trim().toLowerCase();
  const matching =
    part.length < SHORTEST_PART ? [] : all.filter((id) => id.startsWith(part) || id.endsWith(part));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (only !== undefined)
    throw new CambiumError("AMBIGUOUS_MEMORY", `${matching.length} concealed memories match ${name}.`, {
      hint: `Give more of the id: ${matching.slice(0, 4).join(", ")}`,
      details: { ids: matching.slice(0, 16) },
    });
  throw noneConcealed(name, "`cambium list --concealed` shows what is.");
}

const noneConcealed = (name: string, hint: string): CambiumError =>
  new CambiumError("MEMORY_NOT_FOUND", `No memory ${JSON.stringify(name)} is concealed.`, {
    hint,
    details: { id: name },
  });
