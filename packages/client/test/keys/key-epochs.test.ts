import { bytesToBase64Url, type Catalog, KeyRing, type ReplicaId, type SpaceId } from "@cambium/core";
import { expect, test } from "vitest";
import {
  type EpochEntry,
  entryValue,
  epochKey,
  FIRST_EPOCH,
  type KnownEpoch,
  openBox,
  previousOf,
} from "../../src/keys/epoch-entry.js";
import { KeyEpochs } from "../../src/keys/key-epochs.js";
import { type KeyPair, keyPairFrom } from "../../src/keys/key-exchange.js";
import { endedAccess, invitationRecipient } from "../../src/keys/key-recipients.js";
import { invitationKeys } from "../../src/keys/takers.js";
import { noteKey, noteValue } from "../../src/sync/invitation-notes.js";
import { seededBytes } from "../support/seeded.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const FIRST = new Uint8Array(32).fill(7);

/** What each device says in the catalog, as facts that travel in any order. */
type Fact =
  | { readonly kind: "epoch"; readonly entry: EpochEntry }
  | {
      readonly kind: "replica";
      readonly id: ReplicaId;
      readonly key: Uint8Array;
      readonly keyProof?: Uint8Array | undefined;
      readonly under: KnownEpoch;
    }
  | {
      readonly kind: "invitation";
      readonly maker: ReplicaId;
      readonly token: string;
      readonly key: Uint8Array;
      readonly keyProof?: Uint8Array | undefined;
    };

interface Written {
  readonly by: ReplicaId;
  readonly under: KnownEpoch;
  /** Whom the writer knew to be removed. */
  readonly removed: readonly ReplicaId[];
}

/** One device: a set of facts that it has, and what it makes of them. */
class Party {
  readonly facts = new Set<Fact>();
  readonly epochs: KeyEpochs;
  readonly keys: KeyPair;
  readonly id: ReplicaId;
  readonly written: Written[] = [];
  readonly removed = new Set<ReplicaId>();
  isRemoved = false;
  #shown: Uint8Array | undefined;

  constructor(
    world: Model,
    number: number,
    cameWith?: { readonly seed: Uint8Array; readonly current: KnownEpoch },
  ) {
    this.id = `01900000-0000-7000-8000-0000000000${(number + 16).toString(16)}` as ReplicaId;
    this.keys = keyPairFrom(world.random(32));
    const link = cameWith && invitationKeys(cameWith.seed);
    const kept = cameWith?.current.id === FIRST_EPOCH ? undefined : cameWith?.current;
    this.epochs = new KeyEpochs({
      ring: new KeyRing(SPACE, { epoch: 0, secret: FIRST }),
      ...{ first: FIRST, platform: { random: world.random, now: () => 0 }, replica: () => this.id },
      takers: () => [
        { id: this.id, keys: this.keys },
        ...(link === undefined ? [] : [{ id: invitationRecipient(link.publicKey), keys: link }]),
      ],
      kept: kept && { current: kept.id, known: [{ ...kept, secret: bytesToBase64Url(kept.secret) }] },
      save: () => {},
    });
    this.introduce();
  }

  get catalog(): Catalog {
    const settings = new Map<string, unknown>();
    const replicas = new Map<string, unknown>();
    const known = [FIRST_EPOCH, ...this.#knownIds()];
    for (const fact of this.facts) {
      if (fact.kind === "epoch")
        settings.set(epochKey(fact.entry.id), { value: { value: entryValue(fact.entry) }, others: [] });
      else if (fact.kind === "invitation")
        settings.set(noteKey(fact.token), {
          value: {
            value: noteValue({
              replica: fact.maker,
              at: 0,
              mark: new Uint8Array(),
              key: fact.key,
              keyProof: fact.keyProof,
            }),
          },
          others: [],
        });
      else if (known.includes(fact.under.id))
        replicas.set(fact.id, {
          value: { name: fact.id, publicKey: fact.key, keyProof: fact.keyProof },
          others: [],
        });
    }
    return { settings, replicas } as unknown as Catalog;
  }

  #knownIds(): readonly string[] {
    return [...this.facts].flatMap((fact) =>
      fact.kind === "epoch" && this.epochs.knows(fact.entry.id) ? [fact.entry.id] : [],
    );
  }

  introduce(): void {
    const own = { id: this.id, key: this.keys.publicKey };
    const keyProof = this.epochs.ownProof(own, this.#shown);
    this.#shown = keyProof;
    this.facts.add({ kind: "replica", ...own, keyProof, under: this.epochs.current });
  }

  /** Follows what has come; a device that has just got a key may see more. */
  settle(): void {
    for (let before = ""; before !== this.epochs.current.id + this.epochs.size; ) {
      before = this.epochs.current.id + this.epochs.size;
      const { id } = this.epochs.current;
      this.epochs.learn(this.catalog);
      for (const fact of this.facts)
        if (fact.kind === "epoch" && this.epochs.knows(fact.entry.id))
          for (const one of fact.entry.removed) this.removed.add(one as ReplicaId);
      if (this.epochs.isDue(this.catalog)) this.begin();
      if (this.epochs.current.id !== id) this.introduce();
    }
  }

  begin(removed: readonly ReplicaId[] = []): void {
    const by = { keys: this.keys, at: 0 };
    const entry = this.epochs.begin(this.catalog, by, new Set(removed));
    this.facts.add({ kind: "epoch", entry });
    this.settle();
  }

  write(): void {
    this.written.push({ by: this.id, under: this.epochs.current, removed: [...this.removed] });
  }
}

class Model {
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
  readonly parties: Party[] = [];

  constructor(seed: number) {
    this.random = seededBytes(seed);
    const count = 3 + this.below(2);
    for (let place = 0; place < count; place += 1) this.parties.push(new Party(this, place));
    for (const party of this.parties) this.sync(party);
    for (const party of this.parties) this.sync(party);
  }

