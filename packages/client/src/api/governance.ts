/**
 * Who may do what, requests for the owner's approval, and the audit log.
 *
 * @module
 */
import type {
  AuditEntry,
  AuditFinding,
  CallerEntry,
  CallerRole,
  ChangeHash,
  DecisionEntry,
  PolicyAction,
  PolicyLimits,
  PreviewEntry,
  ReplicaId,
  RequestState,
  RiskClass,
} from "@cambium/core";

export type { CallerRole, PolicyAction, PolicyLimits, RequestState, RiskClass } from "@cambium/core";

/** Asks the person at hand whether to go on. */
export type Confirm = (question: {
  readonly operation: PolicyAction;
  /** A sentence that says what would be done. */
  readonly message: string;
}) => boolean | Promise<boolean>;

export interface PolicyTable {
  readonly classes: Readonly<Record<PolicyAction, Readonly<Record<CallerRole, RiskClass>>>>;
  readonly limits: PolicyLimits;
  /** What differs from the defaults. */
  readonly changed: readonly {
    readonly operation: string;
    readonly role: string;
    readonly class: string;
    readonly byDefault?: RiskClass;
  }[];
  /** It was changed on two devices at once: of each cell the stricter class counts. */
  readonly contested: boolean;
}

/** Changing it is an operation of the policy itself: the owner's, unless it says otherwise. */
export interface PolicyControl {
  show(): Promise<PolicyTable>;
  /** @throws {CambiumError} BAD_INPUT, ROLE_REFUSED, STALE_EXPECTATION when someone else has just set it */
  set(operation: string, role: string, riskClass: string): Promise<PolicyTable>;
  /** @throws {CambiumError} BAD_INPUT, ROLE_REFUSED, STALE_EXPECTATION when someone else has just set it */
  setLimit(name: keyof PolicyLimits, value: number): Promise<PolicyTable>;
}

export interface ApprovalRequest {
  readonly id: string;
  readonly state: RequestState;
  readonly operation: string;
  readonly by: CallerEntry;
  /** Milliseconds since 1970, like `expiresAt`. */
  readonly at: number;
  readonly expiresAt: number;
  readonly branch?: string;
  /** As previewed when it was asked for. */
  readonly preview: PreviewEntry;
  /** Why it was asked for; absent when nothing was said, or it has not arrived or was erased. */
  readonly reason?: string;
  /** The branches have moved since: it can no longer be run as previewed. */
  readonly moved: boolean;
  readonly decision?: RequestDecision;
  /** Decisions made elsewhere at the same time that do not count. */
  readonly overruled: readonly RequestDecision[];
}

export type RequestDecision = Pick<DecisionEntry, "decision" | "by" | "at" | "change"> & {
  readonly reason?: string;
};

export interface RequestPreview {
  readonly request: ApprovalRequest;
  /** The call that would be made. */
  readonly call: GuardedCall;
  /** What it would do now; absent when it can no longer be done at all. */
  readonly now?: PreviewEntry;
  /** Why it cannot be run. Absent when it can. */
  readonly problem?: string;
}

/** A call as plain data, such as `{ method: "branches.delete", args: ["old"] }`. */
export interface GuardedCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface ApprovalResult {
  readonly request: ApprovalRequest;
  readonly change?: ChangeHash;
  /** What the call gave. */
  readonly result: unknown;
}

export interface Requests {
  /** Newest first; without a state all of them. */
  list(options?: { readonly state?: RequestState | undefined }): Promise<readonly ApprovalRequest[]>;
  /** @param id - or a beginning of it that no other has; throws REQUEST_NOT_FOUND */
  get(id: string): Promise<ApprovalRequest>;
  /** Goes through the call up to the point where it would write. */
  preview(id: string): Promise<RequestPreview>;
  /**
   * Runs the call in the name of whoever asked, exactly as it was previewed.
   *
   * @throws {CambiumError} REQUEST_CLOSED when it was decided, has expired or the state has moved; ROLE_REFUSED
   */
  approve(id: string, options?: { readonly reason?: string | undefined }): Promise<ApprovalResult>;
  /** @throws {CambiumError} REQUEST_CLOSED, ROLE_REFUSED */
  decline(id: string, options?: { readonly reason?: string | undefined }): Promise<ApprovalRequest>;
  /** Whoever asked may take it back. */
  withdraw(id: string, options?: { readonly reason?: string | undefined }): Promise<ApprovalRequest>;
}

export interface AuditOptions {
  readonly agent?: string | undefined;
  /** What was done, such as `remember`, `merge`, `refuse`. */
  readonly operation?: string | undefined;
  /** Milliseconds since 1970, or a date; a day counts from its beginning. */
  readonly since?: number | string | undefined;
  /** Likewise; a day counts to its end. */
  readonly until?: number | string | undefined;
  readonly memory?: string | undefined;
  /** 1 to 10,000. Default: 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface AuditedEntry extends Omit<AuditEntry, "reason" | "place"> {
  readonly replica: ReplicaId;
  /** Absent when none was given, or it has been erased. */
  readonly reason?: string;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditedEntry[];
  readonly cursor?: string;
}

export interface AuditVerification {
  readonly entries: number;
  /** The newest entry that is also known from outside the log. */
  readonly anchoredTo?: number;
  /** What the log itself tells: repairs, and what was found only afterwards. */
  readonly notes: readonly string[];
  /** The home was put back from an earlier copy: what the log lacks since then is in the notes, and no damage. */
  readonly restored?: true;
}

/** What AUDIT_DAMAGED says in its details. */
export interface AuditDamage extends AuditVerification {
  readonly findings: readonly AuditFinding[];
}

export interface Audit {
  list(options?: AuditOptions): Promise<AuditPage>;
  /**
   * Compares the log of this replica with its codes, with its anchor in the catalog, and with the history.
   *
   * @throws {CambiumError} AUDIT_DAMAGED; its details say where, and what kind of damage
   */
  verify(): Promise<AuditVerification>;
  /** Writes the log as it stands, line by line, codes included. */
  export(
    to: string | WritableStream<Uint8Array>,
    options?: { readonly format?: "jsonl" | undefined },
  ): Promise<{ readonly entries: number }>;
}
