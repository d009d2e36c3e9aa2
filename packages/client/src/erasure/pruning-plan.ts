/**
 * What retention may prune in a space: the records that are here, what each branch has of them, and what the other devices
 * have said that they have, put together for core, which decides.
 *
 * @module
 */
import {
  type BranchId,
  type Catalog,
  type ChangeHash,
  type ChangeSet,
  type History,
  type LiveBranch,
  type MemoryId,
  memoryIdOfKey,
  type PartHash,
  type PrunedText,
  type RecordHash,
  type Reference,
  type ReplicaId,
  type RetentionRecord,
  type RetentionRule,
  referencesOf,
  retentionRule,
  type SetSetting,
  textsToPrune,
  throwIfAborted,
  waitDays,
} from "@cambium/core";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { SEEN } from "../documents/packs.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { ErasureServices } from "./services.js";

/** What a device has said that it has. */
interface SeenNote {
  /** By its clock, in milliseconds since 1970. */
  readonly at: number;
  readonly heads: Readonly<Record<BranchId, readonly ChangeHash[]>>;
}

/** A text that may go, and of which memory. */
export interface MemoryText extends PrunedText {
  readonly memory: MemoryId;
  /** One of the records that say it. */
  readonly reference: Reference;
}

export interface PruningPlan {
  /** Of all records that are here. */
  readonly byMemory: ReadonlyMap<MemoryId, readonly HeldHeader[]>;
  readonly texts: readonly MemoryText[];
  /** Devices that have not said what they have: nothing goes that they may build upon. */
  readonly waitingFor: readonly ReplicaId[];
}

const DAY_MS = 86_400_000;
/** So many are looked at before others get on. */
const MEMORIES_AT_ONCE = 64;

export async function planPruning(
  services: ErasureServices,
  settings: ReadonlyMap<string, SetSetting>,
  signal?: AbortSignal,
): Promise<PruningPlan> {
  const headers = (await services.packErasure.headers({ signal })).filter(({ type }) => type !== "name");
  const byMemory = Map.groupBy(headers, ({ memory }) => memory);
  const devices = otherDevices(services, settings);
  const space = await branchesOf(services, settings, devices, byMemory);
  const now = sharedNow(services.now(), devices);
  const texts: MemoryText[] = [];
  const turns = new ShortTurns({ pieces: MEMORIES_AT_ONCE });
  for (const [memory, records] of byMemory) {
    throwIfAborted(signal);
    await turns.piece(); // writes go before
    const found = space.of(memory);
    if (found === undefined) continue;
    const gone = new Set(
      records.flatMap(({ content }) =>
        services.packs.erasures.coversPart(content.hash) ? [content.hash] : [],
      ),
    );
    const pruned = textsToPrune({ ...found, gone, records: records.map(retentionRecord) }, now);
    for (const text of pruned) {
      const first = records.find(({ hash }) => hash === text.records[0]);
      if (first !== undefined)
        texts.push({ ...text, memory, reference: { record: first.hash, pack: first.pack } });
    }
  }
  const waitingFor = devices.flatMap(({ id, note }) => (note === undefined ? [id] : []));
  return { texts, byMemory, waitingFor };
}

export const retentionRecord = ({
  hash,
  parents,
  decides,
  type,
  at,
  content,
}: HeldHeader): RetentionRecord => ({
  ...{ hash, parents, decides, type, at },
  content: content.hash as PartHash,
});

/** A device that may write, and what it has said. */
interface OtherDevice {
  readonly id: ReplicaId;
  readonly note: SeenNote | undefined;
}

/** Those that are waited for. One that has been silent for too long is not; it finds what it needs pruned. */
function otherDevices(
  { catalog, replica, now }: ErasureServices,
  settings: ReadonlyMap<string, SetSetting>,
): readonly OtherDevice[] {
  const { replicas } = catalog.current;
  const ruledAt = Math.min(
    ...[...settings].flatMap(([key, { at }]) => (key.startsWith("retention.") ? [at] : [])),
  );
  const removed = removedIn(catalog.current);
  return [...replicas.keys()].flatMap((key) => {
    const id = key as ReplicaId;
    if (id === replica() || removed.has(id)) return [];
    const note = seenBy(catalog.current, id);
    const silentDays = (now() - (note?.at ?? ruledAt)) / DAY_MS;
    return silentDays > waitDays(settings) ? [] : [{ id, note }];
  });
}

