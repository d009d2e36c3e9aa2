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
import { date, either, naming, number, object, text } from "../arguments/shapes.js";
import { BECAUSE, id, PAGE, type SignaturesOf, taking } from "../arguments/signature.js";
import type { Erasure } from "./erasure.js";

export type { CallerRole, PolicyAction, PolicyLimits, RequestState, RiskClass } from "@cambium/core";

/** Asks the person at hand whether to go on. */
export type Confirm = (question: {
  readonly operation: PolicyAction;
  /** A sentence that says what would be done. */
  readonly message: string;
}) => boolean | Promise<boolean>;

/** What each role may do, as it applies now. */
export interface PolicyTable {
  /** By action, then by role. What the policy does not set has its default. */
  readonly classes: Readonly<Record<PolicyAction, Readonly<Record<CallerRole, RiskClass>>>>;
  /** Which classes can be set, by action, then by role. What can be set for agents can be set for one. */
  readonly possible: Readonly<Record<PolicyAction, Readonly<Record<CallerRole, readonly RiskClass[]>>>>;
  /** Numbers that decide the class of an action, and how long requests wait. */
  readonly limits: PolicyLimits;
  /** What differs from the defaults. */
  readonly changed: readonly {
    /** An action of the policy. A newer Cambium may have set one that this version does not have. */
    readonly operation: string;
    /** The role that it is set for. */
    readonly role: string;
    /** As it was set. A class that this version does not have counts as `refuse`. */
    readonly class: string;
    /** What it would be otherwise. Absent for an action or role that this version does not have. */
    readonly byDefault?: RiskClass;
  }[];
  /** It was changed on two devices at once: of each cell the stricter class counts. */
  readonly contested: boolean;
  /** Whether the owner has to give a code for what the policy keeps from agents. */
  readonly ownerCode: boolean;
}

/** Changing it is an operation of the policy itself: the owner's, unless it says otherwise. */
export interface PolicyControl {
  /** Returns the whole table, defaults included. */
  show(): Promise<PolicyTable>;
  /**
   * Sets what happens when a role does something, such as `set("merge", "agent", "approve")`. Returns the new table.
   *
   * @throws {CambiumError} BAD_INPUT, ROLE_REFUSED, STALE_EXPECTATION when someone else has just set it
   */
  set(operation: string, role: string, riskClass: string): Promise<PolicyTable>;
  /**
   * Sets a limit: a whole number, 1 to 1,000,000. Returns the new table.
   *
   * @throws {CambiumError} BAD_INPUT, ROLE_REFUSED, STALE_EXPECTATION when someone else has just set it
   */
  setLimit(name: keyof PolicyLimits, value: number): Promise<PolicyTable>;
  /**
   * Sets, changes or removes (null) the owner's code: 6 to 200 characters. Where one is set, the caller gives that one
   * as `AgentIdentity.ownerCode`. Returns the table.
   *
   * @throws {CambiumError} BAD_INPUT, ROLE_REFUSED, OWNER_CODE_NEEDED, OWNER_CODE_WRONG
   */
  setOwnerCode(code: string | null): Promise<PolicyTable>;
}

/** A call that waits for the owner, or that was decided. */
export interface ApprovalRequest {
  /** A UUID. Methods also take a unique beginning or end of it, of at least 4 digits. */
  readonly id: string;
  /** Only an `open` one can still be decided. */
  readonly state: RequestState;
  /** An action of the policy, such as `delete-branch`. A newer Cambium may have others. */
  readonly operation: string;
  /** Who asked. */
  readonly by: CallerEntry;
  /** Milliseconds since 1970, like `expiresAt`. */
  readonly at: number;
  /** By default 30 days after it was asked for; the policy's limit `requestDays` says. */
  readonly expiresAt: number;
  /** Name of the branch it is about. Absent if it is about none, or that has not arrived. */
  readonly branch?: string;
  /** As previewed when it was asked for. */
  readonly preview: PreviewEntry;
  /** Why it was asked for. Absent if no reason was given, or it has not arrived or was erased. */
  readonly reason?: string;
  /** The branches have moved since: it can no longer be run as previewed. */
  readonly moved: boolean;
  /** The one that counts. Absent while it is open, and when it expired. */
  readonly decision?: RequestDecision;
  /** Decisions made elsewhere at the same time that do not count. */
  readonly overruled: readonly RequestDecision[];
  /** What closed one that is `erased`: its id among `erasures`, when (in milliseconds since 1970) and by whom. */
  readonly erasure?: Pick<Erasure, "id" | "at" | "by">;
}

/** Who decided a request, when (in milliseconds since 1970), and the change that an approved call wrote. */
export type RequestDecision = Pick<DecisionEntry, "decision" | "by" | "at" | "change"> & {
  readonly reason?: string;
};

/** A request, and what approving it would do at this moment. */
export interface RequestPreview {
  /** As `Requests.get` shows it. */
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
  /** Of an `Agent`: `merge`, `branches.delete`. */
  readonly method: string;
  /** In order, without what belongs to one moment: `signal`, `onProgress`, `confirmed`. */
  readonly args: readonly unknown[];
}

/** What approving a request did. */
export interface ApprovalResult {
  /** As it stands now: approved. */
  readonly request: ApprovalRequest;
  /** The change that the call wrote. Absent if it wrote none. */
  readonly change?: ChangeHash;
  /** What the call gave. */
  readonly result: unknown;
}

