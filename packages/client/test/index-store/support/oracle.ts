/** What core computes from the whole documents, beside what the index answers. */
import * as A from "@automerge/automerge";
import {
  type BranchId,
  type BranchState,
  bucketOf,
  type ChangeHash,
  changesUntil,
  decodeReferences,
  diffOf,
  diffStates,
  effectiveTimes,
  History,
  logOf,
  type Memory,
  type MemoryId,
  memoryIds,
  referencesAt,
  shownMemory,
} from "@cambium/core";
import { mapPaths } from "@cambium/core/automerge";
import { expect } from "vitest";
import type { SimulatedReplica } from "../../../../core/test/support/simulated-replica.js";
import type { BranchRow } from "../../../src/index-store/branch-rows.js";
import type { SpaceIndex } from "../../../src/index-store/space-index.js";
import type { IndexedState } from "../../../src/index-store/state-queries.js";
import type { IndexedObserver } from "./indexed-observer.js";

/** One state, named in a way that a failure can print. */
export interface NamedState {
  readonly name: string;
  readonly branch: BranchId;
  readonly indexed: IndexedState;
  readonly whole: BranchState;
  /** For states that heads name. */
  readonly heads?: readonly ChangeHash[];
}

const ALL = { forgotten: "with" as const, passes: () => true };
const EVERYTHING = 10_000;

/** Compares every state that a branch ever was in; returns them. */
export async function compareBranch(
  { index, replica }: IndexedObserver & { readonly index: SpaceIndex },
  branch: BranchId,
  pairs: number,
): Promise<readonly NamedState[]> {
  const row = await index.prepare(branch);
  const history = replica.history(branch);
  expect([...row.heads].sort()).toEqual(history.heads);
  const states: NamedState[] = [];
  for (const named of await statesOf(index, row, replica, pairs)) {
    states.push(named);
    await compareState(index, replica, named);
  }
  return states;
}

async function statesOf(
  index: SpaceIndex,
  row: BranchRow,
  replica: SimulatedReplica,
  pairs: number,
): Promise<readonly NamedState[]> {
  const { branch } = row;
  const whole = replica.state(branch);
  const { history, times } = whole;
  const own = [...new Set([...times, ...index.tables.changes.timesOf(row)])].filter((at) => at > 0);
  const dates = [...new Set(own.flatMap((at) => [at - 1, at]))].sort((a, b) => a - b);
  const states: NamedState[] = [
    { name: "now", branch, indexed: index.states.stateAt(row, undefined), whole },
    ...dates.map((at) => ({
      ...{ name: `at ${at}`, branch, indexed: index.states.stateAt(row, at) },
      whole: { ...whole, set: changesUntil(times, at) },
    })),
  ];
  const hashes = history.changes.map(({ hash }) => hash);
  const unions = Array.from({ length: pairs }, (_, number) => [
    hashes[(number * 7) % hashes.length] as ChangeHash,
    hashes[(number * 13 + 3) % hashes.length] as ChangeHash,
  ]);
  for (const named of [...hashes.map((hash) => [hash]), ...unions]) {
    const heads = index.headsAmong(row, named);
    const set = history.ancestors(named);
    expect([...heads].sort()).toEqual(history.headsOf(set));
    const indexed = await index.stateAtHeads(row, heads);
    states.push({ name: `heads ${named.join()}`, branch, indexed, whole: { ...whole, set }, heads });
  }
  for (const at of dates) {
    const heads = history.headsOf(changesUntil(times, at));
    if (heads.length > 0) expect([...index.headsAt(row, at)].sort(), `heads at ${at}`).toEqual(heads);
  }
  return states;
}

