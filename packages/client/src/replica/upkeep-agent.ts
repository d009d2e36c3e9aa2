/**
 * What an agent does with a space as a whole: who is in it, what is hidden, what goes for good, what comes and is taken
 * along.
 *
 * @module
 */
import {
  type Author,
  CambiumError,
  isCambiumError,
  type MemoryId,
  namedMemories,
  newOperationId,
  type WriteContext,
} from "@cambium/core";
import type {
  AcceptedLoss,
  AcceptOptions,
  Audit,
  ConcealedMemory,
  DecidedProposals,
  DecideErasureOptions,
  DecideOptions,
  EraseOptions,
  EraseResult,
  Erasure,
  ExportOptions,
  ExportResult,
  ImportOptions,
  ImportResult,
  InviteOptions,
  LinkedRelay,
  Members,
  OnBranch,
  PolicyControl,
  PruneOptions,
  PruneResult,
  RekeyOptions,
  RekeyResult,
  RelayAccess,
  Requests,
  SettingsChange,
  SpaceSettings,
} from "../api.js";
import type { EraseCaller } from "../erasure/eraser.js";
import { seesConcealed } from "../governance/caller.js";
import { refuseDeleted } from "../space/branch-directory.js";
import { importOperation } from "./agent-input.js";
import type { AgentServices } from "./agent-services.js";

/** An agent but for its memories, branches and checkpoints. */
export class UpkeepAgent {
  readonly #services: AgentServices;
  readonly #author: Omit<Author, "replica">;

  /** @param author - who the records are by */
  constructor(services: AgentServices, author: Omit<Author, "replica">) {
    this.#services = services;
    this.#author = author;
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

  get audit(): Audit {
    return this.#services.audit;
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
    const context = (): WriteContext => this.context();
    const { load, checkpointKeeper, operationBytes, concealments, importFolders } = this.#services;
    return importInto({
      isConcealed: (id) => concealments.isConcealed(id),
      folders: importFolders,
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
    const { guards, policyCheck, finder, index, now, home, spaceName, concealments } = this.#services;
    const { exportTo, refusePlace } = await import("./exporter.js");
    await policyCheck.check({
      ...{ operation: "export", call: { method: "export", args: [path, options] } },
      refuseEarly: () => refusePlace(path, home, options),
      preview: () => ({ counts: {}, ids: [], plan: "export" }),
    });
    const shown = <Value>(value: Value): Value => concealments.withoutLinks(value);
    const result = await exportTo(path, { finder, index, now, home, space: spaceName(), shown }, options);
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

  /** Of what is written now. */
  protected context(): WriteContext {
    return { at: this.#services.now(), author: { ...this.#author, replica: this.#services.replica() } };
  }
}
