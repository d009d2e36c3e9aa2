/**
 * What a replica does in the chaos: one operation of the public interface at a time, on whatever it has by then.
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, Memory, Space } from "@cambium/client";
import { isCambiumError } from "../checks/coded-error.ts";
import { checkDiff, checkMergedFields } from "./check-operations.ts";
import { askState, listed, WORDS } from "./observe.ts";
import type { Acknowledged, Finding, StateName, Step, StepResult } from "./protocol.ts";

/** How often each is drawn. */
export const OPERATIONS = {
  remember: 22,
  revise: 28,
  forget: 5,
  restore: 4,
  combine: 2,
  split: 1,
  fork: 4,
  rename: 1,
  merge: 9,
  undo: 4,
  "undo and redo": 3,
  rollback: 3,
  resolve: 6,
  checkpoint: 3,
  "import twice": 1,
  recall: 3,
  note: 7,
  compare: 4,
} as const;

export type Operation = keyof typeof OPERATIONS;

const NOUNS = ["river", "stone", "cedar", "lantern", "harbour", "meadow", "copper", "orchard"] as const;
const CATEGORIES = ["decision", "fact", "habit", undefined] as const;
const TAGS = ["red", "green", "blue", "old"] as const;
const STRATEGIES = ["manual", "source", "target", "newest", "both"] as const;

/** What an operation works with. */
interface Task {
  readonly space: Space;
  readonly agent: Agent;
  readonly draw: () => number;
  readonly states: readonly StateName[];
  readonly acknowledged: Acknowledged[];
  readonly findings: Finding[];
}

type Perform = (task: Task) => Promise<StepResult["noted"] | undefined>;

/** Errors that say that something is broken, whatever was asked. */
const NEVER = new Set([
  "INTERNAL",
  "STORE_DAMAGED",
  "CHECKPOINT_MISMATCH",
  "AUDIT_DAMAGED",
  "RELAY_PROTOCOL",
  "SCHEMA_TOO_NEW",
]);

/** A refusal with a code is an answer; anything else thrown is a finding. */
export async function perform(space: Space, step: Step, name: string): Promise<StepResult> {
  const acknowledged: Acknowledged[] = [];
  const findings: Finding[] = [];
  let next = 0;
  const draw = (): number => {
    const drawn = step.draws[next % step.draws.length] as number;
    next += 1;
    return drawn;
  };
  const agent = space.as({ agent: name, role: "owner", confirmed: true });
  const task: Task = { space, agent, draw, states: step.states, acknowledged, findings };
  try {
    const noted = await PERFORM[step.operation as Operation](task);
    return { acknowledged, findings, ...(noted === undefined ? {} : { noted }) };
  } catch (error) {
    if (isCambiumError(error) && !NEVER.has(error.code)) {
      return { acknowledged, findings, refused: `${error.code}: ${error.message}` };
    }
    const { code = "no code", stack } = error as { readonly code?: string; readonly stack?: string };
    const message = `${step.operation} failed (${code}): ${stack ?? String(error)}`;
    return { acknowledged, findings: [...findings, { checker: "errors", message }] };
  }
}

