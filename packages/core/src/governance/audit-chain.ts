/**
 * The audit log as lines, each bound to the one before it by a code that only members can make. Anyone who lacks
 * the key can neither alter, remove, add nor reorder a line unseen. The end of the log is bound by nothing
 * within: an anchor kept elsewhere says how far it had come.
 *
 *     line = JSON of the entry, with `mac` last
 *     mac  = HMAC-SHA-256(audit key, mac of the line before ‖ "\n" ‖ the JSON without `mac`), 16 bytes, base64url
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToBase64Url, utf8ToBytes } from "../format/bytes.js";
import type { BranchId, ChangeHash, MemoryId, RecordHash } from "../format/ids.js";
import type { CallerRole } from "./operations.js";

/** Who did what, when and from where: ids and codes, never contents. */
export interface AuditEntry {
  /** From 0, without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970, by the corrected clock. */
  readonly at: number;
  /** What was done, such as `remember`, `approve` or `sign-in`; `log` is about the log itself. */
  readonly operation: string;
  /** Of a refusal or request: the operation of the policy. Of `log`: what happened to it. */
  readonly of?: string | undefined;
  /** As whom the policy saw the caller. */
  readonly role?: CallerRole | undefined;
  /** Name of the agent. Absent for a person. */
  readonly agent?: string | undefined;
  /** The run of the agent, as it named it. */
  readonly session?: string | undefined;
  /** From where: `cli`, `library`, `http`, `mcp`. */
  readonly trigger?: string | undefined;
  /** Absent where no single branch is meant. */
  readonly branch?: BranchId | undefined;
  /** At most 16 ids; of more, the count. */
  readonly memories?: readonly MemoryId[] | number | undefined;
  /** The change that was written. Absent if none was. */
  readonly change?: ChangeHash | undefined;
  /** Under which epoch of this replica, and as which of its changes on the branch. */
  readonly place?: readonly [epoch: number, seq: number] | undefined;
  /** Id of the request for approval that it is about. */
  readonly request?: string | undefined;
  /** The record that holds the reason, and its pack: what is erased there is not kept here. */
  readonly reason?: readonly [record: RecordHash, pack: string] | undefined;
  /** Found in the history after a crash, not noted when it was done. */
  readonly recovered?: true | undefined;
  /** What else there is to say, as numbers and names. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** How far a log had come. */
export interface AuditAnchor {
  /** Number of the newest line at that time. */
  readonly seq: number;
  /** Code of that line: 16 bytes in base64url. */
  readonly mac: string;
}

/** One thing that is wrong with a log. */
export interface AuditFinding {
  /**
   * `truncated`: its end was cut off. `torn`: the last line is unfinished. `unlogged`: a change of this replica is in
   * no line. `unreadable`: a file cannot be read whole.
   */
  readonly kind: "edited" | "missing" | "truncated" | "torn" | "unlogged" | "unreadable";
  /** The number of the entry; absent where it is not known. */
  readonly seq?: number;
  /** A sentence for people. */
  readonly detail: string;
}

const MAC_BYTES = 16;
const MAC_AT_END = /,"mac":"([A-Za-z0-9_-]{22})"\}$/;

/** @param previous - code of the line before; empty for the first */
export function auditLine(
  key: Uint8Array,
  previous: string,
  entry: AuditEntry,
): { readonly line: string; readonly mac: string } {
  const body = JSON.stringify(entry);
  const mac = macOf(key, previous, body);
  return { line: `${body.slice(0, -1)},"mac":"${mac}"}`, mac };
}

function macOf(key: Uint8Array, previous: string, body: string): string {
  const digest = hmac(sha256, key, utf8ToBytes(`${previous}\n${body}`));
  return bytesToBase64Url(digest.subarray(0, MAC_BYTES));
}

/** @returns the entry, its bytes without the code, and the code; unverified. Undefined for what is no line of ours. */
export function parseAuditLine(
  line: string,
): { readonly entry: AuditEntry; readonly body: string; readonly mac: string } | undefined {
  const mac = MAC_AT_END.exec(line)?.[1];
  if (mac === undefined) return undefined;
  const body = line.replace(MAC_AT_END, "}");
  try {
    const entry = JSON.parse(body) as AuditEntry;
    const isEntry =
      Number.isSafeInteger(entry.seq) && typeof entry.at === "number" && typeof entry.operation === "string";
    return isEntry ? { entry, body, mac } : undefined;
  } catch {
    return undefined; // not JSON any more: the caller learns that this is no line
  }
}

/** Takes a log line by line and says what is wrong with it. */
export class AuditChecker {
  /** What is wrong with the lines taken so far. */
  readonly findings: AuditFinding[] = [];
  readonly #key: Uint8Array;
  readonly #anchors: readonly AuditAnchor[];
  #expected = 0;
  /** Undefined when the line before could not be read: then the next one cannot be checked. */
  #previous: string | undefined = "";

  /** @param anchors - how far the log had come, as known from elsewhere */
  constructor(key: Uint8Array, anchors: readonly AuditAnchor[] = []) {
    this.#key = key;
    this.#anchors = anchors;
  }

  /** How many lines were taken, those that are missing counted. */
  get size(): number {
    return this.#expected;
  }

  /** @returns the entry, if the line can be read */
  take(line: string): AuditEntry | undefined {
    const parsed = parseAuditLine(line);
    if (parsed === undefined) {
      this.#find("edited", this.#expected, "cannot be read");
      this.#previous = undefined;
      this.#expected += 1;
      return undefined;
    }
    const { entry, body, mac } = parsed;
    if (entry.seq < this.#expected) {
      this.#find("edited", entry.seq, "stands where it was not written, or stands there twice");
      return entry;
    }
    if (entry.seq > this.#expected) {
      const count = entry.seq - this.#expected;
      this.#find(
        "missing",
        this.#expected,
        count === 1 ? "is missing" : `and ${count - 1} after it are missing`,
      );
    } else if (this.#previous !== undefined && macOf(this.#key, this.#previous, body) !== mac) {
      this.#find("edited", entry.seq, "is not as it was written");
    }
    for (const anchor of this.#anchors) {
      if (anchor.seq === entry.seq && anchor.mac !== mac)
        this.#find(
          "truncated",
          entry.seq,
          "is not the one that was anchored: the log was cut and written on",
        );
    }
    this.#previous = mac;
    this.#expected = entry.seq + 1;
    return entry;
  }

  /** @param rest - what stands after the last whole line */
  finish(rest = ""): readonly AuditFinding[] {
    if (rest !== "") this.#find("torn", this.#expected, "was not written to its end");
    for (const { seq } of this.#anchors) {
      if (seq >= this.#expected)
        this.#find("truncated", this.#expected, `and all after it are missing; entry ${seq} was anchored`);
    }
    return this.findings;
  }

  #find(kind: AuditFinding["kind"], seq: number, what: string): void {
    this.findings.push({ kind, seq, detail: `Entry ${seq} ${what}.` });
  }
}
