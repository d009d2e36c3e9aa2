/**
 * An agent whose calls pass the gate before they write, and are noted in the audit log after it.
 *
 * @module
 */
import { isUuid, type MemoryId, namedMemories } from "@cambium/core";
import type { Agent, Branches, Checkpoints } from "../api.js";
import { withCheckedCalls } from "../arguments/check-calls.js";
import { AGENT, BRANCHES, CHECKPOINTS } from "../arguments/signatures.js";
import type { BranchDirectory } from "../space/branch-directory.js";
import type { BranchViews } from "../space/branch-views.js";
import type { StateReader } from "../space/state-reader.js";
import type { AuditLog } from "./audit-log.js";
import type { Caller } from "./caller.js";
import { AGENT_METHODS, BRANCH_METHODS, CHECKPOINT_METHODS, type GuardedMethod } from "./guarded-methods.js";
import type { ActionPreview, PolicyCheck } from "./policy-check.js";

export interface GuardServices {
  readonly caller: Caller;
  readonly policyCheck: PolicyCheck;
  readonly audit: AuditLog;
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
  readonly reader: StateReader;
  /** Whether a branch is the caller's own, and merged: nothing on it would be missed. */
  readonly isMergedOwn?: (branch: unknown) => Promise<boolean>;
}

type AgentCall = (...args: readonly unknown[]) => Promise<unknown>;

export function guardAgent(agent: Agent, services: GuardServices): Agent {
  const methods = guardMethods(agent, AGENT_METHODS, "", services);
  const { branches, checkpoints, requests, policy } = agent;
  const parts = { branches, checkpoints, requests, policy };
  const invite: Agent["invite"] = (options) => agent.invite(options);
  const link: Agent["link"] = (relay) => agent.link(relay);
  const guarded = { ...methods, ...parts, invite, link } as Agent;
  return withCheckedCalls(guarded, AGENT);
}

/** Branches that know whether one of them is an agent's own, and merged. */
interface KnowingBranches extends Branches {
  isMergedOwn(branch: string, agent: string | undefined): Promise<boolean>;
}

export function guardBranches(branches: KnowingBranches, services: GuardServices): Branches {
  const isMergedOwn = (branch: unknown) => branches.isMergedOwn(String(branch), services.caller.agent);
  const methods = guardMethods(branches, BRANCH_METHODS, "branches.", { ...services, isMergedOwn });
  const guarded = { ...methods, list: (options) => branches.list(options) } as Branches;
  return withCheckedCalls(guarded, BRANCHES);
}

export function guardCheckpoints(checkpoints: Checkpoints, services: GuardServices): Checkpoints {
  const methods = guardMethods(checkpoints, CHECKPOINT_METHODS, "checkpoints.", services);
  const guarded = {
    ...methods,
    list: (options) => checkpoints.list(options),
    get: (checkpoint) => checkpoints.get(checkpoint),
    compare: (from, to) => checkpoints.compare(from, to),
    policy: () => checkpoints.policy(),
  } as Checkpoints;
  return withCheckedCalls(guarded, CHECKPOINTS);
}

function guardMethods(
  owner: object,
  table: Readonly<Record<string, GuardedMethod<never> | "within">>,
  prefix: string,
  services: GuardServices,
): Record<string, AgentCall> {
  const guarded = Object.entries(table).map(([name, method]): [string, AgentCall] => {
    const call = (Reflect.get(owner, name) as AgentCall).bind(owner);
    return [name, (...args) => guardedCall({ name: prefix + name, method, args, call }, services)];
  });
  return Object.fromEntries(guarded);
}

interface Guarded {
  readonly name: string;
  readonly method: GuardedMethod<never> | "within";
  readonly args: readonly unknown[];
  readonly call: AgentCall;
}

async function guardedCall(guarded: Guarded, services: GuardServices): Promise<unknown> {
  const { name, args, call } = guarded;
  const { audit, caller, policyCheck } = services;
  await audit.open();
  if (guarded.method === "within") return call(...args);
  const method = guarded.method as GuardedMethod;
  const ids = method.ids?.(...args);
  await policyCheck.check({
    operation: method.operation,
    freer: method.whenMergedOwn && {
      operation: method.whenMergedOwn,
      applies: async () => (await services.isMergedOwn?.(args[0])) === true,
    },
    call: { method: name, args },
    affected: ids?.length,
    reason: method.reason?.(...args),
    preview: () => previewOf(method, args, services),
  });
  const result = await call(...args);
  if (method.isNoted)
    audit.note(caller, { operation: actionOf(name, method), ...notedOf(method, args, result) });
  return result;
}

/** Writes are told apart by their own names, all else as the policy does. */
const actionOf = (name: string, { operation }: GuardedMethod): string =>
  operation === "write" ? name : operation;

function notedOf(method: GuardedMethod, args: readonly unknown[], result: unknown): object {
  const memories = method.ids?.(...args).filter(isUuid) as readonly MemoryId[] | undefined;
  const { id } = (result ?? {}) as { readonly id?: string };
  return {
    ...(memories === undefined ? {} : { memories: namedMemories(memories) }),
    ...(memories === undefined && id !== undefined ? { branch: id } : {}),
  };
}

/** The memories a call names, as they are; and the branch, where all of it counts. */
async function previewOf(
  method: GuardedMethod,
  args: readonly unknown[],
  { directory, views, reader }: GuardServices,
): Promise<ActionPreview> {
  const name = method.branch?.(...args);
  const branch = name === undefined ? undefined : await directory.find(name);
  const view = branch && (await (method.isOfBranch ? views.look(branch.id) : views.openToAdd(branch.id)));
  const ids: MemoryId[] = [];
  for (const id of method.ids?.(...args) ?? []) ids.push((await reader.get(id, { branch: branch?.id })).id);
  return {
    counts: { memories: ids.length },
    ids,
    ...(method.isOfBranch && branch !== undefined ? { branch: branch.id } : {}),
    ...(method.needsHeads && view !== undefined ? { heads: { [view.branch]: view.heads } } : {}),
    plan: [branch?.id ?? null, branch?.status ?? null, ids.map((id) => [id, view?.fingerprintOf(id) ?? ""])],
  };
}
