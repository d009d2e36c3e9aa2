/**
 * From anything thrown to what a model reads: code, sentence, and what to do next.
 *
 * @module
 */
import type { FieldConflict } from "@cambium/core";
import { type CambiumError, type ErrorCode, isCambiumError } from "@cambium/core/errors";
import { messageOf, safeText } from "@cambium/core/text";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { clip } from "./bytes.js";
import { conflictLine, HOW_TO_RESOLVE, shownConflict } from "./shown-memory.js";

const MAX_SENTENCE = 1_500;
const NO_TOOLS: ReadonlySet<string> = new Set();

/** Where a model has to go on otherwise than a person at a terminal. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  CONFIRMATION_NEEDED: "Ask the user. If they agree, call again with confirmed: true.",
  SECRET_REFUSED: "Leave the secret out. Only if the user insists, call again with allowSecret: true.",
  STALE_EXPECTATION:
    "Something was written meanwhile: read or preview again, then call with what that gives.",
  MERGE_AGAIN_UNDECIDED:
    "Ask the user: again: true brings back what was undone, again: false merges only what is new since.",
  MEMORY_NOT_FOUND: "Find the id with recall. It may be on another branch, or forgotten.",
  BRANCH_NOT_FOUND: "List the branches with the tool branch.",
  SPACE_NOT_FOUND: "Leave space out for the usual one.",
  CHECKPOINT_NOT_FOUND: "List the checkpoints, or make one, with the tool checkpoint.",
  MEMORY_ERASED: "What is said anew is a memory of its own: remember it.",
  MEMORY_FORGOTTEN: "Remember it again, or ask the user to bring it back: `cambium restore <id>`.",
  INTERNAL: "Try once more; if it fails again, tell the user.",
};

const OTHERWISE = "Change what this names, and call again. If you cannot, tell the user.";

/** What the tools of the larger set do, where they are served. */
const NEXT_BY_TOOL: Partial<Record<ErrorCode, { readonly tool: string; readonly hint: string }>> = {
  MEMORY_FORGOTTEN: { tool: "restore", hint: "Bring it back with the tool restore, or remember it again." },
};

/** @param served - the names of the tools that the caller has */
export const failureResult = (error: unknown, served?: ReadonlySet<string>): CallToolResult => ({
  content: [{ type: "text", text: failureText(error, served) }],
  isError: true,
});

export function failureText(error: unknown, served: ReadonlySet<string> = NO_TOOLS): string {
  const { code, message, hint: usual } = describeError(error);
  const byTool = NEXT_BY_TOOL[code];
  const hint = byTool !== undefined && served.has(byTool.tool) ? byTool.hint : usual;
  const lines = [`${code}: ${message}`, ...(hint === undefined ? [] : [`Next: ${hint}`])];
  return lines.map((line) => clip(safeText(line), MAX_SENTENCE)).join("\n");
}

function describeError(error: unknown): { code: ErrorCode; message: string; hint?: string | undefined } {
  if (isCambiumError(error)) {
    // A wrong number is no sign that anything was written.
    const own = error.details?.confirmed === undefined ? undefined : error.hint;
    const hint = own ?? NEXT[error.code] ?? hintOf(error) ?? OTHERWISE;
    return { code: error.code, message: error.message, hint };
  }
  const message = messageOf(error);
  return { code: "INTERNAL", message: `Something unexpected went wrong: ${message}`, hint: NEXT.INTERNAL };
}

/** The values with their records, which is all that the tool needs. */
function decideHint(conflicts: unknown): string | undefined {
  if (!Array.isArray(conflicts) || conflicts.length === 0) return undefined;
  const open = (conflicts as readonly FieldConflict[]).map((field) => conflictLine(shownConflict(field)));
  return `${open.join(". ")}. Ask the user, then decide: ${HOW_TO_RESOLVE}`;
}

function hintOf({ code, hint, details }: CambiumError): string | undefined {
  if (code === "CONFLICT_OPEN") return decideHint(details?.conflicts) ?? hint;
  if (code !== "APPROVAL_NEEDED") return hint;
  return `Tell the user that it waits for the owner: \`cambium approve ${String(details?.request)}\`. Do not try again.`;
}
