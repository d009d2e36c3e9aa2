/**
 * A space, and writing to it in somebody's name.
 *
 * @module
 */
import type {
  BranchId,
  ChangeHash,
  ChangeType,
  ConsolidationProposal,
  DecayProposal,
  LogEntry,
  Memory,
  MemoryConflicts,
  MemoryId,
  ReplicaId,
  SpaceId,
} from "@cambium/core";
import type { Branches, DiffResult, MergeOptions, MergeResult } from "./branches.js";
import type { Brief, BriefOptions } from "./brief.js";
import type { Checkpoints } from "./checkpoints.js";
import type { Audit, CallerRole, Confirm, PolicyControl, Requests } from "./governance.js";
import type { GraphEdit, GraphEdited, GraphQuery, KnowledgeGraph } from "./knowledge-graph.js";
import type {
  AtRef,
  ListOptions,
  MemoryPage,
  OnBranch,
  RecalledMemory,
  RecallOptions,
  RememberInput,
  ResolveInput,
  ReviseInput,
} from "./memories.js";
import type { RollbackOptions, RollbackResult, UndoOptions, UndoResult } from "./rollback.js";
import type { SimilarMemory, SimilarOptions, SimilarTo } from "./similar.js";
import type { RelayAccess, Role, SpaceEvent, SpaceStatus, Sync } from "./sync.js";
import type {
  DecayOptions,
  DuplicateOptions,
  ImportOptions,
  ImportResult,
  IndexStatus,
  MemoryStrength,
  ProgressOptions,
  VerifyResult,
} from "./upkeep.js";
import type {
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  HistoryVersion,
  VersionReading,
} from "./versions.js";

/** Who the calls of an agent are by. */
export interface AgentIdentity {
  /** Its name, such as `claude-code`. Stored with each record that it writes. Absent for a person. */
  readonly agent?: string | undefined;
  /** Names one run of the agent. Stored with each record. */
  readonly session?: string | undefined;
  /** Names the conversation in which it writes. Stored with each record. */
  readonly conversation?: string | undefined;
  /**
   * From where it writes, such as `cli`, `mcp` or `http`. Stored with each record. The audit log shows `library` if
   * it is absent.
   */
  readonly trigger?: string | undefined;
  /**
   * As whom the policy sees these calls. Unless said, whoever names an agent is one, and all others are the owner
   * (or, with a token that may only write, the operator).
   */
  readonly role?: Exclude<CallerRole, "reader"> | undefined;
  /** Whether somebody responsible has agreed to what the policy wants confirmed; or whom to ask, when it does. */
  readonly confirmed?: boolean | Confirm | undefined;
  /** Names the one call that will be made, so that it can be told when it is tried again: see `Space.requestOf`. */
  readonly request?: IdempotencyKey | undefined;
}

/**
 * What a client names a call by that it may have to send again. The key stands for one call: the change it writes
 * is stored together with it, in one step, and no second change is written under it.
 */
export interface IdempotencyKey {
  /** Of 1 to 255 characters, never used for another call: a random UUID, say. */
  readonly key: string;
  /** Whatever tells this call from another, such as a digest of its method and arguments. Kept as a keyed code only. */
  readonly fingerprint: string;
}

/** The change that was written under a key. */
export interface RequestedChange {
  /** Hash of the change, as `Space.log` shows it. */
  readonly change: ChangeHash;
  /** What the change did, such as `remember` or `merge`. */
  readonly type: ChangeType;
  /** Id of the branch it was written on. */
  readonly branch: BranchId;
  /** At most 16 ids, in the order in which they were written; of more, the count. */
  readonly memories: readonly MemoryId[] | number;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
}

