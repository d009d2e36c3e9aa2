/**
 * Does what a plan says, and tells what was done.
 *
 * @module
 */
import { CambiumError, type Memory } from "@cambium/core";
import { omitUndefined, oneLine, shellWord, shortHash, shortId } from "@cambium/core/text";
import { type Action, countOf } from "../../ask/plans/plan.js";
import type { Context, SpaceUse } from "../context.js";
import { operationId } from "../operation-id.js";
import { mergeText } from "../render/merge.js";
import { rollbackText } from "../render/rollback.js";
import { writtenReply } from "../render/written-reply.js";

export interface Done {
  readonly verb: Action["verb"];
  readonly result: unknown;
  readonly text: string;
}

export async function perform(action: Action, use: SpaceUse, context: Context): Promise<Done> {
  return { verb: action.verb, ...(await outcomeOf(action, use, context)) };
}

async function outcomeOf(
  action: Action,
  use: SpaceUse,
  { branch, style, io }: Context,
): Promise<Omit<Done, "verb">> {
  const { agent } = use;
  switch (action.verb) {
    case "remember": {
      const { verb: _verb, ...input } = action;
      const result = await agent.remember(input, { branch });
      return { result, text: writtenReply("Remembered", result, style) };
    }
    case "revise": {
      const { id, content, type, expect } = action;
      const result = await agent.revise(id, { content, type }, { branch, ...omitUndefined({ expect }) });
      return { result, text: writtenReply("Revised", result, style) };
    }
    case "forget":
    case "restore": {
      const { ids, verb } = action;
      const part = ids.length > 1 ? { operation: operationId(verb) } : {};
      const memories: Memory[] = [];
      for (const id of ids) memories.push(await agent[verb](id, { branch, ...part }));
      const lines = memories.map((one) =>
        writtenReply(verb === "forget" ? "Forgot" : "Restored", one, style),
      );
      const back = ids.length > 1 ? "cambium undo" : `cambium restore ${shortId(ids[0] ?? "")}`;
      const note = verb === "forget" ? [style.colors.dim(`To bring it back: ${back}`)] : [];
      return { result: { memories }, text: [...lines, ...note].join("\n") };
    }
    case "resolve": {
      const { id, field, keep, discard } = action;
      const result = await agent.resolve(id, { field, keep, discard }, { branch });
      return { result, text: writtenReply("Resolved", result, style) };
    }
    case "undo": {
      const result = await agent.undo({ branch, ...(await undoOf(action.changes, use, branch)) });
      const back = style.colors.dim(
        `To bring it back: cambium undo --change ${shortHash(result.change ?? "")}`,
      );
      const count = countOf(result.memories.length);
      return { result, text: `Took back ${result.changes.map(shortHash).join(", ")}: ${count}\n${back}` };
    }
    case "checkpoint": {
      const result = await agent.checkpoints.create({ name: action.name, branch });
      const name = oneLine(result.name);
      const text = `Made the checkpoint ${name} of ${oneLine(result.branch)}\nGo back to it with: cambium ask "go back to checkpoint ${name}"`;
      return { result, text };
    }
    case "delete-checkpoint": {
      const result = await agent.checkpoints.delete(action.name);
      return { result, text: `Deleted the checkpoint ${oneLine(result.name)}` };
    }
    case "rollback": {
      const { verb: _verb, heads: expect, ...asked } = action;
      const result = await agent.rollback({ ...asked, branch, expect, signal: io.signal });
      return { result, text: rollbackText(result, style) };
    }
    case "merge": {
      const { from, to } = action.preview;
      const expect = { from: from.heads, into: to.heads };
      const { only, strategy } = action;
      const options = { from: from.branch, into: to.branch, expect, signal: io.signal };
      const result = await agent.merge({ ...options, ...omitUndefined({ only, strategy }) });
      return { result, text: mergeText(result, style, { isPart: only !== undefined }) };
    }
    default:
      return await branchOutcome(action, use);
  }
}

/** Of one change it is that one, whatever is written meanwhile. */
async function undoOf(changes: readonly string[], { space }: SpaceUse, branch: string | undefined) {
  const [newest, ...others] = changes;
  if (others.length === 0) return { change: newest };
  const now = await space.log({ branch, limit: changes.length });
  if (now.changes.some(({ hash }, index) => hash !== changes[index]))
    throw new CambiumError("STALE_EXPECTATION", "Something was written since this was shown; ask again.");
  return { last: changes.length };
}

async function branchOutcome(
  action: Extract<Action, { verb: "branch" | "delete-branch" | "rename-branch" }>,
  { agent }: SpaceUse,
): Promise<Omit<Done, "verb">> {
  const name = oneLine(action.name);
  switch (action.verb) {
    case "branch": {
      const result = await agent.branches.create(action.name, { from: action.from });
      const word = shellWord(name);
      const how = `Write on it with --branch ${word}, or CAMBIUM_BRANCH=${word}; bring it back with \`cambium merge ${word}\`.`;
      return { result, text: `Made the branch ${name} from ${oneLine(action.from)}\n${how}` };
    }
    case "delete-branch":
      await agent.branches.delete(action.name);
      return { result: { branch: action.name, deleted: true }, text: `Deleted the branch ${name}` };
    case "rename-branch": {
      const result = await agent.branches.rename(action.name, action.to);
      return { result, text: `Renamed the branch ${name} to ${oneLine(result.name)}` };
    }
  }
}