/** Requests for the owner's approval. They sync, so the owner may decide them on another device. */
export interface Requests {
  /** Lists requests, newest first. Default for `state`: all. */
  list(options?: { readonly state?: RequestState | undefined }): Promise<readonly ApprovalRequest[]>;
  /**
   * Returns one request, by its id or a unique beginning or end of it.
   *
   * @throws {CambiumError} REQUEST_NOT_FOUND
   */
  get(id: string): Promise<ApprovalRequest>;
  /**
   * Goes through the call up to the point where it would write. Writes nothing.
   *
   * @throws {CambiumError} REQUEST_NOT_FOUND
   */
  preview(id: string): Promise<RequestPreview>;
  /**
   * Runs the call in the name of the agent who asked, exactly as it was previewed.
   *
   * @throws {CambiumError} REQUEST_CLOSED when it was decided, has expired or the state has moved; ROLE_REFUSED
   */
  approve(id: string, options?: { readonly reason?: string | undefined }): Promise<ApprovalResult>;
  /**
   * Closes a request without running it. By default only the owner may.
   *
   * @throws {CambiumError} REQUEST_NOT_FOUND, REQUEST_CLOSED, ROLE_REFUSED
   */
  decline(id: string, options?: { readonly reason?: string | undefined }): Promise<ApprovalRequest>;
  /**
   * Closes a request in the name of the agent who asked. The owner may do it, too.
   *
   * @throws {CambiumError} REQUEST_NOT_FOUND, REQUEST_CLOSED, ROLE_REFUSED
   */
  withdraw(id: string, options?: { readonly reason?: string | undefined }): Promise<ApprovalRequest>;
}

/** Which entries of the audit log to list. All given conditions have to match. */
export interface AuditOptions {
  /** The name an agent gave itself, as it was written. */
  readonly agent?: string | undefined;
  /** What was done, such as `remember`, `merge`, `refuse`. */
  readonly operation?: string | undefined;
  /** Milliseconds since 1970, or a date; a day counts from its beginning. */
  readonly since?: number | string | undefined;
  /** As `since`, until then; a day counts to its end. */
  readonly until?: number | string | undefined;
  /** A memory's id, or a beginning of it. A full id also finds changes that touched many memories. */
  readonly memory?: string | undefined;
  /** 1 to 10,000. Default: 100. */
  readonly limit?: number | undefined;
  /** `AuditPage.cursor` of the page before. Default: from the newest entry. */
  readonly cursor?: string | undefined;
}

/** An entry of the audit log, with its reason as text. */
export interface AuditedEntry extends Omit<AuditEntry, "reason" | "place"> {
  /** The replica whose log it is from: always this one. */
  readonly replica: ReplicaId;
  /** What the device is called, where an answer says it. */
  readonly device?: string;
  /** Absent when none was given, or it has been erased. */
  readonly reason?: string;
}

/** Some entries of the audit log. */
export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditedEntry[];
  /** Gets the next page. Absent on the last one. */
  readonly cursor?: string;
}

/** What `Audit.verify` found in a sound log. */
export interface AuditVerification {
  /** How many lines the log has, those that are missing counted. */
  readonly entries: number;
  /** The newest entry that is also known from outside the log. */
  readonly anchoredTo?: number;
  /** Repairs, and entries that were added after a crash, as sentences. */
  readonly notes: readonly string[];
  /** The home was put back from an earlier copy: what the log lacks since then is in the notes, and no damage. */
  readonly restored?: true;
}

/** What AUDIT_DAMAGED says in its details. */
export interface AuditDamage extends AuditVerification {
  /** Each line that is edited, missing, cut off or unfinished, and each change that is in no line. */
  readonly findings: readonly AuditFinding[];
}

/** The log of what was done on this replica. It stays on the device. */
export interface Audit {
  /**
   * Lists entries, newest first, in pages.
   *
   * @throws {CambiumError} BAD_INPUT
   */
  list(options?: AuditOptions): Promise<AuditPage>;
  /**
   * Compares the log of this replica with its codes, with its anchor in the catalog, and with the history.
   *
   * @throws {CambiumError} AUDIT_DAMAGED; its details say where, and what kind of damage
   */
  verify(): Promise<AuditVerification>;
  /**
   * Writes all lines of the log with their codes, to a new file or to a stream. Returns how many.
   *
   * @throws {CambiumError} BAD_INPUT if the file exists or cannot be written
   */
  export(
    to: string | WritableStream<Uint8Array>,
    options?: { readonly format?: "jsonl" | undefined },
  ): Promise<{ readonly entries: number }>;
}

const requests = {
  list: [taking({ state: text })],
  get: [id],
  preview: [id],
  approve: [id, taking(BECAUSE)],
  decline: [id, taking(BECAUSE)],
  withdraw: [id, taking(BECAUSE)],
} satisfies SignaturesOf<Requests>;

const policy = {
  show: [],
  set: [
    ["operation", text],
    ["role", text],
    ["class", text],
  ],
  setLimit: [
    ["name", text],
    ["value", number],
  ],
  setOwnerCode: [
    [
      "code",
      (value, at) => {
        if (value !== null) text(value, at);
      },
    ],
  ],
} satisfies SignaturesOf<PolicyControl>;

const audit = {
  list: [taking({ agent: text, operation: text, since: date, until: date, memory: naming, ...PAGE })],
  verify: [],
  export: [["to", either({ ofText: naming, ofObject: object({}) })], taking({ format: text })],
} satisfies SignaturesOf<Audit>;

export default { requests, policy, audit };
