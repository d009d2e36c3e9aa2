/**
 * Whether the keys of later epochs that an archive has are those of its catalog and of its packs. One that is another,
 * or is missing, would let a space be made whose newest memories nobody can read.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  type Catalog,
  type KeyRing,
  openHeader,
  type PackId,
  type RecordHash,
  type ReplicaId,
  type Sealed,
  sealedEpoch,
} from "@cambium/core";
import type { PackContent } from "../documents/pack-content.js";
import type { SpaceConfig } from "../documents/space-config.js";
import {
  type EpochEntry,
  type EpochId,
  epochEntries,
  FIRST_EPOCH,
  type KnownEpoch,
  openPrevious,
  previousOf,
} from "../keys/epoch-entry.js";
import { nodePlatform } from "../platform/node-platform.js";
import { damaged } from "./tar.js";

/** Of each pack that was written under a later key, so many records are opened if need be, */
const SAMPLES_PER_PACK = 4;
/** and of each key so many. */
const SAMPLES = 256;

/** What a document of records is, and who wrote it; undefined where several did, or nobody can tell. */
export interface PackOrigin {
  readonly pack: PackId;
  readonly writer: string | undefined;
}

interface Sample {
  readonly pack: PackId;
  readonly isOwn: boolean;
  readonly record: RecordHash;
  readonly sealed: Sealed;
}

export class EpochCheck {
  readonly #ring: KeyRing;
  readonly #by: ReplicaId;
  readonly #samples = new Map<number, Sample[]>();
  /** Numbers of which a key may rightly be missing. */
  readonly #lacking: ReadonlySet<number>;

  /**
   * @param by - the device that made the archive
   * @throws {CambiumError} ARCHIVE_DAMAGED
   */
  constructor({ epochs }: SpaceConfig, ring: KeyRing, catalog: Catalog, by: ReplicaId) {
    this.#ring = ring;
    const entries = epochEntries(catalog);
    const known = (epochs?.known ?? []).map(({ secret, ...one }) => ({
      ...one,
      secret: bytesFromBase64Url(secret),
    }));
    for (const one of known) refuseAnother(one, entries);
    const here = withPrevious(known, entries);
    const current = epochs?.current ?? FIRST_EPOCH;
    if (here.size > known.length || (current !== FIRST_EPOCH && !here.has(current))) throw missing();
    this.#lacking = new Set(entries.flatMap(({ id, epoch }) => (here.has(id) ? [] : [epoch])));
    this.#by = by;
  }

  /**
   * Keeps a few records of a pack, to be opened at the end.
   *
   * @throws {CambiumError} ARCHIVE_DAMAGED
   */
  take({ headers }: PackContent, { pack, writer }: PackOrigin): void {
    const taken = new Map<number, number>();
    const isOwn = writer === this.#by;
    for (const [record, sealed] of Object.entries(headers)) {
      const epoch = sealedEpoch(sealed) ?? 0;
      // A device may lack a key that others have; not one that it has written under.
      if (isOwn && !this.#isKeyed(epoch)) throw missing();
      const count = taken.get(epoch) ?? 0;
      const samples = this.#samples.get(epoch) ?? [];
      if (epoch === 0 || count === SAMPLES_PER_PACK || samples.length === SAMPLES) continue;
      taken.set(epoch, count + 1);
      this.#samples.set(epoch, [...samples, { pack, isOwn, record: record as RecordHash, sealed }]);
    }
  }

  #isKeyed(epoch: number): boolean {
    return this.#ring.codes.known.some((known) => known.epoch === epoch);
  }

  /** Whether there is anything to take: most spaces have one key. */
  get isNeeded(): boolean {
    return this.#ring.codes.known.length > 1 || this.#lacking.size > 0;
  }

  /** A record that a member made badly proves nothing; that none opens does. */
  async finish(): Promise<void> {
    for (const [epoch, all] of this.#samples) {
      if (!this.#isKeyed(epoch)) continue;
      // Another of this number may be lacking; what the device wrote itself, it can open.
      const samples = this.#lacking.has(epoch) ? all.filter(({ isOwn }) => isOwn) : all;
      if (samples.length > 0 && !(await this.#opensAny(samples)))
        throw damaged("a key of its space opens nothing that was written under it");
    }
  }

  async #opensAny(samples: readonly Sample[]): Promise<boolean> {
    const codec = { platform: nodePlatform(), keys: this.#ring };
    for (const { pack, record, sealed } of samples) {
      const header = await openHeader(codec, { record, pack }, sealed).catch(() => undefined);
      if (header !== undefined) return true;
    }
    return false;
  }
}

/** Two may claim to be one epoch: the key is that of one of them. */
function refuseAnother({ id, epoch, secret }: KnownEpoch, entries: readonly EpochEntry[]): void {
  const claims = entries.filter((entry) => entry.id === id);
  const isOne = claims.some((entry) => entry.epoch === epoch && openPrevious(entry, secret) !== undefined);
  if (claims.length > 0 && !isOne) throw damaged("a key of its space is another than that of its catalog");
}

/** Whoever has a key has those before it. */
function withPrevious(
  known: readonly KnownEpoch[],
  entries: readonly EpochEntry[],
): ReadonlyMap<EpochId, KnownEpoch> {
  const here = new Map(known.map((one) => [one.id, one]));
  for (const one of here.values())
    for (const entry of entries.filter(({ id }) => id === one.id))
      for (const previous of previousOf(entry, one.secret))
        if (!here.has(previous.id)) here.set(previous.id, previous);
  return here;
}

const missing = () => damaged("a key of its space is missing");
