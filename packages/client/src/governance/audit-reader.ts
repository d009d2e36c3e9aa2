/**
 * Reading the audit log: pages, verification, export.
 *
 * @module
 */
import { open } from "node:fs/promises";
import {
  AuditChecker,
  type AuditEntry,
  type AuditFinding,
  CambiumError,
  isUuid,
  type MemoryId,
  type PackId,
  parseActorId,
  parseAuditLine,
  type ReplicaId,
} from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type { Audit, AuditDamage, AuditedEntry, AuditOptions, AuditPage, AuditVerification } from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { endOf, startOf } from "../arguments/date-option.js";
import { refuseInHome } from "../export/outside-home.js";
import type { SpaceServices } from "../space/space-services.js";
import { AuditCoverage } from "./audit-coverage.js";
import type { AuditLog } from "./audit-log.js";
import type { Caller } from "./caller.js";
import { changesOf, ownChanges } from "./own-changes.js";

export interface AuditReaderOptions extends Pick<SpaceServices, "now" | "documents" | "index" | "load"> {
  readonly log: AuditLog;
  readonly key: Uint8Array;
  readonly caller: Caller;
  /** Nothing is written into it. */
  readonly home: string;
  readonly replica: ReplicaId;
  /** Counts the changes of branches that were acknowledged and are missing from the store. */
  readonly countLost: () => number;
  /** The epoch since this home was last put back from an earlier copy, if it ever was. */
  readonly restoredEpoch: () => number | undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
const NAMED_CHANGES = 16;

export class AuditReader implements Audit {
  readonly #options: AuditReaderOptions;

  constructor(options: AuditReaderOptions) {
    this.#options = options;
  }

