/**
 * The check that an operation passes before it writes. What the policy allows passes at once; for the rest
 * somebody is asked, here or by a request.
 *
 * @module
 */
import {
  type BranchId,
  CambiumError,
  type ChangeHash,
  classFor,
  POLICY_ACTIONS,
  type Policy,
  type PolicyAction,
  type PreviewEntry,
  type RequestId,
} from "@cambium/core";
import type { AgentIdentity, GuardedCall } from "../api.js";
import type { AuditLog } from "./audit-log.js";
import { type Caller, callerName } from "./caller.js";
import type { OwnerCode } from "./owner-code.js";
import type { PolicyKeeper } from "./policy-keeper.js";

/** An operation on its way. */
export interface CheckedAction {
  readonly operation: PolicyAction;
  /** As what it counts in certain cases; asked about only where the policy does not allow it anyway. */
  readonly freer?: { readonly operation: PolicyAction; readonly applies: () => Promise<boolean> } | undefined;
  /** The call of `Agent` that leads here, to be made again once it is approved. */
  readonly call: GuardedCall;
  /**
   * Its arguments as they were given, where those of `call` say the same of the moment, such as the time of "1 hour
   * ago".
   */
  readonly asked?: GuardedCall["args"] | undefined;
  /** A branch that it is about, by id. */
  readonly branch?: string | undefined;
  /** How many memories it touches. */
  readonly affected?: number | undefined;
  readonly reason?: string | undefined;
  /** Throws what is wrong with the call itself: nobody is asked about what cannot be done. */
  readonly refuseEarly?: (() => Promise<void>) | undefined;
  /** Whether the caller has been asked already. */
  readonly confirmed?: boolean | undefined;
  /** Called where it may be done only as a proposal. Without it, such an action waits for the owner. */
  readonly propose?: (() => void) | undefined;
  /** What it is about to do; asked for only when somebody has to approve it. */
  readonly preview: () => ActionPreview | Promise<ActionPreview>;
}

export interface ActionPreview extends PreviewEntry {
  /** Of the branches that the plan depends on as a whole. */
  readonly heads?: Readonly<Record<string, readonly ChangeHash[]>>;
  /** Plain data that differs whenever something else would be done. */
  readonly plan: unknown;
  /** The same, without what differs with the time at which it was asked for. Default: `plan`. */
  readonly effect?: unknown;
  /** The branch that it is about, by id. */
  readonly branch?: BranchId;
}

export interface PolicyCheck {
  /**
   * Returns when the operation may go on.
   *
   * @throws {CambiumError} CONFIRMATION_NEEDED, APPROVAL_NEEDED with the request's id, ROLE_REFUSED
   */
  check(action: CheckedAction): Promise<void>;
}

export interface PolicyCheckerOptions {
  readonly caller: Caller;
  readonly policy: PolicyKeeper;
  readonly audit: AuditLog;
  readonly confirmed: AgentIdentity["confirmed"];
  readonly ownerCode: Pick<OwnerCode, "isSet" | "prove">;
  /** As the caller gave it. */
  readonly stated: AgentIdentity["ownerCode"];
  /** Writes a request for approval down. */
  readonly ask: (action: CheckedAction, operation: PolicyAction) => Promise<AskedRequest>;
}

/** What became of asking for approval. */
export interface AskedRequest {
  readonly id: RequestId;
  /** When the same was asked for before: then it is the same request. */
  readonly askedAt?: number | undefined;
  /** Requests in the same words whose effect was another: they are withdrawn. */
  readonly replaced: readonly RequestId[];
}

export class PolicyChecker implements PolicyCheck {
  readonly #options: PolicyCheckerOptions;
  #isProven = false;

  constructor(options: PolicyCheckerOptions) {
    this.#options = options;
  }

  async check(action: CheckedAction): Promise<void> {
    const { caller, policy, audit } = this.#options;
    audit.signIn(caller);
    const operation = await this.#operationOf(action);
    const riskClass = classFor(policy.current, operation, caller);
    if (riskClass !== "refuse") {
      await action.refuseEarly?.();
      await this.#proveOwner(action, operation);
    }
    switch (riskClass) {
      case "allow":
        return;
      case "confirm":
        return this.#confirm(action, operation);
      case "propose":
        return action.propose === undefined ? this.#ask(action, operation) : action.propose();
      case "approve":
        return this.#ask(action, operation);
      case "refuse":
        return this.#refuse(action, operation);
      default:
        return riskClass satisfies never;
    }
  }

  /** Once for each agent: a call may pass here again and again. */
  async #proveOwner(action: CheckedAction, operation: PolicyAction): Promise<void> {
    const { caller, policy, audit, ownerCode, stated } = this.#options;
    if (caller.role !== "owner" || this.#isProven || !ownerCode.isSet) return;
    if (!isKeptFromAgents(operation, policy.current)) return;
    const code = typeof stated === "function" ? await stated() : stated;
    try {
      if (code === undefined) throw codeNeeded(action, operation);
      await ownerCode.prove(code);
    } catch (error) {
      const why = code === undefined ? "no owner's code" : "wrong owner's code";
      audit.note(caller, { operation: "refuse", of: operation, details: { why } });
      throw error;
    }
    this.#isProven = true;
  }

