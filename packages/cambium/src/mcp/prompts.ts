/**
 * Prompts: what a person may pick to begin with. Each brings what there is to know along, so that it is useful
 * before the first call of a tool.
 *
 * @module
 */

import { countsInWords, safeText } from "@cambium/core/text";
import { completable, type GetPromptResult, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { completeBranch } from "./completions.js";
import { framed } from "./data-frame.js";
import { failureText } from "./failure.js";
import { openConflicts } from "./open-conflicts.js";
import { textsOf } from "./pages.js";
import { USUAL_BYTES } from "./schemas.js";
import type { Serving } from "./serving.js";
import { countsOf, shownChanges } from "./shown-changes.js";
import { shownLabel } from "./shown-memory.js";

/** More than anybody types; what is longer is better remembered by the tool. */
const MAX_REQUEST = 4_000;

export function registerPrompts(server: McpServer, serving: Serving): void {
  const branches = completeBranch(serving);
  // Optional on the outside, or the SDK finds no completions.
  const branch = completable(z.string().max(200), (typed) => branches(typed)).optional();
  const named = completable(z.string().min(1).max(200), (typed) => branches(typed));

  server.registerPrompt(
    "brief-me",
    {
      title: "Brief me",
      description: "What is new in memory, and what matters",
      argsSchema: z.object({ branch }),
    },
    (args) => prompt(() => briefMe(serving, args.branch)),
  );
  server.registerPrompt(
    "review-conflicts",
    {
      title: "Review conflicts",
      description: "Decide with me what was written differently on two sides",
      argsSchema: z.object({ branch }),
    },
    (args) => prompt(() => reviewConflicts(serving, args.branch)),
  );
  server.registerPrompt(
    "merge-back",
    {
      title: "Merge back",
      description: "Bring what was learned on a branch into another",
      argsSchema: z.object({ from: named, into: branch }),
    },
    (args) => prompt(() => mergeBack(serving, args)),
  );
  server.registerPrompt(
    "what-changed-since",
    {
      title: "What changed since",
      description: "What was learned, changed or forgotten since a date",
      argsSchema: z.object({
        since: z.string().min(1).max(200).describe('Such as 2026-08-01 or "2 weeks ago"'),
        branch,
      }),
    },
    (args) => prompt(() => whatChanged(serving, args)),
  );
  server.registerPrompt(
    "ask",
    {
      title: "Ask in plain English",
      description:
        "Forget, correct, undo, go back, merge, look up: said as to a person. Shows it; writes nothing",
      argsSchema: z.object({
        request: z.string().min(1).max(MAX_REQUEST).describe('Such as "forget what I said about the budget"'),
        branch,
      }),
    },
    // Those who never ask load neither the grammar nor what reads dates.
    (args) => prompt(async () => (await import("./asking/ask-prompt.js")).askPrompt(serving, args)),
  );
}

async function briefMe(serving: Serving, named?: string): Promise<string> {
  const space = await serving.space();
  const branch = named ?? (await serving.usualBranch(space));
  const { text } = await space.brief({ branch, maxBytes: USUAL_BYTES, peek: true });
  return `Tell me in a few sentences what is new in our memory and what matters for today. This is its brief.\n\n${framed(text)}`;
}

async function reviewConflicts(serving: Serving, named?: string): Promise<string> {
  const space = await serving.space();
  const branch = named ?? (await serving.usualBranch(space));
  const open = await openConflicts(space, branch, USUAL_BYTES);
  if (open.total === 0) return `There are no open conflicts on ${branch}. Tell me so.`;
  return `Go through these conflicts on ${branch} with me, one by one: explain both sides, recommend one, and ask. Then write my decision down with resolve (or name the command for it, cambium resolve).\n\n${framed(open.text)}`;
}

async function mergeBack(
  serving: Serving,
  { from, into: named }: { readonly from: string; readonly into?: string | undefined },
): Promise<string> {
  const space = await serving.space();
  const into = named ?? (await serving.usualBranch(space));
  const result = await space.as({ agent: "mcp", trigger: "mcp" }).merge({ from, into, preview: true });
  const { items } = shownChanges(result, { maxBytes: USUAL_BYTES });
  const counts = `${countsInWords(countsOf(result))}; ${result.conflicts.length} in conflict`;
  return `Merge the branch ${shownLabel(from)} into ${shownLabel(into)}. It would be: ${counts}. Call merge for a preview, tell me what it would change, ask me about every conflict, and merge only when I agree.\n\n${framed(textsOf(items).join("\n"))}`;
}

async function whatChanged(
  serving: Serving,
  { since, branch: named }: { readonly since: string; readonly branch?: string | undefined },
): Promise<string> {
  const space = await serving.space();
  const branch = named ?? (await serving.usualBranch(space));
  const at = /^[\w.:-]+$/.test(since) ? since : `"${since.replaceAll('"', "")}"`;
  const found = await space.diff(`${branch}@${at}`, branch);
  const { items, left } = shownChanges(found, { maxBytes: USUAL_BYTES });
  const more = left === 0 ? "" : `\n${left} more: see the tool diff.`;
  return `Tell me what changed in our memory since ${shownLabel(since)}, most important first: ${countsInWords(countsOf(found))}.\n\n${framed(textsOf(items).join("\n"))}${more}`;
}

/** A failure is reported in the conversation: clients show errors of prompts badly, or not at all. */
async function prompt(write: () => Promise<string>): Promise<GetPromptResult> {
  const text = await write().catch(
    (error: unknown) => `Tell me that this did not work: ${failureText(error)}`,
  );
  return { messages: [{ role: "user", content: { type: "text", text: safeText(text) } }] };
}
