/**
 * A space on this replica, as its callers see it: what each method asks of the services that run while it is open.
 *
 * @module
 */
import type { Catalog, ReplicaId, SpaceId } from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type {
  Agent,
  AgentIdentity,
  ArchiveContents,
  ArchiveOptions,
  Audit,
  Branches,
  Brief,
  BriefOptions,
  Checkpoints,
  EraseOptions,
  EraseResult,
  Erasure,
  ExportOptions,
  ExportResult,
  FoundTrace,
  IdempotencyKey,
  IndexStatus,
  InviteOptions,
  LinkedRelay,
  Members,
  MergeOptions,
  MergeResult,
  OnBranch,
  PolicyControl,
  ProgressOptions,
  ProposalDecisionOptions,
  ProposalDecisionPage,
  ProposalOptions,
  ProposalPage,
  RecallOptions,
  RelayAccess,
  RequestedChange,
  Requests,
  Role,
  RollbackOptions,
  RollbackResult,
  Space,
  SpaceEvent,
  SpaceReader,
  SpaceSettings,
  SpaceStatus,
  Sync,
  TraceOptions,
  UndoOptions,
  UndoResult,
  VerifyOptions,
  VerifyResult,
} from "../api.js";
import type { ArchiveLink, ReadingChain } from "../archive/contents.js";
import type { MergedArchive } from "../archive/merge-archive.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { requestCodes, requestedChange } from "../documents/requested-changes.js";
import { callerOf } from "../governance/caller.js";
import { steadyAnswer } from "../space/steady-answer.js";
import { SHOWN } from "./coded-errors.js";
import { ReadingSpace, readerAt } from "./reading-space.js";
import { rebuildIndex } from "./rebuild-index.js";
import { type OpenSpaceOptions, RunningSpace } from "./running-space.js";
import type { SpaceAccess } from "./space-access.js";
import type { ArchivedSpace } from "./space-archives.js";
import { restoredNotice } from "./space-notices.js";
import { statusOf } from "./space-status.js";
import { type VerifySubject, verifySpace } from "./verify-space.js";
import { WITHHELD, WithheldCount } from "./withheld.js";

export class OpenSpace extends ReadingSpace implements Space {
  readonly #its: RunningSpace;
  #withheld: WithheldCount | undefined;

  private constructor(its: RunningSpace) {
    super(() => its.parts);
    this.#its = its;
  }

  static async open(options: OpenSpaceOptions): Promise<OpenSpace> {
    return new OpenSpace(await RunningSpace.open(options));
  }

  /** Of each answer, also of its agents. */
  [SHOWN](answer: unknown): unknown {
    return this.#its.parts.concealments.withoutLinks(answer);
  }

  get [WITHHELD](): number {
    this.#withheld ??= new WithheldCount(this.#its.parts);
    return this.#withheld.current;
  }

