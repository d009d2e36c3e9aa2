/**
 * Writing to a space in somebody's name.
 *
 * @module
 */
import {
  type Author,
  CambiumError,
  type ConsolidationProposal,
  type FieldInput,
  isCambiumError,
  keepingLinks,
  type Memory,
  type MemoryId,
  type MemoryReading,
  namedMemories,
  newOperationId,
  newUuid,
  type PlannedWrite,
  planCombine,
  planCreate,
  planForget,
  planResolve,
  planRestore,
  planRevise,
  planSplit,
  type RecordHash,
  revisesNothing,
  versionSource,
  type WriteContext,
} from "@cambium/core";
import type {
  AcceptedLoss,
  AcceptOptions,
  Agent,
  AtRef,
  Branches,
  Checkpoints,
  ConcealedMemory,
  DecidedProposals,
  DecideErasureOptions,
  DecideOptions,
  EraseOptions,
  EraseResult,
  Erasure,
  ExportOptions,
  ExportResult,
  ForgetOptions,
  GraphEdit,
  GraphEdited,
  ImportOptions,
  ImportResult,
  InviteOptions,
  LinkedRelay,
  Members,
  MergeOptions,
  MergeResult,
  OnBranch,
  PartOfOperation,
  PolicyControl,
  PruneOptions,
  PruneResult,
  RekeyOptions,
  RekeyResult,
  RelayAccess,
  RememberInput,
  Requests,
  ResolveInput,
  ReviseInput,
  RollbackOptions,
  RollbackResult,
  SettingsChange,
  SpaceSettings,
  UndoOptions,
  UndoResult,
} from "../api.js";
import { datedInput } from "../arguments/dated-input.js";
import type { CheckpointKeeper } from "../checkpoints/checkpoint-keeper.js";
import type { CheckpointOperations } from "../checkpoints/checkpoint-operations.js";
import { guardCheckpoint } from "../checkpoints/restore-guard.js";
import type { EraseCaller, Eraser } from "../erasure/eraser.js";
import type { Pruner } from "../erasure/pruner.js";
import { seesConcealed } from "../governance/caller.js";
import { type GuardServices, guardBranches, guardCheckpoints } from "../governance/guarded-agent.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import type { SettingsKeeper } from "../governance/settings-keeper.js";
import type { GraphTurns } from "../graph/graph-turns.js";
import type { RollbackServices } from "../rollback/services.js";
import { refuseDeleted } from "../space/branch-directory.js";
import type { BranchView } from "../space/branch-views.js";
import { decisionsFor } from "../space/resolution.js";
import type { SpaceServices } from "../space/space-services.js";
import type { FoundState } from "../space/state-finder.js";
import type { PlanReader, WriteRequest, Writer, WrittenRecords } from "../space/writer.js";
import type { SummaryMaker } from "../versions/summary-maker.js";
import {
  checkExpectation,
  checkedOperation,
  fieldsOf,
  importOperation,
  pickFields,
  refusePruned,
  versionToRestore,
} from "./agent-input.js";
import type { BranchOperations } from "./branch-operations.js";
import type { ConcealmentKeeper } from "./concealment-keeper.js";
import type { Proposals } from "./proposals.js";
import type { Rekeyer } from "./rekeyer.js";

