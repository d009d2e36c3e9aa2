/**
 * Acknowledged writes that the store no longer has: its write-ahead log was cut or lost, or an older copy of its file
 * was put back. Such a store looks whole. It is held against the note of what was acknowledged, when it is opened and
 * before anything is written: what is missing is named until it is there again, and this replica goes on under an epoch
 * that no lost change was made under.
 *
 * @module
 */
import { join } from "node:path";
import {
  type AuditEntry,
  actorId,
  type BranchId,
  type ChangeHash,
  type DocumentId,
  parseActorId,
  parseAuditLine,
  type ReplicaId,
} from "@cambium/core";
import { counted } from "@cambium/core/text";
import type { LostParts, VerifyResult } from "../api.js";
import type { AcknowledgedNote, LostPart, NotedDocument, OwnRange } from "../documents/acknowledged-note.js";
import * as A from "../documents/automerge.js";
import { loadInPieces } from "../documents/in-pieces.js";
import { AuditFiles } from "../governance/audit-files.js";
import type { SpaceServices } from "../space/space-services.js";

export interface LostWritesOptions
  extends Pick<SpaceServices, "store" | "documents" | "directory" | "identity"> {
  readonly note: AcknowledgedNote;
  /** The audit logs of this home's replicas. */
  readonly auditDir: string;
  /** Brings what was noted so far into the files of this replica's log. */
  readonly flushAudit: () => void;
  readonly onNotice: (message: string) => void;
}

/** What is missing, as far as anyone knows. */
interface Missing {
  readonly entries: readonly AuditEntry[];
  /** Own changes of branches that the audit log has no entry of. */
  readonly unnamed: number;
  /** Own changes of the catalog. */
  readonly ofCatalog: number;
  /** Documents that lack changes of others, or those a fork began with. */
  readonly others: readonly DocumentId[];
}

const NAMED_IN_NOTICE = 5;

export class LostWrites {
  readonly #options: LostWritesOptions;
  /** Read once: what was lost stands in what was written before. */
  #entries: readonly AuditEntry[] | undefined;

