/**
 * One batch on its way into a log: each item is checked against what is there with what the batch has brought before
 * it, and gets its position and mark. It is the same for every store; a store looks things up and inserts.
 *
 * @module
 */
import type { ChunkTools } from "@cambium/core";
import { LOG_KINDS, type LogPoint, nextPoint } from "@cambium/core/wire";
import { MAX_HEADS } from "../admission/bounds.js";
import {
  checkChange,
  checkFork,
  checkRetire,
  type HeldDocument,
  type HeldEntry,
  type HeldKeys,
  retiredRefusal,
  type Verdict,
} from "../admission/check-item.js";
import type { BatchOutcome, LogBatch, LogChange, LogFork, LogItem, LogRetire, Refusal } from "./space-log.js";

/** A document while a batch is checked: what it will be if the batch is taken. */
export interface OpenDocument {
  /** 32 hexadecimal digits. */
  readonly document: string;
  readonly held: HeldDocument;
  readonly heads: Set<string>;
  position: number;
  maxOp: number;
  isRetired: boolean;
}

/** A store inside a transaction that has locked a space. What it is given, it inserts at once or at the commit. */
export interface BatchStore<Document extends OpenDocument> {
  /** @returns undefined for a document that the space does not have */
  open(document: string): Document | undefined;
  create(document: string): Document;
  /** A document that has what the fork's heads follow in its source. @throws {Refused} */
  createFork(fork: LogFork, source: Document): Document;
  positionOf(document: Document, hash: string): number | undefined;
  insertChange(point: LogPoint, document: Document, change: LogChange, deps: readonly HeldEntry[]): void;
  insertFork(point: LogPoint, document: Document, fork: LogFork): void;
  /** What a retirement asks of a document, with what this batch has brought. @throws {Refused} */
  keysOf(document: Document): HeldKeys;
  /** Removes the document's bytes, and notes it as retired. */
  insertRetire(point: LogPoint, document: Document, retire: LogRetire): void;
  /** The log ends here, and these documents have new entries. */
  move(point: LogPoint, documents: Iterable<Document>): void;
}

