/**
 * Erasures that other devices wrote: taken in as they come, but for one that would destroy much of what is here. It
 * waits for a person, and several small ones within a day count as one.
 *
 * @module
 */
import { coverageOf, type ErasureEntry, ErasureRules, type MemoryId, type PartHash } from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import { CARRIED, type ErasureNote, type TakenIn } from "../documents/erasure-note.js";
import type { HeldHeader, PackErasure } from "../documents/pack-erasure.js";
import type { Packs } from "../documents/packs.js";
import { PolicyKeeper } from "../governance/policy-keeper.js";
import { hashesIn } from "./erasure-entries.js";
import { isMany, MANY } from "./many.js";

export interface ArrivalGuardOptions {
  readonly catalog: CatalogKeeper;
  readonly packs: Packs;
  readonly packErasure: PackErasure;
  readonly note: ErasureNote;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
const [ID_BYTES, HASH_BYTES] = [16, 32];

export class ArrivalGuard {
  readonly #options: ArrivalGuardOptions;
  readonly #policy: PolicyKeeper;

  constructor(options: ArrivalGuardOptions) {
    this.#options = options;
    this.#policy = new PolicyKeeper(options.catalog);
  }

  /** Whether there are erasures that nobody has looked at. */
  get isAsked(): boolean {
    return this.arrived().size > 0;
  }

  /** Decides about each erasure that has come, as far as the policy lets. Durable when it resolves. */
  async judge(): Promise<void> {
    const arrived = this.arrived();
    if (arrived.size === 0) return;
    const { note, now } = this.#options;
    const [takenIn, held, refused] = [
      new Map(note.noted.takenIn),
      new Map(note.noted.held),
      new Set(note.noted.refused),
    ];
    const since = now() - DAY_MS;
    let recent = [...takenIn.values()].reduce((sum, one) => sum + (one.at > since ? one.memories : 0), 0);
    const measure = await this.#measure(arrived, recent);
    for (const [id, entries] of arrived) {
      const { memories, total } = measure(entries);
      const wish = isMany(memories + recent, total) && memories > 0 ? this.#wish() : "take";
      if (wish === "hold") held.set(id, memories);
      else if (wish === "refuse") refused.add(id);
      else {
        takenIn.set(id, { at: now(), memories } satisfies TakenIn);
        recent += memories;
      }
    }
    note.put({ takenIn, held, refused });
  }

  /** Of how many memories these take something that is here, without what is pruned. */
  async takenBy(entries: readonly ErasureEntry[]): Promise<number> {
    const { packErasure, packs } = this.#options;
    const headers = (await packErasure.headers()).filter(({ type }) => type !== "name");
    const present = await packErasure.presentParts();
    const before = coverageOf(new ErasureRules(packs.erasureEntries), headers).records;
    const { records } = coverageOf(new ErasureRules(entries.filter((entry) => !isPruning(entry))), headers);
    return memoriesOf(
      headers.filter((header) => isTaken(header, records, before) && isPresent(header, present)),
    );
  }

  /** What the policy lets the owner do without being asked. */
  #wish(): "take" | "hold" | "refuse" {
    const { owner } = this.#policy.current.classes["accept-erasure"];
    return owner === "allow" ? "take" : owner === "refuse" ? "refuse" : "hold";
  }

  /** Those that nobody has looked at, by erasure, the oldest first. */
  arrived(): ReadonlyMap<string, readonly ErasureEntry[]> {
    const { catalog, note } = this.#options;
    const arrived = new Map<string, ErasureEntry[]>();
    const entries = [...catalog.current.erasures].sort(([, a], [, b]) => a.value.at - b.value.at);
    for (const [key, { value, others }] of entries) {
      const id = value.of ?? key;
      if (key.startsWith(CARRIED) || note.stateOf(id) !== "new") continue;
      arrived.set(id, [...(arrived.get(id) ?? []), value, ...others]);
    }
    return arrived;
  }

  /** Pruning takes what is not current. A rule that takes more is looked at as any other. */
  async #currentTexts(arrived: ReadonlyMap<string, readonly ErasureEntry[]>): Promise<ReadonlySet<PartHash>> {
    if (![...arrived.values()].some((entries) => entries.some(isPruning))) return new Set();
    const { packErasure } = this.#options;
    const headers = await packErasure.headers();
    const present = await packErasure.presentParts();
    const followed = new Set(headers.flatMap(({ parents }) => parents));
    const current = headers.filter(({ hash }) => !followed.has(hash)).map(({ content }) => content.hash);
    return new Set(current.filter((part) => present.has(part)));
  }

  /** Looking at all records takes a second or more: names that are too few to be many are only counted. */
  async #measure(arrived: ReadonlyMap<string, readonly ErasureEntry[]>, recent: number) {
    const current = await this.#currentTexts(arrived);
    const named = (entries: readonly ErasureEntry[]): number =>
      entries.reduce((sum, entry) => sum + namesIn(entry, current), 0);
    const all = [...arrived.values()].reduce((sum, entries) => sum + named(entries), recent);
    if (all <= MANY.memories)
      return (entries: readonly ErasureEntry[]) => ({ memories: named(entries), total: Number.MAX_VALUE });
    const { packErasure, packs } = this.#options;
    const headers = (await packErasure.headers()).filter(({ type }) => type !== "name");
    const present = await packErasure.presentParts();
    const total = new Set(headers.map(({ memory }) => memory)).size;
    const before = coverageOf(new ErasureRules(packs.erasureEntries), headers).records;
    return (entries: readonly ErasureEntry[]) => {
      if (entries.every(isPruning)) return { memories: named(entries), total };
      const { records } = coverageOf(new ErasureRules(entries), headers);
      const isLost = (header: HeldHeader): boolean =>
        isTaken(header, records, before) && isPresent(header, present);
      return { memories: memoriesOf(headers.filter(isLost)), total };
    };
  }
}

/** What is not here is nothing to lose: it was erased before this device had it. */
const isPresent = ({ content, meta }: HeldHeader, present: ReadonlySet<PartHash>): boolean =>
  present.has(content.hash) || present.has(meta.hash);

type Extents = ReturnType<typeof coverageOf>["records"];
const isTaken = ({ hash }: HeldHeader, records: Extents, before: Extents): boolean =>
  records.get(hash) !== undefined && before.get(hash) !== records.get(hash);

const isPruning = ({ cause }: ErasureEntry): boolean => cause === "retention";

const memoriesOf = (headers: readonly HeldHeader[]): number =>
  new Set<MemoryId>(headers.map(({ memory }) => memory)).size;

/** At most so many memories; a range of time may be any number. */
function namesIn(entry: ErasureEntry, current: ReadonlySet<PartHash>): number {
  const { memories, records, parts, from, until } = entry;
  if (isPruning(entry)) return hashesIn(parts).filter((hash) => current.has(hash as PartHash)).length;
  if (from !== undefined || until !== undefined) return Number.MAX_SAFE_INTEGER;
  const hashes = Math.max(records?.length ?? 0, parts?.length ?? 0) / HASH_BYTES;
  return (memories?.length ?? 0) / ID_BYTES + hashes;
}
