/**
 * Which space and branch a call is for, and why: an option, else the environment, else `.cambium.json`, else the
 * library's default. The command line and the MCP server ask the same functions: `findBinding` before a space is
 * open, `openPinnedBranch` after.
 *
 * @module
 */

import type { Agent, Space } from "@cambium/client";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { findProjectFile, type ProjectFile } from "./project-file.js";
import { branchOfWorktree, findWorktree, type LinkedWorktree } from "./worktree.js";

export interface BindingSettings {
  /** Where the program was started. */
  readonly cwd: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As given by an option. */
  readonly space?: string | undefined;
  readonly branch?: string | undefined;
}

/** What pins: an option's name, a variable's, or a file's path. */
export interface BindingSource {
  readonly kind: "option" | "environment" | "file";
  readonly name: string;
}

export interface Binding {
  /** Undefined: the default. */
  readonly space: { readonly value: string; readonly by: BindingSource } | undefined;
  /** Undefined: the library's default, `main`. */
  readonly branch: BranchBinding | undefined;
}

export type BranchBinding =
  | { readonly kind: "named"; readonly value: string; readonly by: BindingSource }
  /** Its name depends on the device, so it is known once the space is open. */
  | { readonly kind: "worktree"; readonly worktree: LinkedWorktree; readonly by: BindingSource };

const MAIN = "main";

/** @throws {CambiumError} BAD_INPUT when `.cambium.json` is not understood */
export function findBinding({ cwd, userHome, env, ...options }: BindingSettings): Binding {
  const space = fromOption("--space", options.space) ?? fromEnvironment("CAMBIUM_SPACE", env);
  const branch = fromOption("--branch", options.branch) ?? fromEnvironment("CAMBIUM_BRANCH", env);
  // A broken file is no matter for a call that says all by itself.
  const file = space !== undefined && branch !== undefined ? undefined : findProjectFile(cwd, userHome);
  return {
    space: space ?? spaceOf(file),
    branch: branch === undefined ? branchOf(file, space?.value, cwd) : { kind: "named", ...branch },
  };
}

/**
 * Returns the branch to use, or undefined for the default; makes a worktree's branch from `main` at its first use.
 *
 * @param onMade - called with the name of a branch that was made
 */
export async function openPinnedBranch(
  binding: BranchBinding | undefined,
  { space, agent }: { readonly space: Space; readonly agent: Agent },
  onMade: (branch: string) => void,
): Promise<string | undefined> {
  if (binding?.kind !== "worktree") return binding?.value;
  const name = branchOfWorktree(binding.worktree, space.replica);
  if (await isBranch(name, space)) return name;
  try {
    await agent.branches.create(name, { from: MAIN });
    onMade(name);
  } catch (error) {
    // Another process of the same worktree was faster.
    if (!isCambiumError(error, "BRANCH_EXISTS")) throw error;
  }
  return name;
}

/** Returns the error, with where the name came from when it was pinned by a file: nobody typed that one. */
export function explainPinned(error: unknown, { space, branch }: Binding): unknown {
  if (!isCambiumError(error)) return error;
  const isOf = (
    binding: { readonly value: string; readonly by: BindingSource } | undefined,
    key: string,
  ): boolean =>
    binding?.by.kind === "file" &&
    (error.details?.[key] === binding.value || error.message.includes(`"${binding.value}"`));
  const named = branch?.kind === "named" ? branch : undefined;
  const binding =
    error.code === "SPACE_NOT_FOUND" && isOf(space, "space")
      ? space
      : error.code === "BRANCH_NOT_FOUND" && isOf(named, "branch")
        ? named
        : undefined;
  if (binding === undefined) return error;
  const { code, message, hint = "", details, cause } = error;
  const extras = { hint: `It is pinned by ${binding.by.name}. ${hint}`.trim(), details, cause };
  return new CambiumError(code, message, extras);
}

/** Whether a text names a space: by name, id or the beginning of one. */
export const isNamed = (
  text: string,
  { id, name }: { readonly id: string; readonly name: string },
): boolean => name === text || id === text || (text.length >= 8 && id.startsWith(text));

const fromOption = (name: string, value: string | undefined) =>
  value === undefined ? undefined : ({ value, by: { kind: "option", name } } as const);

const fromEnvironment = (name: string, env: BindingSettings["env"]) => {
  const value = env[name];
  return value === undefined || value === ""
    ? undefined
    : ({ value, by: { kind: "environment", name } } as const);
};

const byFile = ({ path }: ProjectFile): BindingSource => ({ kind: "file", name: path });

const spaceOf = (file: ProjectFile | undefined): Binding["space"] =>
  file?.space === undefined ? undefined : { value: file.space, by: byFile(file) };

/** The branch of a file is one of that file's space: where another space is asked for, it says nothing. */
function branchOf(
  file: ProjectFile | undefined,
  space: string | undefined,
  cwd: string,
): BranchBinding | undefined {
  if (file?.branch === undefined) return undefined;
  if (space !== undefined && file.space !== undefined && space !== file.space) return undefined;
  const by = byFile(file);
  if (typeof file.branch === "string") return { kind: "named", value: file.branch, by };
  const worktree = findWorktree(cwd)?.linked;
  return worktree === undefined ? { kind: "named", value: MAIN, by } : { kind: "worktree", worktree, by };
}

/** By the cheapest of reads: listing branches would count what is on each. */
async function isBranch(name: string, space: Space): Promise<boolean> {
  try {
    await space.list({ branch: name, limit: 1 });
    return true;
  } catch (error) {
    if (isCambiumError(error, "BRANCH_NOT_FOUND")) return false;
    throw error;
  }
}
