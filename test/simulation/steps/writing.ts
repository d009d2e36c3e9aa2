/**
 * Operations that write memories.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckFailure } from "../checks/check-failure.ts";
import {
  acknowledge,
  agentOf,
  NOTHING_TO_DO,
  type Operation,
  type OperationContext,
  pickBranch,
  pickMemory,
} from "./operation.ts";
import { changedContent, longContent, newContent, someLabels } from "./words.ts";

const isShown = ({ deleted }: { readonly deleted: boolean }): boolean => !deleted;

const labelOf = ({ device, step }: OperationContext): string => `${device}-${step}`;

function written(context: OperationContext, content: string): string {
  context.book.contents.add(content);
  return content;
}

const remember: Operation = async (context) => {
  const { id: branch } = await pickBranch(context);
  const content = written(context, newContent(context.dice, labelOf(context)));
  const memory = await agentOf(context).remember({ content, ...someLabels(context.dice) }, { branch });
  return acknowledge(context, branch, memory);
};

/** On any branch that is listed, whether it is here or not. Nobody can tell what one holds that is not. */
const rememberAnywhere: Operation = async (context) => {
  const { dice, space } = context;
  const branches = await space.branches.list();
  const absent = branches.filter(({ isHere }) => !isHere);
  const branch = dice.pick(absent.length > 0 ? absent : branches);
  if (branch === undefined) return NOTHING_TO_DO;
  const content = written(context, newContent(dice, labelOf(context)));
  const memory = await agentOf(context).remember({ content }, { branch: branch.id });
  return `${branch.isHere ? "here" : "not here"} ${acknowledge(context, branch.id, memory)}`;
};

/** Several at once, without waiting for one another. */
const rememberMany: Operation = async (context) => {
  const { id: branch } = await pickBranch(context);
  const agent = agentOf(context);
  const contents = Array.from({ length: 2 + context.dice.below(6) }, (_, number) =>
    written(context, newContent(context.dice, `${labelOf(context)}-${number}`)),
  );
  const memories = await Promise.all(contents.map((content) => agent.remember({ content }, { branch })));
  return memories.map((memory) => acknowledge(context, branch, memory)).join(" ");
};

const revise: Operation = async (context) => {
  const { dice } = context;
  const { id: branch } = await pickBranch(context);
  const memory = await pickMemory(context, branch, isShown);
  if (memory === undefined) return NOTHING_TO_DO;
  const content = written(context, changedContent(dice, memory.content, labelOf(context)));
  const changes = dice.chance(0.5) ? { content } : someLabels(dice);
  if (Object.keys(changes).length === 0) return NOTHING_TO_DO;
  const expect = dice.chance(0.2) ? { expect: memory.record } : {};
  const revised = await agentOf(context).revise(memory.id, changes, { branch, ...expect });
  return acknowledge(context, branch, revised);
};

/** Several times in one moment, so that each but the last is replaced as soon as it is there. */
const reviseAgain: Operation = async (context) => {
  const outcomes: string[] = [];
  for (let count = 2 + context.dice.below(2); count > 0; count -= 1) outcomes.push(await revise(context));
  return outcomes.join(", ");
};

/** The same memory, several times at once: each answer is of the write that it answers. */
const reviseAtOnce: Operation = async (context) => {
  const { dice, step } = context;
  const { id: branch } = await pickBranch(context);
  const memory = await pickMemory(context, branch, isShown);
  if (memory === undefined) return NOTHING_TO_DO;
  const contents = Array.from({ length: 2 + dice.below(3) }, (_, number) =>
    written(context, newContent(dice, `${labelOf(context)}-at-once-${number}`)),
  );
  const agent = agentOf(context);
  const noted: string[] = [];
  const revise = async (content: string): Promise<string> => {
    const revised = await agent.revise(memory.id, { content }, { branch });
    noted.push(acknowledge(context, branch, revised));
    if (revised.content !== content && revised.conflicts.length === 0 && revised.incomplete === undefined)
      throw new CheckFailure(
        "answer",
        `Step ${step} wrote "${content}" to ${memory.id}, and was answered "${revised.content}"`,
      );
    return revised.record;
  };
  const records = await Promise.all(contents.map(revise));
  if (new Set(records).size < records.length)
    throw new CheckFailure("answer", `Writes of step ${step} to ${memory.id} were answered with one version`);
  return noted.join(" ");
};

