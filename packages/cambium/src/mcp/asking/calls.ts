/**
 * The tools that do what a plan says, with their arguments; and the command, where no tool served here does it.
 *
 * @module
 */
import type { RollbackScope } from "@cambium/client";
import { omitUndefined, safeText } from "@cambium/core/text";
import { commandsOf, type Where } from "../../ask/plans/commands.js";
import type { Action, Look } from "../../ask/plans/plan.js";
import { expectationOf, rollbackAsked } from "../expectation.js";
import { shortRecord } from "../shown-memory.js";

interface ToolCall {
  readonly tool: string;
  readonly args: object;
  /** It takes no branch. */
  readonly isOfAll?: true;
}

export interface Calling extends Where {
  /** The tools of this server. */
  readonly served: ReadonlySet<string>;
  /** For the tools to be called with: empty where they mean that branch by themselves. */
  readonly named: { readonly branch?: string };
}

/** @returns one line for each call */
export function callLines(call: Action | Look, calling: Calling): readonly string[] {
  const calls = "ids" in call ? call.ids.map((id): Action => ({ ...call, ids: [id] })) : [call];
  return calls.flatMap((one) => {
    const { tool, args } = argsOf(one, calling) ?? {};
    return tool !== undefined && calling.served.has(tool)
      ? [`- call the tool ${tool} with ${exactJson(args)}`]
      : commandsOf(one, calling).map(
          (line) => `- no tool served here does it; this command does: ${safeText(line)}`,
        );
  });
}

export function argsOf(
  call: Action | Look,
  { named }: Pick<Calling, "named">,
): Omit<ToolCall, "isOfAll"> | undefined {
  const { tool, args, isOfAll } = toolFor(call) ?? {};
  if (tool === undefined) return undefined;
  return { tool, args: { ...args, ...(isOfAll ? {} : named) } };
}

function toolFor(call: Action | Look): ToolCall | undefined {
  switch (call.verb) {
    case "remember":
    case "checkpoint":
    case "recall":
    case "list":
    case "evolution": {
      const { verb: tool, ...args } = call;
      return { tool, args };
    }
    case "revise": {
      const { verb: tool, expect, content: text, ...args } = call;
      const content = text.length > MAX_TEXT ? LONG_TEXT : text;
      return {
        tool,
        args: { ...args, content, ...omitUndefined({ expect: expect && shortRecord(expect) }) },
      };
    }
    case "forget":
    case "restore":
      return { tool: call.verb, args: { id: call.ids[0] } };
    case "resolve": {
      const { verb: tool, ...args } = call;
      return { tool, args };
    }
    case "undo": {
      const [newest = "", ...others] = call.changes;
      // One is named, so that it is that one whatever is written meanwhile.
      const args =
        others.length === 0 ? { change: newest.slice(0, SHORT_HASH) } : { last: call.changes.length };
      return { tool: "undo", args };
    }
    case "rollback": {
      const asked = { ...omitUndefined({ to: call.to }), ...asWritten(call.only) };
      const expect = expectationOf([call.heads], rollbackAsked(asked));
      return { tool: "rollback", args: { ...asked, expect } };
    }
    case "merge": {
      const { from, to } = call.preview;
      const { only, strategy } = call;
      const expect = expectationOf([from.heads, to.heads], only === undefined ? "merge" : { merge: only });
      const args = { from: from.branch, into: to.branch, ...omitUndefined({ only, strategy }), expect };
      return { tool: "merge", args, isOfAll: true };
    }
    case "branch": {
      const { name, from } = call;
      return { tool: "branch", args: { action: "create", name, from }, isOfAll: true };
    }
    case "delete-branch":
      return { tool: "branch", args: { action: "delete", name: call.name }, isOfAll: true };
    case "diff":
      return { tool: "diff", args: { from: call.from, to: call.to }, isOfAll: true };
    case "history":
    case "before-correction":
      return { tool: "history", args: { id: call.id } };
    case "status":
      return { tool: "status", args: {} };
    case "checkpoints":
      return { tool: "checkpoint", args: {}, isOfAll: true };
    case "branches":
      return { tool: "branch", args: {}, isOfAll: true };
    case "blame":
    case "conflicts":
    case "rename-branch":
    case "delete-checkpoint":
      return undefined;
  }
}

const SHORT_HASH = 16;
/** A longer memory that is corrected is not repeated: the part that changes is shown. */
const MAX_TEXT = 1_000;
const LONG_TEXT = "<all of its text, with the correction in it>";

/** The grammar says times as text. */
const asWritten = (only: RollbackScope = {}) =>
  only as RollbackScope & { readonly since?: string | undefined; readonly until?: string | undefined };

/** Safe to show, and still the same value. */
function exactJson(value: unknown): string {
  const json = JSON.stringify(value);
  return safeText(json) === json ? json : json.replace(/[^\x20-\x7e]/g, escaped);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