/** What everything that writes to a space needs. */
export interface AgentServices
  extends Omit<SpaceServices, "identity" | "codec" | "store" | "documents" | "catalog" | "packs"> {
  readonly summaries: SummaryMaker | undefined;
  readonly importKey: Uint8Array;
  readonly spaceName: () => string;
  /** Decides the requests for what the owner has done by now. */
  readonly settleConcealing: (method: "conceal" | "reveal", memories: readonly MemoryId[]) => Promise<void>;
  /** 8 bytes that tell an operation from others: of the request, or else random. */
  readonly operationBytes: () => Uint8Array;
  readonly graphTurns: GraphTurns;
  /** Of the calls of this agent. */
  readonly policyCheck: PolicyCheck;
  readonly guards: GuardServices;
  readonly members: Members;
  readonly requests: Requests;
  readonly policy: PolicyControl;
  readonly invite: (options: InviteOptions) => Promise<string>;
  readonly link: (relay: RelayAccess) => Promise<LinkedRelay>;
  readonly acceptLoss: () => Promise<AcceptedLoss>;
  readonly proposals: Proposals;
  readonly branchesFor: (context: () => WriteContext) => BranchOperations;
  readonly checkpointKeeper: CheckpointKeeper;
  readonly eraser: () => Promise<Eraser>;
  readonly pruner: () => Promise<Pruner>;
  readonly rekeyer: () => Promise<Rekeyer>;
  readonly settings: SettingsKeeper;
  readonly concealments: ConcealmentKeeper;
  readonly checkpointsFor: (context: () => WriteContext) => CheckpointOperations;
}

const MAX_INHERITED_USAGE = 1_000;

type ChangeType = Parameters<Writer["write"]>[0]["type"];

export class SpaceAgent implements Agent {
  readonly #services: AgentServices;
  readonly #author: Omit<Author, "replica">;
  readonly #branchOperations: BranchOperations;
  readonly branches: Branches;