  constructor(options: LostWritesOptions) {
    this.#options = options;
    options.documents.onHeads(({ document, doc }) => this.#lookAgain(document, doc));
  }

  /** Has to be awaited before anything of the store is read or written. Loads nothing while the store is what was noted. */
  async compare(): Promise<void> {
    const { store, note, identity } = this.#options;
    if (note.isNew) {
      note.note(store.rows().map(({ documentId, localHeads }) => rowOf(documentId, localHeads)));
      return;
    }
    const lost = new Map<DocumentId, LostPart>();
    const inDoubt = new Set<string>(store.quarantined().map(({ documentId }) => documentId));
    for (const [id, noted] of note.documents) {
      // Of a document in doubt the chunks are named already, but not what stood in them.
      const isUnnamed = inDoubt.has(id) && noted.lost === undefined && isNamed(noted);
      if (this.#isAsNoted(id, noted) && !isUnnamed) continue;
      const found = await this.#lostOf(id, noted);
      if (found !== undefined) lost.set(id, found);
    }
    if (lost.size === 0) return;
    // The epoch first: cut short here, the next session finds the loss again.
    identity.abandonEpoch(lastEpoch(note, identity.id), "Acknowledged writes are missing from the store");
    for (const [id, part] of lost) {
      if (isNamed(note.documents.get(id))) note.setLost(id, joined(note.documents.get(id)?.lost, part));
      note.note([rowOf(id, store.row(id)?.localHeads ?? [])]);
    }
  }

  /** Changes of branches that were acknowledged here and are missing. */
  get count(): number {
    if (!this.#isAnythingLost) return 0;
    const { entries, unnamed } = this.#missing();
    return entries.length + unnamed;
  }

  /** For people; none when nothing is missing. */
  async notices(): Promise<readonly string[]> {
    if (!this.#isAnythingLost) return [];
    const { entries, unnamed, ofCatalog, others } = this.#missing();
    const names = await this.#branchNames();
    const named = entries.slice(0, NAMED_IN_NOTICE).map((entry) => inWords(entry, names));
    const count = entries.length + unnamed;
    const more = count - named.length;
    const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join("; ");
    const what = [
      ...(count === 0 ? [] : [`${counted(count, "acknowledged write")} (${list})`]),
      ...(ofCatalog === 0 ? [] : [`${counted(ofCatalog, "change")} ${OF_CATALOG}`]),
      ...(others.length === 0 ? [] : [`changes that ${counted(others.length, "document")} had`]),
    ];
    return [
      `Missing from the store, which was damaged or put back from an older copy: ${what.join(", ")}. ${NEXT_STEP}`,
    ];
  }

  /** They are not named any more. Durable when it returns. @returns how many writes of branches that were */
  accept(): number {
    const { note } = this.#options;
    const writes = this.count;
    for (const [id, { lost }] of note.documents) if (lost !== undefined) note.setLost(id, undefined);
    return writes;
  }

  /** Lines of the note itself. */
  damages(): VerifyResult["damaged"] {
    const { note } = this.#options;
    const unreadable = {
      what: "the note of what was acknowledged",
      reason: `${counted(note.damagedLines, "line")} of it no longer as written; nothing follows from them`,
    };
    return note.damagedLines === 0 ? [] : [unreadable];
  }

  /** Every one of them; undefined when nothing is missing. */
  async all(): Promise<LostParts | undefined> {
    if (!this.#isAnythingLost) return undefined;
    const { entries, unnamed, ofCatalog, others } = this.#missing();
    const names = await this.#branchNames();
    const reason = "acknowledged, and missing from the store";
    const parts = [
      ...entries.map((entry) => ({
        what: `change ${entry.change ?? ""}`,
        reason: `${reason}: ${inWords(entry, names)}`,
      })),
      ...(unnamed === 0 ? [] : [{ what: counted(unnamed, "more change"), reason }]),
      ...(ofCatalog === 0 ? [] : [{ what: `${counted(ofCatalog, "change")} ${OF_CATALOG}`, reason }]),
      ...others.map((document) => ({
        what: `document ${document}`,
        reason: "holds less than was stored of it",
      })),
    ];
    return { writes: entries.length + unnamed, parts };
  }

  get #isAnythingLost(): boolean {
    for (const { lost } of this.#options.note.documents.values()) if (lost !== undefined) return true;
    return false;
  }

  #isAsNoted(id: DocumentId, { heads }: NotedDocument): boolean {
    const { store } = this.#options;
    return heads.length === 0 || store.isRetired(id) || store.row(id)?.localHeads.join() === heads.join();
  }

  /**
   * What the store lacks of what was noted; undefined when it has it all. Rare: after a stop between a commit and its
   * note, after a power cut, or when something is missing indeed.
   */
  async #lostOf(id: DocumentId, { heads, own }: NotedDocument): Promise<LostPart | undefined> {
    const { store, note } = this.#options;
    const row = store.row(id);
    await A.loadAutomerge();
    const doc = await this.#load(id);
    try {
      const missing = heads.filter((head) => !A.hasHeads(doc, [head]));
      if (missing.length > 0) return { heads: missing, own: lostRanges(doc, own) };
      const found = A.getHeads(doc).toSorted() as ChangeHash[];
      // Its row was damaged, and is left out: the document is whole.
      if (row === undefined)
        store.putRow({ documentId: id, localHeads: found, receiptedHeads: [], receiptedAt: undefined });
      note.note([rowOf(id, found)]); // not to be looked at again
      return undefined;
    } finally {
      A.free(doc);
    }
  }

  async #load(id: DocumentId): Promise<A.Doc<unknown>> {
    const { store } = this.#options;
    const chunks = [
      ...(await store.loadRange([id, "snapshot"])),
      ...(await store.loadRange([id, "incremental"])),
    ];
    return loadInPieces(chunks.flatMap(({ data }) => (data === undefined ? [] : [data])));
  }

  /** The relay, or another device, may have brought back what was lost. */
  #lookAgain(id: DocumentId, doc: A.Doc<unknown>): void {
    const { note, onNotice } = this.#options;
    const lost = note.documents.get(id)?.lost;
    if (lost === undefined) return;
    const missing = lost.heads.filter((head) => !A.hasHeads(doc, [head]));
    if (missing.length === lost.heads.length) return;
    note.setLost(id, missing.length === 0 ? undefined : { ...lost, heads: missing });
    if (!this.#isAnythingLost) onNotice("The acknowledged writes that were missing are there again.");
  }

  #missing(): Missing {
    const { note, documents } = this.#options;
    const lost = [...note.documents].flatMap(([id, noted]) =>
      noted.lost === undefined ? [] : [{ id, kind: noted.kind, lost: noted.lost }],
    );
    const entries: AuditEntry[] = [];
    let unnamed = 0;
    let ofCatalog = 0;
    for (const { id, kind, lost: part } of lost) {
      const doc = documents.loaded(id);
      const changes = part.own.reduce((sum, [, from, to]) => sum + to - from, 0);
      if (kind === "catalog") ofCatalog += changes;
      else {
        const own = this.#entriesIn(part.own);
        const isBack = ({ change }: AuditEntry): boolean =>
          doc !== undefined && change !== undefined && A.hasHeads(doc, [change]);
        entries.push(...own.filter((entry) => !isBack(entry)));
        unnamed += changes - own.length;
      }
    }
    const others = lost.filter(({ lost: part }) => part.own.length === 0).map(({ id }) => id);
    return { entries: entries.sort((a, b) => a.at - b.at), unnamed, ofCatalog, others };
  }

  #entriesIn(ranges: readonly OwnRange[]): readonly AuditEntry[] {
    this.#entries ??= this.#readAudit();
    return this.#entries.filter(({ branch, place, change }) => {
      if (branch === undefined || place === undefined || change === undefined) return false;
      const [epoch, seq] = place;
      return ranges.some(
        ([actor, from, to]) =>
          seq > from &&
          seq <= to &&
          actor === actorId({ document: branch, replica: parseActorId(actor)?.replica as ReplicaId, epoch }),
      );
    });
  }

  /** What the logs of those say who made the lost changes. */
  #readAudit(): readonly AuditEntry[] {
    const { note, auditDir, flushAudit } = this.#options;
    flushAudit();
    const lost = [...note.documents.values()].flatMap((noted) => noted.lost?.own ?? []);
    const replicas = new Set(lost.flatMap(([actor]) => parseActorId(actor)?.replica ?? []));
    return [...replicas].flatMap((replica) => {
      const files = new AuditFiles(join(auditDir, replica));
      const lines = files.segments().flatMap((name) => files.read(name).lines);
      return lines.flatMap((line) => parseAuditLine(line)?.entry ?? []);
    });
  }

  async #branchNames(): Promise<ReadonlyMap<BranchId, string>> {
    return new Map((await this.#options.directory.all()).map(({ id, name }) => [id, name]));
  }
}