  async list(options: AuditOptions = {}): Promise<AuditPage> {
    const { limit = DEFAULT_LIMIT } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
      throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MAX_LIMIT}.`);
    await this.#upToDate();
    const passes = await this.#filter(options);
    const before = beforeOf(options.cursor);
    const found: AuditEntry[] = [];
    for (const entry of this.#newestFirst()) {
      if (entry.seq >= before || !passes(entry)) continue;
      found.push(entry);
      if (found.length > limit) break;
    }
    const entries: AuditedEntry[] = [];
    for (const entry of found.slice(0, limit)) entries.push(await this.#show(entry));
    const last = entries.at(-1);
    return { entries, ...(found.length > limit && last !== undefined ? { cursor: String(last.seq) } : {}) };
  }

  async verify(): Promise<AuditVerification> {
    await this.#upToDate();
    const { log, key, index, replica, documents } = this.#options;
    // First: what is written from now on may be noted only after the log has been read.
    const written = log.files.segments().length === 0 ? [] : ownChanges(index.tables, replica);
    await documents.flush();
    await new Promise(setImmediate);
    log.flush();
    const checker = new AuditChecker(key, log.ends);
    const logged = new Set<string>();
    const described: AuditFinding[] = [];
    const notes = new Map<string, number>();
    let coverage: AuditCoverage | undefined;
    let rest = "";
    const unreadable = new Set<string>();
    for (const name of log.files.segments()) {
      const segment = log.files.read(name);
      if (segment.damaged !== undefined) unreadable.add(segment.damaged);
      for (const line of segment.lines) {
        const entry = checker.take(line);
        if (entry === undefined) continue;
        if (entry.change !== undefined) logged.add(entry.change);
        coverage ??= coverageOf(entry);
        described.push(...describeFindings(entry));
        const note = noteOf(entry);
        if (note !== undefined) notes.set(note, (notes.get(note) ?? 0) + 1);
      }
      rest += segment.rest;
    }
    const unlogged = written.filter(
      ({ hash, actor, seq }) => !logged.has(hash) && coverage?.has(actor, seq) !== true,
    );
    const restoredEpoch = this.#options.restoredEpoch();
    // A log that was put back with its home ends where the copy ends; what it lacks, nobody did.
    const isBefore = ({ actor }: { readonly actor: string }): boolean =>
      restoredEpoch !== undefined && (parseActorId(actor)?.epoch ?? restoredEpoch) < restoredEpoch;
    const [before, after] = [unlogged.filter(isBefore), unlogged.filter((own) => !isBefore(own))];
    const all = [
      ...unreadableFindings(unreadable),
      ...checker.finish(rest),
      ...described,
      ...unloggedFindings(after.map(({ hash }) => hash)),
    ];
    const findings = all.filter(({ kind }) => restoredEpoch === undefined || kind !== "truncated");
    const isShort = before.length > 0 || findings.length < all.length;
    const anchoredTo = Math.max(-1, ...log.anchors.map(({ seq }) => seq));
    const verification = {
      entries: checker.size,
      ...(anchoredTo < 0 ? {} : { anchoredTo }),
      notes: [
        ...[...notes].map(([note, count]) => (count === 1 ? note : `${note} (${count} times)`)),
        ...lostNotes(this.#options.countLost()),
        ...(isShort ? [shortNote(before.length)] : []),
      ],
      ...(restoredEpoch === undefined ? {} : { restored: true as const }),
    };
    if (findings.length > 0) throw damaged({ ...verification, findings });
    return verification;
  }

  async export(to: string | WritableStream<Uint8Array>): Promise<{ readonly entries: number }> {
    await this.#upToDate();
    const { log, caller, home } = this.#options;
    if (typeof to === "string") await refuseInHome(to, home);
    await log.open();
    log.note(caller, { operation: "export", of: "audit" });
    log.flush();
    let entries = 0;
    const lines = function* (): Generator<Uint8Array> {
      for (const name of log.files.segments()) {
        const { lines: whole } = log.files.read(name);
        entries += whole.length;
        if (whole.length > 0) yield new TextEncoder().encode(`${whole.join("\n")}\n`);
      }
    };
    if (typeof to === "string") {
      await using file = await open(to, "wx", 0o600).catch(cannotWrite(to));
      for (const bytes of lines()) await file.write(bytes);
      await file.sync();
    } else {
      const writer = to.getWriter();
      for (const bytes of lines()) await writer.write(bytes);
      await writer.close();
    }
    return { entries };
  }

  async #upToDate(): Promise<void> {
    const { log } = this.#options;
    await log.readEnd();
    if (log.isHere) await log.open();
    log.flush();
  }

  *#newestFirst(): Generator<AuditEntry> {
    const { log } = this.#options;
    for (const name of log.files.segments().toReversed()) {
      const { lines, damaged } = log.files.read(name);
      if (damaged !== undefined) log.notifyUnreadable(damaged);
      for (const line of lines.toReversed()) {
        const parsed = parseAuditLine(line);
        if (parsed !== undefined) yield parsed.entry;
      }
    }
  }

  async #filter(options: AuditOptions): Promise<(entry: AuditEntry) => boolean> {
    const { agent, operation, since, until, memory } = options;
    const { now, index } = this.#options;
    const from = (await startOf(since, now())) ?? Number.NEGATIVE_INFINITY;
    const to = (await endOf(until, now())) ?? Number.POSITIVE_INFINITY;
    const changes = memory === undefined || !isUuid(memory) ? undefined : changesOf(index.tables, memory);
    const isAbout = ({ memories, change }: AuditEntry): boolean =>
      memory === undefined ||
      (Array.isArray(memories) && memories.some((id) => String(id).startsWith(memory))) ||
      (change !== undefined && changes?.has(change) === true);
    return (entry) =>
      (agent === undefined || entry.agent === agent) &&
      (operation === undefined || entry.operation === operation || entry.of === operation) &&
      entry.at >= from &&
      entry.at <= to &&
      isAbout(entry);
  }

  async #show({ reason, place: _place, ...entry }: AuditEntry): Promise<AuditedEntry> {
    const { replica, load } = this.#options;
    const [first] = Array.isArray(entry.memories) ? (entry.memories as readonly MemoryId[]) : [];
    const id = first ?? (entry.request as MemoryId | undefined);
    const reading =
      reason === undefined || id === undefined
        ? undefined
        : await load({ record: reason[0], pack: reason[1] as PackId }, id);
    const words = reading?.status === "here" ? reading.record.notes.reason : undefined;
    return { ...entry, replica, ...(words === undefined ? {} : { reason: words }) };
  }
}

/** What a log tells of itself that no later anchor can show. */
function describeFindings({ operation, of, seq, details }: AuditEntry): readonly AuditFinding[] {
  if (operation === "log" && of === "unreadable") {
    const lost = `The file ${String(details?.file)} could not be read whole when the log was opened.`;
    return [{ kind: "unreadable", seq, detail: `${lost} Entry ${seq} says so.` }];
  }
  if (operation !== "log" || of !== "truncated") return [];
  const detail = `Entries after ${String(details?.last)} were cut off; the log had come to ${String(details?.anchored)}.`;
  return [{ kind: "truncated", seq, detail }];
}

function beforeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new CambiumError("BAD_INPUT", "The cursor does not belong to this log.");
}

const coverageOf = ({ operation, details }: AuditEntry): AuditCoverage | undefined =>
  operation === "log" && details?.covered !== undefined
    ? new AuditCoverage(details.covered as Readonly<Record<string, readonly number[]>>)
    : undefined;

const unreadableFindings = (files: ReadonlySet<string>): readonly AuditFinding[] =>
  [...files].map((file) => ({
    kind: "unreadable",
    detail: `The file ${file} cannot be read whole: some of its entries are lost or altered.`,
  }));

function noteOf({ operation, of, recovered, details }: AuditEntry): string | undefined {
  if (recovered === true && details?.why === "unreadable")
    return "A change was found in the history, since the log could not be read where its entry stood.";
  if (recovered === true) return "A change was found in the history after a crash, and noted then.";
  if (operation === "log" && of === "torn")
    return "A last line that a crash had left unfinished was cut off.";
  return undefined;
}

function lostNotes(count: number): readonly string[] {
  if (count === 0) return [];
  const changes = count === 1 ? "1 change is" : `${count} changes are`;
  return [`${changes} missing from the store that were acknowledged; \`cambium verify\` names each.`];
}

