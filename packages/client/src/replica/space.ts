/**
 * A space on this replica: its services put together, opened and closed in order.
 *
 * @module
 */
import { join } from "node:path";
import {
  type BranchId,
  bytesFromBase64Url,
  bytesToBase64Url,
  type CambiumError,
  type Catalog,
  type ChangeHash,
  type DocumentId,
  isRetentionSet,
  type Platform,
  type ReplicaId,
  type SpaceId,
} from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import type { Embedder } from "../api/embedder.js";
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
  BroughtBranch,
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
  ProposalOptions,
  ProposalPage,
  RecallOptions,
  RelayAccess,
  RequestedChange,
  Requests,
  Role,
  RollbackOptions,
  RollbackResult,
  SourceFetcher,
  Space,
  SpaceEvent,
  SpaceReader,
  SpaceSettings,
  SpaceStatus,
  Summarizer,
  Sync,
  TraceOptions,
  UndoOptions,
  UndoResult,
  VerifyOptions,
  VerifyResult,
} from "../api.js";
import type { ArchiveLink, ReadingChain } from "../archive/contents.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { AcknowledgedNote } from "../documents/acknowledged-note.js";
import type { Identity, Restored } from "../documents/identity.js";
import { requestCodes, requestedChange } from "../documents/requested-changes.js";
import type { SpaceConfig, SpaceConfigs } from "../documents/space-config.js";
import { callerOf } from "../governance/caller.js";
import { Governance } from "../governance/governance.js";
import { notedSince } from "../governance/noted-events.js";
import { EpochUpkeep } from "../keys/epoch-upkeep.js";
import { standingKits } from "../keys/recovery-kit.js";
import { absentBranches } from "../space/missing-records.js";
import type { Invitation } from "../sync/invitation.js";
import { KeyProof } from "../sync/key-proof.js";
import { SpaceSync } from "../sync/space-sync.js";
import { type ClosingSpace, closeSpace, eachInTurn } from "./close-space.js";
import { SHOWN } from "./coded-errors.js";
import { enter } from "./enter.js";
import { introduce, type NewAccess } from "./introduce.js";
import { KitUpkeep } from "./kit-upkeep.js";
import { LostWrites } from "./lost-writes.js";
import { ReadingSpace, readerAt } from "./reading-space.js";
import { rebuildIndex } from "./rebuild-index.js";
import { remakeIndex } from "./remake-index.js";
import { SpaceAgents } from "./space-agents.js";
import type { ArchivedSpace } from "./space-archives.js";
import { SpaceErasing } from "./space-erasing.js";
import { openStore, openSummaries } from "./space-files.js";
import { noticesOf, rekeyingNotice, restoredNotice, withheldNotices } from "./space-notices.js";
import { assembleParts, type SpaceParts, type SpacePartsOptions } from "./space-parts.js";
import { missingOn, statusOf } from "./space-status.js";
import { StandingConfig } from "./standing-config.js";
import { verifySpace } from "./verify-space.js";
import { WITHHELD, WithheldCount } from "./withheld.js";

export interface OpenSpaceOptions {
  readonly config: SpaceConfig;
  readonly configs: SpaceConfigs;
  readonly storage: "sqlite" | "fs";
  readonly identity: Identity;
  readonly platform: Platform;
  readonly connect: boolean;
  /** Of a space that is new on its relay. */
  readonly made?: NewAccess | undefined;
  readonly embedder: Embedder | undefined;
  readonly summarizer: Summarizer | undefined;
  readonly sourceFetchers: Readonly<Record<string, SourceFetcher>> | undefined;
  readonly onStoreFailed: ((failure: CambiumError) => void) | undefined;
  readonly onClose: () => void;
}

export class OpenSpace extends ReadingSpace implements Space {
  readonly #options: OpenSpaceOptions;
  readonly #parts: SpaceParts;
  readonly #sync: SpaceSync;
  readonly #governance: Governance;
  readonly #lost: LostWrites;
  readonly #keyProof: KeyProof;
  readonly #keys: EpochUpkeep;
  readonly #kits: KitUpkeep;
  readonly #agents: SpaceAgents;
  #withheld: WithheldCount | undefined;
  readonly #notices = new Set<string>();
  readonly #listeners = new Set<(event: SpaceEvent) => void>();
  readonly #config: StandingConfig;
  readonly #erasing: SpaceErasing;
  #closing: Promise<void> | undefined;

