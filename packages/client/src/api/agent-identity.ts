/**
 * Who calls, and what a call is recognized by when it is made again.
 *
 * @module
 */
import type { BranchId, ChangeHash, ChangeType, MemoryId } from "@cambium/core";
import type { CallerRole, Confirm } from "./governance.js";

/** Who the calls of an agent are by. */
export interface AgentIdentity {
  /** Its name, such as `claude-code`. Stored with each record that it writes. Absent for a person. */
  readonly agent?: string | undefined;
  /** Names one run of the agent. Stored with each record. */
  readonly session?: string | undefined;
  /** Names the conversation in which it writes. Stored with each record. */
  readonly conversation?: string | undefined;
  /**
   * From where it writes, such as `cli`, `mcp` or `http`. Stored with each record. The audit log shows `library` if
   * it is absent.
   */
  readonly trigger?: string | undefined;
  /**
   * As whom the policy sees these calls. Default: `agent` if an agent is named, otherwise `owner`
   * (or, with a token that may only write, the operator).
   */
  readonly role?: Exclude<CallerRole, "reader"> | undefined;
  /** True if a person has agreed to what the policy wants confirmed, or a function that asks. Default: not agreed. */
  readonly confirmed?: boolean | Confirm | undefined;
  /**
   * The owner's code, or whom to ask for it: what the policy keeps from agents needs it, once one is set. Kept nowhere.
   */
  readonly ownerCode?: string | (() => Promise<string | undefined>) | undefined;
  /** Names the one call that will be made, so that it is recognized when it is tried again: see `Space.requestOf`. */
  readonly request?: IdempotencyKey | undefined;
}

/**
 * What a client names a call by that it may have to send again. The key stands for one call: the change it writes
 * is stored together with it, in one step, and no second change is written under it.
 */
export interface IdempotencyKey {
  /** Of 1 to 255 characters, never used for another call: a random UUID, say. */
  readonly key: string;
  /**
   * What distinguishes this call from another, such as a digest of its method and arguments. Stored as a keyed code
   * only.
   */
  readonly fingerprint: string;
}

/** The change that was written under a key. */
export interface RequestedChange {
  /** Hash of the change, as `Space.log` shows it. */
  readonly change: ChangeHash;
  /** What the change did, such as `remember` or `merge`. */
  readonly type: ChangeType;
  /** Id of the branch it was written on. */
  readonly branch: BranchId;
  /**
   * At most 16 ids, in the order in which they were written; of more, the count. Where one is
   * concealed, the count of the others.
   */
  readonly memories: readonly MemoryId[] | number;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
}
