/**
 * The audit log of a space on this replica: what was done is noted before it is acknowledged, and goes to its
 * file with one call for whatever came together. It may trail the store after a crash; what the history has
 * then and the log lacks is found by actor and number, and appended as recovered, before anything else.
 *
 * @module
 */
import {
  type AuditAnchor,
  type AuditEntry,
  actorId,
  auditLine,
  type BranchId,
  namedMemories,
  parseActorId,
  parseAuditLine,
  type ReplicaId,
} from "@cambium/core";
import type { CatalogWrite } from "../documents/catalog-keeper.js";
import type { SpaceServices } from "../space/space-services.js";
import type { WrittenChange } from "../space/writer.js";
import { AuditCoverage } from "./audit-coverage.js";
import type { AuditEnd } from "./audit-end.js";
import { AuditFiles } from "./audit-files.js";
import { coveredBefore, lastSegments } from "./audit-segments.js";
import type { Caller } from "./caller.js";
import { ownChanges } from "./own-changes.js";

export interface AuditLogOptions extends Pick<SpaceServices, "now" | "catalog" | "directory" | "index"> {
  readonly dir: string;
  readonly key: Uint8Array;
  readonly replica: ReplicaId;
  readonly replicaName: string;
  readonly end: AuditEnd;
  readonly onNotice: (message: string) => void;
  /** Throws when the space's files are no longer in their place: its directory must not be made again. */
  readonly refuseDisplaced: () => void;
  /** Bytes of a segment. */
  readonly segmentBytes?: number;
}

/** What was done; who, when and from where are added. */
export type AuditAction = Omit<AuditEntry, "seq" | "at" | "role" | "agent" | "session" | "trigger">;

/** What a page of the log reads at most; compressed, it takes no less room in larger pieces. */
const SEGMENT_BYTES = 262_144;
const ANCHOR_EVERY_MS = 3_600_000;
/** So many entries at most can be removed with the files of a log that was not closed, and not be missed. */
const NOTE_END_EVERY = 64;

export class AuditLog {
  readonly files: AuditFiles;
  readonly #options: AuditLogOptions;
  readonly #signedIn = new Set<string>();
  readonly #notifiedUnreadable = new Set<string>();
  #coverage = new AuditCoverage();
  #pending: string[] = [];
  #next = 0;
  #mac = "";
  #opening: Promise<void> | undefined;
  #isOpen = false;
  #isClosed = false;
  #mayLack = false;
  #isFlushDue = false;
  #hasFailed = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.files = new AuditFiles(options.dir);
    options.catalog.onPut(() => this.#anchorWhenDue());
  }

  /** The catalog's word on how far the log had come. */
  get anchors(): readonly AuditAnchor[] {
    const setting = this.#options.catalog.current.settings.get(this.#anchorKey);
    return setting === undefined
      ? []
      : [setting.value, ...setting.others].flatMap(({ value }) => anchorOf(value));
  }

  /** The same, and the store's word. */
  get ends(): readonly AuditAnchor[] {
    const { anchor } = this.#options.end;
    return anchor === undefined ? this.anchors : [...this.anchors, anchor];
  }

  /** Has to be awaited before `ends` and `exists` are asked for in a log that was not opened. */
  readEnd(): Promise<void> {
    return this.#options.end.read();
  }

