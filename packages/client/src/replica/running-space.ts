/**
 * What runs while a space is open on this replica: its services put together, opened and closed in order.
 *
 * @module
 */
import { join } from "node:path";
import { type CambiumError, isRetentionSet, type Platform, type SpaceId } from "@cambium/core";
import { isReassuring } from "@cambium/core/text";
import type { Embedder } from "../api/embedder.js";
import type { IndexStatus, SourceFetcher, Summarizer } from "../api.js";
import { AcknowledgedNote } from "../documents/acknowledged-note.js";
import type { Identity, Restored } from "../documents/identity.js";
import type { SpaceConfig, SpaceConfigs } from "../documents/space-config.js";
import { wholeErasureIn } from "../erasure/whole-space.js";
import { Governance } from "../governance/governance.js";
import { notedSince } from "../governance/noted-events.js";
import { systemTimers } from "../platform/timers.js";
import { absentBranches } from "../space/missing-records.js";
import { SpaceSync } from "../sync/space-sync.js";
import { type ClosingSpace, closeSpace, eachInTurn } from "./close-space.js";
import type { NewAccess } from "./introduce.js";
import { LostWrites } from "./lost-writes.js";
import { SpaceAccess } from "./space-access.js";
import { SpaceAgents } from "./space-agents.js";
import { SpaceErasing } from "./space-erasing.js";
import { SpaceEvents } from "./space-events.js";
import { openStore, openSummaries } from "./space-files.js";
import { noticesOf, restoredNotice, withheldNotices } from "./space-notices.js";
import { assembleParts, type SpaceParts, type SpacePartsOptions } from "./space-parts.js";
import { missingOn, type Notices } from "./space-status.js";
import { StandingConfig } from "./standing-config.js";

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

/** Opened before anything else of it. */
type SpaceFiles = Pick<SpacePartsOptions, "dir" | "store" | "note" | "openVectors" | "summaries">;

export class RunningSpace {
  readonly options: OpenSpaceOptions;
  readonly config: StandingConfig;
  readonly parts: SpaceParts;
  readonly governance: Governance;
  readonly access: SpaceAccess;
  readonly agents: SpaceAgents;
  readonly sync: SpaceSync;
  readonly lost: LostWrites;
  readonly erasing: SpaceErasing;
  readonly events = new SpaceEvents();
  #closing: Promise<void> | undefined;

  private constructor(options: OpenSpaceOptions, files: SpaceFiles) {
    const { config, identity, platform, embedder } = options;
    const { dir } = files;
    this.options = options;
    this.config = new StandingConfig(options.configs, config);
    const onNotice = this.events.notice;
    this.parts = assembleParts({
      ...{ ...files, config, identity, platform, embedder, onNotice },
      sourceFetchers: options.sourceFetchers,
      role: () => this.config.current.role,
      cameWith: () => this.config.current.cameWith,
      rekeyBegun: this.#rekeyBegun(),
      saveEpochs: (epochs) => this.config.save({ epochs }),
      relayErased: () => this.sync.relayErased,
      isSafe: (document) => this.sync.isSafe(document),
      isUnheard: () => this.config.current.isUnheard === true,
      mayArrive: () => this.sync.mayBring,
      isArriving: () => this.sync.isReading,
      onVectors: ({ done, total }) =>
        this.events.emit({ type: "index", progress: { stage: "vectors", done, total } }),
    });
    this.erasing = new SpaceErasing({
      ...{ parts: this.parts, isReading: () => this.sync.isReading },
      isClosing: () => this.#closing !== undefined,
      eraseThere: () => this.sync.erase(),
    });
    this.governance = new Governance({
      ...{ ...this.parts, dir, identity, platform, onNotice },
      ...{ now: this.parts.clock.now, load: this.parts.index.load, countLost: () => this.lost.count },
      restoredEpoch: () => identity.restored?.epoch,
      mayWrite: () => this.config.current.role !== "read",
    });
    this.parts.catalog.onChange(() => {
      this.#noteRetention();
      this.#noteErased();
    });
    this.#tellOfNoted();
    this.lost = new LostWrites({
      ...{ ...this.parts, identity, onNotice, auditDir: join(dir, "audit") },
      flushAudit: () => this.governance.audit.flush(),
    });
    this.access = new SpaceAccess({
      ...{ parts: this.parts, config: this.config, identity, platform, connect: options.connect, onNotice },
      sync: () => this.sync,
      isClosing: () => this.#closing !== undefined,
      registerKits: () => this.agents.registerKits(),
      endAgain: (ids) => this.agents.endAgain(ids),
    });
    this.agents = this.#newAgents();
    this.parts.index.onProgress(({ branch, done, total }) =>
      this.events.emit({ type: "index", branch, progress: { stage: "index", done, total } }),
    );
    this.sync = this.#newSync();
  }

