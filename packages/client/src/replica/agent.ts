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
  keepingLinks,
  type Memory,
  type MemoryId,
  type MemoryReading,
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
  type Version,
  versionSource,
} from "@cambium/core";
import type {
  Agent,
  AtRef,
  Branches,
  Checkpoints,
  ForgetOptions,
  GraphEdit,
  GraphEdited,
  MergeOptions,
  MergeResult,
  OnBranch,
  PartOfOperation,
  RememberInput,
  ResolveInput,
  ReviseInput,
  RollbackOptions,
  RollbackResult,
  UndoOptions,
  UndoResult,
} from "../api.js";
import { datedInput } from "../arguments/dated-input.js";
import { guardCheckpoint } from "../checkpoints/restore-guard.js";
import { guardBranches, guardCheckpoints } from "../governance/guarded-agent.js";
import type { RollbackServices } from "../rollback/services.js";
import { refuseDeleted } from "../space/branch-directory.js";
import type { BranchView } from "../space/branch-views.js";
import { decisionsFor } from "../space/resolution.js";
import type { FoundState } from "../space/state-finder.js";
import { steadyAnswer } from "../space/steady-answer.js";
import type { PlanReader, WriteRequest, Writer, WrittenRecords } from "../space/writer.js";
import {
  checkExpectation,
  checkedOperation,
  fieldsOf,
  pickFields,
  refusePruned,
  versionToRestore,
} from "./agent-input.js";
import type { AgentServices } from "./agent-services.js";
import type { BranchOperations } from "./branch-operations.js";
import { UpkeepAgent } from "./upkeep-agent.js";

const MAX_INHERITED_USAGE = 1_000;

type ChangeType = Parameters<Writer["write"]>[0]["type"];

export class SpaceAgent extends UpkeepAgent implements Agent {
  readonly #services: AgentServices;
  readonly #branchOperations: BranchOperations;
  readonly branches: Branches;

  /** @param author - who the records are by */
  constructor(services: AgentServices, author: Omit<Author, "replica">) {
    super(services, author);
    this.#services = services;
    this.#branchOperations = services.branchesFor(() => this.context());
    this.branches = guardBranches(this.#branchOperations, services.guards);
  }

  get checkpoints(): Checkpoints {
    const { checkpointsFor, guards } = this.#services;
    return guardCheckpoints(
      checkpointsFor(() => this.context()),
      guards,
    );
  }

  merge(options: MergeOptions): Promise<MergeResult> {
    return this.#branchOperations.merge(options);
  }

  async remember(input: RememberInput, options: OnBranch = {}): Promise<Memory> {
    const id = this.#newId();
    const dated = await this.#dated(input);
    const [memory] = await this.#write("remember", options, async () => [
      planCreate(id, fieldsOf(dated), this.context()),
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
      const write = planRevise(reading, kept, this.context(), type);
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
      return [...readings.values()].map((reading) => planForget(reading, this.context(), reason));
    });
    return memory as Memory;
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
    return this.#writeOne("restore", id, options, async (reading) => {
      const target = past ?? (await this.#rebuilt(reading, versionToRestore(reading, version)));
      refusePruned(target);
      const source = versionSource({ id: reading.id, record: target.record }, "restore");
      return planRestore(reading, pickFields(target), this.context(), { reason, source });
    });
  }

  /** A pruned version with its text, where that can be put together again. */
  async #rebuilt(reading: MemoryReading, target: Memory | Version): Promise<Memory | Version> {
    const part = reading.records.get(target.record)?.parts.content.hash;
    if (target.erased !== "pruned" || part === undefined) return target;
    const content = await this.#services.differences.rebuilt(reading.id, part);
    return content === undefined ? target : { ...target, content, erased: undefined };
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
      return planCombine(id, sources, kept, this.context());
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
      planSplit(await this.#readFor(found, read, id), pieces, this.context()),
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
      return planResolve(reading, decisions, this.context(), { reason: resolution.reason });
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

  async editGraph(edit: GraphEdit, { branch = "main" }: OnBranch = {}): Promise<GraphEdited> {
    const { directory, views } = this.#services;
    const target = await directory.find(branch, true);
    refuseDeleted(target);
    const { editGraph } = await import("../graph/edit-graph.js");
    const view = await views.openToAdd(target.id);
    return editGraph(this.#services, { edit, view, context: () => this.context() });
  }

  #dated<Input extends object>(input: Input): Promise<Input> {
    return datedInput(input, this.#services.now());
  }

  /** One memory, one record. */
  async #writeOne(
    type: ChangeType,
    id: string,
    options: OnBranch & PartOfOperation,
    plan: (reading: MemoryReading) => PlannedWrite | Promise<PlannedWrite>,
  ): Promise<Memory> {
    const [memory] = await this.#write(type, options, async (read, found) => [
      await plan(await this.#readFor(found, read, id)),
    ]);
    return memory as Memory;
  }

  async #write(
    type: ChangeType,
    { branch = "main", checkpoint, operation }: OnBranch & PartOfOperation & Pick<WriteRequest, "checkpoint">,
    plan: (read: PlanReader, found: FoundState) => Promise<readonly PlannedWrite[]>,
  ): Promise<readonly Memory[]> {
    const { directory, finder, index, writer } = this.#services;
    const target = await directory.find(branch, true);
    refuseDeleted(target);
    let { generation } = index;
    let found = await finder.findToAdd(target.id);
    let ids: readonly MemoryId[] = [];
    const written = await writer.writeRecords({
      view: found.view,
      type,
      checkpoint,
      operation: operation === undefined ? undefined : checkedOperation(operation),
      plan: async (read) => {
        if (index.generation !== generation) {
          ({ generation } = index);
          found = await finder.findToAdd(target.id);
        }
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
    return memories.map((memory) => ({
      ...memory,
      ...(writer.wasErased(memory.content) ? { erasedBefore: true } : {}),
      ...(writer.staysHere(memory) ? { staysHere: true } : {}),
    }));
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
    const { index, reader } = this.#services;
    const { branch } = view;
    return steadyAnswer(index, async () => {
      const memory = await reader.get(id, { branch });
      return view.isAsLeftBy({ change, record }, id)
        ? memory
        : reader.get(id, { at: `${branch}@heads:${change}` });
    });
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
      context: () => this.context(),
      checkpoint: async (view, cause) => (await this.#services.checkpointKeeper.automatic(view, cause))?.name,
    };
  }

  #newId(): MemoryId {
    const { platform, now } = this.#services;
    return newUuid<MemoryId>({ now, random: platform.random });
  }
}
