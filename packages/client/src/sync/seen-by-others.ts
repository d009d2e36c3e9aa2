/**
 * What others have seen of the space, compared with what the relay gives this device. A relay cannot forge a change, but
 * it can hold some back, go back in time, and give each device another history. Each of these shows as soon as anything
 * comes that was made by someone who had seen more:
 *
 * - a change that follows another one which is not given;
 * - a signed change that says what its writer had seen in other documents, by the numbers of the last changes there;
 * - an invitation, with the last changes that its maker had seen.
 *
 * What is written anyway says it, once a minute at most, and only what is new: nobody writes in order to say it.
 *
 * @module
 */
import {
  type Change,
  type ChangeHash,
  type DocumentId,
  decodeCanonical,
  documentIdToHex,
  encodeCanonical,
  isCambiumError,
  parseActorId,
  type ReplicaId,
  readChangeHeader,
} from "@cambium/core";
import type { Withheld } from "../api.js";
import * as A from "../documents/automerge.js";
import type { ChangeRequest } from "../documents/own-changes.js";
import { chunkTools } from "../platform/node-platform.js";
import { decodeSeen, encodeSeen, placeOfActor, type SeenPlace } from "./seen-text.js";

/** What of the space is asked for what is here. */
export interface SeenSources {
  /** The number of the last change that is here of the writers that a place names. */
  readonly lastSeq: (place: SeenPlace) => Promise<number>;
  /** Whether a document that is opened for it has a change. */
  readonly has: (document: DocumentId, hash: ChangeHash) => Promise<boolean>;
  readonly now: () => number;
  readonly replica: () => ReplicaId;
  readonly load: () => Promise<Uint8Array | undefined>;
  readonly save: (bytes: Uint8Array) => void;
}

/** Somebody has seen this. Null: the relay itself has named it. */
interface Claim {
  readonly by: ReplicaId | "invitation" | null;
  readonly at: number;
}

interface NumberClaim extends Claim {
  readonly place: SeenPlace;
  readonly seq: number;
}

interface HashClaim extends Claim {
  readonly document: DocumentId;
  readonly hash: ChangeHash;
  /** The relay has named it too, though it gives no bytes of it. */
  readonly isNamed?: true;
}

interface Kept {
  readonly numbers: readonly NumberClaim[];
  readonly hashes: readonly HashClaim[];
}

const SEEN_EVERY_MS = 60_000;
/** A relay may offer any number. */
const MAX_CLAIMS = 256;

export class SeenByOthers {
  readonly #sources: SeenSources;
  /** Seen here since this was last said, by place. */
  readonly #news = new Map<string, SeenPlace & { readonly seq: number }>();
  readonly #numbers = new Map<string, NumberClaim>();
  readonly #hashes = new Map<ChangeHash, HashClaim>();
  #withheld: readonly Withheld[] = [];
  #notedAt = Number.NEGATIVE_INFINITY;
  /** One after the other: what comes during one is for the next. */
  #checking: Promise<void> = Promise.resolve();
  #reading: Promise<void> | undefined;

  constructor(sources: SeenSources) {
    this.#sources = sources;
  }

