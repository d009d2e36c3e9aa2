/**
 * What a relay keeps: an append-only log of changes per document, to which space each document
 * belongs, and who may do what. An answer is given only once it is durable.
 *
 * @module
 */

/** Space roles, each allowing what those before it allow. */
export const ROLES = ["read", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** One Automerge change as it was accepted. */
export interface LoggedChange {
  /** Hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** What a document could not be loaded with. */
export interface SetAsideChange {
  /** Hexadecimal. */
  readonly hash: string;
  readonly reason: string;
  readonly bytes: Uint8Array;
}

/** What one commit adds to one document. */
export interface DocumentAppend {
  readonly documentId: string;
  /** Binds the document, if it is new. */
  readonly space: string;
  /** The document's heads once this is added. */
  readonly heads: readonly string[];
  readonly added:
    | { readonly kind: "changes"; readonly changes: readonly LoggedChange[] }
    /** The whole document as one chunk, in place of everything stored for it before. */
    | { readonly kind: "snapshot"; readonly bytes: Uint8Array };
}

export type AppendOutcome =
  | { readonly kind: "appended"; readonly seq: number }
  /** The document belongs to another space; nothing of this append was stored. */
  | { readonly kind: "foreign" };

export interface DocumentEntry {
  readonly documentId: string;
  readonly space: string;
  readonly heads: readonly string[];
  /** Where in the log the document last changed. */
  readonly seq: number;
}

export interface StoredDocument extends DocumentEntry {
  /** The document as it was at some position, in one chunk. */
  readonly snapshot: Uint8Array | undefined;
  /** Everything since, in the order it was accepted. */
  readonly changes: readonly Uint8Array[];
}

export interface StoredToken {
  readonly tokenId: string;
  readonly space: string;
  readonly role: Role;
  /** Hexadecimal SHA-256 of the token; the token itself is never stored. */
  readonly hash: string;
  readonly label: string | undefined;
  readonly createdAt: number;
  /** Milliseconds since 1970; from then on the token is unknown. */
  readonly expiresAt: number | undefined;
}

export interface DocumentLog {
  /**
   * Adds to several documents, all or nothing, durably. Positions (`seq`) are global, ascend, and are
   * never given twice, also not after reopening.
   */
  append(batch: readonly DocumentAppend[]): Promise<readonly AppendOutcome[]>;
  describe(documentId: string): Promise<DocumentEntry | undefined>;
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

export interface TokenLog {
  /** @returns false, and stores nothing, when the space exists */
  createSpace(space: string, admin: StoredToken): Promise<boolean>;
  hasSpace(space: string): Promise<boolean>;
  addToken(token: StoredToken): Promise<void>;
  tokenByHash(hash: string): Promise<StoredToken | undefined>;
  /** In the order they were made. */
  tokensOf(space: string): Promise<readonly StoredToken[]>;
  /** @returns false when the space has no such token */
  removeToken(space: string, tokenId: string): Promise<boolean>;
  relayAdminHash(): Promise<string | undefined>;
  setRelayAdminHash(hash: string): Promise<void>;
}

export interface RelayLog extends DocumentLog, TokenLog {
  close(): Promise<void>;
}
