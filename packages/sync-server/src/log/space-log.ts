/**
 * The log of each space: changes in the order in which they were stored, as bytes that the relay cannot read. Its
 * answers come once what they say is durable.
 *
 * A store on a database server does, for each batch: lock the space's row; check (`admission/check-item.ts`); insert;
 * write position and mark; commit. It may remember what is there, but asks under the lock what is not.
 *
 * A retirement erases. In the transaction that takes it, a store checks it (`checkRetire`) against the keys that it
 * reads from the changes, removes the document's bytes from its rows, and notes the document as retired: from then on it
 * refuses every other item that names it (`RETIRED`), lists and describes it no more, has no changes of it, and reads
 * its entries, all but the retirement, without bytes. Hash, number and mark rows stay. By the time `append` answers,
 * the bytes are in none of the store's files, except in segments, which are written anew right after. (A database server
 * overwrites them in its own time: PostgreSQL when it vacuums, and when it lets go of its log.)
 *
 * @module
 */
import type { ChangeHeader } from "@cambium/core";
import type { LogPoint, SegmentMethod } from "@cambium/core/wire";

/** A change to be added. */
export interface LogChange extends ChangeHeader {
  /** Which kind of item this is. */
  readonly kind: "change";
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** One change chunk, not deflated. */
  readonly bytes: Uint8Array;
}

/** A document that begins with what another has up to some heads. */
export interface LogFork {
  /** Which kind of item this is. */
  readonly kind: "fork";
  /** The new document, 32 hexadecimal digits. */
  readonly document: string;
  /** The document that it is made of. */
  readonly from: string;
  /** The changes that it has, with all that they follow. */
  readonly heads: readonly string[];
  /** Hexadecimal SHA-256 of the item's body on the wire. */
  readonly hash: string;
}

/** A document of records that is given up. */
export interface LogRetire {
  /** Which kind of item this is. */
  readonly kind: "retire";
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** Documents that have all of its other records and parts. */
  readonly carriedIn: readonly string[];
  /** Hashes of the records and parts that no document has to have any more. */
  readonly erased: readonly string[];
  /** Hexadecimal SHA-256 of the item's body on the wire. */
  readonly hash: string;
}

/** What a batch may bring. */
export type LogItem = LogChange | LogFork | LogRetire;

/** Items that are stored together or not at all, at neighbouring positions. */
export interface LogBatch {
  /** Whose log it goes to. */
  readonly space: string;
  /** In this order; each change after what it depends on. */
  readonly items: readonly LogItem[];
  /** Once a batch of a line is refused, those of the same line behind it in one `append` are dropped unseen. */
  readonly line?: object;
  /** Hexadecimal SHA-256 of the token that must still allow writing when this is stored. */
  readonly tokenHash?: string;
  /** Of a token that the log does not know, when it ends, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** The time by which a token's expiry is judged, in milliseconds since 1970. */
  readonly now?: number;
  /** It may exceed what the space may have, by a part of that: a retirement follows. */
  readonly makesRoom?: boolean;
}

/** Why a batch was not taken; docs/relay-log.md says what a client does then. */
export type RefusalCode =
  | "MISSING"
  | "NUMBER_TAKEN"
  | "HEADS_NOT_HERE"
  | "IN_USE"
  | "TOO_WIDE"
  | "RETIRED"
  | "NOT_CARRIED"
  | "BAD_CHUNK"
  | "TOO_LARGE"
  | "ROLE_REFUSED"
  | "QUOTA_EXCEEDED"
  | "BUSY";

/** What was wrong with a batch. Nothing of it was stored. */
export interface Refusal {
  /** For programs. */
  readonly code: RefusalCode;
  /** Which item, counted from 0. */
  readonly item?: number;
  /** The item's document. */
  readonly document?: string;
  /** Changes that are missing, or bad; records that are carried nowhere. */
  readonly hashes?: readonly string[];
  /** For people: one sentence. */
  readonly message: string;
}

/** What the log has of a document. */
export interface DocumentState {
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** Hashes of its last changes. */
  readonly heads: readonly string[];
  /** Of its last entry. */
  readonly position: number;
}