  private constructor(
    options: OpenSpaceOptions,
    {
      dir,
      store,
      note,
      openVectors,
      summaries,
    }: Pick<SpacePartsOptions, "dir" | "store" | "note" | "openVectors" | "summaries">,
  ) {
    super(() => this.#parts);
    const { config, identity, platform, embedder } = options;
    this.#options = options;
    this.#config = new StandingConfig(options.configs, config);
    const onNotice = (message: string): void => this.#notice(message);
    this.#parts = assembleParts({
      ...{ config, dir, store, note, identity, platform, embedder, openVectors, summaries, onNotice },
      sourceFetchers: options.sourceFetchers,
      ...{
        role: () => this.role,
        cameWith: () => this.#config.current.cameWith,
        rekeyBegun: this.#rekeyBegun(),
      },
      saveEpochs: (epochs) => this.#config.save({ epochs }),
      relayErased: () => this.#sync.relayErased,
      isSafe: (document) => this.#sync.isSafe(document),
      isUnheard: () => this.#config.current.isUnheard === true,
      mayArrive: () => this.#sync.mayBring,
      isArriving: () => this.#sync.isReading,
      onVectors: ({ done, total }) =>
        this.#emit({ type: "index", progress: { stage: "vectors", done, total } }),
    });
    this.#erasing = new SpaceErasing({
      ...{ parts: this.#parts, isReading: () => this.#sync.isReading },
      isClosing: () => this.#closing !== undefined,
      eraseThere: () => this.#sync.erase(),
    });
    this.#governance = new Governance({
      ...{ ...this.#parts, dir, identity, platform, onNotice },
      ...{ now: this.#parts.clock.now, load: this.#parts.index.load, countLost: () => this.#lost.count },
      restoredEpoch: () => identity.restored?.epoch,
    });
    this.#parts.catalog.onChange(() => this.#noteRetention());
    this.#tellOfNoted();
    this.#lost = new LostWrites({
      ...{ ...this.#parts, identity, onNotice, auditDir: join(dir, "audit") },
      flushAudit: () => this.#governance.audit.flush(),
    });
    this.#keyProof = new KeyProof({
      ...{ ...this.#parts, replica: identity.id, config: () => this.#config.current, onNotice },
      onProven: (keyCheck) => this.#config.save({ keyCheck }),
    });
    this.#keys = this.#newKeys();
    this.#kits = this.#newKits();
    this.#agents = this.#newAgents();
    this.#parts.index.onProgress(({ branch, done, total }) =>
      this.#emit({ type: "index", branch, progress: { stage: "index", done, total } }),
    );
    this.#sync = new SpaceSync({
      ...{ ...this.#parts, platform, identity, keys: this.#parts.codec.keys, onNotice },
      config: () => this.#config.current,
      onRole: (role) => this.#welcomed(role),
      onReceiptTime: (lastReceiptAt) => this.#config.save({ lastReceiptAt }),
      onProgress: () => {
        this.#parts.views.rouse();
        if (this.#config.current.cameWithKit) void this.#forgetKit();
        this.#emit({ type: "sync" });
      },
      onHeard: () => this.#config.save({ isUnheard: undefined }),
      trade: (relay) => this.#trade(relay),
      onInvitationSeen: () => this.#config.save({ invited: undefined }),
      beforeConnecting: () => this.#parts.uses.writeCarried(),
      erase: () => this.#erasing.catchUp(),
      carry: (document, chunks) => this.#erasing.carry(document, chunks),
      countMissing: async () =>
        (await missingOn(this.#parts)).filter(({ code }) => code === undefined).length +
        (await absentBranches(this.#parts)).length,
    });
  }

  /** The log tells what was noted, too. */
  #tellOfNoted(): void {
    const { audit } = this.#governance;
    const noted = { files: audit.files, flush: () => audit.flush() };
    this.#parts.events.noted = (after) => notedSince(noted, after);
    this.#parts.events.notedBy = this.replica;
  }

  /** For whoever wants to know whether there is anything to prune, and not open the space for it. */
  #noteRetention(): void {
    try {
      this.#config.save({ isPruned: isRetentionSet(this.#parts.settings.current) || undefined });
    } catch (error) {
      this.#notice(`It could not be noted that this space is pruned: ${String(error)}`);
    }
  }

  #newKeys(): EpochUpkeep {
    return new EpochUpkeep({
      ...{
        ...this.#parts,
        identity: this.#options.identity,
        role: () => this.role,
        introduce: () => this.introduce(),
      },
      hasHeard: () =>
        this.#config.current.isUnheard === undefined && typeof this.#config.current.keyCheck === "string",
      judgeAgain: () => this.#judgeAgain(),
      onFailure: (error) => this.#notice(`The new key could not be taken up yet: ${messageOf(error)}`),
    });
  }

  #rekeyBegun(): SpacePartsOptions["rekeyBegun"] {
    return {
      get: () => this.#config.current.isRekeying === true,
      set: (isBegun) => this.#config.save({ isRekeying: isBegun || undefined }),
    };
  }

  #newKits(): KitUpkeep {
    const { catalog, epochs } = this.#parts;
    return new KitUpkeep({
      config: () => this.#config.current,
      note: (isKitUnknown) => this.#config.save({ isKitUnknown }),
      standing: () => standingKits(catalog.current, epochs.members(catalog.current)).length,
      register: () => this.#agents.registerKits(),
    });
  }

  #newAgents(): SpaceAgents {
    const { platform, identity } = this.#options;
    return new SpaceAgents({
      ...{
        keys: this.#keys,
        kits: this.#kits,
        parts: this.#parts,
        governance: this.#governance,
        platform,
        identity,
      },
      config: () => this.#config.current,
      moveTo: (relay, role, made) => this.moveTo(relay, role, made),
      acceptLoss: async () => {
        const writes = this.#lost.accept();
        await this.#sync.acceptWithheld();
        if (this.#restored !== undefined) this.#config.save({ acceptedRestore: this.#restored.epoch });
        return { writes };
      },
    });
  }

  static async open(options: OpenSpaceOptions): Promise<OpenSpace> {
    const space = await OpenSpace.#assembled(options);
    try {
      await space.#lost.compare();
      await space.#parts.catalog.open(space.#parts.catalogTable);
      await space.#keyProof.open();
      await space.#keys.open();
      await space.#erasing.open();
      await space.introduce(options.made);
      space.#parts.documents.onHeads(({ document, heads }) => space.#onHeads(document, heads));
      if (options.connect) space.#sync.start();
    } catch (error) {
      await space.close();
      throw error;
    }
    return space;
  }

  /** A store that stayed open would be held against the next try. */
  static async #assembled(options: OpenSpaceOptions): Promise<OpenSpace> {
    const dir = options.configs.directoryOf(options.config.id as SpaceId);
    const store = await openStore(options.storage, dir);
    try {
      store.onFailure((failure) => options.onStoreFailed?.(failure));
      const { SpaceVectors } =
        options.embedder === undefined ? {} : await import("../space/space-vectors.js");
      const { summaries, summariesProblem } = await openSummaries(options.summarizer, dir);
      const note = new AcknowledgedNote(join(dir, "acknowledged"));
      const space = new OpenSpace(options, { dir, store, note, openVectors: SpaceVectors?.open, summaries });
      if (summariesProblem !== undefined) space.#notice(summariesProblem);
      return space;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Of each answer, also of its agents. */
  [SHOWN](answer: unknown): unknown {
    return this.#parts.concealments.withoutLinks(answer);
  }

  get [WITHHELD](): number {
    this.#withheld ??= new WithheldCount(this.#parts);
    return this.#withheld.current;
  }

  async erasures(): Promise<readonly Erasure[]> {
    return (await this.#parts.eraser()).list();
  }

  async settings(): Promise<SpaceSettings> {
    return this.#parts.settings.show();
  }

  async traces(texts: readonly string[], options?: TraceOptions): Promise<readonly FoundTrace[]> {
    return (await this.#parts.eraser()).traces(texts, options);
  }

  erase(options: EraseOptions): Promise<EraseResult> {
    return this.as({}).erase(options);
  }

  /** Takes in what an invitation holds, by which this device has come again. */
  takeKeys(
    { seed, epoch }: Pick<Invitation, "seed" | "epoch">,
    { cameWithKit }: Pick<SpaceConfig, "cameWithKit"> = {},
  ): void {
    if (seed !== undefined) this.#config.save({ cameWith: bytesToBase64Url(seed), cameWithKit });
    if (epoch !== undefined) this.#parts.epochs.take(epoch);
    this.#keys.follow();
  }

  /** The kit is needed until this device has a part in each key itself. Nobody is to find it here later. */
  async #forgetKit(): Promise<void> {
    const { epochs, catalog } = this.#parts;
    const own = catalog.current.replicas.get(this.replica)?.value;
    const isMember =
      own !== undefined && epochs.hasShown({ id: this.replica, key: own.publicKey }, own.keyProof);
    if (this.#config.current.isUnheard || !isMember || epochs.lacking.length > 0) return;
    if ((await this.#sync.status()).relay.state !== "synced" || this.#closing !== undefined) return;
    this.#config.save({ cameWith: undefined, cameWithKit: undefined });
  }

  /** What was read before a key was known under which some of it was written. */
  async #judgeAgain(): Promise<void> {
    const foreign = [...this.#parts.views.foreignChanges().values()];
    if (foreign.some((count) => count > 0)) await remakeIndex(this.#parts);
  }

  /** Says in the catalog what this device is called; readers cannot. */
  async introduce(made?: NewAccess): Promise<void> {
    const { role, relay } = this.#config.current;
    if (role !== "read") await introduce(this.#parts, this.#options.identity, relay?.token, made);
  }

  get id(): SpaceId {
    return this.#config.current.id as SpaceId;
  }

  get name(): string {
    return this.#config.current.name;
  }

  get replica(): ReplicaId {
    return this.#options.identity.id;
  }

  get role(): Role {
    return this.#config.current.role;
  }

  get sync(): Sync {
    return this.#sync;
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
    return this.#agents.as(identity);
  }

  async requestOf(request: IdempotencyKey): Promise<RequestedChange | undefined> {
    const { documents, codec } = this.#parts;
    const codes = requestCodes(codec.keys.requests, request);
    const note = documents.requested(codes.key);
    if (note === undefined) return undefined;
    await documents.flush(); // it may still be on its way to disk
    const done = requestedChange(note, codes);
    const { memories } = done;
    if (typeof memories === "number") return done;
    const shown = memories.filter((id) => !this.#parts.concealments.isConcealed(id));
    return shown.length === memories.length ? done : { ...done, memories: shown.length };
  }

  async brief(options?: BriefOptions): Promise<Brief> {
    const { makeBrief } = await import("../brief/brief-maker.js");
    const services = {
      ...{ ...this.#parts, space: this.name, replica: this.replica, now: this.#parts.clock.now },
      requests: () => this.#governance.requests.list("open", undefined),
      notices: () => this.#allNotices(),
    };
    return makeBrief(services, options);
  }

  proposals(options?: ProposalOptions): Promise<ProposalPage> {
    return this.#agents.proposals.list(callerOf({}, this.role), options);
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
    const memories = await this.#parts.reader.recall(query, options);
    if (options?.at === undefined && query?.trim()) this.#parts.uses.note(memories.map(({ id }) => id));
    return memories;
  }

  async reindex(options?: ProgressOptions): Promise<IndexStatus> {
    await rebuildIndex(this.#parts, options);
    return this.#indexStatus();
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
  ): Promise<readonly BroughtBranch[]> {
    const { mergeIntoSpace } = await import("./space-archives.js");
    const branches = await mergeIntoSpace(this.#archived, links, options);
    if (!options.preview) await this.#erasing.catchUp();
    return branches;
  }

  async erasuresInForce(): Promise<Catalog["erasures"]> {
    const { erasuresOf } = await import("./space-archives.js");
    return await erasuresOf(this.#archived);
  }

  get #archived(): ArchivedSpace {
    const { configs, platform } = this.#options;
    return {
      ...{ parts: this.#parts, dir: configs.directoryOf(this.id), replica: this.replica, platform },
      ...{ config: this.#config.current, audit: this.#governance.audit },
      ...{ branches: this.branches, sync: this.#sync },
    };
  }

  #indexStatus(): IndexStatus {
    return {
      ...this.#parts.index.status((document) => this.#parts.documents.headsOf(document)),
      ...(this.#parts.vectors === undefined ? {} : { vectors: this.#parts.vectors.state() }),
    };
  }

  async summariesMade({ signal }: { readonly signal?: AbortSignal } = {}): Promise<string | undefined> {
    await this.#parts.summaries?.made(signal);
    return this.#parts.summaries?.problem;
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
    return statusOf(
      {
        ...{
          parts: this.#parts,
          sync: this.#sync,
          identity: this.#options.identity,
          config: this.#config.current,
        },
        key: () => this.#keys.status(),
        requests: () => this.#governance.requests.waiting,
        notices: () => this.#allNotices(),
        index: () => this.#indexStatus(),
      },
      branch,
    );
  }

  async #allNotices(): Promise<readonly string[]> {
    const { notices } = this.#options.identity;
    const lost = await this.#lost.notices();
    const beside = this.#options.configs.damaged().map(({ message }) => `Of another space: ${message}`);
    const here = await noticesOf(this.#parts);
    const withheld = withheldNotices(await this.#sync.withheld(), this.#parts.catalog.current);
    return [
      ...new Set([
        ...notices,
        ...restoredNotice(this.#restored),
        ...this.#notices,
        ...beside,
        ...lost,
        ...withheld,
        ...here,
        ...(await this.#erasing.notices()),
        ...this.#keys.notices(),
        ...rekeyingNotice(this.#config.current),
        ...this.#kits.notices(),
      ]),
    ];
  }

  /** Undefined once the owner has accepted what that may have cost. */
  get #restored(): Restored | undefined {
    const { restored } = this.#options.identity;
    return restored?.epoch === this.#config.current.acceptedRestore ? undefined : restored;
  }

  invite(options: InviteOptions): Promise<string> {
    return this.as({}).invite(options);
  }

  link(relay: RelayAccess): Promise<LinkedRelay> {
    return this.as({}).link(relay);
  }

  rename(name: string): void {
    this.#config.save({ name });
  }

  async #trade({ url, token }: RelayAccess): Promise<RelayAccess> {
    const key = bytesFromBase64Url(this.#config.current.key);
    const { current } = this.#parts.epochs;
    const epoch = current.epoch === 0 ? undefined : current;
    const { relay, role, made } = await enter(
      { relay: url, space: this.id, token, key, epoch },
      this.#options,
    );
    this.#config.save({ relay, role, accessUntil: made?.expiresAt });
    await this.introduce(made);
    return relay;
  }

  /** Turns to a relay that has accepted a token of this space. */
  async moveTo(relay: RelayAccess, role: Role, made?: NewAccess): Promise<void> {
    await this.#sync.changeRelay(() =>
      this.#config.save({ relay, role, accessUntil: made?.expiresAt, lastReceiptAt: undefined }),
    );
    await this.introduce(made);
    if (this.#options.connect) this.#sync.start();
  }

  subscribe(listener: (event: SpaceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async verify(options: VerifyOptions = {}): Promise<VerifyResult> {
    const cleaned = options.clean === true ? await this.#sync.clean() : undefined;
    const found = await this.#verified(options);
    const result = cleaned === undefined ? found : { ...found, cleaned };
    const { audit } = this.#governance;
    // A space that nobody has written to has no audit log, and gets none by being looked at.
    if (audit.exists) {
      await audit.open();
      const details = { ok: result.ok, damaged: result.damaged.length };
      audit.note(callerOf({}, this.role), { operation: "verify", details });
    }
    return result;
  }

  #verified(options?: ProgressOptions): Promise<VerifyResult> {
    return verifySpace(
      {
        store: this.#parts.store,
        directory: this.#parts.directory,
        views: this.#parts.views,
        setAside: this.#parts.setAside,
        held: this.#parts.held,
        catalog: this.#parts.catalog,
        load: (reference, memory) => this.#parts.packs.read(reference, memory),
        lost: this.#lost,
        notes: restoredNotice(this.#restored),
        index: this.#parts.index,
      },
      options,
    );
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #close(): Promise<void> {
    const closing: ClosingSpace = {
      ...{ parts: this.#parts, sync: this.#sync, audit: this.#governance.audit },
      ...{ isWriting: () => this.#options.identity.isWriting, onClose: this.#options.onClose },
    };
    return eachInTurn([() => this.#kits.close(), () => this.#keys.close(), () => closeSpace(closing)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The relay has accepted this replica. */
  #welcomed(role: Role): void {
    this.#config.save({ role });
    this.#kits.follow();
    this.#governance.noteWelcome(role);
  }

  #notice(message: string): void {
    this.#notices.add(message);
    this.#emit({ type: "notice", message });
  }

  #onHeads(document: DocumentId, heads: readonly ChangeHash[]): void {
    const { catalog, directory, views } = this.#parts;
    views.rouse();
    // Main needs no entry in the catalog.
    const branches = new Set([directory.main, ...(catalog.current.branches.keys() as Iterable<BranchId>)]);
    const branch = [...branches].find((id) => views.documentOf(id) === document);
    this.#emit(branch === undefined ? { type: "changed" } : { type: "changed", branch, heads });
  }

  #emit(event: SpaceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

checkCallsOf(OpenSpace, SIGNATURES.space);
