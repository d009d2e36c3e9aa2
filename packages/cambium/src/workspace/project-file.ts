/**
 * `.cambium.json`: a directory that names the space and branch its agents and people work on.
 *
 * Read at every call of a verb, so checked by hand instead of by a schema library. What is not understood is
 * refused: a mistyped key that was passed over would send memories to the wrong branch.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { checkName } from "@cambium/core/names";
import { isErrno } from "./errno.js";
import { findWorktree } from "./worktree.js";

export const PROJECT_FILE = ".cambium.json";

export interface ProjectFile {
  readonly path: string;
  readonly space?: string | undefined;
  readonly branch?: string | PerWorktree | undefined;
}

/** Each git worktree has a branch of its own. */
export interface PerWorktree {
  readonly perWorktree: true;
}

const EXAMPLE = '{ "space": "notes", "branch": "work-persona" }';

/**
 * Looks in `cwd` and above it, up to and with `userHome`. A linked git worktree without such a file has that of
 * the main worktree's top, since a file that is not committed exists only there.
 *
 * @throws {CambiumError} BAD_INPUT naming the file, when it is not understood
 */
export function findProjectFile(cwd: string, userHome: string): ProjectFile | undefined {
  for (const dir of [...directoriesAbove(cwd, userHome), ...mainWorktree(cwd)]) {
    const found = readProjectFile(join(dir, PROJECT_FILE));
    if (found !== undefined) return found;
  }
  return undefined;
}

function directoriesAbove(cwd: string, userHome: string): readonly string[] {
  const found: string[] = [];
  const home = resolve(userHome);
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    found.push(dir);
    if (dir === home || dirname(dir) === dir) return found;
  }
}

function mainWorktree(cwd: string): readonly string[] {
  const repository = findWorktree(cwd)?.linked?.repository;
  return repository === undefined ? [] : [dirname(repository)];
}

/** @returns undefined when there is no such file */
function readProjectFile(path: string): ProjectFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw refusal(path, "cannot be read", { cause: error, hint: "Make it a file that you may read." });
  }
  return parseProjectText(path, text);
}

/** @throws {CambiumError} BAD_INPUT naming the file, when it is not understood */
export function parseProjectText(path: string, text: string): ProjectFile {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw refusal(path, `is not JSON${placeOf(text, cause)}`, {
      ...{ cause, hint: `It should read like ${EXAMPLE}.` },
    });
  }
  return parseProjectFile(path, content);
}

/** V8 names the offset, or the line and column, of what it does not expect; nothing where the text ends too soon. */
function placeOf(text: string, cause: unknown): string {
  const offset = cause instanceof Error ? /at position (\d+)/.exec(cause.message)?.[1] : undefined;
  if (offset === undefined) return "";
  const lines = text
    .replace(/^\uFEFF/, "")
    .slice(0, Number(offset))
    .split("\n");
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function parseProjectFile(path: string, content: unknown): ProjectFile {
  if (!isPlainObject(content))
    throw refusal(path, "holds no object", { hint: `It should read like ${EXAMPLE}.` });
  const { space, branch, ...others } = content;
  refuseUnknown(path, others, "space and branch");
  return { path, ...spaceOf(path, space), ...branchOf(path, branch) };
}

function spaceOf(path: string, space: unknown): { space?: string } {
  if (space === undefined) return {};
  if (typeof space === "string" && space.trim() !== "") return { space: space.trim() };
  throw refusal(path, 'needs a name or id as its "space"', { hint: `It should read like ${EXAMPLE}.` });
}

function branchOf(path: string, branch: unknown): { branch?: string | PerWorktree } {
  if (branch === undefined) return {};
  if (typeof branch === "string") return { branch: checkedBranch(path, branch) };
  if (isPlainObject(branch)) {
    const { perWorktree, ...others } = branch;
    refuseUnknown(path, others, "perWorktree", "branch.");
    if (perWorktree === true) return { branch: { perWorktree } };
  }
  throw refusal(path, 'needs a name as its "branch", or { "perWorktree": true }', {
    hint: `It should read like ${EXAMPLE}.`,
  });
}

const BRANCH_ID = /^[0-9a-f]{32}$/;

/** Ids and names that two branches bear (`work~ab12`) are understood as well as names. */
function checkedBranch(path: string, branch: string): string {
  const trimmed = branch.trim();
  try {
    if (!BRANCH_ID.test(trimmed)) checkName("branch", trimmed.replace(/~[0-9a-f]{4,32}$/, ""));
    return trimmed.normalize("NFC");
  } catch (error) {
    if (!isCambiumError(error)) throw error;
    throw refusal(path, `pins a branch that cannot be: ${error.message}`, {
      hint: `It should read like ${EXAMPLE}.`,
      cause: error,
    });
  }
}

function refuseUnknown(path: string, others: object, known: string, within = ""): void {
  const [unknown] = Object.keys(others);
  if (unknown === undefined) return;
  throw refusal(path, `has a key that is not known, "${within}${unknown}"`, {
    hint: `Known here: ${known}. Correct or remove the other.`,
  });
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function refusal(
  path: string,
  what: string,
  extras: { readonly hint?: string | undefined; readonly cause?: unknown },
): CambiumError {
  const sentence = `${path} ${what}`;
  return new CambiumError("BAD_INPUT", /[.?!]$/.test(sentence) ? sentence : `${sentence}.`, {
    ...extras,
    details: { file: path },
  });
}
