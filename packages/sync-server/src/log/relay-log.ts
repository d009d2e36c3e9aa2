/**
 * What a relay keeps: an append-only log of changes per document, to which space each document
 * belongs, and who may do what. An answer is given only once it is durable.
 *
 * @module
 */
import type { LogPoint } from "@cambium/core/wire";
import type { SpaceLog } from "./space-log.js";

/** Space roles, each allowing what those before it allow. */
export const ROLES = ["read", "write", "admin"] as const;
/** What a token allows in its space: to read; to write as well; to make and revoke tokens as well. */
export type Role = (typeof ROLES)[number];

/** A token of a space. */
export interface StoredToken {
  /** Names it without revealing it, in lists and when it is revoked. */
  readonly tokenId: string;
  /** The only space that it opens. */
  readonly space: string;
  /** What it allows there. */
  readonly role: Role;
  /** Hexadecimal SHA-256 of the token; the token itself is never stored. */
  readonly hash: string;
  /** For people who list tokens. Undefined if none was given. */
  readonly label: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; from then on the token is unknown. */
  readonly expiresAt: number | undefined;
  /** The id of the invitation that it was traded for. Undefined for one that an admin made. */
  readonly cameBy?: string | undefined;
  /** Who has it, sealed for the members of the space. */
  readonly device?: string | undefined;
}

/** A secret that opens nothing. Who has it can trade it for tokens of the space, one for each device. */
export interface StoredInvitation {
  /** Names it without revealing it. */
  readonly invitationId: string;
  /** The space that it invites to. */
  readonly space: string;
  /** The most that a token traded for it allows. */
  readonly role: Role;
  /** Hexadecimal SHA-256 of the secret. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; from then on nothing is traded for it. The tokens that were traded stay. */
  readonly expiresAt: number | undefined;
  /** When tokens that are traded for it expire. */
  readonly accessUntil: number | undefined;
  /** How many tokens may be traded for it. */
  readonly mostUses: number;
  /** How many were, also of those that were removed since. */
  readonly uses: number;
}

/**
 * What a trade came to. `made`: the token is stored. `known`: it was before, for this invitation. `taken`: its hash is
 * that of another token. `used-up`: as many were traded as may be. `unknown`: there is no such invitation any more.
 */
export type TradeOutcome =
  | { readonly kind: "made" }
  | { readonly kind: "known"; readonly token: StoredToken }
  | { readonly kind: "taken" | "used-up" | "unknown" };

/** Another role for a token. */
export interface RoleChange extends LeavesAdmin {
  /** Whose token it is. */
  readonly space: string;
  /** Which. */
  readonly tokenId: string;
  /** What it allows from now on. */
  readonly role: Role;
}

/** What has to be left when tokens are removed. */
export interface LeavesAdmin {
  /** Some token with the role admin that has not expired by then, in milliseconds since 1970, if the space has one. */
  readonly leavesAdminAt?: number | undefined;
}

/** What the removal of a token came to. `last-admin`: nobody would be left with the role admin, and it is there. */
export type RemovedToken = "removed" | "unknown" | "last-admin";

/** What a change of a role came to. `last-admin`: nobody would be left with the role admin, and nothing changed. */
export type RoleOutcome = "changed" | "unknown" | "last-admin";

/** The half of a log that keeps spaces and tokens. All writes are durable when they resolve. */
export interface TokenLog {
  /** @returns false, and stores nothing, when the space exists */
  createSpace(space: string, admin: StoredToken): Promise<boolean>;
  /** Whether `createSpace` was called for it. */
  hasSpace(space: string): Promise<boolean>;
  /** Adds a token, with its `device` and `cameBy`, to a space that exists. */
  addToken(token: StoredToken): Promise<void>;
  /** Returns undefined for a token that was never made or was removed. An expired one is returned. */
  tokenByHash(hash: string): Promise<StoredToken | undefined>;
  /** In the order they were made. */
  tokensOf(space: string): Promise<readonly StoredToken[]>;
  /** How many tokens of the space have not expired by then, in milliseconds since 1970. */
  standingTokens(space: string, at: number): Promise<number>;
  /** Looks at the tokens and removes one in one transaction, as `changeRole` does. */
  removeToken(space: string, tokenId: string, guard?: LeavesAdmin): Promise<RemovedToken>;
  /**
   * Gives a token another role. What it looks at and what it writes is one transaction with what appends look at: what
   * the token has appended was allowed, and what comes after is judged by the new role. Looks at `unknown` first.
   */
  changeRole(change: RoleChange): Promise<RoleOutcome>;
  /** Returns the hash of the relay's admin token; undefined before the first run has set one. */
  relayAdminHash(): Promise<string | undefined>;
  /** Replaces the relay's admin token. The one before is unknown from then on. */
  setRelayAdminHash(hash: string): Promise<void>;
}

/**
 * The part of a log that keeps invitations, beside the tokens. All writes are durable when they resolve. What a log
 * keeps of a space's invitations goes with the space.
 */
