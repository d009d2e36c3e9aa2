/**
 * Requests for approval and what was decided about them, as they stand in the catalog. What is asked for in
 * words (arguments, reasons) is a record, so that it can be erased; the entry names it.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, compareText } from "../format/bytes.js";
import { type Encodable, encodeCanonical } from "../format/encoding.js";
import type { BranchId, ChangeHash, MemoryId, ReplicaId } from "../format/ids.js";
import { isObject } from "../format/is-object.js";
import type { Reference } from "../format/record.js";
import { type CallerRole, isCallerRole } from "./operations.js";

/** A memory id by form: its texts are the records of such a memory, which no branch lists. */
export type RequestId = MemoryId;

/** Who asked for something or decided it. What was not given is absent. */
export interface CallerEntry {
  /** As whom the policy saw the caller. */
  readonly role: CallerRole;
  /** The device on which it was done. */
  readonly replica: ReplicaId;
  /** Name of the agent. Absent for a person. */
  readonly agent?: string | undefined;
  /** The run of the agent, as it named it. */
  readonly session?: string | undefined;
  /** The conversation, as the agent named it. */
  readonly conversation?: string | undefined;
  /** From where it was done, such as `cli` or `mcp`. */
  readonly trigger?: string | undefined;
  /** What the device is called, where an answer says it. Never stored. */
  readonly device?: string | undefined;
}

/** What would be done, as far as it can be said in numbers and ids. */
export interface PreviewEntry {
  /** Such as `{ created: 2, hidden: 1 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first 16. */
  readonly ids: readonly MemoryId[];
}

/** A request for approval, as the catalog keeps it. */
export interface RequestEntry {
  /** The operation of the policy; of a later version, perhaps one that is not known here. */
  readonly operation: string;
  /** Who asked. */
  readonly by: CallerEntry;
  /** Milliseconds since 1970, like `expiresAt`. */
  readonly at: number;
  /** From then on an open request counts as expired. */
  readonly expiresAt: number;
  /** Absent where no single branch is meant. */
  readonly branch?: BranchId | undefined;
  /** The call to be made, and the reason given for it. */
  readonly text: Reference;
  /** What the call would have done when it was asked for. */
  readonly preview: PreviewEntry;
  /** Of the branches that were looked at. */
  readonly heads: Readonly<Record<BranchId, readonly ChangeHash[]>>;
  /** `planDigest` of what the call would have written. Another digest means that the state has moved. */
  readonly digest: string;
  /** `planDigest` of the call as it was asked for, with times such as "1 hour ago". Absent in older entries. */
  readonly words?: string | undefined;
  /** `planDigest` of what it would do, whatever such times mean by now. Absent in older entries. */
  readonly effect?: string | undefined;
}

/** A decision about a request, as the catalog keeps it. */
export interface DecisionEntry {
  /** `approve` is written once the operation has run. */
  readonly decision: "approve" | "decline" | "withdraw";
  /** Who decided. */
  readonly by: CallerEntry;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The reason. */
  readonly text?: Reference | undefined;
  /** What the operation wrote. */
  readonly change?: ChangeHash | undefined;
}

/** What became of a request. `erased`: what it is about was erased before anybody decided. */
export type RequestState = "open" | "approved" | "declined" | "withdrawn" | "expired" | "erased";

/** A request together with what was decided about it. */
export interface DecidedRequest {
  /** `expired` and `erased` only while there is no decision. */
  readonly state: RequestState;
  /** The decision that counts. */
  readonly decision?: DecisionEntry;
  /** Decisions made elsewhere at the same time that do not count. */
  readonly overruled: readonly DecisionEntry[];
}

const REQUEST_PREFIX = "request:";
const DECISION_PREFIX = "decision:";

/** The name of the setting in which a request is kept. */
export const requestKey = (id: RequestId): string => `${REQUEST_PREFIX}${id}`;

