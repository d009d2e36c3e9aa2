/**
 * Writing: plan from what was read, seal, and put pack and branch in one step, unless somebody else
 * wrote the same memory meanwhile; then plan again. A write is acknowledged when it is on disk.
 *
 * @module
 */
import {
  type AutomaticCause,
  type BranchId,
  CambiumError,
  type ChangeHash,
  type ChangeStatement,
  decidesField,
  encodeReferences,
  type KeyedWrite,
  type Memory,
  type MemoryId,
  type MemoryReading,
  memoryKey,
  namedMemories,
  type OperationId,
  type PlannedWrite,
  type RecordHash,
  type RecordLoader,
  readMemory,
  type SealedRecord,
} from "@cambium/core";
import type { Role } from "../api.js";
import type { DocumentServices } from "../documents/document-services.js";
import { type RequestCodes, refuseRepeated } from "../documents/requested-changes.js";
import { type BranchView, type BranchViews, fingerprintIn } from "./branch-views.js";

/** A write about to be made. */
export interface WriteAhead {
  readonly view: BranchView;
  /** Why a checkpoint comes before it, whatever its size. */
  readonly checkpoint?: AutomaticCause | "none" | undefined;
  readonly operation?: OperationId | undefined;
  readonly memories: number;
}

/** A change of a branch, once it is durable. */
export interface WrittenChange {
  readonly type: string;
  readonly hash: ChangeHash;
  readonly branch: BranchId;
  readonly memories: readonly MemoryId[];
  readonly place: readonly [epoch: number, seq: number];
  readonly reason: readonly [record: RecordHash, pack: string] | undefined;
}

export interface WriterOptions extends Pick<DocumentServices, "documents" | "packs" | "now"> {
  readonly views: BranchViews;
  readonly load: RecordLoader;
  readonly role: () => Role;
  /** Makes the checkpoint that comes before it, if one does. */
  readonly beforeWrite: (write: WriteAhead) => Promise<void>;
  /** What the one change to be written carries out; noted with it. */
  readonly request?: RequestCodes | undefined;
  /** Told of every change once it is durable. */
  readonly onWritten?: (written: WrittenChange) => void;
  /** Asks whether a text may be kept that was erased once. Throws if not. */
  readonly onErasedText?: () => Promise<void>;
}

/** Reads a memory and notes that the plan depends on it. */
export type PlanReader = (id: MemoryId) => Promise<MemoryReading | undefined>;

export interface WritePlan {
  readonly writes: readonly PlannedWrite[];
  /** Adds to what the change says about itself. */
  readonly statement?: Partial<Pick<ChangeStatement, "from" | "heads" | "of" | "again" | "note">>;
  /** Another branch whose changes come in with this one. */
  readonly mergeIn?: BranchView | undefined;
  /** It rests on the branch as a whole, and not only on the memories that were read for it. */
  readonly isOfWhole?: boolean;
  /** When the change is made, where its records tell of earlier times. Default: the time of the latest record. */
  readonly at?: number;
  /** Write the change even when no record is written: every merge leaves one. */
  readonly always?: boolean;
}

export interface WriteRequest {
  readonly view: BranchView;
  readonly type: ChangeStatement["type"];
  /** Why a checkpoint comes before it, whatever its size; or that none does. */
  readonly checkpoint?: WriteAhead["checkpoint"];
  /** What it is a part of. */
  readonly operation?: OperationId | undefined;
  readonly plan: (read: PlanReader) => Promise<WritePlan>;
}

/** A change that is on disk, with its records in the order of the plan. */
export interface WrittenRecords {
  readonly change: ChangeHash;
  readonly records: readonly RecordHash[];
}

const MAX_ATTEMPTS = 50;
/** They are about many memories. */
const PASSING_OVER: ReadonlySet<WriteRequest["type"]> = new Set(["merge", "undo", "rollback", "import"]);

