/**
 * A space, and writing to it in somebody's name.
 *
 * @module
 */
import type { ConsolidationProposal, DecayProposal, ReplicaId, SpaceId } from "@cambium/core";
import {
  abortSignal,
  anyString,
  anything,
  callable,
  date,
  either,
  flag,
  list,
  naming,
  number,
  object,
  oneOf,
  optional,
  options,
  runName,
  type Shape,
  text,
} from "../arguments/shapes.js";
import {
  AT_REF,
  atRef,
  id,
  ON_BRANCH,
  PROGRESS,
  type SignaturesOf,
  taking,
  values,
} from "../arguments/signature.js";
import type { Agent } from "./agent.js";
import agentMethods from "./agent.js";
import type { AgentIdentity, IdempotencyKey, RequestedChange } from "./agent-identity.js";
import archiveSignatures, { type ArchiveContents, type ArchiveOptions } from "./archive.js";
import type { Branches, DiffOptions, DiffResult, MergeOptions, MergeResult } from "./branches.js";
import type { Brief, BriefOptions } from "./brief.js";
import type { Checkpoints } from "./checkpoints.js";
import type { EraseOptions, EraseResult, Erasure, FoundTrace, TraceOptions } from "./erasure.js";
import erasureSignatures from "./erasure.js";
import type { Audit, PolicyControl, Requests } from "./governance.js";
import type { GraphQuery, KnowledgeGraph } from "./knowledge-graph.js";
import type { InviteOptions, Members } from "./members.js";
import type { AtRef, OnBranch } from "./memories.js";
import type { Overview } from "./overview.js";
import overviewSignatures from "./overview.js";
import type { SpaceReader } from "./reader.js";
import readerSignatures from "./reader.js";
import type { RollbackOptions, RollbackResult, UndoOptions, UndoResult } from "./rollback.js";
import type { SpaceSettings } from "./settings.js";
import type { SimilarMemory, SimilarOptions, SimilarTo } from "./similar.js";
import type { LinkedRelay, RelayAccess, Role, SpaceEvent, SpaceStatus, Sync } from "./sync.js";
import type {
  DecayOptions,
  DuplicateOptions,
  ExportOptions,
  ExportResult,
  IndexStatus,
  MemoryStrength,
  ProgressOptions,
  VerifyOptions,
  VerifyResult,
} from "./upkeep.js";
import type { Evolution, EvolutionOptions, EvolutionTopic } from "./versions.js";

/**
 * A space that is open in a replica. Reads are of `main` as it is now, unless options name a branch or a
 * ref.
 */