function shortNote(count: number): string {
  const changes =
    count === 0
      ? "It lacks what was noted after the copy was made."
      : `It lacks ${count === 1 ? "1 change" : `${count} changes`} of this replica from after the copy was made.`;
  return `The log was restored with this home from an earlier copy. ${changes}`;
}

function unloggedFindings(hashes: readonly string[]): readonly AuditFinding[] {
  if (hashes.length === 0) return [];
  const count = hashes.length === 1 ? "1 change" : `${hashes.length} changes`;
  const shown = hashes.slice(0, NAMED_CHANGES).map((hash) => hash.slice(0, 12));
  return [{ kind: "unlogged", detail: `${count} of this replica have no entry: ${shown.join(", ")}.` }];
}

function damaged(damage: AuditDamage): CambiumError {
  const [first, ...others] = damage.findings;
  const more = others.length === 0 ? "" : ` And ${others.length} more.`;
  return new CambiumError("AUDIT_DAMAGED", `The audit log is damaged. ${first?.detail ?? ""}${more}`, {
    hint: "Compare it with an export or a backup; `cambium audit --verify --json` lists every finding.",
    details: { ...damage },
  });
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EEXIST: "there is such a file already",
  ENOENT: "its folder is not there",
};

const cannotWrite =
  (path: string) =>
  (cause: NodeJS.ErrnoException): never => {
    const why = WHY_NOT[cause.code ?? ""] ?? cause.message;
    throw new CambiumError("BAD_INPUT", `The log cannot be written to ${path}: ${why}.`, { cause });
  };

checkCallsOf(AuditReader, SIGNATURES.audit);