function once(ask: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** The same for a caller that wants the error, and may come again with the same request. */
  notifying(
    hears: Required<Pick<WriterOptions, "onWritten" | "onErasedText">>,
    request?: RequestCodes,
  ): Writer {
    return new Writer({ ...this.#options, ...hears, request });
  }

  /** The same for any number of changes. */
  withoutRequest(): Writer {
    return new Writer({ ...this.#options, request: undefined });
  }

  /** @throws {CambiumError} ROLE_REFUSED when this replica may only read */
  refuseReaders(): void {
    if (this.#options.role() !== "read") return;
    throw new CambiumError(
      "ROLE_REFUSED",
      "This replica joined the space as a reader and cannot write to it.",
      {
        hint: "Ask a member for an invitation with the role write.",
      },
    );
  }

  /**
   * @returns the change, durable; undefined when the plan had nothing to write
   * @throws {CambiumError} REQUEST_KEY_REUSED when a change was written under the request's key
   */
  async write(request: WriteRequest): Promise<ChangeHash | undefined> {
    return (await this.writeRecords(request))?.change;
  }

  /** The same for somebody who has to know which records it wrote. */
  async writeRecords(request: WriteRequest): Promise<WrittenRecords | undefined> {
    this.refuseReaders();
    this.#refuseRepeated();
    const askOnce = once(async () => this.#options.onErasedText?.());
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const seen = new Map<MemoryId, string>();
      await this.#options.views.load(request.view);
      const heads = headsText(request.view);
      const plan = await this.#planned(request, seen);
      if (plan === undefined) continue;
      if (plan.writes.length === 0 && plan.always !== true) return undefined;
      if (!PASSING_OVER.has(request.type) && plan.writes.some((one) => this.bringsBackErased(one)))
        await askOnce();
      const mergeHeads = plan.mergeIn && headsText(plan.mergeIn);
      const { view, checkpoint, operation } = request;
      await this.#options.beforeWrite({ view, checkpoint, operation, memories: plan.writes.length });
      const sealed: SealedRecord[] = [];
      for (const { draft } of plan.writes) sealed.push(await this.#options.packs.seal(draft));
      if (sealed.length > 1) await this.#options.packs.hold(sealed);
      if (view.isBehind || (plan.mergeIn !== undefined && headsText(plan.mergeIn) !== mergeHeads)) continue;
      const hasMoved =
        headsText(view) !== heads &&
        (plan.mergeIn !== undefined ||
          plan.isOfWhole === true ||
          [...seen].some(([id, fingerprint]) => view.fingerprintOf(id) !== fingerprint));
      if (hasMoved) continue;
      const written = this.#put(request, plan, sealed);
      await this.#options.documents.flush();
      this.#options.onWritten?.(written);
      return { change: written.hash, records: sealed.map(({ record }) => record.hash) };
    }
    throw new CambiumError(
      "STALE_EXPECTATION",
      "Other writers kept changing the same memory; nothing was written.",
      {
        hint: "Try again in a moment.",
      },
    );
  }

  /** @returns undefined where the index was thrown away meanwhile: what was read may be half of it */
  async #planned(request: WriteRequest, seen: Map<MemoryId, string>): Promise<WritePlan | undefined> {
    const { views } = this.#options;
    const { generation } = views;
    try {
      const plan = await request.plan((id) => this.#read(request.view, id, seen));
      if (views.generation === generation) return this.#withoutErased(plan, request);
    } catch (error) {
      if (views.generation === generation) throw error;
    }
    return undefined;
  }

  /** Whether a text says what was erased once. */
  wasErased(text: string): boolean {
    return this.#options.packs.wasErased(text);
  }

  /** Whether other devices destroy what is written to a memory, because they have erased it, and this one does not. */
  staysHere({ id, at }: Pick<Memory, "id" | "at">): boolean {
    return this.#options.packs.isKeptHereAlone(id, at);
  }

  /** Whether a write is to a memory that was erased as a whole. */
  isErased({ memory }: Pick<PlannedWrite, "memory">): boolean {
    return this.#options.packs.erasures.coversMemory(memory);
  }

  /** Whether a way back passes a write over: its memory was erased, or the text that it would bring back is gone. */
  leavesOut({ memory, draft }: PlannedWrite): boolean {
    const { erasures } = this.#options.packs;
    if (erasures.isEmpty) return false;
    const isEmptied = draft.fields.content === "" && decidesField(draft, "content");
    return isEmptied || erasures.coversMemory(memory);
  }

  /** Whether a write would bring back what was erased. */
  bringsBackErased(write: PlannedWrite): boolean {
    const { packs } = this.#options;
    const { draft } = write;
    if (this.isErased(write)) return true;
    return decidesField(draft, "content") && packs.wasErased(draft.fields.content);
  }

  /**
   * What is erased stays so: a merge, an import or a way back passes it over.
   *
   * @throws {CambiumError} MEMORY_ERASED where one memory is meant
   */
  #withoutErased(plan: WritePlan, { type }: WriteRequest): WritePlan {
    const { packs, now } = this.#options;
    const { erasures } = packs;
    if (erasures.isEmpty) return plan;
    if (plan.writes.length > 0 && erasures.coversTime(now()))
      throw new CambiumError(
        "MEMORY_ERASED",
        "This space was erased for good: nothing can be written to it.",
        {
          hint: "Take it off this device: cambium spaces --remove <name>. Create another one: cambium init <name>",
        },
      );
    const writes = plan.writes.filter((write) => !this.leavesOut(write));
    const erased = plan.writes.find((write) => !writes.includes(write));
    if (erased === undefined) return plan;
    if (PASSING_OVER.has(type)) return { ...plan, writes };
    throw new CambiumError("MEMORY_ERASED", `The memory ${erased.memory} was erased for good.`, {
      hint: "What is said anew is a memory of its own: cambium remember",
      details: { id: erased.memory },
    });
  }

  #refuseRepeated(): void {
    const { documents, request } = this.#options;
    if (request !== undefined) refuseRepeated(documents.requested(request.key), request);
  }

  async #read(
    view: BranchView,
    id: MemoryId,
    seen: Map<MemoryId, string>,
  ): Promise<MemoryReading | undefined> {
    const state = view.stateOf(id);
    seen.set(id, fingerprintIn(state, id));
    return readMemory(state, id, this.#options.load);
  }

  /** In one tick, and therefore in one commit: the records, then the references to them. */
  #put(
    { view, type, operation }: WriteRequest,
    plan: WritePlan,
    sealed: readonly SealedRecord[],
  ): WrittenChange {
    const { documents, packs, now, request } = this.#options;
    this.#refuseRepeated(); // another one may have been quicker
    packs.put(sealed);
    const writes = plan.writes.map(({ memory, carried }, index): KeyedWrite => {
      const { hash, pack } = (sealed[index] as SealedRecord).record;
      return { key: memoryKey(memory), value: encodeReferences([{ record: hash, pack }, ...carried]) };
    });
    documents.create("branch", view.document);
    const memories = plan.writes.map(({ memory }) => memory);
    const named = namedMemories(memories);
    const at =
      plan.at ?? Math.max(...plan.writes.map(({ draft }) => draft.at), plan.writes.length === 0 ? now() : 0);
    const hash = documents.change(
      {
        document: view.document,
        statement: {
          ...{ type, memories: named },
          ...(operation === undefined ? {} : { operation }),
          ...plan.statement,
        },
        writes,
        time: at,
        mergeIn: plan.mergeIn?.document,
      },
      request && { ...request, type, branch: view.branch, memories: named, at },
    );
    const place = documents.lastPlaceOf(view.document);
    return { type, hash, branch: view.branch, memories, place, reason: reasonOf(plan, sealed) };
  }
}

/** The record that says why, if one does: what is erased there is nowhere else. */
function reasonOf({ writes }: WritePlan, sealed: readonly SealedRecord[]): WrittenChange["reason"] {
  if (writes[0]?.draft.notes.reason === undefined || sealed[0] === undefined) return undefined;
  return [sealed[0].record.hash, sealed[0].record.pack];
}

const headsText = (view: BranchView): string => view.heads.join();
