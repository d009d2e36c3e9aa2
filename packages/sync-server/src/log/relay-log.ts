/**
 * What a relay keeps: an append-only log of changes per document, to which space each document
 * belongs, and who may do what. An answer is given only once it is durable.
 *
 * @module
 */
import type { SpaceLog } from "./space-log.js";

/** Space roles, each allowing what those before it allow. */
export const ROLES = ["read", "write", "admin"] as const;
/** What a token allows in its space: to read; to write as well; to make and revoke tokens as well. */
export type Role = (typeof ROLES)[number];

/** One Automerge change as it was accepted. */
export interface LoggedChange {
  /** Hexadecimal. */
  readonly hash: string;
  /** The change as Automerge encodes it. */
  readonly bytes: Uint8Array;
}

/** What a document could not be loaded with. */
export interface SetAsideChange {
  /** Hexadecimal. */
  readonly hash: string;
  /** What is wrong with it, as a sentence. */
  readonly reason: string;
  /** As they were found. A person may look at them; nothing reads them. */
  readonly bytes: Uint8Array;
}

/** What one commit adds to one document. */
export interface DocumentAppend {
  /** As automerge-repo writes it, in base58. */
  readonly documentId: string;
  /** Binds the document, if it is new. */
  readonly space: string;
  /** The document's heads once this is added. */
  readonly heads: readonly string[];
  /** Changes to add, or a chunk in place of all. */
  readonly added:
    | { readonly kind: "changes"; readonly changes: readonly LoggedChange[] }
    /** The whole document as one chunk, in place of everything stored for it before. */
    | { readonly kind: "snapshot"; readonly bytes: Uint8Array };
}

/** What became of one append of a batch. `seq` is the position that the document has from now on. */
export type AppendOutcome =
  | { readonly kind: "appended"; readonly seq: number }
  /** The document belongs to another space; nothing of this append was stored. */
  | { readonly kind: "foreign" };

/** What the log says of a document without loading it. */
export interface DocumentEntry {
  /** As automerge-repo writes it, in base58. */
  readonly documentId: string;
  /** The space that it was bound to by its first append. It never changes. */
  readonly space: string;
  /** Hashes of its last changes, in hexadecimal. */
  readonly heads: readonly string[];
  /** Where in the log the document last changed. */
  readonly seq: number;
}

/** A document with everything that is needed to load it: first the snapshot, then the changes. */
export interface StoredDocument extends DocumentEntry {
  /** The document as it was at some position, in one chunk. */
  readonly snapshot: Uint8Array | undefined;
  /** Everything since, in the order it was accepted. */
  readonly changes: readonly Uint8Array[];
}

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
}

/** The half of a log that keeps documents. */
export interface DocumentLog {
  /**
   * Adds to several documents, all or nothing, durably. Positions (`seq`) are global, ascend, and are
   * never given twice, also not after reopening.
   */
  append(batch: readonly DocumentAppend[]): Promise<readonly AppendOutcome[]>;
  /** Returns undefined for a document that was never appended to. */
  describe(documentId: string): Promise<DocumentEntry | undefined>;
  /** Returns undefined for a document that was never appended to. */
  load(documentId: string): Promise<StoredDocument | undefined>;
  /** Up to `limit` documents of a space that changed after `afterSeq`, in order of `seq`. */
  list(query: {
    readonly space: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<readonly DocumentEntry[]>;
  /** The last position given; 0 in a new log. */
  lastSeq(): Promise<number>;
  /** Stores the document as one chunk in place of its changes, unless it has moved past `seq`. */
  compact(snapshot: {
    readonly documentId: string;
    readonly seq: number;
    readonly bytes: Uint8Array;
  }): Promise<void>;
  /**
   * Stores what is left of a document as one chunk in the place of all that was stored of it, and keeps what was taken
   * out where a person can find it. The document gets a new position.
   */
  setAside(remains: {
    readonly documentId: string;
    readonly space: string;
    readonly heads: readonly string[];
    readonly bytes: Uint8Array;
    readonly aside: readonly SetAsideChange[];
  }): Promise<void>;
  /** Writes something durably, to learn whether it can. */
  probe(): Promise<void>;
}

/** The half of a log that keeps spaces and tokens. All writes are durable when they resolve. */
export interface TokenLog {
  /** @returns false, and stores nothing, when the space exists */
  createSpace(space: string, admin: StoredToken): Promise<boolean>;
  /** Whether `createSpace` was called for it. */
  hasSpace(space: string): Promise<boolean>;
  /** Adds a token to a space that exists. */
  addToken(token: StoredToken): Promise<void>;
  /** Returns undefined for a token that was never made or was removed. An expired one is returned. */
  tokenByHash(hash: string): Promise<StoredToken | undefined>;
  /** In the order they were made. */
  tokensOf(space: string): Promise<readonly StoredToken[]>;
  /** @returns false when the space has no such token */
  removeToken(space: string, tokenId: string): Promise<boolean>;
  /** Returns the hash of the relay's admin token; undefined before the first run has set one. */
  relayAdminHash(): Promise<string | undefined>;
  /** Replaces the relay's admin token. The one before is unknown from then on. */
  setRelayAdminHash(hash: string): Promise<void>;
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
  /** Writes a copy of everything, with tokens, to a file that is not there yet, while the log is in use. */
  backupTo(path: string): Promise<void>;
  /** Gives room that is free inside the log back to the disk. @returns the size in bytes before and after */
  shrink(): Promise<{ readonly before: number; readonly after: number }>;
}

/** Everything a relay keeps. Implement it to keep it elsewhere; `openSqliteLog` is the one that is built in. */
export interface RelayLog extends DocumentLog, TokenLog, OperatorLog {
  /** The logs that sessions of the log protocol read and write. */
  readonly spaces: SpaceLog;
  /** Lets go of the files. The relay calls it once, after its last write. */
  close(): Promise<void>;
}