  /** What earlier sessions found, which is told until it has come. */
  read(): Promise<void> {
    this.#reading ??= this.#readOnce();
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const bytes = await this.#sources.load();
    if (bytes === undefined) return;
    const { numbers, hashes } = decodeCanonical(bytes) as unknown as Kept;
    for (const claim of numbers) this.#claimNumber(claim);
    for (const claim of hashes) this.#claimHash(claim);
    this.#withheld = withheldOf(
      numbers.map((claim) => [claim, 1]),
      hashes,
    );
  }

  /** A change of another device has come in. */
  note(actor: string, seq: number): void {
    const place = placeOfActor(actor);
    if (place === undefined || parseActorId(actor)?.replica === this.#sources.replica()) return;
    this.#noteNews(place, seq);
  }

  /** A change of this device is in the relay's log. */
  noteOwn(actor: string, seq: number): void {
    const place = placeOfActor(actor);
    if (place !== undefined) this.#noteNews(place, seq);
  }

  #noteNews(place: SeenPlace, seq: number): void {
    const key = keyOf(place);
    if ((this.#news.get(key)?.seq ?? 0) < seq) this.#news.set(key, { ...place, seq });
  }

  /** What a change of this device is to say. What is in its own document it follows, and says so by that. */
  seenText({ document, statement }: Pick<ChangeRequest, "document" | "statement">): string | undefined {
    if (this.#news.size === 0 || statement.type === "pack" || statement.type === "uses") return undefined;
    const now = this.#sources.now();
    if (now - this.#notedAt < SEEN_EVERY_MS && now >= this.#notedAt) return undefined;
    const hex = documentIdToHex(document);
    const elsewhere = [...this.#news].filter(([, place]) => !hex.startsWith(place.document));
    if (elsewhere.length === 0) return undefined;
    const { text, said } = encodeSeen(elsewhere.map(([, place]) => place));
    for (const [key] of elsewhere.slice(0, said)) this.#news.delete(key);
    this.#notedAt = now;
    return text;
  }

  /** What the writer of a change had seen. */
  hear({ actor, statement, time }: Pick<Change, "actor" | "statement" | "time">): void {
    const by = parseActorId(actor)?.replica;
    if (statement?.seen === undefined || by === undefined) return;
    const own = this.#sources.replica().slice(-8);
    for (const { seq, ...place } of decodeSeen(statement.seen))
      if (place.replica !== own) this.#claimNumber({ by, at: time, place, seq });
  }

  /**
   * Changes that follow what the relay does not give, or that it names itself.
   *
   * @returns false when there are more of them than are remembered
   */
  lacking(document: DocumentId, missing: readonly string[], chunks: readonly Uint8Array[]): boolean {
    const followers = chunks.flatMap((bytes) => {
      try {
        const { deps, actor } = readChangeHeader(bytes, chunkTools);
        return [{ deps, actor, bytes }];
      } catch (error) {
        if (isCambiumError(error, "BAD_CHUNK")) return [];
        throw error;
      }
    });
    for (const hash of missing as readonly ChangeHash[]) {
      const follower = followers.find(({ deps }) => deps.includes(hash));
      const by = follower === undefined ? null : (parseActorId(follower.actor)?.replica ?? null);
      const at = follower === undefined ? this.#sources.now() : A.decodeChange(follower.bytes).time;
      this.#claimHash({ document, hash, by, at });
      const claim = this.#hashes.get(hash);
      if (follower === undefined && claim !== undefined) this.#hashes.set(hash, { ...claim, isNamed: true });
    }
    this.#keep([...this.#numbers.values()], [...this.#hashes.values()]);
    return missing.every((hash) => this.#hashes.has(hash as ChangeHash));
  }

  /** What the relay names and does not give: to be asked for again. */
  get namedByRelay(): ReadonlyMap<DocumentId, readonly ChangeHash[]> {
    const named = [...this.#hashes.values()].filter(({ isNamed }) => isNamed === true);
    const byDocument = Map.groupBy(named, ({ document }) => document);
    return new Map([...byDocument].map(([document, claims]) => [document, claims.map(({ hash }) => hash)]));
  }

  /** What an invitation says. */
  invited(at: number, heads: readonly { readonly document: DocumentId; readonly hash: ChangeHash }[]): void {
    for (const { document, hash } of heads) this.#claimHash({ document, hash, by: "invitation", at });
  }

  #claimNumber(claim: NumberClaim): void {
    const key = keyOf(claim.place);
    const known = this.#numbers.get(key);
    if (known === undefined ? this.#numbers.size < MAX_CLAIMS : known.seq < claim.seq)
      this.#numbers.set(key, known === undefined ? claim : { ...claim, at: Math.min(known.at, claim.at) });
  }

  #claimHash(claim: HashClaim): void {
    if (!this.#hashes.has(claim.hash) && this.#hashes.size < MAX_CLAIMS) this.#hashes.set(claim.hash, claim);
  }

  /** Compares all of it with what is here. To be called once everything that the relay gives has been read. */
  check(): Promise<void> {
    if (this.#numbers.size === 0 && this.#hashes.size === 0 && this.#withheld.length === 0)
      return Promise.resolve();
    const checking = this.#checking.then(() => this.#check());
    this.#checking = checking.catch(() => {}); // its caller hears of it
    return checking;
  }

  async #check(): Promise<void> {
    const open: (readonly [NumberClaim, number])[] = [];
    for (const [key, claim] of [...this.#numbers]) {
      const lacking = claim.seq - (await this.#sources.lastSeq(claim.place));
      if (lacking > 0) open.push([claim, lacking]);
      else if (this.#numbers.get(key) === claim) this.#numbers.delete(key);
    }
    for (const [hash, { document }] of [...this.#hashes])
      if (await this.#sources.has(document, hash)) this.#hashes.delete(hash);
    const hashes = [...this.#hashes.values()];
    const before = this.#withheld;
    this.#withheld = withheldOf(open, hashes);
    if (before.length + this.#withheld.length === 0) return;
    const numbers = open.map(([claim]) => claim);
    this.#keep(numbers, hashes);
  }

  #keep(numbers: readonly NumberClaim[], hashes: readonly HashClaim[]): void {
    const kept: Kept = { numbers, hashes };
    this.#sources.save(encodeCanonical(kept as never));
  }

  /** What others have seen and is not here, as far as that was found out when the relay had given what it gives. */
  get withheld(): readonly Withheld[] {
    return this.#withheld;
  }

  /** The owner knows, and wants to hear no more of it. */
  accept(): void {
    this.#numbers.clear();
    this.#hashes.clear();
    this.#withheld = [];
    this.#keep([], []);
  }
}

const keyOf = ({ document, replica, epoch }: SeenPlace): string => `${document}.${replica}.${epoch}`;

function withheldOf(
  numbers: readonly (readonly [NumberClaim, number])[],
  hashes: readonly HashClaim[],
): readonly Withheld[] {
  const counts: (readonly [Claim, number])[] = [...numbers, ...hashes.map((claim) => [claim, 1] as const)];
  return [...Map.groupBy(counts, ([{ by }]) => by)].map(([by, all]) => ({
    by,
    changes: all.reduce((sum, [, count]) => sum + count, 0),
    since: Math.min(...all.map(([{ at }]) => at)),
  }));
}