/** Each replica decides under a key of its own: no decision replaces another. */
export const decisionKey = (id: RequestId, replica: ReplicaId): string =>
  `${DECISION_PREFIX}${id}:${replica}`;

/** @returns the request that a setting's key is about; undefined for other settings */
export function requestOfKey(
  key: string,
): { readonly id: RequestId; readonly isDecision: boolean } | undefined {
  if (key.startsWith(REQUEST_PREFIX))
    return { id: key.slice(REQUEST_PREFIX.length) as RequestId, isDecision: false };
  if (!key.startsWith(DECISION_PREFIX)) return undefined;
  return { id: key.slice(DECISION_PREFIX.length).split(":", 1)[0] as RequestId, isDecision: true };
}

/** Names a plan: the same for the same plan on the same states, on every device. */
export const planDigest = (plan: Encodable): string => bytesToHex(sha256(encodeCanonical(plan)));

const DECISION_ORDER: readonly DecisionEntry["decision"][] = ["approve", "decline", "withdraw"];

/**
 * Which of several decisions counts, whatever order they came in: what has run has run; otherwise a
 * decline counts before a withdrawal.
 *
 * @param erasedAt - when what it is about was erased, in milliseconds since 1970: then there is nothing left to decide
 */
export function decidedRequest(
  { expiresAt }: Pick<RequestEntry, "expiresAt">,
  decisions: readonly DecisionEntry[],
  nowMs: number,
  erasedAt?: number,
): DecidedRequest {
  const [decision, ...overruled] = [...decisions].sort(
    (a, b) =>
      DECISION_ORDER.indexOf(a.decision) - DECISION_ORDER.indexOf(b.decision) ||
      a.at - b.at ||
      compareText(a.by.replica, b.by.replica),
  );
  if (decision === undefined) {
    const isErased = erasedAt !== undefined && erasedAt < expiresAt;
    return { state: isErased ? "erased" : nowMs < expiresAt ? "open" : "expired", overruled: [] };
  }
  const states = { approve: "approved", decline: "declined", withdraw: "withdrawn" } as const;
  return { state: states[decision.decision], decision, overruled };
}

/** @returns undefined when the entry is none that this version can read */
export function parseRequestEntry(value: unknown): RequestEntry | undefined {
  if (!isObject(value)) return undefined;
  const { operation, by, at, expiresAt, branch, text, preview, heads, digest } = value;
  const isRead =
    typeof operation === "string" &&
    isCallerEntry(by) &&
    isTime(at) &&
    isTime(expiresAt) &&
    isTextOrAbsent(branch) &&
    isReference(text) &&
    isObject(preview) &&
    isObject(preview.counts) &&
    isTextList(preview.ids) &&
    isObject(heads) &&
    Object.values(heads).every(isTextList) &&
    typeof digest === "string";
  return isRead ? (value as unknown as RequestEntry) : undefined;
}

/** @returns undefined when the entry is none that this version can read */
export function parseDecisionEntry(value: unknown): DecisionEntry | undefined {
  if (!isObject(value)) return undefined;
  const { decision, by, at, text, change } = value;
  const isRead =
    (DECISION_ORDER as readonly unknown[]).includes(decision) &&
    isCallerEntry(by) &&
    isTime(at) &&
    (text === undefined || isReference(text)) &&
    isTextOrAbsent(change);
  return isRead ? (value as unknown as DecisionEntry) : undefined;
}

const isTime = (value: unknown): value is number => typeof value === "number" && value >= 0;

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === "string";

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const isReference = (value: unknown): value is Reference =>
  isObject(value) && typeof value.record === "string" && typeof value.pack === "string";

/** Whether an entry says who asked or decided. */
export const isCallerEntry = (value: unknown): value is CallerEntry =>
  isObject(value) &&
  typeof value.role === "string" &&
  isCallerRole(value.role) &&
  typeof value.replica === "string" &&
  isTextOrAbsent(value.agent) &&
  isTextOrAbsent(value.session) &&
  isTextOrAbsent(value.conversation);