/** What became of a batch. */
export type BatchOutcome =
  | {
      /** It is durable. */
      readonly kind: "appended";
      /** Of each item. One that was there already keeps its place. */
      readonly positions: readonly number[];
      /** How many entries it made. */
      readonly added: number;
      /** The end of the space's log before them. */
      readonly from: LogPoint;
      /** The end of the space's log behind them. */
      readonly upTo: LogPoint;
      /** Documents that have new entries, as they are now. */
      readonly documents: readonly DocumentState[];
    }
  | {
      /** Nothing of it was stored. */
      readonly kind: "refused";
      /** Why. */
      readonly refusal: Refusal;
    }
  | {
      /** One before it in its line was refused. */
      readonly kind: "dropped";
    };

/** One entry of a log. */
export interface LogEntry {
  /** Counted from 1 in each space. */
  readonly position: number;
  /** By `LOG_KINDS` of the wire. */
  readonly kind: number;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** The chunk, or the body of another kind of item. Undefined once it is erased, with its document. */
  readonly bytes: Uint8Array | undefined;
  /** 16 bytes over everything up to here. */
  readonly mark: Uint8Array;
}

/** A segment as it lies in the store, to be sent so. */
export interface StoredSegment {
  /** The position before its first entry. */
  readonly after: number;
  /** The point of its last entry. */
  readonly upTo: LogPoint;
  /** How it is compressed. */
  readonly method: SegmentMethod;
  /** Before it was compressed. */
  readonly inflatedBytes: number;
  /** Compressed. */
  readonly bytes: Uint8Array;
}

/** Where in a log to read. */
export interface LogRange {
  /** Whose log. */
  readonly space: string;
  /** Entries after this position. */
  readonly after: number;
  /** The last entry is the one that exceeds it; at least one is read. */
  readonly maxBytes: number;
  /** Ends before the next segment, so that it can be sent as it is stored. A store may ignore it. */
  readonly untilSegment?: boolean;
}

/** One change of a document. */
export interface DocumentChange {
  /** Of its entry. */
  readonly position: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** One change chunk. */
  readonly bytes: Uint8Array;
}

/** Which changes of a document to read. */
export interface ChangesQuery {
  /** Whose log. */
  readonly space: string;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** Those after this position only. Default: 0. */
  readonly after?: number;
  /** Not these, nor what they follow. Hashes that the document does not have are ignored. */
  readonly without?: readonly string[];
}

/** The logs of all spaces. */
export interface SpaceLog {
  /** To how many spaces it can append at a time. Default: one `append` at a time, for all spaces. */
  readonly lanes?: number;
  /**
   * Stores several batches durably, those of one space in one transaction. Each is taken or refused for itself. If it
   * fails, it is unknown which spaces have theirs.
   *
   * @param onCommitted - called by a store that can take the next batches before these are durable, as soon as it can
   */
  append(
    batches: readonly LogBatch[],
    onCommitted?: (outcomes: readonly BatchOutcome[]) => void,
  ): Promise<readonly BatchOutcome[]>;
  /** Where a space's log ends. */
  end(space: string): Promise<LogPoint>;
  /** The point at a position, undefined where the log has none. */
  pointAt(space: string, position: number): Promise<LogPoint | undefined>;
  /** Entries in order. */
  read(range: LogRange): Promise<readonly LogEntry[]>;
  /**
   * The segment whose first entry follows a position, if it is whole and has no bytes of retired documents. A store
   * that does not pack has none.
   */
  segmentAfter?(space: string, after: number): Promise<StoredSegment | undefined>;
  /**
   * Documents with entries after a position, in order of their last.
   *
   * @param query - `mostHeads`: the last document is the one that exceeds it
   */
  documents(query: {
    readonly space: string;
    readonly after: number;
    readonly limit: number;
    readonly mostHeads?: number;
  }): Promise<readonly DocumentState[]>;
  /**
   * Those of the documents that the space has, in the same order.
   *
   * @param mostHeads - the last document is the one that exceeds it; those behind it are not looked at
   */
  describe(
    space: string,
    documents: readonly string[],
    mostHeads?: number,
  ): Promise<readonly DocumentState[]>;
  /** The changes of a document, those it has by a fork first, each after what it depends on. */
  changes(query: ChangesQuery): AsyncIterable<DocumentChange>;
}

/** Everything that it gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
