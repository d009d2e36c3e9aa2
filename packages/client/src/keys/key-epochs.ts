/**
 * Under which secret a space is written: the epochs that the catalog has, those whose secret is here, and the one that
 * new things are sealed under.
 *
 * A replica goes on from the epoch that it writes under to one that somebody began who had that secret, and to no
 * other. Where two were begun at once, whoever has both begins one that follows both, without anybody whom either
 * removed. So what is written after a removal is known is never under a secret that the removed one has.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  bytesFromHex,
  bytesToBase64Url,
  bytesToHex,
  type Catalog,
  compareText,
  type KeyRing,
  type Platform,
  type ReplicaId,
} from "@cambium/core";
import type { KeptEpochs } from "../documents/space-config.js";
import {
  type EpochEntry,
  type EpochId,
  epochEntries,
  FIRST_EPOCH,
  isMadeAfter,
  type KnownEpoch,
  makeEpoch,
  openBox,
  previousOf,
  type Recipient,
  type RecipientId,
} from "./epoch-entry.js";
import { inheritKeys } from "./inherited-keys.js";
import { isProof, type KeyPair, proofOf } from "./key-exchange.js";
import { isAccess, standingInvitationKeys, withoutAccess } from "./key-recipients.js";

export interface KeyEpochsOptions {
  readonly ring: KeyRing;
  /** Of the first epoch. */
  readonly first: Uint8Array;
  readonly platform: Pick<Platform, "random" | "now">;
  readonly replica: () => ReplicaId;
  /** Under which names this replica may find a part that is meant for it. */
  readonly takers: () => readonly { readonly id: RecipientId; readonly keys: KeyPair }[];
  readonly kept: KeptEpochs | undefined;
  readonly save: (kept: KeptEpochs) => void;
}

const ID_BYTES = 16;
const SECRET_BYTES = 32;
/** The id of an epoch, and a code. */
const PROOF_BYTES = ID_BYTES + 32;
/** Epochs of which a replica shows that it has them: enough for those that were begun at once. */
const MAX_PROOFS = 8;

export class KeyEpochs {
  readonly #options: KeyEpochsOptions;
  readonly #known = new Map<EpochId, KnownEpoch>();
  #entries = new Map<EpochId, EpochEntry>();
  /** Those of which the secrets before are here. */
  readonly #opened = new Set<EpochId>();
  readonly #judgements = new Map<string, boolean>();
  #current: KnownEpoch;
  /** Who had the secret that was written under, when the catalog was last looked at. */
  #before: ReadonlyMap<RecipientId, Recipient> = new Map();
  /** Those whom whoever began the epoch did not know of, though nobody removed them. */
  #owed: ReadonlyMap<RecipientId, Recipient> = new Map();

  constructor(options: KeyEpochsOptions) {
    this.#options = options;
    const first = { id: FIRST_EPOCH, epoch: 0, secret: options.first };
    this.#known.set(FIRST_EPOCH, first);
    this.#current = first;
    for (const { secret, ...known } of options.kept?.known ?? [])
      this.#keep({ ...known, secret: bytesFromBase64Url(secret) });
    this.#writeUnder(this.#known.get(options.kept?.current ?? FIRST_EPOCH) ?? first);
  }

  get current(): KnownEpoch {
    return this.#current;
  }

  /** The same, unless it is the first, which comes with the space. */
  get later(): KnownEpoch | undefined {
    return this.#current.id === FIRST_EPOCH ? undefined : this.#current;
  }

  knows(id: EpochId): boolean {
    return this.#known.has(id);
  }

  /** How many secrets are here. */
  get size(): number {
    return this.#known.size;
  }

  entry(id: EpochId): EpochEntry | undefined {
    return this.#entries.get(id);
  }

  /** A secret that came in another way than through the catalog. What came before it, the catalog says. */
  take(known: KnownEpoch): void {
    this.#keep(known);
    this.#save();
  }

