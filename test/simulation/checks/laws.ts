/**
 * What holds for any history, whoever wrote it and however it came: asked of one replica at rest, through its public
 * interface, and told by models that are too simple to be wrong. Independent of how the replicas are run.
 *
 * @module
 */
import type { Memory, Space } from "@cambium/client";
import { checkDecisions } from "./decisions.ts";
import { canonicalJson } from "./digest.ts";

/** A law that is broken. */
export interface Breach {
  readonly checker: string;
  readonly message: string;
}

type LogEntry = Awaited<ReturnType<Space["log"]>>["changes"][number];

/** Dear where there are many: the newest tell most. */
const MAX_UNDOS = 4;
const MAX_MERGES = 4;
const MAX_CHECKPOINTS = 3;
const MAX_DATES = 3;
const ALL = 10_000;

export async function breachesOfLaws(space: Space): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  const here = (await space.branches.list()).filter(({ isHere }) => isHere);
  const branches = here.map(({ id }) => id as string);
  for (const branch of branches) {
    const memories = await stateAt(space, branch);
    for (const memory of memories.values()) {
      const versions = await space.history(memory.id, { branch });
      breaches.push(
        ...checkDecisions(memory, versions).map((message) => breach("decisions", branch, message)),
      );
    }
    breaches.push(...checkSources([...memories.values()]).map((text) => breach("import", branch, text)));
    const { changes } = await space.log({ branch, limit: ALL });
    breaches.push(...checkTimes(changes).map((message) => breach("times", branch, message)));
    breaches.push(...checkAuthors(changes).map((message) => breach("authors", branch, message)));
    breaches.push(...(await checkUndos(space, branch, changes)));
    breaches.push(...(await checkMerges(space, branch, changes)));
    breaches.push(...(await checkDiffs(space, branch, changes)));
    breaches.push(...(await checkPast(space, branch, changes)));
  }
  return [...breaches, ...(await checkCheckpoints(space))];
}

const breach = (checker: string, branch: string, message: string): Breach => ({
  checker,
  message: `On ${branch}: ${message}`,
});

/** A change counts no earlier than what it builds on. */
function checkTimes(changes: readonly LogEntry[]): readonly string[] {
  const times = new Map<string, number>(changes.map(({ hash, at }) => [hash, at]));
  return changes.flatMap(({ hash, at, parents }) => {
    const later = parents.filter((parent) => (times.get(parent) ?? 0) > at);
    return later.length === 0 ? [] : [`${hash} counts from ${at}, and builds on ${later.join()} of later`];
  });
}

/** Who wrote a memory said who they are. */
function checkAuthors(changes: readonly LogEntry[]): readonly string[] {
  const wrote = ({ memories }: LogEntry): boolean =>
    typeof memories === "number" ? memories > 0 : memories.length > 0;
  const unknown = changes.filter((change) => wrote(change) && change.by.agent === undefined);
  return unknown.map(({ hash, type }) => `the log does not say who made the ${type} ${hash}`);
}

/** Things of one source are one memory. */
function checkSources(memories: readonly Memory[]): readonly string[] {
  const bySource = new Map<string, string>();
  return memories.flatMap(({ id, source, derivedFrom = [], deleted }) => {
    if (source?.kind !== "import" || derivedFrom.length > 0 || deleted) return [];
    const key = canonicalJson(source);
    const first = bySource.get(key);
    bySource.set(key, id);
    return first === undefined ? [] : [`${first} and ${id} are both from ${key}`];
  });
}

const FIELDS = ["content", "category", "area", "tags", "importance", "confidence", "deleted"] as const;
/** Their values are never joined. */
const WHOLE_FIELDS = ["category", "area", "importance", "confidence"] as const;

/**
 * An undo changes fields only where they were still as the change that it takes back had left them, and gives them
 * what they had before that.
 */