  async erasures(): Promise<readonly Erasure[]> {
    return (await this.#its.parts.eraser()).list();
  }

  async settings(): Promise<SpaceSettings> {
    return this.#its.parts.settings.show();
  }

  async traces(texts: readonly string[], options?: TraceOptions): Promise<readonly FoundTrace[]> {
    return (await this.#its.parts.eraser()).traces(texts, options);
  }

  erase(options: EraseOptions): Promise<EraseResult> {
    return this.as({}).erase(options);
  }

  get access(): SpaceAccess {
    return this.#its.access;
  }

  get id(): SpaceId {
    return this.#its.config.current.id as SpaceId;
  }

  get name(): string {
    return this.#its.config.current.name;
  }

  get replica(): ReplicaId {
    return this.#its.options.identity.id;
  }

  get role(): Role {
    return this.#its.config.current.role;
  }

  get sync(): Sync {
    return this.#its.sync;
  }

  get branches(): Branches {
    return this.as({}).branches;
  }

  get checkpoints(): Checkpoints {
    return this.as({}).checkpoints;
  }

  get members(): Members {
    return this.as({}).members;
  }

  as(identity: AgentIdentity): Agent {
    return this.#its.agents.as(identity);
  }

  async requestOf(request: IdempotencyKey): Promise<RequestedChange | undefined> {
    const { documents, codec, concealments } = this.#its.parts;
    const codes = requestCodes(codec.keys.requests, request);
    const note = documents.requested(codes.key);
    if (note === undefined) return undefined;
    await documents.flush(); // it may still be on its way to disk
    const done = requestedChange(note, codes);
    const { memories } = done;
    if (typeof memories === "number") return done;
    const shown = memories.filter((id) => !concealments.isConcealed(id));
    return shown.length === memories.length ? done : { ...done, memories: shown.length };
  }

  async brief(options?: BriefOptions): Promise<Brief> {
    const { makeBrief } = await import("../brief/brief-maker.js");
    const { parts, governance } = this.#its;
    const services = {
      ...{ ...parts, space: this.name, replica: this.replica, now: parts.clock.now },
      requests: () => governance.requests.list("open", undefined),
      notices: async () => (await this.#its.notices()).all,
    };
    return makeBrief(services, options);
  }

  proposals(options?: ProposalOptions): Promise<ProposalPage> {
    return this.#its.agents.proposals.list(callerOf({}, this.role), options);
  }

  proposalDecisions(options?: ProposalDecisionOptions): Promise<ProposalDecisionPage> {
    return this.#its.agents.decisions.list(options);
  }

  get requests(): Requests {
    return this.as({}).requests;
  }

  get policy(): PolicyControl {
    return this.as({}).policy;
  }

  get audit(): Audit {
    return this.as({}).audit;
  }

  at(ref: string): SpaceReader {
    return readerAt(this, ref);
  }

  /** Recalls of the past are not counted, nor lists: they say little about what will be needed. */
  async recall(query?: string, options?: RecallOptions): ReturnType<SpaceReader["recall"]> {
    const { reader, uses, index } = this.#its.parts;
    const memories = await steadyAnswer(index, () => reader.recall(query, options));
    if (options?.at === undefined && query?.trim()) uses.note(memories.map(({ id }) => id));
    return memories;
  }

  async reindex(options?: ProgressOptions): Promise<IndexStatus> {
    await rebuildIndex(this.#its.parts, options);
    return this.#its.indexStatus();
  }

  export(path: string, options?: ExportOptions): Promise<ExportResult> {
    return this.as({}).export(path, options);
  }

  async archive(path: string, options: ArchiveOptions): Promise<ArchiveContents> {
    const { archiveSpace } = await import("./space-archives.js");
    return archiveSpace(this.#archived, path, options);
  }

  /** @param links - of this space, checked */
  async mergeArchive(
    links: readonly ArchiveLink[],
    options: { readonly reading: ReadingChain; readonly preview: boolean },
  ): Promise<MergedArchive> {
    const { mergeIntoSpace } = await import("./space-archives.js");
    const merged = await mergeIntoSpace(this.#archived, links, options);
    if (!options.preview) await this.#its.erasing.catchUp();
    return merged;
  }

  /** Of how many memories something was erased again when it was opened: see `damaged-erasures.ts`. */
  get erasedAgain(): number {
    return this.#its.erasing.takenOwed;
  }

  async erasuresInForce(): Promise<Catalog["erasures"]> {
    const { erasuresOf } = await import("./space-archives.js");
    return await erasuresOf(this.#archived);
  }

  get #archived(): ArchivedSpace {
    const { parts, sync, governance, config, options } = this.#its;
    const { configs, platform } = options;
    return {
      ...{ parts, sync, platform, config: config.current, audit: governance.audit },
      ...{ dir: configs.directoryOf(this.id), replica: this.replica, branches: this.branches },
    };
  }

  async summariesMade({ signal }: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
    const { summaries } = this.#its.parts;
    await summaries?.made(signal);
    return summaries?.problem;
  }

  merge(options: MergeOptions): Promise<MergeResult> {
    return this.as({}).merge(options);
  }

  undo(options?: UndoOptions): Promise<UndoResult> {
    return this.as({}).undo(options);
  }

  rollback(options: RollbackOptions): Promise<RollbackResult> {
    return this.as({}).rollback(options);
  }

  async status({ branch = "main" }: OnBranch = {}): Promise<SpaceStatus> {
    return steadyAnswer(this.#its.parts.index, () => statusOf(this.#its, branch));
  }

  invite(options: InviteOptions): Promise<string> {
    return this.as({}).invite(options);
  }

  link(relay: RelayAccess): Promise<LinkedRelay> {
    return this.as({}).link(relay);
  }

  rename(name: string): void {
    this.#its.config.save({ name });
  }

  subscribe(listener: (event: SpaceEvent) => void): () => void {
    return this.#its.events.subscribe(listener);
  }

  async verify(options: VerifyOptions = {}): Promise<VerifyResult> {
    const cleaned = options.clean === true ? await this.#its.sync.clean() : undefined;
    const found = await this.#verified(options);
    const result = cleaned === undefined ? found : { ...found, cleaned };
    const { audit } = this.#its.governance;
    // A space that nobody has written to has no audit log, and gets none by being looked at.
    await audit.readEnd();
    if (audit.exists) {
      await audit.open();
      const details = { ok: result.ok, damaged: result.damaged.length };
      audit.note(callerOf({}, this.role), { operation: "verify", details });
    }
    return result;
  }

  #verified(options?: ProgressOptions): Promise<VerifyResult> {
    const { parts, lost, restored } = this.#its;
    const load: VerifySubject["load"] = (reference, memory) => parts.packs.read(reference, memory);
    return verifySpace({ ...parts, load, lost, notes: restoredNotice(restored) }, options);
  }

  close(): Promise<void> {
    return this.#its.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

checkCallsOf(OpenSpace, SIGNATURES.space);
