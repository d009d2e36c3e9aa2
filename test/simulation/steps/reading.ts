/**
 * Operations that read. What they are told of a state fixed by its heads is noted, and asked again later.
 *
 * @module
 */
import type { BranchInfo, Memory, Space } from "@cambium/client";
import { CheckFailure } from "../checks/check-failure.ts";
import { canonicalJson, differenceOf, digestOf, shortOf } from "../checks/digest.ts";
import { NOTHING_TO_DO, type Operation, type OperationContext, pickBranch, pickMemory } from "./operation.ts";
import { askAtHeads } from "./questions.ts";
import { WORDS } from "./words.ts";
import { WRITING } from "./writing.ts";

const refOf = (branch: BranchInfo): string | undefined =>
  branch.head.length === 0 ? undefined : `${branch.id}@heads:${[...branch.head].sort().join(",")}`;

/** A state of which everything has come: what is said of another one says so, and changes when the rest comes. */
async function isWhole(space: Space, ref: string): Promise<boolean> {
  const { memories, unreadable } = await space.list({ at: ref, deleted: true, limit: 10_000 });
  return unreadable === undefined && memories.every(({ incomplete }) => incomplete === undefined);
}

async function note(context: OperationContext, ref: string, question: string): Promise<string> {
  const other = question.startsWith("diff ") ? question.slice("diff ".length) : ref;
  for (const state of new Set([ref, other])) {
    if (!(await isWhole(context.space, state))) return "not all of it is here";
  }
  const answer = await askAtHeads(context.space, ref, question);
  const { book, device, step } = context;
  book.answer({ ref, question, digest: digestOf(answer), device, step, answer: shortOf(answer) });
  return `${question} ${digestOf(answer).slice(0, 8)}`;
}

/** A question about a branch as it is now, fixed at its heads. */
const observe: Operation = async (context) => {
  const { dice } = context;
  const ref = refOf(await pickBranch(context));
  if (ref === undefined) return NOTHING_TO_DO;
  const question = dice.pick(["list", "recall", "log", "conflicts"]) ?? "list";
  return note(context, ref, question === "recall" ? `recall ${dice.pick(WORDS)}` : question);
};

/** The same of one memory. */
const observeMemory: Operation = async (context) => {
  const { dice, space } = context;
  const branch = await pickBranch(context);
  const [ref, memory] = [refOf(branch), await pickMemory(context, branch.id)];
  if (ref === undefined || memory === undefined) return NOTHING_TO_DO;
  const { memories } = await space.list({ at: ref, deleted: true, limit: 1_000 });
  if (!memories.some(({ id }) => id === memory.id)) return NOTHING_TO_DO;
  return note(context, ref, `${dice.pick(["get", "history"])} ${memory.id}`);
};

const observeDiff: Operation = async (context) => {
  const one = refOf(await pickBranch(context));
  const other = refOf(await pickBranch(context));
  if (one === undefined || other === undefined) return NOTHING_TO_DO;
  return note(context, one, `diff ${other}`);
};

/** A state that its heads fix, read over and over while its branch moves on. */
const readAsItMoves: Operation = async (context) => {
  const { dice, space } = context;
  const branch = await pickBranch(context);
  const ref = refOf(branch);
  if (ref === undefined || !(await isWhole(space, ref))) return NOTHING_TO_DO;
  const questions = ["list", "log", "conflicts", `recall ${dice.pick(WORDS)}`];
  const expected = new Map<string, string>();
  for (const question of questions)
    expected.set(question, canonicalJson(await askAtHeads(space, ref, question)));
  const read = async (question: string, turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const answer = canonicalJson(await askAtHeads(space, ref, question));
    const before = expected.get(question) ?? "";
    if (answer === before) return;
    const difference = differenceOf(before, answer);
    throw new CheckFailure("fixed heads", `${question} at ${ref}, while the branch moved on: ${difference}`);
  };
  const outcomes: string[] = [];
  for (let count = 1 + dice.below(3); count > 0; count -= 1) {
    const reads = Array.from({ length: MAX_READS }, () =>
      read(dice.pick(questions) ?? "list", dice.below(MAX_TURNS)),
    );
    const write = dice.chance(0.7) ? WRITING.revise : WRITING.remember;
    const [written] = await Promise.allSettled([
      write({ ...context, focus: { branch: branch.id } }),
      ...reads,
    ]);
    await Promise.all(reads);
    if (written.status === "rejected") throw written.reason;
    outcomes.push(written.value);
  }
  return outcomes.join(", ");
};

/** Of the promise queue: more than a write takes. */
const MAX_TURNS = 60;
const MAX_READS = 6;

/** What anyone reads at any time: not noted, but it has to be answered. */
const read: Operation = async (context) => {
  const { dice, space } = context;
  const { id: branch } = await pickBranch(context);
  const { memories } = await space.list({ branch, limit: 1_000 });
  const memory: Memory | undefined = dice.pick(memories);
  const { changes } = await space.log({ branch, limit: 20 });
  const change = dice.pick(changes);
  if (memory !== undefined) await space.get(memory.id, { branch });
  if (memory !== undefined) await space.history(memory.id, { branch });
  if (change !== undefined)
    await space.list({ at: `${branch}@${new Date(change.at).toISOString()}`, limit: 1_000 });
  await space.recall(dice.pick(WORDS) ?? "", { branch });
  await space.status({ branch });
  await notePending(context);
  return `${memories.length} memories, ${changes.length} changes`;
};

export const NOTHING_PENDING = "nothing is pending";

/** What a device says of the relay is a promise about its own writes. */
async function notePending({ space, book, device }: OperationContext): Promise<string> {
  const held = book.heldBy(device);
  const { relay } = await space.sync.status();
  if (relay.pending === 0) book.saidNonePending(held);
  return relay.pending === 0 ? NOTHING_PENDING : `${relay.pending} pending`;
}

const LONGEST_WAIT_MS = 30_000;

/** Waits until both sides have the same, but not for ever: the relay may be away. */
const sync: Operation = async (context) => {
  const { space, book, device, dice } = context;
  const [held, life] = [book.heldBy(device), book.relayLife];
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), LONGEST_WAIT_MS * dice.fraction());
  try {
    await space.sync.whenSynced({ signal: waiting.signal });
  } finally {
    clearTimeout(timer);
  }
  book.saidSynced(held, life);
  return notePending(context);
};

export const READING = {
  sync,
  pending: notePending,
  observe,
  "observe-memory": observeMemory,
  "observe-diff": observeDiff,
  "read-as-it-moves": readAsItMoves,
  read,
} satisfies Readonly<Record<string, Operation>>;
