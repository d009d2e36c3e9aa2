/**
 * Which call of an agent is which operation of the policy. A method that is not listed does not compile.
 *
 * @module
 */
import type { PolicyAction } from "@cambium/core";
import type { Agent, Branches, Checkpoints } from "../api.js";

export interface GuardedMethod<Args extends readonly unknown[] = readonly unknown[]> {
  readonly operation: PolicyAction;
  /** As what the policy sees it where that is freer, of a branch that is the caller's own and merged. */
  readonly whenMergedOwn?: PolicyAction;
  /** Memories that it names. */
  readonly ids?: (...args: Args) => readonly string[];
  /** The branch it works on, if that is one. */
  readonly branch?: (...args: Args) => string | undefined;
  readonly reason?: (...args: Args) => string | undefined;
  /** It may only run on the branch as a whole as it was previewed. */
  readonly needsHeads?: true;
  /** It says something of the branch, which need not be here for that. */
  readonly isOfBranch?: true;
  /** It writes no change that would be noted by itself. */
  readonly isNoted?: true;
}

/** It knows only on the way what it touches, and passes the gate then. */
type WithinItself = "within";

type Table<Interface, Name extends keyof Interface> = {
  readonly [Method in Name]: Interface[Method] extends (...args: infer Args) => unknown
    ? GuardedMethod<Args> | WithinItself
    : never;
};

type Named = { readonly branch?: string | undefined; readonly reason?: string | undefined };

/** The options of a call, which stand at `index`. */
const options = (index: number) => ({
  branch: (...args: readonly unknown[]) => (args[index] as Named | undefined)?.branch ?? "main",
  reason: (...args: readonly unknown[]) => (args[index] as Named | undefined)?.reason,
});

export const AGENT_METHODS = {
  remember: { operation: "write", ...options(1) },
  revise: { operation: "write", ids: (id) => [id], ...options(2) },
  forget: { operation: "forget", ids: (id) => [id], ...options(1) },
  restore: { operation: "write", ids: (id) => [id], ...options(1) },
  combine: { operation: "write", ids: (ids) => ids, ...options(2) },
  split: { operation: "write", ids: (id) => [id], ...options(2) },
  resolve: { operation: "write", ids: (id) => [id], ...options(2) },
  reinforce: { operation: "write", ids: (ids) => ids, ...options(1), isNoted: true },
  consolidate: { operation: "consolidate", ids: ({ ids }) => ids, ...options(1) },
  acceptLoss: { operation: "accept-loss", reason: (callArgs) => callArgs?.reason, isNoted: true },
  undo: "within",
  rollback: "within",
  merge: "within",
  import: "within",
  editGraph: "within",
} as const satisfies Table<Agent, Exclude<keyof Agent, UnguardedParts>>;

/** They guard themselves, or only read. */
type UnguardedParts = "branches" | "checkpoints" | "requests" | "policy" | "invite" | "link";

export const BRANCH_METHODS = {
  create: { operation: "fork", isNoted: true },
  rename: { operation: "rename-branch", branch: (branch) => branch, isOfBranch: true, isNoted: true },
  delete: {
    operation: "delete-branch",
    whenMergedOwn: "delete-merged-branch",
    branch: (branch) => branch,
    needsHeads: true,
    isOfBranch: true,
    isNoted: true,
  },
} as const satisfies Table<Branches, Exclude<keyof Branches, "list">>;

/** What is asked of checkpoints writes no branch. */
export const CHECKPOINT_METHODS = {
  create: { operation: "checkpoint", reason: ({ reason }) => reason, isNoted: true },
  delete: { operation: "delete-checkpoint", isNoted: true },
  setPolicy: { operation: "policy", isNoted: true },
} as const satisfies Table<Checkpoints, "create" | "delete" | "setPolicy">;

const REPLAYABLE: ReadonlySet<string> = new Set([
  ...Object.keys(AGENT_METHODS),
  ...Object.keys(BRANCH_METHODS).map((method) => `branches.${method}`),
  ...Object.keys(CHECKPOINT_METHODS).map((method) => `checkpoints.${method}`),
]);

export const isReplayable = (method: string): boolean => REPLAYABLE.has(method);