export interface Space extends SpaceReader, Overview, AsyncDisposable {
  /** Names the space on every device. */
  readonly id: SpaceId;
  /** As its maker named it. */
  readonly name: string;
  /** The replica in which it is open. */
  readonly replica: ReplicaId;
  /** Who may do what here: the role of this replica's token, `admin` for a space without a relay. */
  readonly role: Role;
  /**
   * Returns an agent, in whose name the following calls write.
   *
   * @example
   * const agent = space.as({ agent: "claude-code", session: "2026-08-01" });
   * expect((await agent.remember({ content: "Tea at four" })).by.agent).toBe("claude-code");
   */
  as(identity: AgentIdentity): Agent;
  /**
   * Returns the change that was written under an idempotency key, or undefined if there is none.
   * Keys are kept for a day. Imports and catalog entries have none: repeating them changes nothing.
   *
   * @throws {CambiumError} REQUEST_KEY_REUSED if the key belongs to a call with another fingerprint,
   * BAD_INPUT
   * @example
   * expect(await space.requestOf({ key: "b7c1", fingerprint: "remember Tea" })).toBeUndefined();
   */
  requestOf(request: IdempotencyKey): Promise<RequestedChange | undefined>;
  /**
   * Returns the read methods, fixed at a ref.
   *
   * @example
   * await agent.remember({ content: "Known now" });
   * expect((await space.at("main").list()).memories).toHaveLength(1);
   */
  at(ref: string): SpaceReader;
  /**
   * Compares two refs. Default for `to`: the branch of `from`, as it is now.
   *
   * @throws {CambiumError} BAD_REF, BRANCH_NOT_FOUND
   * @example
   * await agent.branches.create("try");
   * await agent.remember({ content: "Only on the branch" }, { branch: "try" });
   * expect((await space.diff("main", "try")).created).toHaveLength(1);
   */
  diff(from: string, to?: string, options?: DiffOptions): Promise<DiffResult>;
  /**
   * Returns the memories that describe entities, as a knowledge graph. See `Agent.editGraph`.
   *
   * @example
   * expect(await space.graph()).toEqual({ entities: [], relations: [] });
   */
  graph(query?: GraphQuery): Promise<KnowledgeGraph>;
  /** Creates, lists, renames and deletes branches. */
  readonly branches: Branches;
  /** Creates, lists, compares and deletes checkpoints. */
  readonly checkpoints: Checkpoints;
  /** The devices of the space, and who may reach it. */
  readonly members: Members;
  /**
   * Merges a branch into another. See `Agent.merge`.
   *
   * @example
   * await space.branches.create("try");
   * await agent.remember({ content: "Found on the branch" }, { branch: "try" });
   * expect((await space.merge({ from: "try", preview: true })).created).toHaveLength(1);
   */
  merge(options: MergeOptions): Promise<MergeResult>;
  /**
   * Reverts changes with a new change. See `Agent.undo`.
   *
   * @example
   * await agent.remember({ content: "A mistake" });
   * expect((await space.undo()).memories).toHaveLength(1);
   */
  undo(options?: UndoOptions): Promise<UndoResult>;
  /**
   * Brings back a state with a new change. See `Agent.rollback`.
   *
   * @example
   * await space.checkpoints.create({ name: "empty" });
   * await agent.remember({ content: "A mistake" });
   * expect((await space.rollback({ to: "checkpoint:empty", preview: true })).status).toBe("preview");
   */
  rollback(options: RollbackOptions): Promise<RollbackResult>;
  /**
   * Destroys memories or versions for good. See `Agent.erase`.
   *
   * @throws {CambiumError} BAD_INPUT, MEMORY_NOT_FOUND, STALE_EXPECTATION, ERASES_MANY, CONFIRMATION_NEEDED
   * @example
   * const { id } = await agent.remember({ content: "The door code is 4711" });
   * expect((await space.erase({ ids: [id], preview: true })).counts).toEqual({ memories: 1, versions: 1 });
   */
  erase(options: EraseOptions): Promise<EraseResult>;
  /**
   * Lists what was erased, newest first: when, by whom, how much, and whether this device has destroyed its copy.
   *
   * @example
   * expect(await space.erasures()).toEqual([]);
   */
  erasures(): Promise<readonly Erasure[]>;
  /**
   * Returns the settings of the space: what counts, who set it, and what it takes.
   *
   * @example
   * expect((await space.settings()).preset).toBe("keep-everything");
   */
  settings(): Promise<SpaceSettings>;
  /**
   * Looks for texts in every file of this replica's home, as somebody would who has the files and the space's key: raw
   * and encoded, in what was compressed or encrypted, and in the free pages and logs of databases. To prove an erasure.
   *
   * @example
   * await agent.remember({ content: "The door code is 4711" });
   * expect((await space.traces(["door code is 4711"])).length).toBeGreaterThan(0);
   */
  traces(texts: readonly string[], options?: TraceOptions): Promise<readonly FoundTrace[]>;
  /** The connection to the relay. */
  readonly sync: Sync;
  /**
   * Returns the branch, the replica, the relay and what is pending, missing or in conflict.
   *
   * @example
   * expect((await space.status()).branch.name).toBe("main");
   */
  status(options?: OnBranch): Promise<SpaceStatus>;
  /**
   * Returns an invitation to the space. See `Agent.invite`.
   *
   * @example
   * const invitation = await space.invite({ role: "write" });
   * expect(await other.joinSpace(invitation)).toBeDefined();
   */
  invite(options: InviteOptions): Promise<string>;
  /**
   * Gives the space a relay, or another one. See `Agent.link`.
   *
   * @example
   * expect((await space.link(relay)).before).toBe((await space.status()).relay.url);
   */
  link(relay: RelayAccess): Promise<LinkedRelay>;
  /** What waits for the owner's approval, and what became of it. */
  readonly requests: Requests;
  /** What each role may do, with methods to change it. */
  readonly policy: PolicyControl;
  /** What was done on this replica, by whom and when. */
  readonly audit: Audit;
  /**
   * Calls back after every change of the space, local or remote. Returns a function that ends it. What the listener
   * throws does not reach the call that wrote; it ends the process like any error that nobody catches.
   *
   * @example
   * const types = [];
   * const stop = space.subscribe(({ type }) => types.push(type));
   * await agent.remember({ content: "Tea at four" });
   * stop();
   * expect(types).not.toEqual([]);
   */
  subscribe(listener: (event: SpaceEvent) => void): () => void;
  /**
   * Returns how the knowledge about a topic changed: each step with its record.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, BAD_REF, BAD_INPUT
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * await agent.revise(id, { content: "Tea at five", reason: "the office moved" });
   * expect((await space.evolution({ id })).memories).toHaveLength(1);
   */
  evolution(topic: EvolutionTopic, options?: EvolutionOptions): Promise<Evolution>;
  /**
   * Resolves when the summarizer has written all sentences, with undefined, or with the reason why no more
   * come.
   *
   * @throws {CambiumError} ABORTED
   * @example
   * expect(await space.summariesMade()).toBeUndefined();
   */
  summariesMade(options?: { readonly signal?: AbortSignal }): Promise<string | undefined>;
  /**
   * Returns what an agent should know at the start of a session: what is new since its last brief, what is
   * open, and what matters.
   *
   * @example
   * await agent.remember({ content: "Releases are cut on Thursdays", importance: 0.9 });
   * expect((await space.brief({ agent: "cursor" })).text).toContain("Thursdays");
   */
  brief(options?: BriefOptions): Promise<Brief>;
  /**
   * Returns memories similar to a text or to another memory, most similar first.
   *
   * @example
   * await agent.remember({ content: "Releases are cut on Thursdays at noon" });
   * expect(await space.alike("Releases are cut on Thursdays at noon sharp")).toHaveLength(1);
   */
  alike(of: SimilarTo, options?: SimilarOptions): Promise<readonly SimilarMemory[]>;
  /**
   * Returns how strong a memory is, from 0 to 1, by its importance, how often it was recalled, and how long
   * ago.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * expect((await space.strength(id)).strength).toBeGreaterThan(0.5);
   */
  strength(id: string, options?: AtRef): Promise<MemoryStrength>;
  /**
   * Returns memories that have faded, weakest first. Writes nothing; see `Agent.forget`.
   *
   * @example
   * expect(await space.decay()).toEqual([]);
   */
  decay(options?: DecayOptions): Promise<readonly DecayProposal[]>;
  /**
   * Returns memories that say the same or nearly the same. Writes nothing; see `Agent.consolidate`.
   *
   * @example
   * expect(await space.duplicates()).toEqual([]);
   */
  duplicates(options?: DuplicateOptions): Promise<readonly ConsolidationProposal[]>;
  /**
   * Rebuilds the index from the documents, and then adds the vectors that are missing.
   *
   * @throws {CambiumError} ABORTED
   * @example
   * expect((await space.reindex()).state).toBe("ready");
   */
  reindex(options?: ProgressOptions): Promise<IndexStatus>;
  /**
   * Reads every stored byte and opens every record.
   *
   * @throws {CambiumError} ABORTED
   * @example
   * expect((await space.verify()).ok).toBe(true);
   */
  verify(options?: VerifyOptions): Promise<VerifyResult>;
  /**
   * Writes memories to a file that only its owner can read, or to a folder of Markdown files: those of a branch, as it
   * is now or was. `import` takes each form back. What was there before stays, unless `overwrite` says otherwise. It is
   * the owner's export: see `Agent.export`.
   *
   * @throws {CambiumError} BAD_INPUT when something is there already, or the place cannot be written; BAD_REF,
   *   BRANCH_NOT_FOUND, ABORTED
   * @example
   * const { memories, versions } = await space.export(`${dir}/memories.jsonl`);
   * expect(versions).toBeGreaterThanOrEqual(memories);
   */
  export(path: string, options?: ExportOptions): Promise<ExportResult>;
  /**
   * Writes all of the space to one file: branches, history, checkpoints, policy, audit log, and its key. Sealed with a
   * passphrase, unless `clear` says otherwise. `importArchive` takes it back. Others may write meanwhile.
   *
   * @throws {CambiumError} BAD_INPUT when something is there already, the place cannot be written, or neither
   *   `passphrase` nor `clear` is given; of `since`, what `verifyArchive` throws; ABORTED
   * @example
   * const archived = await space.archive(`${dir}/shared.cambium`, { passphrase: "three tall pines" });
   * expect(archived.isSealed).toBe(true);
   */
  archive(path: string, options: ArchiveOptions): Promise<ArchiveContents>;
}

