/**
 * What a replica answers, asked through its public interface. Every answer becomes a text, so that two replicas, or one
 * replica at two times, agree exactly when their texts are equal.
 *
 * @module
 */
import type { Memory, Space } from "@cambium/client";
import { isCambiumError } from "../checks/coded-error.ts";
import type { Facts, Observation, Questions, StateName } from "./protocol.ts";

/** More than a chaos makes. */
const ALL = 10_000;

export async function observe(space: Space, { dates, words }: Questions): Promise<Observation> {
  const facts: Record<string, string> = {};
  const seen = { records: [] as string[], changes: [] as string[] };
  const branches = await space.branches.list({ deleted: true });
  facts.branches = textOf(
    branches
      .map(({ head, ...branch }) => ({ ...branch, head: [...head].sort() }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  );
  for (const { id, isHere } of branches) {
    // An earlier version does not say.
    if (isHere === false) continue;
    await observeBranch(space, id, facts, seen);
    for (const date of dates)
      facts[`list ${id}@${date}`] = textOf(await listed(space, { at: `${id}@${date}` }));
    for (const word of words)
      facts[`recall ${id} ${word}`] = textOf(await recalled(space, word, { branch: id }));
  }
  const checkpoints = await space.checkpoints.list({ deleted: true });
  facts.checkpoints = textOf(
    checkpoints
      .map(({ indexVersion: _, heads, ...rest }) => ({ ...rest, heads: [...heads].sort() }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  );
  const status = await space.status();
  const { damaged, lost } = await space.verify();
  return {
    facts,
    ...seen,
    branches: branches.map(({ id }) => id),
    checkpoints: checkpoints.map(({ id }) => id),
    missing: status.missing.length + status.relay.missing,
    // An earlier version does not say.
    branchesNotHere: (status.branchesNotHere as typeof status.branchesNotHere | undefined)?.length ?? 0,
    notices: status.notices,
    damaged: [...damaged, ...(lost?.parts ?? [])].map(({ what, reason }) => `${what}: ${reason}`),
  };
}

async function observeBranch(
  space: Space,
  branch: string,
  facts: Record<string, string>,
  seen: { readonly records: string[]; readonly changes: string[] },
): Promise<void> {
  const memories = await listed(space, { branch });
  facts[`list ${branch}`] = textOf(memories);
  facts[`conflicts ${branch}`] = textOf(await space.conflicts({ branch }));
  for (const { id } of memories) {
    if (id === undefined) continue; // stands for those that cannot be read
    const versions = await space.history(id, { branch });
    facts[`history ${branch} ${id}`] = textOf(versions);
    for (const { record } of versions) seen.records.push(`${branch} ${id} ${record}`);
  }
  const { changes } = await space.log({ branch, limit: ALL });
  facts[`log ${branch}`] = textOf(changes);
  for (const { hash, type, at } of changes) seen.changes.push(`${branch} ${hash}`, `${branch} ${type} ${at}`);
}

/** Words that some states say, so that a search at fixed heads has something to find. */
export const WORDS = ["alpha", "kappa", "omega", "river"] as const;

/**
 * What is answered about a state at fixed heads, which may never change.
 *
 * @returns null where the heads are not here, or something of the state has not arrived
 */
export async function askState(space: Space, { branch, heads }: StateName): Promise<Facts | null> {
  const at = `${branch}@heads:${heads.join(",")}`;
  const facts: Record<string, string> = {};
  try {
    const memories = await listed(space, { at });
    if (memories.some((memory) => "incomplete" in memory)) return null;
    facts.list = textOf(memories);
    const { changes } = await space.log({ at, limit: ALL });
    facts.log = textOf(changes.map(({ hash }) => hash).sort());
    for (const word of WORDS) facts[`recall ${word}`] = textOf(await recalled(space, word, { at }));
    const [first] = memories;
    if (first !== undefined) facts[`history ${first.id}`] = textOf(await space.history(first.id, { at }));
  } catch (error) {
    if (isNotHere(error)) return null;
    throw error;
  }
  return facts;
}

const NOT_HERE: ReadonlySet<string> = new Set(["HEADS_NOT_HERE", "CONTENT_NOT_HERE", "BRANCH_NOT_FOUND"]);

const isNotHere = (error: unknown): boolean => isCambiumError(error) && NOT_HERE.has(error.code);

interface Where {
  readonly branch?: string;
  readonly at?: string;
}

/** All memories of a state, include forgotten memories, by id. */
export async function listed(space: Space, where: Where): Promise<readonly Memory[]> {
  const { memories, unreadable = 0 } = await space.list({ ...where, deleted: true, limit: ALL });
  if (unreadable > 0) return [...memories, { incomplete: unreadable } as unknown as Memory];
  return [...memories].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Which memories a search finds. Their order depends on how often they were recalled, and on the day. */
async function recalled(space: Space, query: string, where: Where): Promise<readonly string[]> {
  const found = await space.recall(query, { ...where, limit: ALL, priors: false });
  return found.flatMap(({ id, alike = [] }) => [id, ...alike]).sort();
}

/** Keys in order, so that equal answers are equal texts. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