const OF_CATALOG = "of the catalog, which lists branches, checkpoints and settings";

const NEXT_STEP =
  "`cambium verify` names each; a sync brings back what the relay or another device has of them. If they are gone everywhere, `cambium verify --accept-loss` ends this notice.";

const rowOf = (id: string, heads: readonly string[]) => ({
  id: id as DocumentId,
  heads: heads as readonly ChangeHash[],
});

/** A write is acknowledged by its branch or the catalog; records and counts of recalls alone are no writes. */
const isNamed = (noted: NotedDocument | undefined): boolean =>
  noted?.kind !== "pack" && noted?.kind !== "uses";

function lostRanges(doc: A.Doc<unknown>, own: NotedDocument["own"]): readonly OwnRange[] {
  const last = new Map<string, number>();
  for (const { actor, seq } of A.getChangesMetaSince(doc, []))
    last.set(actor, Math.max(seq, last.get(actor) ?? 0));
  return [...own].flatMap(([actor, to]) => {
    const from = last.get(actor) ?? 0;
    return from < to ? [[actor, from, to] as const] : [];
  });
}

function joined(known: LostPart | undefined, found: LostPart): LostPart {
  if (known === undefined) return found;
  return { heads: [...new Set([...known.heads, ...found.heads])], own: [...known.own, ...found.own] };
}

/** The highest epoch that anything was noted under. */
function lastEpoch({ documents }: AcknowledgedNote, replica: ReplicaId): number {
  const actors = [...documents.values()].flatMap(({ own }) => [...own.keys()].map(parseActorId));
  return Math.max(0, ...actors.map((actor) => (actor?.replica === replica ? actor.epoch : 0)));
}

function inWords(
  { operation, agent, at, branch, memories }: AuditEntry,
  names: ReadonlyMap<BranchId, string>,
): string {
  const name =
    branch === undefined
      ? undefined
      : (names.get(branch) ?? `a branch that is missing, too (${branch.slice(0, 8)})`);
  const by = agent === undefined ? "" : ` by ${agent}`;
  const on = name === undefined ? "" : ` on ${name}`;
  const of = Array.isArray(memories)
    ? ` of ${memories.join(", ")}`
    : typeof memories === "number"
      ? ` of ${memories} memories`
      : "";
  return `${operation}${of}${by}${on} at ${new Date(at).toISOString()}`;
}