/** Writes to a space in the name of one agent, session and conversation. Made by `Space.as`. */
export interface Agent {
  /**
   * Adds a memory and returns it.
   *
   * @throws {CambiumError} BAD_INPUT, RECORD_TOO_LARGE
   * @example
   * const memory = await agent.remember({ content: "Releases are cut on Thursdays", tags: ["release"] });
   * expect(memory.version).toBe(1);
   */
  remember(input: RememberInput, options?: OnBranch): Promise<Memory>;
  /**
   * Writes a new version of a memory. Only the given fields change.
   * With `expect`, fails with STALE_EXPECTATION if the memory has another record by now.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, MEMORY_FORGOTTEN, STALE_EXPECTATION, BAD_INPUT
   * @example
   * const { id, record } = await agent.remember({ content: "Releases are cut on Thursdays" });
   * const revised = await agent.revise(id, { content: "Releases are cut on Fridays" }, { expect: record });
   * expect(revised.version).toBe(2);
   */
  revise(id: string, input: ReviseInput, options?: OnBranch & { readonly expect?: string }): Promise<Memory>;
  /**
   * Hides a memory. Nothing is deleted: `restore` brings it back.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND
   * @example
   * const { id } = await agent.remember({ content: "The printer is on floor 3" });
   * const forgotten = await agent.forget(id, { reason: "it moved" });
   * expect(forgotten.deleted).toBe(true);
   */
  forget(id: string, options?: OnBranch & { readonly reason?: string }): Promise<Memory>;
  /**
   * Brings back a forgotten memory, or an earlier version of one, as a new version.
   * `version` is a number or a record, `at` a state; give at most one of them.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, RECORD_NOT_FOUND, BAD_INPUT
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * await agent.revise(id, { content: "Tea at five" });
   * const restored = await agent.restore(id, { version: 1 });
   * expect(restored.content).toBe("Tea at four");
   */
  restore(
    id: string,
    options?: OnBranch & {
      readonly version?: number | string;
      readonly at?: string;
      readonly reason?: string;
    },
  ): Promise<Memory>;
  /**
   * Makes one memory of several. The originals are forgotten, and the new memory refers to them.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, BAD_INPUT for fewer than two
   * @example
   * const first = await agent.remember({ content: "Releases are cut on Thursdays" });
   * const second = await agent.remember({ content: "Ada announces releases" });
   * const one = await agent.combine([first.id, second.id], { content: "Ada cuts and announces releases on Thursdays" });
   * expect((await space.list()).memories.map(({ id }) => id)).toEqual([one.id]);
   */
  combine(ids: readonly string[], input: RememberInput, options?: OnBranch): Promise<Memory>;
  /**
   * Makes several memories of one, in the order given. The original is forgotten.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, BAD_INPUT for fewer than two
   * @example
   * const { id } = await agent.remember({ content: "Releases are on Thursdays, and Ada announces them" });
   * const parts = await agent.split(id, [{ content: "Releases are on Thursdays" }, { content: "Ada announces releases" }]);
   * expect(parts).toHaveLength(2);
   */
  split(id: string, inputs: readonly RememberInput[], options?: OnBranch): Promise<readonly Memory[]>;
  /**
   * Resolves a conflict of a memory. `discard` names the record of every other value.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, RECORD_NOT_FOUND, BAD_INPUT
   * @example
   * const { id } = await agent.remember({ content: "Not in conflict" });
   * await expect(agent.resolve(id, { content: "Decided", discard: [] })).rejects.toHaveProperty("code");
   */
  resolve(id: string, resolution: ResolveInput, options?: OnBranch): Promise<Memory>;
  /**
   * Counts memories as if they had been recalled, so that they fade more slowly. Default for `times`: 1.
   *
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * await agent.reinforce([id], { times: 3 });
   * expect((await space.strength(id)).uses).toBe(3);
   */
  reinforce(ids: readonly string[], options?: OnBranch & { readonly times?: number }): Promise<void>;
  /**
   * Makes one memory of several, as `Space.duplicates` proposed. The others are forgotten.
   *
   * @throws {CambiumError} STALE_EXPECTATION if one of them has changed since
   * @example
   * await agent.remember({ content: "Releases are cut on Thursdays by Ada" });
   * await agent.remember({ content: "Releases are cut on Thursdays by Ada" });
   * const [proposal] = await space.duplicates();
   * await agent.consolidate(proposal);
   * expect((await space.list()).memories).toHaveLength(1);
   */
  consolidate(proposal: ConsolidationProposal, options?: OnBranch): Promise<Memory>;
  /**
   * Reverts the last change of the branch, the last few, or a named one, with a new change.
   *
   * @throws {CambiumError} BAD_INPUT if there is nothing to undo, HEADS_NOT_HERE, CONTENT_NOT_HERE
   * @example
   * await agent.remember({ content: "A mistake" });
   * await agent.undo();
   * expect((await space.list()).memories).toEqual([]);
   */
  undo(options?: UndoOptions): Promise<UndoResult>;
  /**
   * Brings back a state, whole or in part, or reverts what someone wrote, with one new change. A checkpoint
   * is made before it.
   * With `preview: true`, nothing is written.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT, CONTENT_NOT_HERE
   * @example
   * await agent.remember({ content: "Kept" });
   * await agent.checkpoints.create({ name: "before" });
   * await agent.remember({ content: "A mistake" });
   * await agent.rollback({ to: "checkpoint:before" });
   * expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Kept"]);
   */
  rollback(options: RollbackOptions): Promise<RollbackResult>;
  /**
   * Merges a branch into another, field by field. Default for `into`: `main`.
   * Returns `status: "conflict"` and writes nothing if both sides set a field differently.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND, MERGE_AGAIN_UNDECIDED, STALE_EXPECTATION
   * @example
   * await agent.branches.create("try");
   * await agent.remember({ content: "Found on the branch" }, { branch: "try" });
   * const { status } = await agent.merge({ from: "try" });
   * expect(status).toBe("merged");
   */
  merge(options: MergeOptions): Promise<MergeResult>;
  /**
   * Imports Markdown files or folders, or the JSONL of the official memory server. Importing again adds
   * nothing.
   *
   * @throws {CambiumError} BAD_INPUT, ABORTED
   * @example
   * await writeFile(`${dir}/notes.md`, "# Tea\n\nAt four.\n");
   * expect((await agent.import(`${dir}/notes.md`)).created).toBeGreaterThan(0);
   */
  import(path: string, options?: ImportOptions): Promise<ImportResult>;
  /**
   * Writes entities, relations and observations of the knowledge graph, as one change.
   *
   * @throws {CambiumError} ENTITY_NOT_FOUND, BAD_INPUT
   * @example
   * await agent.editGraph({ type: "create-entities", entities: [{ name: "Ada", entityType: "person", observations: [] }] });
   * expect((await space.graph()).entities.map(({ name }) => name)).toEqual(["Ada"]);
   */
  editGraph(edit: GraphEdit, options?: OnBranch): Promise<GraphEdited>;
  /**
   * Returns an invitation to the space. It contains the space's key: treat it like a password.
   *
   * @throws {CambiumError} BAD_INPUT if the space has no relay, ROLE_REFUSED
   * @example
   * const owner = space.as({ role: "owner" });
   * const invitation = await owner.invite({ role: "read" });
   * const joined = await other.joinSpace(invitation);
   * expect(joined.id).toBe(space.id);
   */
  invite(options: InviteOptions): Promise<string>;
  /**
   * Gives the space a relay, moves it to another one, or publishes it again on a relay that has lost it. If the relay
   * does not take it, the space keeps the relay that it had. Other devices do not follow: each joins again with a new
   * invitation, and keeps what it has.
   *
   * @param relay - with the relay's admin token, or a token of this space
   * @throws {CambiumError} RELAY_UNREACHABLE, TOKEN_REFUSED, ROLE_REFUSED
   * @example
   * const owner = space.as({ role: "owner" });
   * expect(await owner.link(relay)).toMatchObject({ isNew: false, role: "admin" });
   */
  link(relay: RelayAccess): Promise<LinkedRelay>;
  /**
   * Stops reporting acknowledged writes that this device has lost and that neither the relay nor another
   * device has.
   * If a sync brings one of them later, it is there again.
   *
   * @example
   * const owner = space.as({ role: "owner", confirmed: true });
   * expect(await owner.acceptLoss({ reason: "the disk was replaced" })).toEqual({ writes: 0 });
   */
  acceptLoss(options?: { readonly reason?: string }): Promise<AcceptedLoss>;
  /** Branches, with writes in the name of this agent. */
  readonly branches: Branches;
  /** Checkpoints, with writes in the name of this agent. */
  readonly checkpoints: Checkpoints;
  /** Requests for approval, with decisions in the name of this agent. */
  readonly requests: Requests;
  /** The policy, with changes in the name of this agent. */
  readonly policy: PolicyControl;
}