/** Long enough that what is stored of them is put together again and again. */
const rememberLong: Operation = async (context) => {
  const { dice } = context;
  const { id: branch } = await pickBranch(context);
  const agent = agentOf(context);
  const contents = Array.from({ length: 2 + dice.below(4) }, (_, number) =>
    written(context, longContent(dice, `${labelOf(context)}-long-${number}`)),
  );
  const memories = await Promise.all(contents.map((content) => agent.remember({ content }, { branch })));
  return memories.map((memory) => acknowledge(context, branch, memory)).join(" ");
};

const forget: Operation = async (context) => {
  const { id: branch } = await pickBranch(context);
  const memory = await pickMemory(context, branch, isShown);
  if (memory === undefined) return NOTHING_TO_DO;
  return acknowledge(context, branch, await agentOf(context).forget(memory.id, { branch }));
};

const restore: Operation = async (context) => {
  const { dice, space } = context;
  const { id: branch } = await pickBranch(context);
  const memory = await pickMemory(context, branch);
  if (memory === undefined) return NOTHING_TO_DO;
  const versions = await space.history(memory.id, { branch });
  const version = memory.deleted && dice.chance(0.5) ? undefined : dice.pick(versions)?.record;
  const restored = await agentOf(context).restore(memory.id, {
    branch,
    ...(version === undefined ? {} : { version }),
  });
  return acknowledge(context, branch, restored);
};

const combine: Operation = async (context) => {
  const { id: branch } = await pickBranch(context);
  const one = await pickMemory(context, branch, isShown);
  const other = await pickMemory(context, branch, isShown);
  if (one === undefined || other === undefined || one.id === other.id) return NOTHING_TO_DO;
  const content = written(context, `Combined ${labelOf(context)}: ${one.content} ${other.content}`);
  const memory = await agentOf(context).combine([one.id, other.id], { content }, { branch });
  return acknowledge(context, branch, memory);
};

const split: Operation = async (context) => {
  const { dice } = context;
  const { id: branch } = await pickBranch(context);
  const memory = await pickMemory(context, branch, isShown);
  if (memory === undefined) return NOTHING_TO_DO;
  const inputs = [0, 1].map((part) => ({
    content: written(context, newContent(dice, `${labelOf(context)}-part-${part}`)),
  }));
  const parts = await agentOf(context).split(memory.id, inputs, { branch });
  return parts.map((part) => acknowledge(context, branch, part)).join(" ");
};

const resolve: Operation = async (context) => {
  const { dice, space } = context;
  const branch = await pickBranch(context);
  const conflict = dice.pick(await space.conflicts({ branch: branch.id }));
  const field = dice.pick(conflict?.fields ?? []);
  if (conflict === undefined || field === undefined) return NOTHING_TO_DO;
  const records = field.values.map(({ record }) => record);
  const keep = dice.pick(records);
  const discard = records.filter((record) => record !== keep);
  const decision = { field: field.field, keep, discard };
  const memory = await agentOf(context).resolve(conflict.id, decision, { branch: branch.id });
  return acknowledge(context, branch.id, memory);
};

const importNotes: Operation = async (context) => {
  const { dice, step, device, scratch } = context;
  const { id: branch } = await pickBranch(context);
  const path = join(scratch, `${device}-${dice.below(2)}.md`);
  const sections = Array.from({ length: 1 + dice.below(4) }, (_, number) => {
    const content = newContent(dice, `${device}-import-${dice.below(3) === 0 ? step : number}`);
    return `## Section ${number}\n\n${content}\n`;
  });
  writeFileSync(path, sections.join("\n"));
  const options = { branch, format: "markdown" } as const;
  const { created, changed, unchanged } = await agentOf(context).import(path, options);
  const again = await agentOf(context).import(path, options);
  if (again.created > 0)
    throw new CheckFailure(
      "import",
      `A second import of ${path} made ${again.created} more memories on ${branch}`,
    );
  return `created ${created}, changed ${changed}, unchanged ${unchanged}`;
};

export const WRITING = {
  remember,
  "remember-anywhere": rememberAnywhere,
  "remember-many": rememberMany,
  revise,
  "revise-at-once": reviseAtOnce,
  "remember-long": rememberLong,
  "revise-again": reviseAgain,
  forget,
  restore,
  combine,
  split,
  resolve,
  import: importNotes,
} satisfies Readonly<Record<string, Operation>>;