const PERFORM: Readonly<Record<Operation, Perform>> = {
  async remember(task) {
    const { agent, draw } = task;
    const branch = await aBranch(task);
    const input = { content: sentence(draw), tags: [oneOf(TAGS, draw)], importance: tenths(draw) };
    acknowledgeRecord(
      task,
      branch,
      await agent.remember({ ...input, category: oneOf(CATEGORIES, draw) }, { branch }),
    );
    return undefined;
  },

  async revise(task) {
    const { agent, draw } = task;
    const branch = await aBranch(task);
    const memory = await aMemory(task, branch);
    if (memory === undefined) return undefined;
    const kind = draw();
    const input =
      kind < 0.6
        ? { content: oneWordChanged(memory.content ?? "", draw) }
        : kind < 0.75
          ? { tags: [oneOf(TAGS, draw), oneOf(TAGS, draw)].filter((tag, at, all) => all.indexOf(tag) === at) }
          : kind < 0.9
            ? { category: oneOf(CATEGORIES, draw) ?? null }
            : { importance: tenths(draw), content: sentence(draw) };
    acknowledgeRecord(task, branch, await agent.revise(memory.id, input, { branch }));
    return undefined;
  },

  async forget(task) {
    const branch = await aBranch(task);
    const memory = await aMemory(task, branch);
    if (memory === undefined) return undefined;
    acknowledgeRecord(task, branch, await task.agent.forget(memory.id, { branch }));
    return undefined;
  },

  async restore(task) {
    const { space, agent, draw } = task;
    const branch = await aBranch(task);
    const all = await listed(space, { branch });
    const forgotten = all.filter(({ deleted }) => deleted);
    const memory = pick(forgotten.length > 0 && draw() < 0.7 ? forgotten : all, draw);
    if (memory === undefined) return undefined;
    const versions = await space.history(memory.id, { branch });
    const version = draw() < 0.5 ? undefined : pick(versions, draw)?.record;
    const options = version === undefined ? { branch } : { branch, version };
    acknowledgeRecord(task, branch, await agent.restore(memory.id, options));
    return undefined;
  },

  async combine(task) {
    const branch = await aBranch(task);
    const [one, other] = [await aMemory(task, branch), await aMemory(task, branch)];
    if (one === undefined || other === undefined || one.id === other.id) return undefined;
    const content = `${one.content ?? ""}; ${other.content ?? ""}`;
    acknowledgeRecord(task, branch, await task.agent.combine([one.id, other.id], { content }, { branch }));
    return undefined;
  },

  async split(task) {
    const { agent, draw } = task;
    const branch = await aBranch(task);
    const memory = await aMemory(task, branch);
    if (memory === undefined) return undefined;
    const parts = [{ content: sentence(draw) }, { content: sentence(draw) }];
    for (const part of await agent.split(memory.id, parts, { branch })) acknowledgeRecord(task, branch, part);
    return undefined;
  },

  async fork(task) {
    const { agent, draw, states } = task;
    const name = `b${Math.floor(draw() * 1_000_000)}`;
    const state = draw() < 0.3 ? pick(states, draw) : undefined;
    const from = state === undefined ? await aBranch(task) : refOf(state);
    const { id } = await agent.branches.create(name, { from });
    task.acknowledged.push({ kind: "branch", branch: id });
    return undefined;
  },

  async rename(task) {
    const branches = (await task.space.branches.list()).filter(({ name }) => name !== "main");
    const branch = pick(branches, task.draw);
    if (branch !== undefined)
      await task.agent.branches.rename(branch.id, `n${Math.floor(task.draw() * 1_000_000)}`);
    return undefined;
  },

  async merge(task) {
    const { space, agent, draw } = task;
    const [from, into] = [await aBranch(task), await aBranch(task)];
    if (from === into) return undefined;
    const strategy = oneOf(STRATEGIES, draw);
    const again = draw() < 0.5;
    // Alone, the fields before and after can be held against each other.
    const isAlone = draw() < 0.4;
    if (isAlone) await space.sync.stop();
    try {
      const before = isAlone
        ? { from: await listed(space, { branch: from }), into: await listed(space, { branch: into }) }
        : undefined;
      const result = await agent.merge({ from, into, strategy, again });
      if (result.change !== undefined) await acknowledgeChange(task, into, result.change);
      if (before !== undefined && result.status === "merged") {
        task.findings.push(...checkMergedFields(before, await listed(space, { branch: into }), strategy));
      }
    } finally {
      if (isAlone) space.sync.start();
    }
    return undefined;
  },

  async undo(task) {
    const { space, agent, draw } = task;
    const branch = await aBranch(task);
    const { changes } = await space.log({ branch, limit: 10 });
    const change = draw() < 0.5 ? undefined : pick(changes, draw)?.hash;
    const options = change === undefined ? { branch, last: 1 + Math.floor(draw() * 3) } : { branch, change };
    const undone = await agent.undo(options);
    await acknowledgeChange(task, branch, undone.change ?? "");
    return undefined;
  },

  async "undo and redo"(task) {
    const { space, agent } = task;
    const branch = await aBranch(task);
    await space.sync.stop();
    try {
      const before = await listed(space, { branch });
      const undone = await agent.undo({ branch });
      await acknowledgeChange(task, branch, undone.change ?? "");
      const redone = await agent.undo({ branch, change: undone.change });
      await acknowledgeChange(task, branch, redone.change ?? "");
      const after = await listed(space, { branch });
      const [was, is] = [meaningOf(before), meaningOf(after)];
      if (was !== is) {
        const message = `An undo of ${undone.of} and its undo do not give back ${branch}: ${was} became ${is}`;
        task.findings.push({ checker: "undo and redo", message });
      }
    } finally {
      space.sync.start();
    }
    return undefined;
  },

  async rollback(task) {
    const { agent, draw, states } = task;
    const branch = await aBranch(task);
    const state = pick(
      states.filter((one) => one.branch === branch),
      draw,
    );
    if (state === undefined) return undefined;
    const category = oneOf(CATEGORIES, draw);
    const only = category === undefined ? {} : { only: { category } };
    const result = await agent.rollback({ branch, to: refOf(state), ...only });
    if (result.change !== undefined) await acknowledgeChange(task, branch, result.change);
    return undefined;
  },

  async resolve(task) {
    const { space, agent, draw } = task;
    const conflict = pick(await space.conflicts({ branch: await aBranch(task) }), draw);
    const field = conflict?.fields[0];
    if (conflict === undefined || field === undefined) return undefined;
    const records = [...new Set(field.values.map(({ record }) => record))];
    const keep = pick(records, draw) as string;
    const discard = records.filter((record) => record !== keep);
    const { branch } = conflict;
    const id = (await space.branches.list()).find(({ name }) => name === branch)?.id;
    if (id === undefined) return undefined;
    acknowledgeRecord(
      task,
      id,
      await agent.resolve(conflict.id, { field: field.field, keep, discard }, { branch }),
    );
    return undefined;
  },

  async checkpoint(task) {
    const { agent, draw } = task;
    const name = `c${Math.floor(draw() * 1_000_000)}`;
    const { id } = await agent.checkpoints.create({ name, branch: await aBranch(task) });
    task.acknowledged.push({ kind: "checkpoint", checkpoint: id });
    return undefined;
  },

  async "import twice"(task) {
    const { space, agent, draw } = task;
    const branch = await aBranch(task);
    const dir = await mkdtemp(join(tmpdir(), "cambium-import-"));
    try {
      const path = join(dir, "memory.jsonl");
      const name = `${oneOf(NOUNS, draw)} ${Math.floor(draw() * 10)}`;
      const entity = {
        type: "entity",
        name,
        entityType: "place",
        observations: [sentence(draw), sentence(draw)],
      };
      await writeFile(path, `${JSON.stringify(entity)}\n`);
      await agent.import(path, { branch });
      const count = (await listed(space, { branch })).length;
      const second = await agent.import(path, { branch });
      if (second.created > 0) {
        const message = `A second import of one file made ${second.created} more memories on ${branch}, where there were ${count}`;
        task.findings.push({ checker: "import", message });
      }
    } finally {
      await rm(dir, { recursive: true });
    }
    return undefined;
  },

  async recall(task) {
    await task.space.recall(oneOf(WORDS, task.draw), { branch: await aBranch(task) });
    return undefined;
  },

  async note(task) {
    const { space } = task;
    const branch = await aBranch(task);
    const { head, name } = (await space.status({ branch })).branch;
    if (head.length === 0 || name === "") return undefined;
    const state = { branch, heads: [...head].sort() };
    const facts = await askState(space, state);
    return facts === null ? undefined : { ...state, facts };
  },

  async compare(task) {
    const { space, draw, states } = task;
    const [from, to] = [pick(states, draw), pick(states, draw)];
    if (from === undefined || to === undefined) return undefined;
    task.findings.push(...(await checkDiff(space, refOf(from), refOf(to))));
    return undefined;
  },
};