/** What `Agent.acceptLoss` did. */
export interface AcceptedLoss {
  /** Acknowledged writes that are not named any more. */
  readonly writes: number;
}

/** What `link` has done. */
export interface LinkedRelay {
  /** Address of the relay from now on. */
  readonly url: string;
  /** What this replica may do there. */
  readonly role: Role;
  /** The relay did not have the space before. */
  readonly isNew: boolean;
  /** Address of the relay until now; null if there was none. */
  readonly before: string | null;
}

/** What an invitation allows, and how long. */
export interface InviteOptions {
  /** What the invited replica may do at the relay. */
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The reading half of a space; `space.at(ref)` gives it fixed at a ref. */
export interface SpaceReader extends VersionReading {
  /**
   * Returns one memory as the branch shows it, at any ref. The id may be a unique prefix.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY, BAD_REF
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * expect((await space.get(id)).content).toBe("Tea at four");
   */
  get(id: string, options?: AtRef): Promise<Memory>;
  /**
   * Lists memories, newest first, in pages. Default for `limit`: 100.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Tea at four", category: "habit" });
   * const { memories, cursor } = await space.list({ category: "habit" });
   * expect([memories.length, cursor]).toEqual([1, undefined]);
   */
  list(options?: ListOptions): Promise<MemoryPage>;
  /**
   * Finds memories by words, and by meaning if the replica has an embedder. Best match first. Default for
   * `limit`: 10.
   * Each has a `score`, which compares only within one answer, and a `snippet`.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Releases are cut on Thursdays" });
   * const [best] = await space.recall("release day");
   * expect(best.content).toBe("Releases are cut on Thursdays");
   */
  recall(query: string, options?: RecallOptions): Promise<readonly RecalledMemory[]>;
  /**
   * Returns every version of a memory, oldest first, with what each changed.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, BAD_REF
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * await agent.revise(id, { content: "Tea at five" });
   * expect((await space.history(id)).map(({ version }) => version)).toEqual([1, 2]);
   */
  history(id: string, options?: AtRef): Promise<readonly HistoryVersion[]>;
  /**
   * Returns the changes of a branch, newest first, in pages. Default for `limit`: 100.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Tea at four" });
   * const { changes } = await space.log({ limit: 1 });
   * expect(changes[0].type).toBe("remember");
   */
  log(
    options?: AtRef & { readonly since?: string; readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly changes: readonly LogEntry[]; readonly cursor?: string }>;
  /**
   * Returns the memories with open conflicts, with every value of each field.
   *
   * @example
   * expect(await space.conflicts()).toEqual([]);
   */
  conflicts(
    options?: AtRef,
  ): Promise<readonly (MemoryConflicts & { readonly branch: string; readonly memory: Memory })[]>;
}

/**
 * A space that is open in a replica. Reads are of `main` as it is now, unless options name a branch or a
 * ref.
 */
export interface Space extends SpaceReader, AsyncDisposable {
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
  diff(from: string, to?: string): Promise<DiffResult>;
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
   * Calls back after every change of the space, local or remote. Returns a function that ends it.
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
  verify(options?: ProgressOptions): Promise<VerifyResult>;
}