  get #anchorKey(): string {
    return `audit:${this.#options.replica}`;
  }

  /** Has to be awaited before anything is written that the log is to tell of; costs nothing afterwards. */
  open(): Promise<void> {
    if (this.#isOpen && !this.#mayLack) return READY;
    this.#opening ??= this.#openOnce().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Whether there is anything to read, or to put right. */
  get exists(): boolean {
    return this.isHere || this.ends.length > 0;
  }

  /** Its files, or the note of where they ended. */
  get isHere(): boolean {
    return this.files.segments().length > 0 || this.files.readNotedHead() !== undefined;
  }

  /** Once in a session for each file. */
  notifyUnreadable(file: string): void {
    if (this.#notifiedUnreadable.has(file)) return;
    this.#notifiedUnreadable.add(file);
    this.#options.onNotice(
      `The file ${file} of the audit log cannot be read whole: some of its entries are not shown. \`cambium audit --verify\` says more.`,
    );
  }

  /** Documents were put in the place of others: changes may have been made again that nobody noted. */
  noteReplaced(): void {
    this.#mayLack = true;
  }

  /** Once in a session for each agent: from when on it acts here. */
  signIn(caller: Caller): void {
    if (caller.role !== "agent") return;
    const name = `${caller.agent} ${caller.session}`;
    if (this.#signedIn.has(name)) return;
    this.#signedIn.add(name);
    this.note(caller, { operation: "sign-in" });
  }

  note(caller: Caller, { operation, of, ...action }: AuditAction): void {
    if (!this.#isOpen || this.#isClosed) return; // a refusal after closing, or before anything was written
    const { role, agent, session, trigger = "library", request } = caller;
    this.#append({ operation, of, role, agent, session, trigger, request, ...action });
  }

  noteChange(caller: Caller, { type, hash, branch, memories, place, reason }: WrittenChange): void {
    const named = namedMemories(memories);
    this.note(caller, { operation: type, branch, memories: named, change: hash, place, reason });
  }

  /** Everything noted so far is in its file; not yet on the disk. */
  flush(): void {
    this.#isFlushDue = false;
    if (this.#pending.length === 0 || this.#hasFailed) return;
    const lines = this.#pending;
    this.#pending = [];
    try {
      this.files.append(`${lines.join("\n")}\n`);
      if (this.#next - 1 - (this.#options.end.anchor?.seq ?? -1) >= NOTE_END_EVERY) this.#noteEnd();
    } catch (error) {
      // The history has it: the next session finds what is missing here.
      this.#hasFailed = true;
      this.#options.onNotice(`The audit log cannot be written now: ${(error as Error).message}`);
    }
  }

  /** Anchors the log, if the catalog was written anyway and an hour has passed. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#opening?.catch(() => undefined);
    if (this.#isOpen && this.#mayLack) await this.open();
    this.#isClosed = true;
    if (!this.#isOpen) return;
    this.flush();
    this.#noteEnd();
    await this.files.compress();
    if (!this.#hasFailed) await this.files.compressLast();
    const covered = this.#coverage.toJSON();
    this.files.end(this.#hasFailed ? undefined : { seq: this.#next - 1, mac: this.#mac, covered });
  }

  /** What is on disk of the log is missed from now on if it goes. */
  #noteEnd(): void {
    if (this.#hasFailed || this.#pending.length > 0) return;
    const [seq, mac] = [this.#next - 1, this.#mac];
    if (seq < 0 || this.#options.end.anchor?.mac === mac) return;
    try {
      this.files.sync();
      this.#options.end.note({ seq, mac });
    } catch {
      // It is noted with later entries.
    }
  }

  #append(action: Omit<AuditEntry, "seq" | "at">, at = this.#options.now()): void {
    if (this.files.sizeBytes > (this.#options.segmentBytes ?? SEGMENT_BYTES)) this.#rotate();
    if (this.files.sizeBytes === 0 && this.#pending.length === 0) this.#putHeader("continue");
    if (action.place !== undefined && action.branch !== undefined)
      this.#coverage.add(this.#actorOf(action.branch, action.place[0]), action.place[1]);
    this.#put({ ...action }, at);
    if (this.#isFlushDue) return;
    // Behind whatever else is notified of this commit, and before any caller goes on: `kill -9` takes no entry of
    // theirs.
    this.#isFlushDue = true;
    queueMicrotask(() => this.flush());
  }

  #put(action: Omit<AuditEntry, "seq" | "at">, at: number): void {
    const entry: AuditEntry = { seq: this.#next, at, ...action };
    const { line, mac } = auditLine(this.#options.key, this.#mac, entry);
    this.#pending.push(line);
    this.#mac = mac;
    this.#next += 1;
  }

  #rotate(): void {
    this.flush();
    if (this.#hasFailed) return;
    this.files.rotate();
    void this.files.compress();
  }

  #putHeader(of: "begin" | "continue", more: object = {}): void {
    const { replica, replicaName, now } = this.#options;
    const details = { v: 1, replica, name: replicaName, covered: this.#coverage.toJSON(), ...more };
    this.#put({ operation: "log", of, details }, now());
    this.flush();
  }

  #actorOf(branch: BranchId, epoch: number): string {
    return actorId({ document: branch, replica: this.#options.replica, epoch });
  }

  async #openOnce(): Promise<void> {
    if (this.#isClosed) return;
    this.#options.refuseDisplaced();
    await this.#options.end.read();
    if (this.#isOpen) {
      this.#mayLack = false;
      await this.#prepareBranches();
      this.#appendLacking();
      return;
    }
    const segments = this.files.segments();
    const head = this.files.readHead();
    if (segments.length === 0) await this.#begin();
    else if (head === undefined) await this.#recover(segments);
    else {
      this.files.begin();
      this.#continueAfter(head.seq, head.mac, new AuditCoverage(head.covered));
      this.#noteTruncation(head.seq, { ended: this.#endedAt() });
      this.flush();
    }
    this.#noteEnd();
    this.#isOpen = true;
  }

  /** What was written before there was a log is not in it, and it says so. */
  async #begin(): Promise<void> {
    const { index, replica } = this.#options;
    await this.#prepareBranches();
    for (const { actor, seq } of ownChanges(index.tables, replica)) this.#coverage.add(actor, seq);
    const ended = this.#endedAt();
    this.files.begin();
    this.#putHeader("begin");
    this.#noteTruncation(-1, { ended });
    this.flush();
  }

  /** Goes on after a session that did not end, or a log that somebody has written to. */
  async #recover(segments: readonly string[]): Promise<void> {
    await this.#prepareBranches();
    const read = lastSegments(this.files, segments);
    const ended = this.#endedAt();
    this.files.begin();
    const tornBytes = this.files.cutTorn();
    const coverage = new AuditCoverage(read.covered);
    for (const covered of read.isOdd ? read.texts.map(coveredBefore) : []) coverage.addAll(covered);
    let last = { seq: -1, mac: "" };
    const anchored = new Map(this.ends.map(({ seq, mac }) => [seq, mac]));
    let isOther = false;
    for (const line of read.texts.flatMap(({ lines }) => lines)) {
      const parsed = parseAuditLine(line);
      if (parsed === undefined) continue; // `verify` says so
      const { seq, branch, place } = parsed.entry;
      isOther ||= (anchored.get(seq) ?? parsed.mac) !== parsed.mac;
      if (branch !== undefined && place !== undefined)
        coverage.add(this.#actorOf(branch, place[0]), place[1]);
      if (seq > last.seq) last = { seq, mac: parsed.mac };
    }
    const anchoredTo = Math.max(-1, ...anchored.keys());
    const damaged = read.texts.flatMap((text) => text.damaged ?? []);
    // Of a number that stood in what cannot be read, there must not be a second entry.
    const lastKnown = read.isOdd ? Math.max(last.seq, ended, anchoredTo) : last.seq;
    this.#continueAfter(lastKnown, last.mac, coverage);
    if (read.covered === undefined) this.#putHeader("begin");
    for (const file of damaged)
      this.#append({ operation: "log", of: "unreadable", details: { file, last: last.seq } });
    // The one entry that a torn line held is recovered.
    const isCut = damaged.length === 0 && ended > last.seq + (tornBytes > 0 ? 1 : 0);
    this.#noteTruncation(last.seq, { isOther, ...(isCut ? { ended } : {}) });
    if (tornBytes > 0) this.#append({ operation: "log", of: "torn", details: { bytes: tornBytes } });
    this.#appendLacking(read.isOdd || isCut ? { why: "unreadable" } : undefined);
    this.flush();
  }

  /** The number of its last entry, as a note of that says, or -1. */
  #endedAt(): number {
    return Math.max(this.files.readNotedHead()?.seq ?? -1, this.#options.end.anchor?.seq ?? -1);
  }

  #continueAfter(seq: number, mac: string, coverage: AuditCoverage): void {
    this.#next = seq + 1;
    this.#mac = mac;
    this.#coverage = coverage;
  }

  async #prepareBranches(): Promise<void> {
    const { directory, index } = this.#options;
    for (const { id } of await directory.all()) await index.prepare(id);
  }

  /** Notes what the history has of this replica and the log has not. */
  #appendLacking(details?: AuditEntry["details"]): void {
    const { index, replica } = this.#options;
    for (const { actor, seq, hash, time, statement } of ownChanges(index.tables, replica)) {
      const { document, epoch } = parseActorId(actor) ?? {};
      if (document === undefined || epoch === undefined || this.#coverage.has(actor, seq)) continue;
      this.#append(
        {
          ...{ operation: statement.type, recovered: true, branch: document as BranchId },
          ...{ memories: statement.memories, change: hash, place: [epoch, seq] },
          ...(details === undefined ? {} : { details }),
        },
        time,
      );
    }
  }

  /** Said in the log itself, before anything is appended: a later anchor will say nothing of it. */
  #noteTruncation(last: number, { isOther = false, ended = -1 }: Truncation = {}): void {
    const anchored = Math.max(ended, ...this.anchors.map(({ seq }) => seq));
    if (anchored <= last && !isOther) return;
    this.#append({ operation: "log", of: "truncated", details: { last, anchored } });
  }

  /** Rides along with a change of the catalog that is made anyway. */
  #anchorWhenDue(): readonly CatalogWrite[] {
    if (!this.#isOpen || this.#isClosed || this.#hasFailed) return [];
    const at = this.#options.now();
    const setting = this.#options.catalog.current.settings.get(this.#anchorKey)?.value.value;
    const last = setting as { readonly seq?: number; readonly at?: number } | undefined;
    const isDue = at - (last?.at ?? Number.NEGATIVE_INFINITY) >= ANCHOR_EVERY_MS;
    if (!isDue || (last?.seq ?? -1) >= this.#next - 1) return [];
    this.flush();
    this.files.sync(); // an anchor must never be ahead of what a power loss leaves
    const value = { seq: this.#next - 1, mac: this.#mac, at };
    return [{ map: "settings", key: this.#anchorKey, entry: { value } }];
  }
}

const READY = Promise.resolve();

interface Truncation {
  /** An entry that was anchored is not the one that stands there. */
  readonly isOther?: boolean;
  /** Number of the last entry when the log was closed. */
  readonly ended?: number | undefined;
}

function anchorOf(value: unknown): readonly AuditAnchor[] {
  const { seq, mac } = (value ?? {}) as Partial<AuditAnchor>;
  return Number.isSafeInteger(seq) && typeof mac === "string" ? [{ seq: seq as number, mac }] : [];
}