  /** The log tells what was noted, too. */
  #tellOfNoted(): void {
    const { audit } = this.governance;
    const noted = { files: audit.files, flush: () => audit.flush() };
    this.parts.events.noted = (after) => notedSince(noted, after);
    this.parts.events.notedBy = this.options.identity.id;
  }

  /** For whoever wants to know whether there is anything to prune, and not open the space for it. */
  #noteRetention(): void {
    try {
      this.config.save({ isPruned: isRetentionSet(this.parts.settings.current) || undefined });
    } catch (error) {
      this.events.notice(`It could not be noted that this space is pruned: ${String(error)}`);
    }
  }

  /** For whoever lists the spaces, and opens none for it. */
  #noteErased(): void {
    try {
      this.config.save({ erasedAt: wholeErasureIn(this.parts)?.at });
    } catch (error) {
      this.events.notice(`It could not be noted that this space was erased: ${String(error)}`);
    }
  }

  #rekeyBegun(): SpacePartsOptions["rekeyBegun"] {
    return {
      get: () => this.config.current.isRekeying === true,
      set: (isBegun) => this.config.save({ isRekeying: isBegun || undefined }),
    };
  }

  #newAgents(): SpaceAgents {
    const { platform, identity } = this.options;
    return new SpaceAgents({
      ...{ parts: this.parts, governance: this.governance, platform, identity },
      ...{ keys: this.access.keys, kits: this.access.kits },
      config: () => this.config.current,
      moveTo: (relay, role, made) => this.access.moveTo(relay, role, made),
      acceptLoss: async () => {
        const writes = this.lost.accept();
        await this.sync.acceptWithheld();
        if (this.restored !== undefined) this.config.save({ acceptedRestore: this.restored.epoch });
        return { writes };
      },
    });
  }

  #newSync(): SpaceSync {
    const { platform, identity } = this.options;
    return new SpaceSync({
      ...{ ...this.parts, platform, identity, keys: this.parts.codec.keys },
      config: () => this.config.current,
      onNotice: this.events.notice,
      onRole: (role) => {
        this.access.welcome(role);
        this.governance.noteWelcome(role);
      },
      onReceiptTime: (lastReceiptAt) => this.config.save({ lastReceiptAt }),
      onProgress: () => {
        this.parts.views.rouse();
        void this.access.forgetKit();
        this.events.emit({ type: "sync" });
      },
      onHeard: () => this.config.save({ isUnheard: undefined }),
      trade: (relay) => this.access.trade(relay),
      onInvitationSeen: () => this.config.save({ invited: undefined }),
      beforeConnecting: () => this.parts.uses.writeCarried(),
      erase: async () => {
        await this.erasing.catchUp();
        this.#noteErased();
      },
      carry: (document, chunks) => this.erasing.carry(document, chunks),
      countMissing: async () =>
        (await missingOn(this.parts)).filter(({ code }) => code === undefined).length +
        (await absentBranches(this.parts)).length,
    });
  }

  static async open(options: OpenSpaceOptions): Promise<RunningSpace> {
    const space = await RunningSpace.#assembled(options);
    try {
      await space.lost.compare();
      await space.parts.catalog.open(space.parts.catalogTable);
      space.governance.arrived.open();
      await space.access.open();
      await space.erasing.open();
      await space.access.introduce(options.made);
      space.parts.documents.onHeads(({ document, heads }) => {
        space.parts.views.rouse();
        space.events.changed(space.parts, document, heads);
      });
      if (options.connect) space.sync.start();
    } catch (error) {
      await space.close();
      throw error;
    }
    return space;
  }

  /** A store that stayed open would be held against the next try. */
  static async #assembled(options: OpenSpaceOptions): Promise<RunningSpace> {
    const dir = options.configs.directoryOf(options.config.id as SpaceId);
    const store = await openStore(options.storage, dir);
    try {
      store.onFailure((failure) => options.onStoreFailed?.(failure));
      const { SpaceVectors } =
        options.embedder === undefined ? {} : await import("../space/space-vectors.js");
      const { summaries, summariesProblem } = await openSummaries(options.summarizer, dir);
      const note = new AcknowledgedNote(join(dir, "acknowledged"));
      const files = { dir, store, note, openVectors: SpaceVectors?.open, summaries };
      const space = new RunningSpace(options, files);
      if (summariesProblem !== undefined) space.events.notice(summariesProblem);
      return space;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  indexStatus(): IndexStatus {
    return {
      ...this.parts.index.status((document) => this.parts.documents.headsOf(document)),
      ...(this.parts.vectors === undefined ? {} : { vectors: this.parts.vectors.state() }),
    };
  }

  /** What a person should know of it, and what of that may be why something is not shown. */
  async notices(): Promise<Notices> {
    const { notices } = this.options.identity;
    const lost = await this.lost.notices();
    const beside = this.options.configs.damaged().map(({ message }) => `Of another space: ${message}`);
    const here = await noticesOf(this.parts);
    const withheld = withheldNotices(await this.sync.withheld(), this.parts.catalog.current);
    const erasing = await this.erasing.notices();
    const first = [...notices, ...restoredNotice(this.restored), ...this.events.notices];
    const all = [...first, ...beside, ...lost, ...withheld, ...here, ...erasing, ...this.access.notices()];
    // All that is erased is gone on purpose, and what others still have of it hides nothing here.
    const standing = new Set([...erasing, ...this.access.standing()]);
    return {
      all: [...new Set(all)],
      mayHide: [...new Set(all.filter((notice) => !standing.has(notice) && !isReassuring(notice)))],
    };
  }

  /** Undefined once the owner has accepted what that may have cost. */
  get restored(): Restored | undefined {
    const { restored } = this.options.identity;
    return restored?.epoch === this.config.current.acceptedRestore ? undefined : restored;
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #close(): Promise<void> {
    const closing: ClosingSpace = {
      ...{
        parts: this.parts,
        sync: this.sync,
        audit: this.governance.audit,
        arrived: this.governance.arrived,
      },
      ...{ isWriting: () => this.options.identity.isWriting, onClose: this.options.onClose },
    };
    const { begun } = this.governance;
    const answered = () => begun.close(systemTimers);
    return eachInTurn([answered, () => this.access.close(), () => closeSpace(closing)]);
  }
}