  async #operationOf(action: CheckedAction): Promise<PolicyAction> {
    const { caller, policy } = this.#options;
    const operation = guardedAs(action, policy.current);
    const { freer } = action;
    if (freer === undefined || classFor(policy.current, operation, caller) === "allow") return operation;
    return (await freer.applies()) ? freer.operation : operation;
  }

  async #confirm(action: CheckedAction, operation: PolicyAction): Promise<void> {
    const { confirmed, caller, audit } = this.#options;
    if (action.confirmed === true || confirmed === true) return;
    const message = `This would ${actionOf(action, operation)}.`;
    if (typeof confirmed === "function" && (await confirmed({ operation, message }))) return;
    audit.note(caller, { operation: "refuse", of: operation, details: { why: "not confirmed" } });
    throw new CambiumError("CONFIRMATION_NEEDED", `${message} It was not confirmed. Nothing was done.`, {
      hint: "Pass confirmed: true once the person responsible has agreed.",
      details: { operation, role: caller.role, ...affectedOf(action) },
    });
  }

  async #ask(action: CheckedAction, operation: PolicyAction): Promise<void> {
    const { caller, ask, audit } = this.#options;
    const { id: request, askedAt, replaced } = await ask(action, operation);
    for (const before of replaced)
      audit.note(caller, { operation: "withdraw", of: operation, request: before });
    audit.note(caller, { operation: "request", of: operation, request });
    const again = askedAt === undefined ? {} : { again: true };
    throw new CambiumError(
      "APPROVAL_NEEDED",
      `The owner has to approve this: it would ${actionOf(action, operation)}.${sinceAsked(askedAt, replaced)}`,
      {
        hint: `The owner decides with \`cambium approve ${request}\`, or on any device that syncs with this one.`,
        details: { request, ...again, operation, role: caller.role, ...affectedOf(action) },
      },
    );
  }

  async #refuse(action: CheckedAction, operation: PolicyAction): Promise<never> {
    const { caller, audit } = this.#options;
    audit.note(caller, { operation: "refuse", of: operation });
    throw roleRefused(caller, operation, action);
  }
}

function sinceAsked(askedAt: number | undefined, { length }: AskedRequest["replaced"]): string {
  if (askedAt !== undefined)
    return ` It was asked for before, at ${new Date(askedAt).toISOString()}, and still waits: this is the same request.`;
  return length === 0 ? "" : " It takes the place of an earlier request in the same words.";
}

const codeNeeded = (action: CheckedAction, operation: PolicyAction): CambiumError =>
  new CambiumError(
    "OWNER_CODE_NEEDED",
    `This would ${actionOf(action, operation)}: that needs the owner's code.`,
    {
      hint: "At a terminal the command asks for it. Elsewhere: --owner-code-file <path>, or CAMBIUM_OWNER_CODE.",
      details: { operation, ...affectedOf(action) },
    },
  );

/** What an agent may do by itself needs no proof: whoever lacks the code can name an agent. */
function isKeptFromAgents(operation: PolicyAction, { classes }: Policy): boolean {
  if (operation === "policy" || operation === "approve") return true;
  const { agent } = classes[operation];
  return agent === "approve" || agent === "refuse";
}

function roleRefused(caller: Caller, operation: PolicyAction, action: CheckedAction): CambiumError {
  const details = { operation, role: caller.role, ...affectedOf(action) };
  if (caller.role === "reader") {
    return new CambiumError(
      "ROLE_REFUSED",
      "This replica joined the space as a reader and cannot write to it.",
      { hint: "Ask a member for an invitation with the role write.", details },
    );
  }
  return new CambiumError(
    "ROLE_REFUSED",
    `The policy of this space does not let the ${callerName(caller)} ${POLICY_ACTIONS[operation].about}.`,
    { hint: "The owner can see and change that with `cambium policy`.", details },
  );
}

/** As which operation the policy sees it: whatever changes many memories at once is one. */
function guardedAs({ operation, affected = 0 }: CheckedAction, { limits }: Policy): PolicyAction {
  const goesBack = operation === "rollback" || operation === "undo";
  return goesBack && affected > limits.rollback ? "rollback-large" : operation;
}

function actionOf({ affected }: CheckedAction, operation: PolicyAction): string {
  const count = affected === undefined ? "" : ` (${affected} ${affected === 1 ? "memory" : "memories"})`;
  return POLICY_ACTIONS[operation].about + count;
}

const affectedOf = ({ affected }: CheckedAction): object => (affected === undefined ? {} : { affected });