/** A member may run other code than ours. */
function seenBy({ settings }: Catalog, replica: ReplicaId): SeenNote | undefined {
  const value = settings.get(SEEN + replica)?.value.value;
  if (!isObject(value) || typeof value.at !== "number" || !isObject(value.heads)) return undefined;
  const isSound = Object.values(value.heads).every(
    (heads) => Array.isArray(heads) && heads.every((head) => typeof head === "string"),
  );
  return isSound ? (value as unknown as SeenNote) : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Who has no part in the key any more. */
function removedIn({ settings }: Catalog): ReadonlySet<string> {
  const removed = new Set<string>();
  for (const [key, { value }] of settings) {
    if (!key.startsWith("epoch:") || !isObject(value.value)) continue;
    const listed = value.value.removed;
    if (Array.isArray(listed)) for (const id of listed) if (typeof id === "string") removed.add(id);
  }
  return removed;
}

/** By which time texts are old. */
export const retentionNow = (services: ErasureServices, settings: ReadonlyMap<string, SetSetting>): number =>
  sharedNow(services.now(), otherDevices(services, settings));

/** No clock alone makes anything old: where there are other devices, one of them has to have seen as late a time. */
function sharedNow(own: number, devices: readonly OtherDevice[]): number {
  const others = devices.flatMap(({ note }) => (note === undefined ? [] : [note.at]));
  return others.length === 0 ? own : Math.min(own, Math.max(...others));
}

interface FoundMemory {
  readonly branches: readonly LiveBranch[];
  readonly kept: ReadonlySet<RecordHash>;
  readonly rules: readonly RetentionRule[];
}

/** What is known of one branch. */
interface KnownBranch {
  readonly history: History;
  /** What every device has of it. */
  readonly common: ChangeSet;
  readonly kept: readonly ChangeSet[];
  readonly rules: ReadonlyMap<MemoryId, RetentionRule>;
  /** In conflict, pinned, or not all here: they stay as they are. */
  readonly untouched: ReadonlySet<MemoryId>;
  readonly keys: ReadonlyMap<MemoryId, string>;
}

async function branchesOf(
  services: ErasureServices,
  settings: ReadonlyMap<string, SetSetting>,
  devices: readonly OtherDevice[],
  byMemory: ReadonlyMap<MemoryId, readonly HeldHeader[]>,
) {
  const known: KnownBranch[] = [];
  for (const { id, status } of await services.directory.all())
    if (status !== "deleted") known.push(await branchOf(services, settings, devices, id));
  const of = (memory: MemoryId): FoundMemory | undefined => {
    if (known.some(({ untouched }) => untouched.has(memory))) return undefined;
    if (services.index.tables.concealed.hasId(memory)) return undefined; // nobody sees what would go
    const having = known.filter(({ keys }) => keys.has(memory));
    const parents = new Map((byMemory.get(memory) ?? []).map(({ hash, parents: above }) => [hash, above]));
    const recordsIn = ({ history, keys }: KnownBranch, set: ChangeSet): ReadonlySet<RecordHash> =>
      withAncestors(
        history
          .writes(keys.get(memory) ?? "")
          .flatMap((write) => (set[write.position] === 1 ? referencesOf(write) : [])),
        parents,
      );
    return {
      branches: having.map((branch) => ({
        known: recordsIn(branch, branch.history.all()),
        common: recordsIn(branch, branch.common),
      })),
      kept: new Set(
        having.flatMap((branch) =>
          branch.kept.flatMap((set) => [...standingIn(recordsIn(branch, set), byMemory.get(memory) ?? [])]),
        ),
      ),
      rules: having.map(({ rules }) => rules.get(memory) ?? retentionRule(settings, {})),
    };
  };
  return { of };
}

async function branchOf(
  { views, index, checkpoints }: ErasureServices,
  settings: ReadonlyMap<string, SetSetting>,
  devices: readonly OtherDevice[],
  id: BranchId,
): Promise<KnownBranch> {
  const view = await views.open(id);
  const { history } = view.whole();
  const at = (heads: readonly ChangeHash[] | undefined): ChangeSet | undefined =>
    heads?.every((head) => history.has(head)) ? history.ancestors(heads) : undefined;
  const common = history.all();
  for (const { note } of devices) {
    const seen = at(note?.heads[id]);
    for (const position of common.keys()) if (seen?.[position] !== 1) common[position] = 0;
  }
  const kept = (await checkpoints.all()).flatMap(({ entry, state }) => {
    const isByHand = entry.cause === "manual" && state === "kept" && entry.branch === id;
    return isByHand ? [at(entry.heads) ?? history.all()] : [];
  });
  const state = index.states.stateAt(view.row, undefined);
  const rules = new Map<MemoryId, RetentionRule>();
  const untouched = new Set<MemoryId>();
  for (const { id: memory, category, area, pins } of index.states.metadata(state, "with")) {
    rules.set(memory, retentionRule(settings, { category, area }));
    if (pins.length > 0) untouched.add(memory);
  }
  for (const { id: memory, conflicts, incomplete } of index.states.unsettled(state))
    if (conflicts.length > 0 || incomplete !== undefined) untouched.add(memory);
  const keys = new Map<MemoryId, string>();
  for (const key of history.keys()) {
    const memory = memoryIdOfKey(key);
    if (memory !== undefined) keys.set(memory, key);
  }
  return { history, common, kept, rules, untouched, keys };
}

function withAncestors(
  references: readonly { readonly record: RecordHash }[],
  parents: ReadonlyMap<RecordHash, readonly RecordHash[]>,
): ReadonlySet<RecordHash> {
  const found = new Set<RecordHash>();
  const open = references.map(({ record }) => record);
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    open.push(...(parents.get(hash) ?? []));
  }
  return found;
}

