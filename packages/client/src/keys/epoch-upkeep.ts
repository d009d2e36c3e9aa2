/**
 * Going on to the key epoch that the catalog names, and beginning one: when somebody is removed, when two were begun at
 * once, or when the owner wants it.
 *
 * @module
 */
import type { Catalog } from "@cambium/core";
import type { NewKey, Role, SpaceKeyStatus } from "../api.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { Identity } from "../documents/identity.js";
import {
  type EpochEntry,
  entryValue,
  epochKey,
  FIRST_EPOCH,
  type Recipient,
  type RecipientId,
} from "./epoch-entry.js";
import type { KeyEpochs } from "./key-epochs.js";
import { keyPairFrom } from "./key-exchange.js";
import { withoutAccess } from "./key-recipients.js";

export interface EpochUpkeepOptions {
  readonly epochs: KeyEpochs;
  readonly catalog: CatalogKeeper;
  readonly documents: Documents;
  readonly identity: Pick<Identity, "id" | "publicKey" | "privateKey">;
  readonly clock: { readonly now: () => number };
  readonly role: () => Role;
  /** Whether this device knows what the space holds, so that it can tell who is in it. */
  readonly hasHeard: () => boolean;
  /** Says to the others that the key is here. */
  readonly introduce: () => Promise<void>;
  /** Something was judged when a key was lacking. */
  readonly judgeAgain: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Who loses the key with the next epoch, and who gets it beside those whom the catalog names. */
export interface EpochChange {
  readonly removed: ReadonlySet<RecipientId>;
  /** Devices that only read: the relay alone knows of them. */
  readonly readers: readonly Recipient[];
  /** All that keep their access, by name: as whom each may find the key, itself and who comes by its invitation. */
  readonly staying: readonly { readonly name: string; readonly as: readonly RecipientId[] }[];
}

export class EpochUpkeep {
  readonly #options: EpochUpkeepOptions;
  #settling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: EpochUpkeepOptions) {
    this.#options = options;
  }

  /** From now on, whatever the catalog brings is followed. */
  async open(): Promise<void> {
    const { catalog } = this.#options;
    this.#follow(catalog.current);
    catalog.onChange((current) => this.#follow(current));
    await this.#settling;
  }

  /** Resolves when what has come is followed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#settling;
  }

  /** Looks at the catalog again, for something that is here now. */
  follow(): void {
    this.#follow(this.#options.catalog.current);
  }

  /** At once, so that nothing more is written under the key before it. */
  #follow(current: Catalog): void {
    const { epochs, onFailure } = this.#options;
    const hasMoved = epochs.learn(current);
    if (!hasMoved && (this.#isClosed || !this.#mayBegin || !epochs.isDue(current))) return;
    this.#settling = this.#settling.then(() => this.#settle(hasMoved)).catch(onFailure);
  }

  /** Who has just joined follows first. */
  get #mayBegin(): boolean {
    return this.#options.role() !== "read" && this.#options.hasHeard();
  }

  async #settle(hasMoved: boolean): Promise<void> {
    const { catalog, epochs, introduce, judgeAgain } = this.#options;
    if (hasMoved) {
      await catalog.readAgain();
      await judgeAgain();
    }
    if (this.#isClosed || this.#options.role() === "read") return;
    if (this.#mayBegin && epochs.isDue(catalog.current))
      await this.#put((current) => (epochs.isDue(current) ? this.#made(current) : undefined));
    await introduce();
  }

  #made(
    current: Catalog,
    removed: ReadonlySet<RecipientId> = new Set(),
    readers: readonly Recipient[] = [],
  ): EpochEntry {
    const { epochs, identity, clock } = this.#options;
    return epochs.begin(
      current,
      { keys: keyPairFrom(identity.privateKey), at: clock.now() },
      removed,
      readers,
    );
  }

  async #put(make: (current: Catalog) => EpochEntry | undefined): Promise<void> {
    const { catalog, documents } = this.#options;
    await catalog.putForAll((current) => {
      const entry = make(current);
      if (entry === undefined) return [];
      return [{ map: "settings", key: epochKey(entry.id), entry: { value: entryValue(entry) } }];
    });
    await documents.flush();
  }

  /** What would be. */
  preview(change: EpochChange): NewKey {
    const { current } = this.#options.catalog;
    const { removed, readers, staying } = change;
    return shown(this.#begunFor(change, current) ?? this.#made(current, removed, readers), staying);
  }

  /** The epoch that this device began for just this, in a call that went no further. */
  #begunFor({ removed, readers }: EpochChange, catalog: Catalog): EpochEntry | undefined {
    const { epochs, identity } = this.#options;
    const entry = epochs.entry(epochs.current.id);
    if (entry?.maker !== identity.id || removed.size === 0) return undefined;
    // Whoever was invited again since has its secret.
    const holders = new Set([...epochs.members(catalog).keys(), ...readers.map(({ id }) => id)]);
    const isWithout = removed.isDisjointFrom(holders) && removed.isSubsetOf(new Set(entry.removed));
    return isWithout ? entry : undefined;
  }

  /** Begins an epoch. What is written from then on, those who are removed cannot read. */
  async begin(change: EpochChange): Promise<NewKey> {
    const { epochs } = this.#options;
    const { removed, readers, staying } = change;
    let begun: EpochEntry | undefined;
    await this.#put((current) => {
      begun = this.#begunFor(change, current);
      if (begun !== undefined) return undefined;
      begun = this.#made(current, removed, readers);
      return begun;
    });
    await this.#settling;
    return shown(begun ?? epochs.entry(epochs.current.id), staying);
  }

  /** What a person should do about keys. */
  notices(): readonly string[] {
    const { lacking, without } = this.status();
    return [
      ...(lacking === undefined
        ? []
        : [`This device was not given key ${lacking} of the space: join again with a new invitation.`]),
      ...(without.length === 0
        ? []
        : [`Not given the key of the space: ${without.join(", ")}. Invite each again.`]),
    ];
  }

  status(): SpaceKeyStatus {
    const { epochs, catalog, identity } = this.#options;
    const { id, epoch } = epochs.current;
    // Begun at the same time as the one that is written under here, it may bear the same number.
    const removed = epochs.removedFrom;
    const lacking = [...epochs.lacking, ...removed].reduce((most, entry) => Math.max(most, entry.epoch), 0);
    const since = epochs.entry(id)?.at;
    const status = {
      epoch,
      ...(since === undefined ? {} : { since }),
      ...(lacking > epoch || removed.length > 0 ? { lacking } : {}),
    };
    if (id === FIRST_EPOCH) return { ...status, waiting: [], without: [] };
    const [members, gone] = [epochs.members(catalog.current), withoutAccess(catalog.current)];
    const others = [...catalog.current.replicas].filter(
      ([of]) => of !== identity.id && !gone.has(of as never),
    );
    const unshown = others.filter(([of, { value }]) => {
      return !epochs.hasShown({ id: of, key: value.publicKey }, value.keyProof);
    });
    const named = (isMember: boolean) =>
      unshown.flatMap(([of, { value }]) => (members.has(of) === isMember ? [value.name] : [])).sort();
    return { ...status, waiting: named(true), without: named(false) };
  }
}

function shown(entry: EpochEntry | undefined, staying: EpochChange["staying"]): NewKey {
  const holders = new Set(entry?.boxes.map(({ id }) => id));
  const named = (isHolder: boolean) =>
    staying.flatMap(({ as, name }) => (as.some((id) => holders.has(id)) === isHolder ? [name] : []));
  return { epoch: entry?.epoch ?? 0, given: named(true), without: named(false) };
}