export interface InvitationLog {
  /** Adds an invitation to a space that exists. */
  addInvitation(invitation: StoredInvitation): Promise<void>;
  /** Returns undefined for one that was never made or was removed. One that expired, or is used up, is returned. */
  invitationByHash(hash: string): Promise<StoredInvitation | undefined>;
  /** In the order they were made. */
  invitationsOf(space: string): Promise<readonly StoredInvitation[]>;
  /**
   * Stores a token that `cameBy` an invitation, and counts one use of that: both or neither, and never more than
   * `mostUses`, whatever happens at the same time. Looks at `known` and `taken` first, then at `unknown`, then at
   * `used-up`. Knows no clock: who calls has looked whether the invitation expired.
   */
  trade(token: StoredToken & { readonly cameBy: string }): Promise<TradeOutcome>;
  /**
   * Removes an invitation and, `withTokens`, all tokens that came by it, in one transaction.
   *
   * @returns the ids of the tokens that were removed; undefined when the space has neither the invitation nor, if
   *   they were asked for, a token that came by it; `last-admin` where nobody would be left, and nothing was removed
   */
  removeInvitation(
    space: string,
    invitationId: string,
    options: LeavesAdmin & { readonly withTokens: boolean },
  ): Promise<readonly string[] | "last-admin" | undefined>;
}

/** How much is stored of a space. */
export interface SpaceUsage {
  /** How many documents. */
  readonly documents: number;
  /** What their changes take, without indexes and free room. */
  readonly bytes: number;
}

/** A space, as operators see it. */
export interface SpaceEntry extends SpaceUsage {
  /** Its id. */
  readonly space: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** How many tokens it has, with those that have expired. */
  readonly tokens: number;
}

/** What operators ask of a log. */
export interface OperatorLog {
  /** All of them, in the order they were made. */
  listSpaces(): Promise<readonly SpaceEntry[]>;
  /** Zeros for a space that has nothing. */
  usage(space: string): Promise<SpaceUsage>;
  /** Removes a space with its documents and tokens. @returns false when there is none */
  deleteSpace(space: string): Promise<boolean>;
  /** When tokens, by their ids, were used; durable sooner or later. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** When each token of the space was last used, by their ids; of some nothing is known. */
  usesOf(space: string): Promise<ReadonlyMap<string, number>>;
  /**
   * Writes a copy of everything, with tokens, to a file that is not there yet, while the log is in use. The copy says
   * that it was made `at` that time, in milliseconds since 1970.
   */
  backupTo(path: string, at: number): Promise<void>;
  /**
   * Packs the changes of logs that are not written to any more, and gives room that is free inside the log back to the
   * disk. @returns the size in bytes before and after
   */
  shrink(): Promise<{ readonly before: number; readonly after: number }>;
}

/** Something that a relay did in a store that it shares. */
export interface StoreHint {
  /**
   * `appended`: the log has new entries. `moved`: it is another log than before. `revoked`: tokens are gone or
   * have another role, or the space is gone.
   */
  readonly kind: "appended" | "moved" | "revoked";
  /** Whose. */
  readonly space: string;
}

/** What a space may store, over all relays on the store. `Infinity` is no limit. */
export interface SpaceQuotas {
  /** Bytes of its entries, packed or not. */
  readonly bytesPerSpace: number;
  /** Documents, with those that are retired. */
  readonly documentsPerSpace: number;
}

/** What relays on one store ask to learn what the others did. */
export interface SharedStore {
  /** Begins to listen; called once. Hints may come late or not at all: relays also look. */
  onHint(hear: (hint: StoreHint) => void): void;
  /**
   * Passes on to the other relays what a session of the space has said, at most 5,000 bytes. Nobody stores it, and it
   * may be lost.
   */
  broadcast(space: string, words: Uint8Array): void;
  /** Called once, before `onHint`: hears what was said at other relays. */
  onBroadcast(hear: (space: string, words: Uint8Array) => void): void;
  /** Refuses from now on, under the lock of the space, what would exceed this. Retirements make room, and are taken. */
  limit(quotas: SpaceQuotas): void;
  /** Where the logs of spaces end now, and whether they have what a relay remembers of them. */
  look(
    points: ReadonlyMap<string, LogPoint>,
  ): Promise<ReadonlyMap<string, { readonly upTo: LogPoint; readonly isContinued: boolean }>>;
  /** Of the tokens with these hashes, those that are not removed. */
  tokens(hashes: readonly string[]): Promise<readonly StoredToken[]>;
}

/** Everything a relay keeps. Implement it to keep it elsewhere; `openSqliteLog` is the one that is built in. */
export interface RelayLog extends TokenLog, InvitationLog, OperatorLog {
  /** What is in the spaces. */
  readonly spaces: SpaceLog;
  /** Only for a store that several relays may use at a time. */
  readonly shared?: SharedStore;
  /** Writes something durably, to learn whether it can. */
  probe(): Promise<void>;
  /**
   * Packs some of what is old and not written to, in turns that leave others room. The relay calls it again and again.
   * A log that does not pack has none. @returns how many segments it made
   */
  pack?(): Promise<number>;
  /** Lets go of the files. The relay calls it once, after its last write. */
  close(): Promise<void>;
}
