/**
 * The documents of one session, as Automerge documents. They belong to nobody else: what a client sends goes into its
 * own copy first, where it can be checked, and from there to the log. See docs/decisions/0064.
 *
 * @module
 */
import {
  type ChangeHeader,
  CheckedHandle,
  type Chunk,
  type ChunkTools,
  changeHash,
  chunkSize,
  headerOf,
  matchesChecksum,
  plainChange,
  quickReceive,
  type RefusedChange,
  type SyncMessage,
  splitChunks,
} from "@cambium/core/changes";
import { isCambiumError } from "@cambium/core/errors";
import { chunkTools } from "../chunk-tools.js";
import { damaged, loaded } from "./stored-documents.js";
import { automerge, type Handle, type SyncState } from "./wasm.js";

/** One thing to be done with a document. What was given of it before is taken in first. */
export interface Step {
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** A sync message of the client. */
  readonly data?: Uint8Array;
  /** Whether what the client sends is taken. */
  readonly mayWrite: boolean;
  /** Whether to take whole documents apart, because something in them is bad. */
  readonly apart?: boolean;
}

/** A change that is not deflated, with what its header says. */
export type AddedChange = ChangeHeader & { readonly bytes: Uint8Array };

/** What came of it. */
export interface Outcome {
  /** Changes that the document has now and that were not given: in order, none of them deflated. */
  readonly added: readonly AddedChange[];
  readonly heads: readonly string[];
  /** What the client is to be sent. Nothing as long as something was added. */
  readonly message: Uint8Array | null;
  /** Changes that cannot be kept. Of the rest, what was sound is in `added`. */
  readonly refused: readonly RefusedChange[];
  /** Whether the client has changes that the document has not. */
  readonly isAhead: boolean;
  /** Of what was given, what Automerge cannot be given. */
  readonly setAside: readonly RefusedChange[];
  /** It is let go of, and has to be given anew; then the message is to be taken apart. */
  readonly again: boolean;
  /** Why nothing came of it. The document is let go of. */
  readonly failure?: { readonly code: "BAD_INPUT" | "STORE_DAMAGED" | "TOO_LARGE"; readonly message: string };
}

interface Held {
  readonly handle: Handle;
  readonly checked: CheckedHandle;
  heads: readonly string[];
  state: SyncState;
}

/** Hashes of refused changes that are remembered: what rests on them is refused without a look. */
const MAX_REFUSED = 1_024;
/** What one step may inflate. A change is inflated up to four times: to measure, to check and to store it. */
const MAX_INFLATED_BYTES = 192 * 1024 * 1024;
/** Operations that one step may take in. Automerge takes some 4 seconds for a million of the simplest. */
const MAX_ROWS = 2 ** 21;

/** What a panic is thrown as; the other one is of WebAssembly itself. */
const PANICS: ReadonlySet<string> = new Set(["PanicError", "RuntimeError"]);

const NOTHING = {
  ...{ added: [], heads: [], message: null, refused: [], isAhead: false, setAside: [], again: false },
} as const;

/** More than a session's thread may take in at once. */
class TooMuch extends Error {}

/** The changes that a copy has taken in must not stay. */
class Unsound extends Error {}

export class StockDocuments {
  readonly #held = new Map<string, Held>();
  /** What was given and is not taken in yet. */
  readonly #waiting = new Map<string, Uint8Array[]>();
  readonly #refused = new Set<string>();
  #inflatedBytes = 0;
  #rows = 0;
  readonly #tools: ChunkTools = {
    ...chunkTools,
    inflate: (bytes, maxBytes) => {
      const inflated = chunkTools.inflate(
        bytes,
        Math.min(maxBytes, Math.max(1, MAX_INFLATED_BYTES - this.#inflatedBytes)),
      );
      this.#inflatedBytes += inflated.length;
      return inflated;
    },
  };

  /** Some changes of a document from the log, in order. */
  give(document: string, bytes: Uint8Array): void {
    const waiting = this.#waiting.get(document) ?? [];
    this.#waiting.set(document, waiting);
    waiting.push(bytes);
  }

  forget(document: string): void {
    const held = this.#held.get(document);
    this.#held.delete(document);
    this.#waiting.delete(document);
    held?.state.free();
    held?.handle.free();
  }

  /** @throws what ends the session */
  run(step: Step): Outcome {
    this.#inflatedBytes = 0;
    this.#rows = 0;
    try {
      return this.#run(step);
    } catch (error) {
      // A panic: what it left behind is not looked at again.
      if (error instanceof Error && PANICS.has(error.name)) throw error;
      this.forget(step.document);
      if (error instanceof Unsound && step.apart !== true) return { ...NOTHING, again: true };
      const message = error instanceof Error ? error.message : String(error);
      const isDamaged = isCambiumError(error, "STORE_DAMAGED");
      const isTooMuch = error instanceof TooMuch;
      const code = isDamaged ? "STORE_DAMAGED" : isTooMuch ? "TOO_LARGE" : "BAD_INPUT";
      return { ...NOTHING, failure: { code, message: message.slice(0, 200) } };
    }
  }

  #run(step: Step): Outcome {
    const { document, data } = step;
    const setAside: RefusedChange[] = [];
    const held = this.#held.get(document) ?? this.#load(step, setAside);
    this.#takeWaiting(document, held);
    const { refused, isAhead } = data === undefined ? NOTHING : this.#receive(held, data, step);
    const added = this.#collect(held);
    const message = added.length + refused.length > 0 ? null : held.handle.generateSyncMessage(held.state);
    return { added, heads: held.heads, message, refused, isAhead, setAside, again: false };
  }