const IDENTITY = {
  ...{ agent: anything, session: runName, conversation: runName, trigger: runName },
  role: oneOf("owner", "operator", "agent"),
  ownerCode: ((value, at) => {
    if (typeof value !== "function") text(value, at);
  }) satisfies Shape,
  confirmed: ((value, at) => {
    if (typeof value !== "function") flag(value, at);
  }) satisfies Shape,
  request: object({ key: text, fingerprint: text }),
};

const topic: Shape = (value, at) => {
  object({})(value, at);
  if (!Object.hasOwn(value as object, "id")) object({ category: text })(value, at);
  else object({ id: naming })(value, at);
};

export default {
  ...readerSignatures,
  ...overviewSignatures,
  as: [
    [
      "identity",
      (value, at) => {
        object({})(value, at);
        options(IDENTITY)(value, "options");
      },
    ],
  ],
  at: [["ref", naming]],
  requestOf: [["request", object({ key: text, fingerprint: text })]],
  diff: [["from", naming], ["to", optional(naming)], taking({ ids: values, onlyCounts: flag })],
  graph: [taking({ ...AT_REF, names: list(anyString), text: anyString })],
  merge: agentMethods.merge.takes,
  undo: agentMethods.undo.takes,
  rollback: agentMethods.rollback.takes,
  erase: agentMethods.erase.takes,
  erasures: [],
  settings: [],
  traces: erasureSignatures.traces,
  status: [taking(ON_BRANCH)],
  invite: agentMethods.invite.takes,
  link: agentMethods.link.takes,
  subscribe: [["listener", callable]],
  evolution: [
    ["topic", either({ ofText: text, ofObject: topic })],
    taking({ ...ON_BRANCH, from: date, to: date, limit: number }),
  ],
  summariesMade: [taking({ signal: abortSignal })],
  brief: [taking({ ...ON_BRANCH, agent: text, maxBytes: number, since: text, peek: flag })],
  alike: [
    ["of", either({ ofText: text, ofObject: object({ id: naming }) })],
    taking({ ...ON_BRANCH, limit: number, threshold: number, related: flag }),
  ],
  strength: [id, atRef],
  decay: [
    taking({
      ...ON_BRANCH,
      ...{ weakerThan: number, expiredWeakerThan: number, keepImportance: number, keepRecentMs: number },
    }),
  ],
  duplicates: [taking({ ...ON_BRANCH, threshold: number })],
  reindex: [taking(PROGRESS)],
  verify: [taking({ ...PROGRESS, clean: flag })],
  export: agentMethods.export.takes,
  archive: archiveSignatures.archive,
} satisfies SignaturesOf<Space>;