async function checkUndos(
  space: Space,
  branch: string,
  changes: readonly LogEntry[],
): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  const undos = changes.filter(
    ({ type, of = [], parents }) => type === "undo" && of.length === 1 && parents.length > 0,
  );
  for (const { hash, of = [], parents } of undos.slice(0, MAX_UNDOS)) {
    const undone = changes.find((change) => change.hash === of[0]);
    if (undone === undefined) continue;
    const [before, after, then] = [
      await stateAt(space, refOf(branch, parents)),
      await stateAt(space, refOf(branch, [hash])),
      await stateAt(space, refOf(branch, of)),
    ];
    // What a merge stood on says nothing about its own side.
    const isPlain = undone.type !== "merge" && undone.parents.length > 0;
    const prior = isPlain ? await stateAt(space, refOf(branch, undone.parents)) : undefined;
    for (const [id, now] of after) {
      const was = before.get(id);
      if (was === undefined) continue;
      const wrong = wronglyTaken({ was, now, done: then.get(id) }, prior && { was: prior.get(id) });
      if (wrong.length === 0) continue;
      const message = `the undo ${hash} of ${of[0]} also takes back ${wrong.join()} of ${id}`;
      breaches.push(breach("undo", branch, message));
    }
  }
  return breaches;
}

interface UndoneMemory {
  readonly was: Memory;
  readonly now: Memory;
  /** As the change had left it that is taken back. */
  readonly done: Memory | undefined;
}

/** @param prior - what there was before the change that is taken back, where that can be told */
function wronglyTaken(
  { was, now, done }: UndoneMemory,
  prior: { readonly was: Memory | undefined } | undefined,
): readonly string[] {
  const inConflict = new Set(was.conflicts.map(({ field }) => field as string));
  const taken = FIELDS.filter((field) => !inConflict.has(field) && !isEqual(was[field], now[field]));
  return taken.filter((field) => {
    if (done === undefined || !isEqual(was[field], done[field])) return true;
    if (prior === undefined) return false;
    if (prior.was === undefined) return field !== "deleted";
    return !isEqual(now[field], prior.was[field]);
  });
}

/** After a merge, a field that cannot be joined has a value of one of the sides; what both said stays. */
async function checkMerges(
  space: Space,
  branch: string,
  changes: readonly LogEntry[],
): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  const merges = changes.filter(({ type, parents }) => type === "merge" && parents.length === 2);
  const byHash = new Map(changes.map((change) => [change.hash, change]));
  for (const merge of merges.slice(0, MAX_MERGES)) {
    const { hash } = merge;
    const sides = [];
    for (const heads of sidesOf(merge, byHash)) sides.push(await stateAt(space, refOf(branch, heads)));
    for (const [id, merged] of await stateAt(space, refOf(branch, [hash]))) {
      const known = sides.flatMap((side) => side.get(id) ?? []);
      for (const field of known.length === 0 ? [] : WHOLE_FIELDS) {
        const values = known.flatMap((memory) => valuesOf(memory, field));
        if (values.includes(canonicalJson(merged[field] ?? null))) continue;
        const message = `the merge ${hash} gives ${id} the ${field} ${canonicalJson(merged[field])}, which was ${values.join(" and ")}`;
        breaches.push(breach("merge", branch, message));
      }
    }
  }
  return breaches;
}

/**
 * What each branch of a merge was at. Its parents alone do not say: a head of the target that the source holds, too,
 * as after a merge that was undone there, is none of them.
 */
function sidesOf(merge: LogEntry, byHash: ReadonlyMap<string, LogEntry>): readonly (readonly string[])[] {
  const before = ancestorsOf(merge.parents, byHash);
  return [merge.branch, merge.from].map((branch) => {
    const own = before.filter((change) => change.branch === branch);
    const covered = new Set(
      ancestorsOf(
        own.flatMap(({ parents }) => parents),
        byHash,
      ),
    );
    const heads = own.filter((change) => !covered.has(change)).map(({ hash }) => hash);
    return heads.length === 0 ? merge.parents : heads;
  });
}

/** With those that are given. */
function ancestorsOf(hashes: readonly string[], byHash: ReadonlyMap<string, LogEntry>): readonly LogEntry[] {
  const found = new Set<LogEntry>();
  const left = [...hashes];
  for (let hash = left.pop(); hash !== undefined; hash = left.pop()) {
    const change = byHash.get(hash);
    if (change === undefined || found.has(change)) continue;
    found.add(change);
    left.push(...change.parents);
  }
  return [...found];
}

