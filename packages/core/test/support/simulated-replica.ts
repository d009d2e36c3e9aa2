/** One replica of a simulated space. It writes as the client does: plan, seal, one signed change. */
import * as A from "@automerge/automerge";
import { newDocument, readChange } from "../../src/automerge.js";
import {
  type ActorId,
  actorId,
  type BranchDocument,
  type BranchId,
  type BranchState,
  bytesToHex,
  type ChangeHash,
  type ChangeSet,
  type ChangeStatement,
  effectiveTimes,
  encodeReferences,
  type FieldInput,
  History,
  type KeyedWrite,
  type Lineage,
  type Memory,
  type MemoryFields,
  type MemoryId,
  type MemoryReading,
  type MergePlan,
  type MergeRequest,
  memoryKey,
  memoryOf,
  namedMemories,
  newUuid,
  openRecord,
  type PackId,
  type PlannedWrite,
  planCreate,
  planForget,
  planMerge,
  planResolve,
  planRestore,
  planRevise,
  planUndo,
  type RecordLoader,
  type RecordReading,
  type ReplicaId,
  type RevisionType,
  readMemory,
  type Sealed,
  type SealedRecord,
  type StateField,
  sealRecord,
  signMessage,
  type UndoPlan,
  undoSteps,
  type WholeBranch,
  type WriteContext,
  wholePair,
} from "../../src/index.js";
import type { SharedSpace } from "./shared-space.js";

type BranchDoc = A.Doc<BranchDocument>;

interface LocalBranch {
  doc: BranchDoc;
  readonly history: History;
  seq: number;
  /** Automerge names it as a dependency of the next change, head or not. */
  lastOwn: readonly ChangeHash[];
}

export interface CommitRequest {
  readonly branch: BranchId;
  readonly type: ChangeStatement["type"];
  readonly writes: readonly PlannedWrite[];
  readonly statement?: Partial<ChangeStatement>;
  readonly mergeIn?: BranchId;
}

export type MergeOptions = Partial<
  Pick<MergeRequest, "strategy" | "resolutions" | "resolver" | "again" | "newMemoryId" | "chooses">
>;

export class SimulatedReplica {
  readonly space: SharedSpace;
  readonly id: ReplicaId;
  readonly pack: PackId;
  /** Sealed headers and parts that have arrived here, by where they stand. */
  readonly sealed = new Map<string, Sealed>();
  clockOffsetMs: number;
  readonly #branches = new Map<BranchId, LocalBranch>();

  constructor(space: SharedSpace, id: ReplicaId, clockOffsetMs: number) {
    this.space = space;
    this.id = id;
    this.pack = bytesToHex(space.platform.random(16)) as PackId;
    this.clockOffsetMs = clockOffsetMs;
  }

  now(): number {
    return this.space.clock.now + this.clockOffsetMs;
  }

  context(): WriteContext {
    return { at: this.now(), author: { replica: this.id } };
  }

  actor(branch: BranchId): ActorId {
    return actorId({ document: branch, replica: this.id, epoch: 0 });
  }