  below(limit: number): number {
    return (this.random(1)[0] ?? 0) % limit;
  }

  /** Through a relay that a removed device no longer speaks to. */
  readonly shared = new Set<Fact>();

  sync(party: Party): void {
    if (party.isRemoved) return;
    for (let round = 0; round < 2; round += 1) {
      for (const fact of party.facts) this.shared.add(fact);
      for (const fact of this.shared) party.facts.add(fact);
      party.settle();
    }
  }

  step(): void {
    const here = this.parties.filter(({ isRemoved }) => !isRemoved);
    const party = here[this.below(here.length)] as Party;
    const action = this.below(10);
    if (action < 3) party.write();
    else if (action < 6) this.sync(party);
    else if (action === 6) party.begin();
    else if (action < 9) {
      const others = here.filter((one) => one !== party);
      const other = others[this.below(others.length)];
      // Somebody has to be left who knows everything.
      if (other === undefined || here.length < 3) return;
      party.begin([other.id]);
      this.sync(party);
      other.isRemoved = true;
    } else if (this.parties.length < 7) this.#join(party);
  }

  /** Who joins may have waited with it while others began a key. */
  #join(party: Party): void {
    this.sync(party);
    const seed = this.random(16);
    const current = party.epochs.current;
    const key = invitationKeys(seed).publicKey;
    const keyProof = party.epochs.ownProof({ id: invitationRecipient(key), key });
    party.facts.add({ kind: "invitation", maker: party.id, token: bytesToBase64Url(seed), key, keyProof });
    this.sync(party);
    if (this.below(2) === 0) {
      const others = this.parties.filter((one) => !one.isRemoved && one !== party);
      const other = others[this.below(others.length)];
      other?.begin();
    }
    const joined = new Party(this, this.parties.length, { seed, current });
    this.parties.push(joined);
    this.sync(joined);
    // Whoever joined is known to some who stay.
    for (let round = 0; round < 2; round += 1) for (const one of this.parties) this.sync(one);
  }
}

/** Every secret that somebody gets who has these keys, all that was ever sent, and time. */
function reachable(
  party: Party,
  facts: ReadonlySet<Fact>,
  makers: ReadonlyMap<string, Uint8Array>,
): ReadonlySet<string> {
  const found = new Map<string, KnownEpoch>();
  const open = (entry: EpochEntry, secret: Uint8Array): void => {
    found.set(entry.id, { id: entry.id, epoch: entry.epoch, secret });
    for (const one of previousOf(entry, secret)) found.set(one.id, one);
  };
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const fact of facts) {
      if (fact.kind !== "epoch") continue;
      const { entry } = fact;
      const makerKey = makers.get(entry.maker);
      const own = makerKey && openBox(SPACE, entry, makerKey, { id: party.id, keys: party.keys });
      const secret = own ?? found.get(entry.id)?.secret;
      if (secret !== undefined) open(entry, secret);
    }
  }
  return new Set([FIRST_EPOCH, ...found.keys()]);
}

test("[KE1] [KE2] [KE3] whoever stays reads everything, and a removed device nothing that was written after, in any history", () => {
  let removals = 0;
  let epochs = 0;
  for (let seed = 1; seed <= 10; seed += 1) {
    const model = new Model(seed);
    for (let step = 0; step < 30; step += 1) model.step();
    // What a device wrote offline arrives, and everybody hears of everything.
    for (let round = 0; round < 6; round += 1) for (const party of model.parties) model.sync(party);
    const staying = model.parties.filter(({ isRemoved }) => !isRemoved);
    const written = model.parties.flatMap((party) => (party.isRemoved ? [] : party.written));
    for (const party of staying)
      for (const { under, by } of written)
        expect(
          under.id === FIRST_EPOCH || party.epochs.knows(under.id),
          `${seed}: ${party.id} reads ${by}`,
        ).toBe(true);
    expect(
      new Set(staying.map(({ epochs }) => epochs.members(staying[0]?.catalog as Catalog).size)).size,
    ).toBe(1);
    const makers = new Map(model.parties.map(({ id, keys }) => [id as string, keys.publicKey]));
    const facts = new Set(model.parties.flatMap(({ facts }) => [...facts]));
    for (const party of model.parties.filter(({ isRemoved }) => isRemoved)) {
      removals += 1;
      const reached = reachable(party, facts, makers);
      for (const { under, removed, by } of written)
        if (removed.includes(party.id))
          expect(reached.has(under.id), `${seed}: ${by} to ${party.id}`).toBe(false);
    }
    epochs += [...facts].filter(({ kind }) => kind === "epoch").length;
  }
  expect(removals).toBeGreaterThan(10);
  expect(epochs).toBeGreaterThan(40);
});

test("[KE17] that a token has ended counts from members; from one who was removed it ends nobody's", () => {
  const model = new Model(1);
  const [ada, bob, carol] = model.parties as [Party, Party, Party];
  const [ofBob, ofCarol] = [endedAccess("b"), endedAccess("c")] as unknown as [ReplicaId, ReplicaId];
  bob.isRemoved = true;
  ada.begin([bob.id, ofBob]);
  bob.begin([carol.id, ofCarol]);
  for (const fact of bob.facts) model.shared.add(fact); // by a relay that helps
  for (const party of [ada, carol, ada]) model.sync(party);
  expect(ada.epochs.removed).toContain(ofBob);
  expect(ada.epochs.removed).toContain(carol.id);
  expect(ada.epochs.removed).not.toContain(ofCarol);
  ada.begin([ofCarol]);
  expect([...ada.epochs.removed]).toEqual(expect.arrayContaining([ofBob, ofCarol]));
});