async function compareState(
  { states, tables, log }: SpaceIndex,
  replica: SimulatedReplica,
  { name, branch, indexed, whole, heads }: NamedState,
): Promise<void> {
  const ids = memoryIds(whole).toSorted();
  const memories: Memory[] = [];
  const unreadable: MemoryId[] = [];
  for (const id of ids) {
    const memory = await shownMemory(whole, id, replica.load);
    if (memory === undefined) unreadable.push(id);
    else memories.push(memory);
  }
  const where = `${branch.slice(0, 4)} ${name}`;
  const listed = states.list(indexed, ALL, EVERYTHING, undefined);
  expect(listed, where).toEqual(memories.toSorted(newestFirst));
  for (const memory of memories) {
    const number = tables.memories.numberOf(memory.id);
    expect(states.memory(indexed, number), where).toEqual(memory);
    expect(states.has(indexed, number), where).toBe(true);
  }
  for (const id of everyId(replica, branch)) {
    const number = tables.memories.numberOf(id);
    expect(states.has(indexed, number), `${where} has ${id}`).toBe(ids.includes(id));
    const references = referencesAt(states.writesAt(indexed, number), id).map(({ record }) => record);
    expect(references.sort(), where).toEqual(
      referencesAt(whole, id)
        .map(({ record }) => record)
        .sort(),
    );
    if (heads !== undefined && !hasForeign(whole)) {
      expect(references, `${where}, as Automerge has it`).toEqual(
        recordsInAutomerge(replica, branch, id, heads),
      );
    }
  }
  expect(states.counts(indexed), where).toEqual({
    memories: memories.filter(({ deleted }) => !deleted).length,
    conflicts: memories.filter(({ conflicts }) => conflicts.length > 0).length,
    unreadable: unreadable.length,
  });
  expect(
    states
      .unreadable(indexed)
      .map((number) => tables.memories.idOf(number))
      .sort(),
    where,
  ).toEqual(unreadable);
  const isUnsettled = ({ conflicts, incomplete }: Memory) => conflicts.length > 0 || incomplete !== undefined;
  expect(idsOf(states.unsettled(indexed).filter(isUnsettled)), where).toEqual(
    idsOf(memories.filter(isUnsettled)),
  );
  const expected = logOf(heads === undefined ? whole : alone(replica, branch, heads));
  compareLogs(log.entries(indexed, { since: -1, limit: 7, after: undefined }), expected.slice(0, 7), where);
  const all = log.entries(indexed, { since: -1, limit: EVERYTHING, after: undefined });
  compareLogs(all, expected, where);
  const after = all[2]?.hash;
  if (after !== undefined)
    expect(log.entries(indexed, { since: -1, limit: 2, after }), where).toEqual(all.slice(3, 5));
}

/** The branch as it was when nothing but the changes that led to these heads had happened, by the clocks of then. */
function alone(replica: SimulatedReplica, branch: BranchId, heads: readonly ChangeHash[]): BranchState {
  const whole = replica.history(branch);
  const set = whole.ancestors(heads);
  const history = new History();
  history.add(whole.changes.filter((_, position) => set[position] === 1));
  return { history, times: effectiveTimes(history, replica.lineage(branch)) };
}

type Log = ReturnType<typeof logOf>;

/** Equal times may be told in any order that fits the graph. */
function compareLogs(found: Log, expected: Log, where: string): void {
  expect(
    found.map(({ at }) => at),
    where,
  ).toEqual(expected.map(({ at }) => at));
  if (found.length < EVERYTHING && found.length === 7) return;
  // Who wrote what, and why, stands in records, which may be late: see "made again".
  const plain = (log: Log) =>
    log
      .map(({ by: _by, reason: _reason, text: _text, what: _what, ...entry }) => entry)
      .toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  expect(plain(found), where).toEqual(plain(expected));
  const places = new Map(found.map(({ hash }, place) => [hash, place]));
  for (const { hash, parents } of found) {
    for (const parent of parents) {
      expect(places.get(hash) as number, where).toBeLessThan(places.get(parent) ?? Number.POSITIVE_INFINITY);
    }
  }
}

/** Compares what differs between two states, of one branch or of two. */
export async function compareDiff(
  { states }: SpaceIndex,
  replica: SimulatedReplica,
  a: NamedState,
  b: NamedState,
): Promise<void> {
  const touched = states.mayDiffer(a.indexed, b.indexed);
  const found = diffOf(states.pairs(a.indexed, b.indexed, touched));
  const expected = await diffStates(a.whole, b.whole, replica.load);
  const where = `${a.branch.slice(0, 4)} ${a.name} → ${b.branch.slice(0, 4)} ${b.name}`;
  expect(idsOf(found.created), where).toEqual(idsOf(expected.created));
  expect(idsOf(found.deleted), where).toEqual(idsOf(expected.deleted));
  const changes = ({ changed }: typeof found) =>
    changed.map(({ id, fields, before, after }) => [id, fields, before.record, after.record]).sort();
  expect(changes(found), where).toEqual(changes(expected));
}

const idsOf = (memories: readonly Memory[]): readonly MemoryId[] => memories.map(({ id }) => id).sort();

const everyId = (replica: SimulatedReplica, branch: BranchId): readonly MemoryId[] =>
  memoryIds({ history: replica.history(branch), times: new Float64Array() }).toSorted();

const hasForeign = ({ history }: BranchState): boolean =>
  history.changes.some(({ statement, deps }) => statement === undefined && deps.length > 0);

export const newestFirst = (a: Memory, b: Memory): number => b.at - a.at || (a.id < b.id ? 1 : -1);

/** Records that Automerge's own view at these heads refers to. */
function recordsInAutomerge(
  replica: SimulatedReplica,
  branch: BranchId,
  id: MemoryId,
  heads: readonly ChangeHash[],
): readonly string[] {
  const path = `memories/${bucketOf(id)}`;
  const bucket = [...mapPaths("branch")].find(([, name]) => name === path)?.[0] as string;
  const backend = A.getBackend(replica.doc(branch));
  const values = backend.getAll(bucket, id, [...heads]) as unknown as [string, Uint8Array][];
  const records = values
    .flatMap(([, value]) => decodeReferences(value) ?? [])
    .map(({ record, pack }) => [record + pack, record] as const);
  return [...new Map(records).values()].sort();
}