/** Undoes a batch. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export class OpenBatch<Document extends OpenDocument> {
  readonly #store: BatchStore<Document>;
  readonly #start: LogPoint;
  readonly #sha256: ChunkTools["sha256"];
  readonly #documents = new Map<string, Document>();
  readonly #headsBefore = new Map<string, number>();
  readonly #changed = new Set<Document>();
  #point: LogPoint;

  constructor(store: BatchStore<Document>, start: LogPoint, sha256: ChunkTools["sha256"]) {
    this.#store = store;
    this.#start = start;
    this.#sha256 = sha256;
    this.#point = start;
  }

  /** @throws {Refused} */
  take(items: readonly LogItem[]): BatchOutcome & { readonly kind: "appended" } {
    const positions = items.map((item, index) => {
      try {
        return this.#item(item);
      } catch (error) {
        throw error instanceof Refused ? new Refused({ ...error.refusal, item: index }) : error;
      }
    });
    this.#refuseTooManyHeads();
    const added = this.#point.position - this.#start.position;
    if (added > 0) this.#store.move(this.#point, this.#changed);
    const live = [...this.#changed].filter(({ isRetired }) => !isRetired);
    const documents = live.map(({ document, heads, position }) => ({
      ...{ document, heads: [...heads], position },
    }));
    return { kind: "appended", positions, added, from: this.#start, upTo: this.#point, documents };
  }

  /** Once all items are in: a batch may bring what joins them. @throws {Refused} */
  #refuseTooManyHeads(): void {
    for (const { document, heads } of this.#changed) {
      if (heads.size <= MAX_HEADS || heads.size <= (this.#headsBefore.get(document) ?? 0)) continue;
      const message = `The document has ${MAX_HEADS} last changes that nobody has joined; read them, and join them first.`;
      throw new Refused({ code: "QUOTA_EXCEEDED", document, message });
    }
  }

  #item(item: LogItem): number {
    if (item.kind === "change") return this.#change(item);
    return item.kind === "fork" ? this.#fork(item) : this.#retire(item);
  }

  #change(change: LogChange): number {
    const open = this.#open(change.document) ?? this.#create(this.#store.create(change.document));
    const verdict = checkChange(change, open.held);
    if (verdict.kind !== "new") return placeOf(verdict) as number;
    this.#advance(change);
    this.#store.insertChange(this.#point, open, change, verdict.deps);
    for (const dep of change.deps) open.heads.delete(dep);
    open.heads.add(change.hash);
    open.maxOp = Math.max(open.maxOp, change.maxOp);
    return this.#moved(open);
  }

  #fork(fork: LogFork): number {
    const [target, source] = [this.#open(fork.document), this.#open(fork.from)];
    const knownAt = target && this.#store.positionOf(target, fork.hash);
    const verdict = checkFork(fork, { knownAt, target: target?.held, source: source?.held });
    const known = placeOf(verdict);
    if (known !== undefined || source === undefined) return known ?? 0;
    const open = this.#create(this.#store.createFork(fork, source));
    this.#advance(fork);
    this.#store.insertFork(this.#point, open, fork);
    return this.#moved(open);
  }

  #retire(retire: LogRetire): number {
    const open = this.#held(retire.document);
    const knownAt = open && this.#store.positionOf(open, retire.hash);
    if (knownAt !== undefined) return knownAt;
    if (open?.isRetired) throw new Refused(retiredRefusal(retire.document));
    const carriers = retire.carriedIn.flatMap((document) => {
      const carrier = document === retire.document ? undefined : this.#held(document);
      return carrier === undefined || carrier.isRetired ? [] : [this.#store.keysOf(carrier)];
    });
    placeOf(checkRetire(retire, open && this.#store.keysOf(open), carriers));
    const retired = open ?? this.#create(this.#store.create(retire.document));
    this.#advance(retire);
    this.#store.insertRetire(this.#point, retired, retire);
    retired.isRetired = true;
    retired.heads.clear();
    return this.#moved(retired);
  }

  #advance(item: LogItem): void {
    const { document, hash } = item;
    this.#point = nextPoint(this.#point, { kind: LOG_KINDS[item.kind], document, hash }, this.#sha256);
  }

  #moved(open: Document): number {
    open.position = this.#point.position;
    this.#changed.add(open);
    return open.position;
  }

  /** @throws {Refused} */
  #open(document: string): Document | undefined {
    const open = this.#held(document);
    if (open?.isRetired) throw new Refused(retiredRefusal(document));
    return open;
  }

  #held(document: string): Document | undefined {
    const open = this.#documents.get(document) ?? this.#store.open(document);
    return open && this.#create(open);
  }

  #create(open: Document): Document {
    if (!this.#documents.has(open.document)) this.#headsBefore.set(open.document, open.heads.size);
    this.#documents.set(open.document, open);
    return open;
  }
}

/** Lines of which a batch was refused: what follows it in the same `append` is dropped. */
export class StoppedLines {
  readonly #lines = new Set<object>();

  drops({ line }: LogBatch): boolean {
    return line !== undefined && this.#lines.has(line);
  }

  note({ line }: LogBatch, outcome: BatchOutcome): void {
    if (outcome.kind === "refused" && line !== undefined) this.#lines.add(line);
  }
}

/** Whether a token, as it stands in this transaction, allows a batch. */
export function refusalOfToken(
  { now = 0, tokenHash, expiresAt }: LogBatch,
  token: { readonly role: string; readonly expiresAt: number | null } | undefined,
): Refusal | undefined {
  const mayWrite =
    tokenHash === undefined
      ? (expiresAt ?? now + 1) > now
      : token !== undefined && token.role !== "read" && (token.expiresAt ?? now + 1) > now;
  if (mayWrite) return undefined;
  return { code: "ROLE_REFUSED", message: "The token does not allow writing, or no longer." };
}

/** @returns where it is, if it is in the log @throws {Refused} */
function placeOf(verdict: Verdict): number | undefined {
  if (verdict.kind === "refused") throw new Refused(verdict.refusal);
  return verdict.kind === "known" ? verdict.position : undefined;
}