const refOf = ({ branch, heads }: StateName): string => `${branch}@heads:${heads.join(",")}`;

function pick<Item>(items: readonly Item[], draw: () => number): Item | undefined {
  return items[Math.floor(draw() * items.length)];
}

/** Of a list that is never empty. */
const oneOf = <Item>(items: readonly [Item, ...Item[]], draw: () => number): Item =>
  items[Math.floor(draw() * items.length)] as Item;

const tenths = (draw: () => number): number => Math.floor(draw() * 11) / 10;

/** Branches by id, so that a rename elsewhere changes nothing; `main` half of the time. */
async function aBranch({ space, draw }: Task): Promise<string> {
  const branches = await space.branches.list();
  const main = branches.find(({ name }) => name === "main");
  const drawn = draw();
  const branch = drawn < 0.5 && main !== undefined ? main : branches[Math.floor(draw() * branches.length)];
  return (branch ?? (main as { readonly id: string })).id;
}

async function aMemory({ space, draw }: Task, branch: string): Promise<Memory | undefined> {
  const shown = (await listed(space, { branch })).filter(({ deleted, id }) => !deleted && id !== undefined);
  return pick(shown, draw);
}

function sentence(draw: () => number): string {
  const words = [oneOf(WORDS, draw), oneOf(NOUNS, draw), oneOf(NOUNS, draw), Math.floor(draw() * 1_000)];
  return `the ${words[0]} by the ${words[1]} near the ${words[2]} says ${words[3]}`;
}

function oneWordChanged(text: string, draw: () => number): string {
  const words = text.split(" ");
  words[Math.floor(draw() * words.length)] = draw() < 0.5 ? oneOf(WORDS, draw) : oneOf(NOUNS, draw);
  return words.join(" ");
}

function acknowledgeRecord({ acknowledged }: Task, branch: string, { id, record }: Memory): void {
  acknowledged.push({ kind: "record", branch, memory: id, record });
}

/** A change may be made again under another hash where a home was set back: then its type and time tell it. */
async function acknowledgeChange(
  { space, acknowledged }: Task,
  branch: string,
  change: string,
): Promise<void> {
  const { changes } = await space.log({ branch, limit: 50 });
  const { type, at } = changes.find(({ hash }) => hash === change) ?? { type: "", at: 0 };
  acknowledged.push({ kind: "change", branch, change, type, at });
}

/** What memories say, without which record says it. */
const meaningOf = (memories: readonly Memory[]): string =>
  JSON.stringify(
    memories.map(({ id, content, category, tags, importance, deleted, conflicts }) => [
      id,
      deleted ? "forgotten" : [content, category, [...tags].sort(), importance],
      conflicts.map(({ field }) => field).sort(),
    ]),
  );
