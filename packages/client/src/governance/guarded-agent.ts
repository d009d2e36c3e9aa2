/**
 * An agent whose calls pass the policy's check before they write, and are noted in the audit log after it.
 *
 * @module
 */
import { type AuditEntry, isCambiumError, isUuid, type MemoryId, namedMemories } from "@cambium/core";
import { METHODS } from "../api/signatures.js";
import type { Agent, Branches, Checkpoints } from "../api.js";
import { withCheckedCalls } from "../arguments/check-calls.js";
import type { GuardedMethod } from "../arguments/signature.js";
import type { SpaceServices } from "../space/space-services.js";
import type { AuditLog } from "./audit-log.js";
import type { BegunCalls } from "./begun-calls.js";
import type { Caller } from "./caller.js";
import type { ActionPreview, PolicyCheck } from "./policy-check.js";

export interface GuardServices extends Pick<SpaceServices, "directory" | "views" | "reader"> {
  readonly begun: BegunCalls;
  readonly caller: Caller;
  readonly policyCheck: PolicyCheck;
  readonly audit: AuditLog;
  /** The branch on which proposals for another one are gathered, in step with that one. */
  readonly stage: (branch: string | undefined, caller: Caller) => Promise<string>;
  /** Whether a branch is the caller's own, and merged: nothing on it would be missed. */
  readonly isMergedOwn?: (branch: string) => Promise<boolean>;
}

export function guardAgent(agent: Agent, services: GuardServices): Agent {
  const { branches, checkpoints, members, requests, policy, audit } = agent;
  const parts = { branches, checkpoints, members, requests, policy, audit };
  return { ...guarded(agent, METHODS.agent, "", services), ...parts };
}

/** Branches that know whether one of them is an agent's own, and merged. */
interface KnowingBranches extends Branches {
  isMergedOwn(branch: string, agent: string | undefined): Promise<boolean>;
}

export function guardBranches(branches: KnowingBranches, services: GuardServices): Branches {
  const isMergedOwn = (branch: string) => branches.isMergedOwn(branch, services.caller.agent);
  return guarded<Branches>(branches, METHODS.branches, BRANCHES, { ...services, isMergedOwn });
}

export const guardCheckpoints = (checkpoints: Checkpoints, services: GuardServices): Checkpoints =>
  guarded(checkpoints, METHODS.checkpoints, CHECKPOINTS, services);

type Methods = Readonly<Record<string, GuardedMethod>>;

const BRANCHES = "branches.";
const CHECKPOINTS = "checkpoints.";

const replayableOf = (methods: Methods, prefix: string): readonly string[] =>
  Object.keys(methods).flatMap((name) => (methods[name]?.action === "none" ? [] : [prefix + name]));

const REPLAYABLE: ReadonlySet<string> = new Set([
  ...replayableOf(METHODS.agent, ""),
  ...replayableOf(METHODS.branches, BRANCHES),
  ...replayableOf(METHODS.checkpoints, CHECKPOINTS),
]);

/** Whether a call of the method may be kept and made again, once it is approved. */
export const isReplayable = (method: string): boolean => REPLAYABLE.has(method);

type AgentCall = (...args: readonly unknown[]) => Promise<unknown>;

/** The methods of the table, with their arguments checked; those that write pass the policy's check. */
function guarded<T extends object>(owner: T, methods: Methods, prefix: string, services: GuardServices): T {
  const calls = Object.entries(methods).map(([name, method]): [string, AgentCall] => {
    const call = (Reflect.get(owner, name) as AgentCall).bind(owner);
    const passing: AgentCall = (...args) =>
      services.begun.run(() => guardedCall({ name: prefix + name, method, args, call }, services));
    return [name, method.action === "none" ? call : passing];
  });
  return withCheckedCalls(Object.fromEntries(calls), methods) as T;
}

interface Guarded {
  readonly name: string;
  readonly method: GuardedMethod;
  readonly args: readonly unknown[];
  readonly call: AgentCall;
}

async function guardedCall({ name, method, args, call }: Guarded, services: GuardServices): Promise<unknown> {
  const { audit, caller, policyCheck } = services;
  await audit.open();
  const { action } = method;
  if (action === "within" || action === "none") return notingFailure({ name, method, args, call }, services);
  const subject = subjectOf(method, args);
  let isProposed = false;
  const propose = (): void => {
    isProposed = !method.isNoted; // what writes no record has nothing to propose
  };
  await policyCheck.check({
    operation: action,
    freer: method.whenMergedOwn && {
      operation: method.whenMergedOwn,
      applies: async () => (await services.isMergedOwn?.(subject.branch ?? "")) === true,
    },
    call: { method: name, args },
    affected: subject.ids?.length,
    reason: subject.reason,
    preview: () => previewOf(method, subject, services),
    ...(method.on === undefined ? { propose } : {}),
  });
  const branch = isProposed ? await services.stage(subject.branch, caller) : undefined;
  const placed = branch === undefined ? args : onBranch(method, args, branch);
  // A name that was deleted may mean another one afterwards. Calls keep their order: none waits for it.
  const deleted = name === "branches.delete" ? branchNamed(subject.branch, services) : undefined;
  const written = await notingFailure({ name, method, args: placed, call }, services);
  const result = branch === undefined ? written : asProposed(written);
  // Writes are told apart by their own names, all else as the policy does.
  const operation = method.notedAs ?? (action === "write" ? name : action);
  if (method.isNoted)
    audit.note(caller, { operation, ...(await notedOf(subject, (await deleted) ?? result, services)) });
  return result;
}