  /** @param author - who the records are by */
  constructor(services: AgentServices, author: Omit<Author, "replica">) {
    this.#services = services;
    this.#author = author;
    this.#branchOperations = services.branchesFor(() => this.#context());
    this.branches = guardBranches(this.#branchOperations, services.guards);
  }

  get checkpoints(): Checkpoints {
    const { checkpointsFor, guards } = this.#services;
    return guardCheckpoints(
      checkpointsFor(() => this.#context()),
      guards,
    );
  }

  get members(): Members {
    return this.#services.members;
  }

  get requests(): Requests {
    return this.#services.requests;
  }

  get policy(): PolicyControl {
    return this.#services.policy;
  }

  invite(options: InviteOptions): Promise<string> {
    return this.#services.invite(options);
  }

  link(relay: RelayAccess): Promise<LinkedRelay> {
    return this.#services.link(relay);
  }

  acceptLoss(): Promise<AcceptedLoss> {
    return this.#services.acceptLoss();
  }

  acceptProposals(ids: readonly string[], options?: AcceptOptions): Promise<DecidedProposals> {
    const { proposals, guards } = this.#services;
    return proposals.accept(guards, ids, options);
  }

  rejectProposals(ids: readonly string[], options?: DecideOptions): Promise<DecidedProposals> {
    const { proposals, guards } = this.#services;
    return proposals.reject(guards, ids, options);
  }

  merge(options: MergeOptions): Promise<MergeResult> {
    return this.#branchOperations.merge(options);
  }

  async remember(input: RememberInput, options: OnBranch = {}): Promise<Memory> {
    const id = this.#newId();
    const dated = await this.#dated(input);
    const [memory] = await this.#write("remember", options, async () => [
      planCreate(id, fieldsOf(dated), this.#context()),
    ]);
    return memory as Memory;
  }

  async revise(
    id: string,
    input: ReviseInput,
    options: OnBranch & { readonly expect?: string } = {},
  ): Promise<Memory> {
    const { type = "update", ...dated } = await this.#dated(input);
    const fields = fieldsOf(dated);
    let full = id;
    const [memory] = await this.#write("revise", options, async (read, found) => {
      const reading = await this.#readFor(found, read, id);
      checkExpectation(reading, options.expect);
      full = reading.id;
      const kept = this.#keepingLinks(fields, [reading]);
      const write = planRevise(reading, kept, this.#context(), type);
      return revisesNothing(reading, kept) ? [] : [write];
    });
    if (memory !== undefined) return memory;
    const { branch } = options;
    return { ...(await this.#services.reader.get(full, { branch })), unchanged: true };
  }

  async forget(id: string, { reason, also = [], ...options }: ForgetOptions = {}): Promise<Memory> {
    const [memory] = await this.#write("forget", options, async (read, found) => {
      const readings = new Map<MemoryId, MemoryReading>();
      for (const name of [id, ...also]) {
        const reading = await this.#readFor(found, read, name);
        readings.set(reading.id, reading);
      }
      return [...readings.values()].map((reading) => planForget(reading, this.#context(), reason));
    });
    return memory as Memory;
  }

  async conceal(ids: readonly string[], options: OnBranch = {}): Promise<readonly ConcealedMemory[]> {
    const { concealments, writer } = this.#services;
    writer.refuseReaders();
    const memories = await concealments.shown(ids, options.branch);
    await this.#checkConcealing("conceal", memories, options);
    await this.#setConcealed("conceal", memories);
    return concealments.list(options.branch, memories);
  }

  async reveal(ids: readonly string[], options: OnBranch = {}): Promise<readonly ConcealedMemory[]> {
    const { concealments, guards, writer } = this.#services;
    writer.refuseReaders();
    const isSeen = seesConcealed(guards.caller);
    const named = isSeen ? concealments.concealed(ids) : concealments.notShown(ids);
    await this.#checkConcealing("reveal", named, options);
    const memories = concealments.concealed(named);
    const before = await concealments.list(options.branch, memories);
    await this.#setConcealed("reveal", memories);
    return before;
  }

  async #checkConcealing(
    method: "conceal" | "reveal",
    memories: readonly MemoryId[],
    options: OnBranch,
  ): Promise<void> {
    await this.#services.policyCheck.check({
      ...{ operation: "conceal", call: { method, args: [memories, options] } },
      affected: memories.length,
      preview: () => ({ counts: { memories: memories.length }, ids: memories, plan: memories }),
    });
  }

  async #setConcealed(operation: "conceal" | "reveal", memories: readonly MemoryId[]): Promise<void> {
    const { concealments, guards } = this.#services;
    await concealments.set(memories, operation === "conceal", this.#author.agent);
    guards.audit.note(guards.caller, { operation, memories: namedMemories(memories) });
    if (guards.caller.role === "owner") await this.#services.settleConcealing(operation, memories);
  }

  async concealed({ branch }: OnBranch = {}): Promise<readonly ConcealedMemory[]> {
    const { guards, concealments } = this.#services;
    if (seesConcealed(guards.caller)) return concealments.list(branch);
    throw new CambiumError("ROLE_REFUSED", "Only the owner of the space sees what is concealed.", {
      hint: "Ask the owner: cambium list --concealed",
    });
  }

  async restore(
    id: string,
    options: OnBranch &
      PartOfOperation & {
        readonly version?: number | string;
        readonly at?: string;
        readonly reason?: string;
      } = {},
  ): Promise<Memory> {
    const { version, at, reason } = options;
    if (version !== undefined && at !== undefined)
      throw new CambiumError("BAD_INPUT", "Give a version or a ref to restore, not both.");
    const past = at === undefined ? undefined : await this.#memoryAt(id, { branch: options.branch, at });
    return this.#writeOne("restore", id, options, (reading) => {
      const target = past ?? versionToRestore(reading, version);
      refusePruned(target);
      const source = versionSource({ id: reading.id, record: target.record }, "restore");
      return planRestore(reading, pickFields(target), this.#context(), { reason, source });
    });
  }

  combine(ids: readonly string[], input: RememberInput, options: OnBranch = {}): Promise<Memory> {
    return this.#combine(ids, input, options);
  }

  async #combine(
    ids: readonly string[],
    input: RememberInput,
    options: OnBranch & PartOfOperation & Pick<WriteRequest, "checkpoint">,
  ): Promise<Memory> {
    const id = this.#newId();
    const dated = await this.#dated(input);
    const [memory] = await this.#write("combine", options, async (read, found) => {
      const sources: MemoryReading[] = [];
      for (const source of new Set(ids)) sources.push(await this.#readFor(found, read, source));
      const kept = this.#keepingLinks(fieldsOf(dated), sources);
      return planCombine(id, sources, kept, this.#context());
    });
    return memory as Memory;
  }

  #keepingLinks(fields: FieldInput, readings: readonly MemoryReading[]): FieldInput {
    const isConcealed = (id: MemoryId): boolean => this.#services.concealments.isConcealed(id);
    const known = readings.map(({ resolved }) => resolved.fields);
    return keepingLinks(isConcealed, fields, known);
  }

  async split(
    id: string,
    inputs: readonly RememberInput[],
    options: OnBranch = {},
  ): Promise<readonly Memory[]> {
    const dated = await Promise.all(inputs.map((input) => this.#dated(input)));
    const pieces = dated.map((input) => ({ id: this.#newId(), input: fieldsOf(input) }));
    const memories = await this.#write("split", options, async (read, found) =>
      planSplit(await this.#readFor(found, read, id), pieces, this.#context()),
    );
    return memories.slice(0, pieces.length);
  }

  async reinforce(
    ids: readonly string[],
    { times, branch }: OnBranch & { readonly times?: number } = {},
  ): Promise<void> {
    const { reader, uses } = this.#services;
    const found: MemoryId[] = [];
    for (const id of ids) found.push((await reader.get(id, { branch })).id);
    uses.reinforce(found, times);
    await uses.flush();
  }

  /** The combined memory begins with the uses of those it replaces. */
  async consolidate(
    proposal: ConsolidationProposal,
    options: OnBranch & PartOfOperation = {},
  ): Promise<Memory> {
    const { uses, checkpointKeeper, finder } = this.#services;
    const memory = await this.#combine(proposal.ids, proposal.combined, {
      branch: options.branch,
      checkpoint: "consolidate",
      operation: options.operation ?? newOperationId("consolidate", this.#services.operationBytes()),
    });
    checkpointKeeper.noteConsolidated((await finder.find({ branch: options.branch })).view);
    let total = 0;
    for (const id of proposal.ids) total += (await uses.usageOf(id)).count;
    if (total > 0) uses.reinforce([memory.id], Math.min(total, MAX_INHERITED_USAGE));
    return memory;
  }

  async resolve(id: string, resolution: ResolveInput, options: OnBranch = {}): Promise<Memory> {
    return this.#writeOne("resolve", id, options, (reading) => {
      const decisions = decisionsFor(reading, resolution);
      return planResolve(reading, decisions, this.#context(), { reason: resolution.reason });
    });
  }

  async undo(options: UndoOptions = {}): Promise<UndoResult> {
    const { undoChanges } = await import("../rollback/undo.js");
    return undoChanges(this.#rollbackServices(), options);
  }

  async rollback(options: RollbackOptions): Promise<RollbackResult> {
    const { rollBack } = await import("../rollback/rollback.js");
    return rollBack(this.#rollbackServices(), options);
  }

  async erase(options: EraseOptions): Promise<EraseResult> {
    const { guards } = this.#services;
    const eraser = await this.#services.eraser();
    const result = await eraser.erase(options, this.#eraseCaller);
    if (result.status !== "erased") return result;
    const memories = namedMemories(result.memories.map(({ id }) => id));
    const details = { erasure: result.erasure ?? "", versions: result.counts.versions };
    guards.audit.note(guards.caller, { operation: "erase", memories, details });
    return result;
  }

  async acceptErasure(erasure: string, options: DecideErasureOptions = {}): Promise<Erasure> {
    const eraser = await this.#services.eraser();
    return this.#noteDecision("accept", await eraser.accept(erasure, options, this.#eraseCaller));
  }

  async refuseErasure(erasure: string): Promise<Erasure> {
    const eraser = await this.#services.eraser();
    return this.#noteDecision("refuse", await eraser.refuse(erasure, this.#eraseCaller));
  }

  get #eraseCaller(): EraseCaller {
    const { policyCheck, guards } = this.#services;
    return { policyCheck, agent: this.#author.agent, seesConcealed: seesConcealed(guards.caller) };
  }

  #noteDecision(decision: "accept" | "refuse", erasure: Erasure): Erasure {
    const { guards } = this.#services;
    guards.audit.note(guards.caller, {
      operation: "accept-erasure",
      details: { erasure: erasure.id, decision },
    });
    return erasure;
  }

  changeSettings(options: SettingsChange): Promise<SpaceSettings> {
    this.#services.writer.refuseReaders();
    return this.#services.settings.change(options, this.#author.agent);
  }

  async prune(options: PruneOptions = {}): Promise<PruneResult> {
    const { guards, policyCheck } = this.#services;
    const pruner = await this.#services.pruner();
    const result = await pruner.prune(options, policyCheck);
    if (result.status !== "pruned") return result;
    const memories = namedMemories(result.memories.map(({ id }) => id));
    const details = { versions: result.counts.versions, bytes: result.bytes };
    guards.audit.note(guards.caller, { operation: "retention", memories, details });
    return result;
  }

  async rekey(options: RekeyOptions = {}): Promise<RekeyResult> {
    const { guards, policyCheck, writer } = this.#services;
    const rekeyer = await this.#services.rekeyer();
    if (options.preview === true) return rekeyer.preview(options);
    writer.refuseReaders();
    if (!rekeyer.isBegun)
      await policyCheck.check({
        ...{ operation: "rekey", call: { method: "rekey", args: [{}] } },
        preview: () => ({ counts: {}, ids: [], plan: "rekey" }),
      });
    const result = await rekeyer.rekey(options);
    const { epoch, resealed } = result;
    if (resealed > 0) guards.audit.note(guards.caller, { operation: "rekey", details: { epoch, resealed } });
    return result;
  }

  async import(path: string, options: ImportOptions = {}): Promise<ImportResult> {
    const { writer, directory, views, importKey } = this.#services;
    writer.refuseReaders();
    const target = await directory.find(options.branch ?? "main", true);
    refuseDeleted(target);
    const view = await views.openToAdd(target.id);
    const { importInto, previewImport } = await import("./importer.js"); // a Markdown parser that no other call needs
    if (options.preview !== true)
      await this.#services.policyCheck.check({
        operation: "import",
        call: { method: "import", args: [path, options] },
        branch: view.branch,
        preview: () => previewImport({ path, importKey }, options),
      });
    const context = (): WriteContext => this.#context();
    const { load, checkpointKeeper, operationBytes, concealments } = this.#services;
    return importInto({
      isConcealed: (id) => concealments.isConcealed(id),
      ...{ path, view, load, importKey, context, options, writer: writer.withoutRequest() },
      mayBringBack: () => this.#mayImportErased(path, options),
      operation:
        options.operation === undefined
          ? newOperationId("import", operationBytes())
          : importOperation(options.operation),
      checkpoint: async () => (await checkpointKeeper.automatic(view, "import"))?.name,
    });
  }

  async export(path: string, options: ExportOptions = {}): Promise<ExportResult> {
    const { guards, policyCheck, finder, index, now, spaceName, concealments } = this.#services;
    await policyCheck.check({
      ...{ operation: "export", call: { method: "export", args: [path, options] } },
      preview: () => ({ counts: {}, ids: [], plan: "export" }),
    });
    const { exportTo } = await import("./exporter.js");
    const shown = <Value>(value: Value): Value => concealments.withoutLinks(value);
    const result = await exportTo(path, { finder, index, now, space: spaceName(), shown }, options);
    const { format, memories, path: to } = result;
    guards.audit.note(guards.caller, { operation: "export", details: { format, memories, path: to } });
    return result;
  }

  /** Texts that were erased here and come back with an import. */
  async #mayImportErased(path: string, options: ImportOptions): Promise<boolean> {
    try {
      await this.#services.policyCheck.check({
        ...{ operation: "import-erased", call: { method: "import", args: [path, options] } },
        preview: () => ({ counts: {}, ids: [], plan: null }),
      });
      return true;
    } catch (error) {
      if (!isCambiumError(error)) throw error;
      return false; // it is left out, and the result says so
    }
  }

  async editGraph(edit: GraphEdit, { branch = "main" }: OnBranch = {}): Promise<GraphEdited> {
    const { directory, views } = this.#services;
    const target = await directory.find(branch, true);
    refuseDeleted(target);
    const { editGraph } = await import("../graph/edit-graph.js");
    const view = await views.openToAdd(target.id);
    return editGraph(this.#services, { edit, view, context: () => this.#context() });
  }

  #dated<Input extends object>(input: Input): Promise<Input> {
    return datedInput(input, this.#services.now());
  }

  /** One memory, one record. */
  async #writeOne(
    type: ChangeType,
    id: string,
    options: OnBranch & PartOfOperation,
    plan: (reading: MemoryReading) => PlannedWrite,
  ): Promise<Memory> {
    const [memory] = await this.#write(type, options, async (read, found) => [
      plan(await this.#readFor(found, read, id)),
    ]);
    return memory as Memory;
  }

  async #write(
    type: ChangeType,
    { branch = "main", checkpoint, operation }: OnBranch & PartOfOperation & Pick<WriteRequest, "checkpoint">,
    plan: (read: PlanReader, found: FoundState) => Promise<readonly PlannedWrite[]>,
  ): Promise<readonly Memory[]> {
    const { directory, finder, writer } = this.#services;
    const target = await directory.find(branch, true);
    refuseDeleted(target);
    const found = await finder.findToAdd(target.id);
    let ids: readonly MemoryId[] = [];
    const written = await writer.writeRecords({
      view: found.view,
      type,
      checkpoint,
      operation: operation === undefined ? undefined : checkedOperation(operation),
      plan: async (read) => {
        const writes = await plan(read, found);
        ids = writes.map(({ memory }) => memory);
        return { writes };
      },
    });
    if (written === undefined) return [];
    const memories: Memory[] = [];
    for (const [index, id] of ids.entries())
      memories.push(await this.#asWritten(found.view, written, id, written.records[index] as RecordHash));
    for (const memory of memories) this.#services.summaries?.written(memory);
    return memories.map((memory) =>
      writer.wasErased(memory.content) ? { ...memory, erasedBefore: true } : memory,
    );
  }

  /** As a state had it, which has to be what its checkpoint named, if one names it. */
  async #memoryAt(id: string, ref: AtRef): Promise<Memory> {
    const { checkpoint } = await this.#services.finder.find(ref);
    if (checkpoint !== undefined) await guardCheckpoint(checkpoint, this.#services);
    return this.#services.reader.get(id, ref);
  }

  /** As the change left it. What others have written since may not be on disk yet: it is theirs to acknowledge. */
  async #asWritten(
    view: BranchView,
    { change }: WrittenRecords,
    id: MemoryId,
    record: RecordHash,
  ): Promise<Memory> {
    const { reader } = this.#services;
    const { branch } = view;
    const memory = await reader.get(id, { branch });
    return view.isAsLeftBy({ change, record }, id)
      ? memory
      : reader.get(id, { at: `${branch}@heads:${change}` });
  }

  async #readFor(found: FoundState, read: PlanReader, id: string): Promise<MemoryReading> {
    const { reader } = this.#services;
    const full = reader.idOf(found, id);
    const reading = await read(full);
    if (reading === undefined) throw await reader.unreadable(found, full);
    return reading;
  }

  #rollbackServices(): RollbackServices {
    return {
      ...this.#services,
      branches: this.branches,
      context: () => this.#context(),
      checkpoint: async (view, cause) => (await this.#services.checkpointKeeper.automatic(view, cause))?.name,
    };
  }

  #newId(): MemoryId {
    const { platform, now } = this.#services;
    return newUuid<MemoryId>({ now, random: platform.random });
  }

  #context(): WriteContext {
    return { at: this.#services.now(), author: { ...this.#author, replica: this.#services.replica() } };
  }
}