/** What such a state shows: its tips, and the nearest before them that decide the text. */
function standingIn(
  records: ReadonlySet<RecordHash>,
  headers: readonly HeldHeader[],
): ReadonlySet<RecordHash> {
  const byHash = new Map(headers.map((header) => [header.hash, header]));
  const followed = new Set([...records].flatMap((hash) => byHash.get(hash)?.parents ?? []));
  const standing = new Set<RecordHash>();
  const open = [...records].filter((hash) => !followed.has(hash));
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (standing.has(hash)) continue;
    standing.add(hash);
    const header = byHash.get(hash);
    const isDeciding =
      header === undefined || header.parents.length === 0 || header.decides.includes("content");
    if (!isDeciding) open.push(...header.parents);
  }
  return standing;
}

/** Returns what this device has, to be said to the others; undefined when it is as it was said. */
export async function seenHere(services: ErasureServices): Promise<SeenNote | undefined> {
  const { catalog, directory, views, index, now, replica } = services;
  const heads: Record<BranchId, readonly ChangeHash[]> = {};
  const before = seenBy(catalog.current, replica());
  for (const { id, status } of await directory.all()) {
    if (status === "deleted") continue;
    const view = await views.look(id);
    const state = view.absence === undefined ? index.states.stateAt(view.row, undefined) : undefined;
    // A device that cannot read all of it may write upon what came before.
    const isWhole =
      state !== undefined &&
      index.states.unreadable(state).length === 0 &&
      index.states.unsettled(state).every(({ incomplete }) => incomplete === undefined);
    const known = isWhole ? view.heads : before?.heads[id];
    if (known !== undefined) heads[id] = known;
  }
  return JSON.stringify(before?.heads ?? {}) === JSON.stringify(heads) && isRecent(before, now())
    ? undefined
    : { at: now(), heads };
}

/** It is a sign of life, too; but not more than one a day. */
const isRecent = (note: SeenNote | undefined, now: number): boolean =>
  note !== undefined && now - note.at < DAY_MS;