  /** Epochs that follow the one that is written under here, and whose secret this replica was not given. */
  get lacking(): readonly EpochEntry[] {
    return [...this.#entries.values()].filter(
      (entry) => !this.#known.has(entry.id) && this.#isNext(entry, this.#current),
    );
  }

  /** Epochs that somebody began who had a secret that is here, and from which this replica was removed. */
  get removedFrom(): readonly EpochEntry[] {
    const own = this.#options.replica();
    return [...this.#entries.values()].filter(
      (entry) =>
        !this.#known.has(entry.id) &&
        entry.removed.includes(own) &&
        [...this.#known.values()].some((known) => this.#isNext(entry, known)),
    );
  }

  /** Takes from the catalog what is meant for this replica, and goes on to the latest epoch. @returns whether it did */
  learn(catalog: Catalog): boolean {
    inheritKeys(this.#options.ring, catalog);
    const entries = epochEntries(catalog);
    const before = this.#knowledge;
    if (entries.length === 0) {
      this.#before = this.members(catalog);
      return false;
    }
    this.#entries = new Map();
    for (const entry of entries) if (this.#isNew(entry)) this.#entries.set(entry.id, entry);
    for (const entry of [...this.#entries.values()].sort((a, b) => a.epoch - b.epoch))
      this.#take(entry, catalog);
    this.#takePrevious();
    this.#goOn(catalog);
    this.#noteMembers(catalog);
    const hidden = [...this.#entries.values()].filter(({ id }) => !this.#known.has(id));
    this.#options.ring.lack([...new Set(hidden.map(({ epoch }) => epoch))]);
    const hasGrown = before !== this.#knowledge;
    if (hasGrown) this.#save();
    return hasGrown;
  }

  get #knowledge(): string {
    return [this.#known.size, this.#current.id, ...this.#options.ring.codes.lacking].join();
  }

  /**
   * Somebody may have joined while the epoch was begun elsewhere. Whoever was known before it was heard of counts;
   * whoever turns up later may have been put there by one who was removed, and needs a new invitation.
   */
  #noteMembers(catalog: Catalog): void {
    const now = this.members(catalog);
    const gone = new Set([...this.#entries.values()].flatMap(({ removed }) => removed));
    const standing = standingInvitationKeys(catalog, this.#options.platform.now());
    const isLeft = (id: RecipientId): boolean => {
      const maker = standing.get(id)?.maker;
      return isInvitation(id) ? maker !== undefined && !gone.has(maker) : true;
    };
    const known = [...this.#owed, ...this.#before];
    const own = this.#options.replica();
    this.#owed = new Map(known.filter(([id]) => id !== own && !now.has(id) && !gone.has(id) && isLeft(id)));
    this.#before = new Map([...now, ...this.#owed]);
  }

  /** Of two that claim to be one epoch, the one that this replica can follow counts. */
  #isNew(entry: EpochEntry): boolean {
    const other = this.#entries.get(entry.id);
    return other === undefined || !this.#isNext(other, this.#current);
  }

  #take(entry: EpochEntry, catalog: Catalog): void {
    if (this.#known.has(entry.id)) return;
    const secret = this.#unboxed(entry, catalog);
    if (secret === undefined) return;
    this.#keep({ id: entry.id, epoch: entry.epoch, secret });
  }

  #takePrevious(): void {
    for (const { id, secret } of this.#known.values()) {
      const entry = this.#entries.get(id);
      if (entry === undefined || this.#opened.has(id)) continue;
      this.#opened.add(id);
      for (const previous of previousOf(entry, secret)) this.#keep(previous);
    }
  }

  #unboxed(entry: EpochEntry, catalog: Catalog): Uint8Array | undefined {
    const parents = entry.parents.map((id) => this.#known.get(id)).filter((one) => one !== undefined);
    const { space } = this.#options.ring;
    if (parents.length > 0 && !parents.some((parent) => isMadeAfter(space, entry, parent))) return undefined;
    const makerKey = this.#keyOf(entry.maker, catalog);
    if (makerKey === undefined) return undefined;
    for (const taker of this.#options.takers()) {
      const secret = openBox(space, entry, makerKey, taker);
      if (secret?.length === SECRET_BYTES) return secret;
    }
    return undefined;
  }

  /** As an epoch had it: what the catalog says of a replica may be another one's by now. */
  #keyOf(replica: ReplicaId, catalog: Catalog): Uint8Array | undefined {
    for (const { id } of [...this.#known.values()].sort((a, b) => b.epoch - a.epoch)) {
      const box = this.#entries.get(id)?.boxes.find((one) => one.id === replica);
      if (box !== undefined) return box.key;
    }
    return catalog.replicas.get(replica)?.value.publicKey;
  }

  #next(): KnownEpoch | undefined {
    const following = [...this.#entries.values()].filter(
      (entry) => this.#known.has(entry.id) && this.#isNext(entry, this.#current),
    );
    const [best] = following.sort((a, b) => b.epoch - a.epoch || compareText(a.id, b.id));
    return best && this.#known.get(best.id);
  }

  #goOn(catalog: Catalog): void {
    const step = () => this.#next() ?? this.#sideways(catalog);
    for (let next = step(); next !== undefined; next = step()) this.#writeUnder(next);
  }

  #isNext(entry: EpochEntry, current: KnownEpoch): boolean {
    if (!entry.parents.includes(current.id)) return false;
    return this.#judged(`${entry.id} ${textOf(entry.proofs)}`, current, () =>
      isMadeAfter(this.#options.ring.space, entry, current),
    );
  }

  /** The catalog is looked at with each of its changes; codes stay what they are. */
  #judged(what: string, { id }: KnownEpoch, judge: () => boolean): boolean {
    const key = `${id} ${what}`;
    const known = this.#judgements.get(key) ?? judge();
    this.#judgements.set(key, known);
    return known;
  }

  #writeUnder(known: KnownEpoch): void {
    this.#current = known;
    this.#options.ring.writeUnder(known);
  }

  #keep(known: KnownEpoch): void {
    if (this.#known.has(known.id)) return;
    this.#known.set(known.id, known);
    this.#options.ring.learn(known);
  }

  #save(): void {
    const later = [...this.#known.values()].filter(({ id }) => id !== FIRST_EPOCH);
    const known = later.map(({ secret, ...epoch }) => ({ ...epoch, secret: bytesToBase64Url(secret) }));
    this.#options.save({ current: this.#current.id, known });
  }

  /** Who has the secret that is written under, as far as this replica can tell. */
  members(catalog: Catalog, of: KnownEpoch = this.#current): ReadonlyMap<RecipientId, Recipient> {
    const gone = withoutAccess(catalog);
    const entry = this.#entries.get(of.id);
    const isSure = (proof: Uint8Array | undefined, recipient: Recipient): boolean =>
      this.#hasShown(of, recipient, proof);
    const replicas = [...catalog.replicas].flatMap(([id, { value }]) => {
      const recipient = { id, key: value.publicKey };
      return isSure(value.keyProof, recipient) ? [recipient] : [];
    });
    const standing = standingInvitationKeys(catalog, this.#options.platform.now());
    const invited = [...standing.values()].filter((one) => isSure(one.proof, one));
    const boxed = (entry?.boxes ?? []).filter(({ id }) => !isInvitation(id) || standing.has(id));
    const all = [...boxed, ...replicas, ...invited].filter(({ id }) => !gone.has(id as ReplicaId));
    return new Map(all.map(({ id, key }) => [id, { id, key }]));
  }

  /**
   * Shows to the others that this replica has the secret that is written under.
   *
   * @param before - what it has shown: nobody is to think that it has forgotten the earlier ones
   */
  ownProof(recipient: Recipient, before: Uint8Array = new Uint8Array()): Uint8Array | undefined {
    if (this.#current.id === FIRST_EPOCH) return undefined;
    if (this.hasShown(recipient, before)) return before;
    const kept = before.subarray(0, PROOF_BYTES * (MAX_PROOFS - 1));
    return new Uint8Array(Buffer.concat([proofOfHaving(this.#current, recipient), kept]));
  }

  /** Whether a replica has shown it. */
  hasShown(recipient: Recipient, proof: Uint8Array | undefined): boolean {
    return this.#hasShown(this.#current, recipient, proof);
  }

  #hasShown(of: KnownEpoch, recipient: Recipient, proof: Uint8Array | undefined): boolean {
    if (of.id === FIRST_EPOCH) return true;
    if (proof === undefined) return false;
    return this.#judged(`${recipient.id} ${textOf([recipient.key, proof])}`, of, () =>
      isOwnProof(of, proof, recipient),
    );
  }

  /** Whether an epoch has to be begun before more is written. */
  isDue(catalog: Catalog): boolean {
    return this.#owed.size > 0 || this.#besides(catalog).length > 0;
  }

  /** Epochs that were begun at the same time, and that removed or brought in somebody whom the current one did not. */
  #besides(catalog: Catalog): readonly Sibling[] {
    const mine = this.members(catalog);
    return this.#siblings(catalog, mine).filter(({ removes, brings, lacks }) => removes || (brings && lacks));
  }

  /** One that was begun at the same time and serves everybody: all who have both go on with the same. */
  #sideways(catalog: Catalog): KnownEpoch | undefined {
    const mine = this.members(catalog);
    const { id, epoch } = this.#current;
    const better = this.#siblings(catalog, mine).filter(({ entry, removes, brings, lacks }) => {
      if (removes || lacks) return false;
      return brings || entry.epoch > epoch || (entry.epoch === epoch && compareText(entry.id, id) < 0);
    });
    const [best] = better.sort(
      (a, b) => b.entry.epoch - a.entry.epoch || compareText(a.entry.id, b.entry.id),
    );
    return best && this.#known.get(best.entry.id);
  }

  /** Epochs beside the current one: those that removed somebody, and those that nobody has who was removed here. */
  #siblings(catalog: Catalog, mine: ReadonlyMap<RecipientId, Recipient>): readonly Sibling[] {
    const lineage = this.#lineageOf(this.#current.id);
    return [...this.#entries.values()].flatMap((entry) => {
      const known = this.#known.get(entry.id);
      if (known === undefined || lineage.has(entry.id)) return [];
      const theirLineage = this.#lineageOf(entry.id);
      if (theirLineage.has(this.#current.id)) return [];
      const theirs = this.members(catalog, known);
      const removes = this.#removedIn(theirLineage, lineage).some((one) => mine.has(one));
      const holders = [...theirs.keys(), ...entry.boxes.map(({ id }) => id)];
      const isTainted = this.#removedIn(lineage, theirLineage).some((one) => holders.includes(one));
      const isTrusted = mine.has(entry.maker);
      if (!removes && (isTainted || !isTrusted)) return [];
      const brings = [...theirs.keys()].some((one) => !mine.has(one));
      const lacks = isTainted || [...mine.keys()].some((one) => !theirs.has(one));
      return [{ entry, isTrusted, removes, brings, lacks }];
    });
  }

  /** Who was removed in some epochs, and not in others. */
  #removedIn(lineage: ReadonlySet<EpochId>, except: ReadonlySet<EpochId>): readonly RecipientId[] {
    return [...lineage].flatMap((id) => (except.has(id) ? [] : (this.#entries.get(id)?.removed ?? [])));
  }

  /** Who was removed in the epoch that is written under, and in those that it follows. */
  get removed(): ReadonlySet<RecipientId> {
    return new Set(this.#removedIn(this.#lineageOf(this.#current.id), new Set()));
  }

  #lineageOf(id: EpochId): ReadonlySet<EpochId> {
    const lineage = new Set([id]);
    for (const one of lineage)
      for (const parent of this.#entries.get(one)?.parents ?? []) lineage.add(parent);
    return lineage;
  }

  /**
   * A new epoch after the current one and those beside it, for whoever has one of their secrets and is not removed.
   * It is written under once the catalog has it.
   *
   * @param added - who is known to the relay only
   */
  begin(
    catalog: Catalog,
    by: { readonly keys: KeyPair; readonly at: number },
    removed: ReadonlySet<RecipientId>,
    added: readonly Recipient[] = [],
  ): EpochEntry {
    const { ring, platform, replica } = this.#options;
    const besides = this.#besides(catalog);
    const merged = besides.flatMap(({ entry, isTrusted }) =>
      isTrusted ? (this.#known.get(entry.id) ?? []) : [],
    );
    const parents = [this.#current, ...merged];
    const lineage = this.#lineageOf(this.#current.id);
    // Of tokens that end, nobody counts who was removed: they would be ended at the relay.
    const removedBeside = besides.flatMap(({ entry, isTrusted }) =>
      this.#removedIn(this.#lineageOf(entry.id), lineage).filter((one) => isTrusted || !isAccess(one)),
    );
    const removedHere = merged.flatMap(({ id }) => this.#removedIn(lineage, this.#lineageOf(id)));
    const gone = new Set([...removed, ...removedBeside, ...removedHere]);
    gone.delete(replica());
    const members = new Map(parents.flatMap((parent) => [...this.members(catalog, parent)]));
    for (const one of [...this.#owed.values(), ...added]) if (!members.has(one.id)) members.set(one.id, one);
    // Who is removed still has the links that it made.
    for (const [id, { maker }] of standingInvitationKeys(catalog, platform.now()))
      if (gone.has(maker)) members.delete(id);
    members.delete(replica());
    const secret = {
      id: bytesToHex(platform.random(ID_BYTES)),
      epoch: Math.max(...[...this.#known.values(), ...this.#entries.values()].map(({ epoch }) => epoch)) + 1,
      secret: platform.random(SECRET_BYTES),
    };
    const recipients = [...members.values(), { id: replica(), key: by.keys.publicKey }];
    return makeEpoch(
      ring.space,
      { secret, at: by.at, removed: [...gone] },
      { maker: replica(), keys: by.keys },
      {
        recipients: recipients.filter(({ id }) => !gone.has(id)),
        parents,
        previous: [...this.#known.values()].filter(({ id }) => id !== FIRST_EPOCH),
      },
    );
  }
}

/** An epoch beside the current one. */
interface Sibling {
  readonly entry: EpochEntry;
  /** Its maker has the current secret. Of one that was removed, nothing counts but whom it removed. */
  readonly isTrusted: boolean;
  /** It removed somebody who has the current secret. */
  readonly removes: boolean;
  /** Somebody has its secret who lacks the current one. */
  readonly brings: boolean;
  readonly lacks: boolean;
}

const isInvitation = (id: RecipientId): boolean => id.includes(":");

/** The epoch, and a code of its secret over whose key it is. */
const proofOfHaving = ({ id, secret }: KnownEpoch, { id: of, key }: Recipient): Uint8Array =>
  new Uint8Array(Buffer.concat([bytesFromHex(id), proofOf(secret, boundBytes(of, key))]));

const textOf = (parts: readonly Uint8Array[]): string => parts.map(bytesToBase64Url).join(" ");

function isOwnProof({ id, secret }: KnownEpoch, proofs: Uint8Array, { id: of, key }: Recipient): boolean {
  for (let start = 0; start < proofs.length; start += PROOF_BYTES) {
    const proof = proofs.subarray(start, start + PROOF_BYTES);
    if (bytesToHex(proof.subarray(0, ID_BYTES)) === id)
      return isProof(secret, boundBytes(of, key), proof.subarray(ID_BYTES));
  }
  return false;
}

const boundBytes = (id: RecipientId, key: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(`${id}:`), key]));