/** The same arguments, with another branch among the options. */
function onBranch({ takes }: GuardedMethod, args: readonly unknown[], branch: string): readonly unknown[] {
  const options = takes.findIndex(([name]) => name === "options");
  return takes.map((_, place) => (place === options ? { ...(args[place] as object), branch } : args[place]));
}

const asProposed = (written: unknown): unknown =>
  Array.isArray(written) ? written.map(asProposed) : { ...(written as object), proposed: true };

/** Whoever asks later why something is not as it was wants to know that it was tried. */
const NOTED_FAILURES: ReadonlySet<string> = new Set(["restore", "rollback", "undo", "merge", "import"]);
/** The policy's check has noted these, or nothing was tried: what was asked for makes no sense. */
const NOT_NOTED = ["BAD_INPUT", "CONFIRMATION_NEEDED", "APPROVAL_NEEDED", "ROLE_REFUSED", "ABORTED"] as const;

async function notingFailure(
  { name, method, args, call }: Guarded,
  services: GuardServices,
): Promise<unknown> {
  const { audit, caller } = services;
  try {
    return await call(...args);
  } catch (error) {
    const isPreview = args.some(
      (arg) => (arg as { readonly preview?: unknown } | undefined)?.preview === true,
    );
    if (NOTED_FAILURES.has(name) && !isPreview && !NOT_NOTED.some((code) => isCambiumError(error, code))) {
      const noted = await notedOf(subjectOf(method, args), undefined, services);
      const { memories } = noted as Pick<AuditEntry, "memories">;
      const code = isCambiumError(error) ? error.code : "INTERNAL";
      audit.note(caller, { operation: "failed", of: name, memories, details: { code } });
    }
    throw error;
  }
}

/** What a call is about. */
interface Subject {
  /** Memories that it names. */
  readonly ids?: readonly string[] | undefined;
  /** The branch it works on, if that is one. */
  readonly branch?: string | undefined;
  readonly reason?: string | undefined;
}

interface Arguments {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly proposal?: { readonly ids: readonly string[] };
  readonly branch?: string;
  readonly options?: Subject;
  readonly input?: Subject;
}

/** The arguments were checked against their shapes. */
function subjectOf({ takes, on }: GuardedMethod, args: readonly unknown[]): Subject {
  const named: Arguments = Object.fromEntries(takes.map(([name], index) => [name, args[index]]));
  const { reason } = ("options" in named ? named.options : named.input) ?? {};
  if (on === "space") return { reason };
  if (on === "branch") return { branch: named.branch, reason };
  const ids = named.ids ?? named.proposal?.ids ?? (named.id === undefined ? undefined : [named.id]);
  return { ids, branch: named.options?.branch ?? "main", reason };
}

const branchNamed = async (branch = "", { directory }: GuardServices) =>
  directory.find(branch).then(
    ({ id }) => ({ id }),
    () => undefined, // the call itself says so
  );

async function notedOf(subject: Subject, result: unknown, { reader }: GuardServices): Promise<object> {
  if (subject.ids !== undefined) {
    const found = await Promise.all(subject.ids.map((id) => wholeId(id, subject.branch, reader)));
    return { memories: namedMemories(found.filter((id) => id !== undefined)) };
  }
  const { id } = (result ?? {}) as { readonly id?: string };
  return id === undefined ? {} : { branch: id };
}

/** People name a memory by the beginning of its id. Undefined where that names none. */
async function wholeId(
  id: string,
  branch: string | undefined,
  reader: GuardServices["reader"],
): Promise<MemoryId | undefined> {
  if (isUuid(id)) return id as MemoryId;
  try {
    return (await reader.get(id, { branch })).id;
  } catch (error) {
    if (isCambiumError(error)) return undefined;
    throw error;
  }
}

/** The memories a call names, as they are; and the branch, where all of it counts. */
async function previewOf(
  { on, needsHeads }: GuardedMethod,
  subject: Subject,
  { directory, views, reader }: GuardServices,
): Promise<ActionPreview> {
  const branch = subject.branch === undefined ? undefined : await directory.find(subject.branch);
  const view = branch && (await (on === "branch" ? views.look(branch.id) : views.openToAdd(branch.id)));
  const ids: MemoryId[] = [];
  for (const id of subject.ids ?? []) ids.push((await reader.get(id, { branch: branch?.id })).id);
  return {
    counts: { memories: ids.length },
    ids,
    ...(on === "branch" && branch !== undefined ? { branch: branch.id } : {}),
    ...(needsHeads && view !== undefined ? { heads: { [view.branch]: view.heads } } : {}),
    plan: [branch?.id ?? null, branch?.status ?? null, ids.map((id) => [id, view?.fingerprintOf(id) ?? ""])],
  };
}