  branchesHere(): readonly BranchId[] {
    return [...this.#branches.keys()];
  }

  doc(branch: BranchId): BranchDoc {
    return this.#local(branch).doc;
  }

  history(branch: BranchId): History {
    return this.#local(branch).history;
  }

  changes(branch: BranchId): readonly Uint8Array[] {
    return A.getAllChanges(this.doc(branch));
  }

  changesLackedBy(other: SimulatedReplica, branch: BranchId): readonly Uint8Array[] {
    const heads = other.history(branch).heads.filter((head) => this.history(branch).has(head));
    return A.getChangesSince(this.doc(branch), [...heads]);
  }

  /** Takes changes in any order; what lacks its dependencies waits inside Automerge. */
  receive(branch: BranchId, changes: readonly Uint8Array[]): void {
    const local = this.#local(branch);
    [local.doc] = A.applyChanges(local.doc, [...changes]);
    this.#follow(local);
  }

  state(branch: BranchId, set?: ChangeSet): BranchState {
    const history = this.history(branch);
    const times = effectiveTimes(history, this.lineage(branch), this.space.corrections);
    return { history, times, set };
  }

  lineage(branch: BranchId): Lineage {
    const steps: Lineage[number][] = [{ branch }];
    for (let facts = this.space.branches.get(branch); facts?.parent !== undefined; ) {
      steps.unshift({ branch: facts.parent, forkedAt: facts.forkHeads });
      facts = this.space.branches.get(facts.parent);
    }
    return steps;
  }

  readonly load: RecordLoader = async (reference, memory) => {
    if (!this.sealed.has(headerName(reference.pack, reference.record)))
      return { status: "missing", reference, pack: reference.pack };
    const name = `${reference.pack}/${reference.record}/${memory}`;
    const known = this.space.opened.get(name);
    if (known?.status === "here" && this.#holdsParts(known)) return known;
    const source = {
      header: (pack: PackId, hash: string) => this.sealed.get(headerName(pack, hash)),
      part: (pack: PackId, hash: string) => this.sealed.get(partName(pack, hash)),
    };
    const reading = await openRecord(this.space.codec, source, reference, memory);
    if (reading.status === "here") this.space.opened.set(name, reading);
    return reading;
  };

  #holdsParts(reading: Extract<RecordReading, { status: "here" }>): boolean {
    const { content, meta } = reading.record.parts;
    return [content, meta].every(({ pack, hash }) => this.sealed.has(partName(pack, hash)));
  }

  read(branch: BranchId, id: MemoryId, set?: ChangeSet): Promise<MemoryReading | undefined> {
    return readMemory(this.state(branch, set), id, this.load);
  }

  /** For memories that a test knows to be there. */
  async reading(branch: BranchId, id: MemoryId): Promise<MemoryReading> {
    const reading = await this.read(branch, id);
    if (reading === undefined) throw new Error(`The memory ${id} is not on ${branch}.`);
    return reading;
  }

  async memory(branch: BranchId, id: MemoryId, set?: ChangeSet): Promise<Memory> {
    const reading = await this.read(branch, id, set);
    if (reading === undefined) throw new Error(`The memory ${id} is not on ${branch}.`);
    return memoryOf(reading);
  }

  newMemoryId(): MemoryId {
    return newUuid<MemoryId>(this.space.platform);
  }

  async remember(branch: BranchId, input: FieldInput, id: MemoryId = this.newMemoryId()): Promise<MemoryId> {
    await this.commit({ branch, type: "remember", writes: [planCreate(id, input, this.context())] });
    return id;
  }

  async revise(branch: BranchId, id: MemoryId, input: FieldInput, type?: RevisionType): Promise<ChangeHash> {
    const reading = await this.reading(branch, id);
    return this.commit({
      branch,
      type: "revise",
      writes: [planRevise(reading, input, this.context(), type)],
    });
  }

  async forget(branch: BranchId, id: MemoryId): Promise<ChangeHash> {
    const reading = await this.reading(branch, id);
    return this.commit({ branch, type: "forget", writes: [planForget(reading, this.context())] });
  }

  async restore(branch: BranchId, id: MemoryId, to: MemoryFields): Promise<ChangeHash> {
    const reading = await this.reading(branch, id);
    return this.commit({ branch, type: "restore", writes: [planRestore(reading, to, this.context())] });
  }

  async resolve(branch: BranchId, id: MemoryId, field: StateField, value: unknown): Promise<ChangeHash> {
    const reading = await this.reading(branch, id);
    const write = planResolve(reading, [{ field, value }], this.context());
    return this.commit({ branch, type: "resolve", writes: [write] });
  }

  async undo(branch: BranchId, hash: ChangeHash): Promise<UndoPlan & { readonly change: ChangeHash }> {
    const state = this.state(branch);
    const steps = await undoSteps(state, this.space.origin(branch), hash, this.load);
    const plan = await planUndo(steps, (id) => readMemory(state, id, this.load), this.context());
    const change = await this.commit({
      branch,
      type: "undo",
      writes: plan.writes,
      statement: { of: [hash] },
    });
    return { ...plan, change };
  }

  /** A branch from here, as it is now or was at some heads. */
  fork(parent: BranchId, heads?: readonly ChangeHash[]): BranchId {
    const branch = this.space.newBranchId();
    const actor = this.actor(branch);
    const source = this.doc(parent);
    const doc =
      heads === undefined ? A.clone(source, { actor }) : A.clone(A.view(source, [...heads]), { actor });
    this.space.branches.set(branch, { parent, forkHeads: heads ?? this.history(parent).heads });
    const local = { doc, history: new History(), seq: 0, lastOwn: [] };
    this.#branches.set(branch, local);
    this.#follow(local);
    return branch;
  }

  branch(branch: BranchId): WholeBranch {
    return { branch, state: this.state(branch) };
  }

  preview(source: BranchId, target: BranchId, options: MergeOptions = {}): Promise<MergePlan> {
    return planMerge({
      branches: wholePair(this.branch(source), this.branch(target), this.now()),
      strategy: "manual",
      resolutions: {},
      context: this.context(),
      newMemoryId: () => this.newMemoryId(),
      load: this.load,
      ...options,
    });
  }

  /** Merges when nothing is left open, as the client does. */
  async merge(
    source: BranchId,
    target: BranchId,
    options: MergeOptions = {},
  ): Promise<MergePlan & { readonly change?: ChangeHash }> {
    const plan = await this.preview(source, target, options);
    if (plan.status !== "ready") return plan;
    const undos = plan.answered.map(({ undo }) => undo);
    const answer = undos.length === 0 ? {} : { of: undos, again: options.again === true };
    const isPartial = options.chooses !== undefined;
    const heads = isPartial ? {} : { heads: this.history(source).heads };
    const statement = { from: source, ...heads, ...answer };
    const change = await this.commit({
      branch: target,
      type: "merge",
      writes: plan.writes,
      statement,
      ...(isPartial ? {} : { mergeIn: source }),
    });
    return { ...plan, change };
  }

  /** Seals, then writes references in one signed change. */
  async commit({ branch, type, writes, statement, mergeIn }: CommitRequest): Promise<ChangeHash> {
    const records: SealedRecord[] = [];
    for (const { draft } of writes) records.push(await sealRecord(this.space.codec, this.pack, draft));
    for (const record of records) this.keep(record);
    const keyed = writes.map(({ memory, carried }, index): KeyedWrite => {
      const { hash, pack } = (records[index] as SealedRecord).record;
      return { key: memoryKey(memory), value: encodeReferences([{ record: hash, pack }, ...carried]) };
    });
    const memories = namedMemories(writes.map(({ memory }) => memory));
    return this.writeChange(branch, { type, memories, ...statement }, keyed, mergeIn);
  }

  keep({ record, header, parts }: SealedRecord): void {
    this.sealed.set(headerName(record.pack, record.hash), header);
    for (const [hash, part] of parts) this.sealed.set(partName(record.pack, hash), part);
  }

  /** @param sign - how the message is made; forgers make their own */
  writeChange(
    branch: BranchId,
    statement: ChangeStatement,
    writes: readonly KeyedWrite[],
    mergeIn?: BranchId,
    sign: typeof signMessage = signMessage,
  ): ChangeHash {
    const local = this.#local(branch);
    if (mergeIn !== undefined) local.doc = A.merge(local.doc, this.doc(mergeIn));
    local.seq += 1;
    const time = this.now();
    const deps = [...new Set([...(A.getHeads(local.doc) as ChangeHash[]), ...local.lastOwn])];
    const frame = { actor: this.actor(branch), seq: local.seq, deps, time, writes };
    const message = sign(this.space.codec.keys.changes, statement, frame);
    local.doc =
      writes.length === 0
        ? A.emptyChange(local.doc, { message, time })
        : A.change(local.doc, { message, time }, (draft) => {
            for (const { key, value } of writes) {
              const [, bucket, id] = key.split("/") as [string, string, MemoryId];
              (draft.memories[bucket] as Record<MemoryId, unknown>)[id] = value;
            }
          });
    this.#follow(local);
    const [hash] = A.getHeads(local.doc) as [ChangeHash];
    local.lastOwn = [hash];
    return hash;
  }

  free(): void {
    for (const { doc } of this.#branches.values()) A.free(doc);
    this.#branches.clear();
  }

  #local(branch: BranchId): LocalBranch {
    const known = this.#branches.get(branch);
    if (known !== undefined) return known;
    const made = {
      doc: newDocument("branch", this.actor(branch)),
      history: new History(),
      seq: 0,
      lastOwn: [],
    };
    this.#branches.set(branch, made);
    this.#follow(made);
    return made;
  }

  #follow({ doc, history }: LocalBranch): void {
    const bytes = A.getChangesSince(doc, [...history.heads]);
    history.add(bytes.map((change) => readChange("branch", this.space.codec.keys.changes, change)));
  }
}

export const headerName = (pack: PackId, hash: string): string => `${pack}/headers/${hash}`;
const partName = (pack: PackId, hash: string): string => `${pack}/parts/${hash}`;
