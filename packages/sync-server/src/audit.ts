/**
 * What admins did: a file of lines that are only ever added to, beside the log. Ids and addresses are in it, never a
 * token.
 *
 * @module
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "./log/relay-log.js";

/** Something that an admin did. */
export interface AdminAct {
  /** What was done. */
  readonly act:
    | "space-made"
    | "space-deleted"
    | "space-exported"
    | "token-made"
    | "token-changed"
    | "token-revoked"
    | "invitation-made"
    | "invitation-traded"
    | "invitation-revoked"
    | "admin-token-rotated"
    | "backed-up"
    | "restored"
    | "compacted";
  /** `relay-admin`, or the id of a space's token; of a trade, the id of the invitation; `command`, while no relay ran. */
  readonly by: string;
  /** Where it came from; `local` for a command. */
  readonly address: string;
  /** The space that it was done to. */
  readonly space?: string;
  /** The token that was made, changed or revoked. */
  readonly tokenId?: string;
  /** The invitation that was made, traded or revoked. */
  readonly invitationId?: string;
  /** The tokens that were revoked with an invitation. */
  readonly tokenIds?: readonly string[];
  /** The role of a token that was made, or that one has from now on. */
  readonly role?: Role;
  /** The backup that was restored. */
  readonly file?: string;
  /** When that was made. */
  readonly madeAt?: string;
  /** How many tokens open spaces after that. */
  readonly tokens?: number;
  /** How many tokens and invitations of the backup were revoked before a relay took them. */
  readonly revoked?: number;
}

/** Keeps an act for good, before its answer is given. */
export type KeepAct = (act: AdminAct) => void;

/** @returns adds to `audit.jsonl` of the data directory, on the disk when it returns */
export function auditFile(dataDir: string, now: () => number): KeepAct {
  const path = join(dataDir, "audit.jsonl");
  return (act) => {
    // Opened each time: who moves it away gets a new one.
    const file = openSync(path, "a+", 0o600);
    const { size } = fstatSync(file);
    try {
      const line = `${JSON.stringify({ time: new Date(now()).toISOString(), ...act })}\n`;
      writeFileSync(file, endsHalfWay(file, size) ? `\n${line}` : line);
      fsyncSync(file);
    } catch (error) {
      ftruncateSync(file, size); // half a line on a disk that is full
      throw error;
    } finally {
      closeSync(file);
    }
  };
}

/** The relay was killed while it wrote a line: the next one is a line of its own. */
function endsHalfWay(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}