const valuesOf = (memory: Memory, field: (typeof WHOLE_FIELDS)[number]): readonly string[] => [
  canonicalJson(memory[field] ?? null),
  ...memory.conflicts
    .filter((conflict) => conflict.field === field)
    .flatMap(({ values }) => values.map(({ value }) => canonicalJson(value ?? null))),
];

/** Applied to an earlier state, a diff gives the later one, and the other way round. */
async function checkDiffs(
  space: Space,
  branch: string,
  changes: readonly LogEntry[],
): Promise<readonly Breach[]> {
  const [now, past] = [changes[0], changes[Math.floor(changes.length / 2)]];
  if (now === undefined || past === undefined || now === past) return [];
  const [later, earlier] = [refOf(branch, [now.hash]), refOf(branch, [past.hash])];
  return [
    ...(await checkDiff(space, branch, earlier, later)),
    ...(await checkDiff(space, branch, later, earlier)),
  ];
}

async function checkDiff(space: Space, branch: string, from: string, to: string): Promise<readonly Breach[]> {
  const diff = await space.diff(from, to);
  const applied = shownIn(await stateAt(space, from));
  for (const memory of diff.deleted) applied.delete(memory.id);
  for (const memory of [...diff.created, ...diff.changed.map(({ after }) => after)])
    applied.set(memory.id, saidBy(memory));
  const expected = shownIn(await stateAt(space, to));
  const wrong = [...new Set([...applied.keys(), ...expected.keys()])].filter(
    (id) => applied.get(id) !== expected.get(id),
  );
  return wrong.map((id) =>
    breach(
      "diff",
      branch,
      `the diff from ${from} to ${to} makes ${id} ${applied.get(id)}, and it is ${expected.get(id)}`,
    ),
  );
}

const shownIn = (memories: ReadonlyMap<string, Memory>): Map<string, string> =>
  new Map([...memories].filter(([, { deleted }]) => !deleted).map(([id, memory]) => [id, saidBy(memory)]));

const saidBy = (memory: Memory): string => canonicalJson(FIELDS.map((field) => memory[field] ?? null));

/** A date shows what the changes led to that count by then. */
async function checkPast(
  space: Space,
  branch: string,
  changes: readonly LogEntry[],
): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  const dates = new Set(
    Array.from({ length: MAX_DATES }, (_, part) => changes[Math.floor((changes.length * part) / MAX_DATES)]),
  );
  for (const { at: date } of [...dates].filter((entry) => entry !== undefined)) {
    const counted = changes.filter(({ at }) => at <= date);
    const followed = new Set(counted.flatMap(({ parents }) => parents));
    const heads = counted.map(({ hash }) => hash).filter((hash) => !followed.has(hash));
    const [past, expected] = [
      await stateAt(space, `${branch}@${new Date(date).toISOString()}`),
      await stateAt(space, refOf(branch, heads)),
    ];
    const wrong = [...new Set([...past.keys(), ...expected.keys()])].filter(
      (id) => !isEqual(past.get(id), expected.get(id)),
    );
    for (const id of wrong) {
      const [told, held] = [past.get(id), expected.get(id)].map((memory) => canonicalJson(memory ?? null));
      const message = `${id} at ${date} is ${told}, and the changes that count by then make it ${held}`;
      breaches.push(breach("past", branch, message));
    }
  }
  return breaches;
}

/** A checkpoint that is here can be gone back to. */
async function checkCheckpoints(space: Space): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  const checkpoints = (await space.checkpoints.list()).filter(({ isHere }) => isHere);
  for (const { id, branch } of checkpoints.slice(0, MAX_CHECKPOINTS)) {
    try {
      await space.rollback({ branch, to: `${branch}@checkpoint:${id}`, preview: true });
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== "CHECKPOINT_MISMATCH") continue;
      breaches.push(
        breach("checkpoints", branch, `the checkpoint ${id} is not what it was: ${String(error)}`),
      );
    }
  }
  return breaches;
}

const refOf = (branch: string, heads: readonly string[]): string => `${branch}@heads:${heads.join(",")}`;

const isEqual = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);

async function stateAt(space: Space, at: string): Promise<ReadonlyMap<string, Memory>> {
  const { memories } = await space.list({ at, deleted: true, limit: ALL });
  return new Map(memories.map((memory) => [memory.id, memory]));
}