  #rowsOf(chunk: Chunk): number {
    try {
      return chunkSize(chunk, this.#tools);
    } catch (error) {
      if (this.#isWhole(chunk)) throw new TooMuch(error instanceof Error ? error.message : String(error));
      return 0; // it is refused by itself
    }
  }

  /** Whether Automerge would be given it. */
  #isWhole(chunk: Chunk): boolean {
    if (chunk.kind === "document" || chunk.kind === "bundle") return matchesChecksum(chunk, this.#tools);
    try {
      headerOf(chunk.bytes, this.#tools);
      return true;
    } catch {
      return false;
    }
  }

  #load({ document, mayWrite }: Step, setAside: RefusedChange[]): Held {
    const { handle, aside } = loaded(this.#takeAll(document));
    setAside.push(...aside.map(({ hash, reason }) => ({ hash, reason })));
    const checked = new CheckedHandle(handle, this.#tools);
    const state = automerge().initSyncState();
    state.readOnly = !mayWrite;
    const held = { handle, checked, heads: handle.getHeads(), state };
    this.#held.set(document, held);
    return held;
  }

  /** @returns the changes that were given and are not taken in yet */
  #takeAll(document: string): readonly Uint8Array[] {
    const waiting = this.#waiting.get(document) ?? [];
    this.#waiting.delete(document);
    try {
      return this.#measured(waiting).map(({ bytes }) => bytes);
    } catch (cause) {
      throw cause instanceof TooMuch ? cause : damaged(cause);
    }
  }

  /**
   * Takes apart what Automerge is to be given, which takes time and memory as it says and not as it is long.
   *
   * @throws {TooMuch}
   */
  #measured(pieces: readonly Uint8Array[]): readonly Chunk[] {
    const chunks = pieces.flatMap(splitChunks);
    for (const chunk of chunks) {
      this.#rows += this.#rowsOf(chunk);
      if (this.#rows > MAX_ROWS) throw new TooMuch(`More than ${MAX_ROWS} operations come at once.`);
    }
    return chunks;
  }

  #takeWaiting(document: string, held: Held): void {
    const isNew = (bytes: Uint8Array): boolean =>
      held.handle.getChangeMetaByHash(changeHash(bytes, this.#tools)) === null;
    const unknown = this.#takeAll(document).filter(isNew);
    if (unknown.length === 0) return;
    // Loaded again, the document is served without what is bad in it.
    if (held.checked.check(unknown).refused.length > 0) throw new Unsound();
    held.handle.applyChanges(unknown);
    if (held.checked.confirm(held.heads).refused.length > 0) throw new Unsound();
    held.heads = held.handle.getHeads();
  }

  /** @returns what is refused; the rest is taken in */
  #receive(
    held: Held,
    data: Uint8Array,
    { mayWrite, apart = false }: Step,
  ): Pick<Outcome, "refused" | "isAhead"> {
    const message = automerge().decodeSyncMessage(data);
    this.#measured(message.changes);
    const isAhead = message.heads.some((head) => held.handle.getChangeMetaByHash(head) === null);
    if (mayWrite && message.changes.length > 0) {
      const refused = apart ? [] : held.checked.check(message.changes, this.#refused).refused;
      if (apart || refused.length > 0) return { refused: this.#takeSound(held, message), isAhead };
    }
    const next = quickReceive(held.handle, automerge().exportSyncState(held.state), message);
    if (next === undefined) {
      held.handle.receiveSyncMessage(held.state, data);
    } else {
      held.state.free();
      held.state = automerge().importSyncState(next);
    }
    return { refused: [], isAhead };
  }

  /** Takes in the changes of a message, but for those that cannot be kept and what rests on them. */
  #takeSound(held: Held, { changes: pieces }: SyncMessage): readonly RefusedChange[] {
    const apart = pieces.flatMap(splitChunks).flatMap((chunk) => this.#changesOf(chunk));
    const { changes, others, refused } = held.checked.check(apart, this.#refused);
    this.#bar(refused);
    for (const chunk of others) held.handle.loadIncremental(chunk);
    if (changes.length > 0) held.handle.applyChanges([...changes]);
    return refused.map(({ hash, reason }) => ({ hash, reason }));
  }

  /** Of a whole document: there may be bad changes in it beside others. */
  #changesOf(chunk: Chunk): readonly Uint8Array[] {
    const { kind, bytes } = chunk;
    if (kind !== "document" || !matchesChecksum(chunk, this.#tools)) return [bytes];
    const handle = automerge().create();
    try {
      handle.loadIncremental(bytes);
      return handle.getChanges([]);
    } finally {
      handle.free();
    }
  }

  #collect(held: Held): readonly AddedChange[] {
    const { added, refused } = held.checked.confirm(held.heads, this.#refused);
    if (refused.length > 0) {
      this.#bar(refused);
      throw new Unsound(refused[0]?.reason);
    }
    held.heads = held.handle.getHeads();
    return added.map((change) => {
      const bytes = plainChange(change.bytes, chunkTools);
      return { ...headerOf(bytes, chunkTools), bytes };
    });
  }

  #bar(refused: readonly RefusedChange[]): void {
    if (this.#refused.size > MAX_REFUSED) this.#refused.clear();
    for (const { hash } of refused) this.#refused.add(hash);
  }
}
