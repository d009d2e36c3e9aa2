/**
 * Writing to a space in the name of somebody.
 *
 * @module
 */
import type { ConsolidationProposal, Memory } from "@cambium/core";
import { either, list, naming, number, object, oneOf, optional, orNull, text } from "../arguments/shapes.js";
import {
  AT_REF,
  BECAUSE,
  type GuardedMethodsOf,
  id,
  ids,
  ON_BRANCH,
  PART,
  RELAY,
  taking,
} from "../arguments/signature.js";
import type { Branches, MergeOptions, MergeResult } from "./branches.js";
import branchSignatures from "./branches.js";
import type { Checkpoints } from "./checkpoints.js";
import type { ConcealedMemory } from "./concealment.js";
import type { DecideErasureOptions, EraseOptions, EraseResult, Erasure } from "./erasure.js";
import erasureSignatures from "./erasure.js";
import type { Audit, PolicyControl, Requests } from "./governance.js";
import type { GraphEdit, GraphEdited } from "./knowledge-graph.js";
import type { InviteOptions, Members } from "./members.js";
import type {
  ForgetOptions,
  OnBranch,
  PartOfOperation,
  RememberInput,
  ResolveInput,
  ReviseInput,
} from "./memories.js";
import type { AcceptOptions, DecidedProposals, DecideOptions } from "./proposals.js";
import type { RekeyOptions, RekeyResult } from "./rekey.js";
import rekeySignatures from "./rekey.js";
import type { RollbackOptions, RollbackResult, UndoOptions, UndoResult } from "./rollback.js";
import rollbackSignatures from "./rollback.js";
import type { PruneOptions, PruneResult, SettingsChange, SpaceSettings } from "./settings.js";
import settingsSignatures from "./settings.js";
import type { LinkedRelay, RelayAccess } from "./sync.js";
import type { AcceptedLoss, ExportOptions, ExportResult, ImportOptions, ImportResult } from "./upkeep.js";
import upkeepSignatures from "./upkeep.js";

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
   * Writes a new version of a memory. Only the given fields change. If they say what is there already, nothing is
   * written, and the memory that is returned is `unchanged`.
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
   * Hides a memory, and others with it if `also` names them, such as those that `space.alike` finds. It is one change:
   * one undo brings all of them back. Nothing is deleted: `restore` brings one back.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, MEMORY_FORGOTTEN: then none is hidden
   * @example
   * const { id } = await agent.remember({ content: "The printer is on floor 3" });
   * const { id: other } = await agent.remember({ content: "the printer is on floor 3" });
   * const forgotten = await agent.forget(id, { reason: "it moved", also: [other] });
   * expect(forgotten.deleted).toBe(true);
   * const { memories } = await agent.undo();
   * expect(memories).toHaveLength(2);
   */
  forget(id: string, options?: ForgetOptions): Promise<Memory>;
  /**
   * Conceals memories everywhere: no branch shows them any more, no state of the past, no log and no search. Nothing is
   * deleted, and nothing is written to them; `reveal` shows them again with their history. Ids are those of a branch.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY: then none is concealed; ROLE_REFUSED, APPROVAL_NEEDED
   * @example
   * const { id } = await agent.remember({ content: "The surprise party is on Friday" });
   * await space.as({ role: "owner" }).conceal([id]);
   * await expect(space.get(id)).rejects.toThrow("There is no memory");
   * expect((await space.log()).changes).toEqual([]);
   */
  conceal(ids: readonly string[], options?: OnBranch): Promise<readonly ConcealedMemory[]>;
  /**
   * Shows concealed memories again, as they are by now, with their history. One that was forgotten stays forgotten. Who
   * does not see the list of what is concealed names them by whole ids.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND where none of this id is concealed, AMBIGUOUS_MEMORY, ROLE_REFUSED
   * @example
   * const { id } = await agent.remember({ content: "The surprise party is on Friday" });
   * const owner = space.as({ role: "owner" });
   * await owner.conceal([id]);
   * const [revealed] = await owner.reveal([id]);
   * expect(revealed.memory.content).toBe("The surprise party is on Friday");
   */
  reveal(ids: readonly string[], options?: OnBranch): Promise<readonly ConcealedMemory[]>;
  /**
   * Lists what is concealed, the last first. For the owner only.
   *
   * @throws {CambiumError} ROLE_REFUSED
   * @example
   * expect(await space.as({ role: "owner" }).concealed()).toEqual([]);
   */
  concealed(options?: OnBranch): Promise<readonly ConcealedMemory[]>;
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
    options?: OnBranch &
      PartOfOperation & {
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
  consolidate(proposal: ConsolidationProposal, options?: OnBranch & PartOfOperation): Promise<Memory>;
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
   * Destroys memories or versions for good: on this device before it returns, on the relay and on every other device
   * when they sync. Look at a preview first. What is kept is that something was there, when, and by whom.
   *
   * @throws {CambiumError} BAD_INPUT, MEMORY_NOT_FOUND, STALE_EXPECTATION, ERASES_MANY, CONFIRMATION_NEEDED
   * @example
   * const { id } = await agent.remember({ content: "The door code is 4711" });
   * const owner = space.as({ role: "owner" });
   * const { counts } = await owner.erase({ ids: [id], preview: true });
   * expect((await owner.erase({ ids: [id], confirm: counts.memories })).status).toBe("erased");
   * expect((await space.get(id)).erased).toBe("whole");
   */
  erase(options: EraseOptions): Promise<EraseResult>;
  /**
   * Agrees to an erasure that came from another device and waits for a person here: destroys what it covers.
   *
   * @throws {CambiumError} BAD_INPUT where none of this id waits, STALE_EXPECTATION
   * @example
   * await expect(space.as({ role: "owner" }).acceptErasure("3f2a77")).rejects.toThrow("No erasure has the id");
   */
  acceptErasure(erasure: string, options?: DecideErasureOptions): Promise<Erasure>;
  /**
   * Keeps this device's copy of what another device erased. The relay and the other devices have destroyed theirs, or
   * will; what is kept here does not leave this device any more. Accepting it later is possible.
   *
   * @throws {CambiumError} BAD_INPUT where none of this id waits
   * @example
   * await expect(space.as({ role: "owner" }).refuseErasure("3f2a77")).rejects.toThrow("No erasure has the id");
   */
  refuseErasure(erasure: string): Promise<Erasure>;
  /**
   * Changes settings of the space, on every device. Only the owner may, unless the policy says otherwise.
   *
   * @throws {CambiumError} BAD_SETTING when one of them makes no sense, and then none is set; ROLE_REFUSED
   * @example
   * const owner = space.as({ role: "owner" });
   * await owner.changeSettings({ preset: "lean", set: { "retention.days@category:health": "never" } });
   * expect((await owner.changeSettings({ preset: "keep-everything" })).settings[0]?.value).toBe("all");
   */
  changeSettings(options: SettingsChange): Promise<SpaceSettings>;
  /**
   * Prunes the texts that the settings of the space do not keep. What stays of such a version is its summary, its source,
   * its tags, its hash, and when and by whom it was written. Nothing goes that is shown anywhere, in conflict, pinned, in
   * a checkpoint made by hand, or needed for a merge that may still come.
   *
   * @throws {CambiumError} ROLE_REFUSED, ABORTED, HEADS_NOT_HERE when a branch has not arrived
   * @example
   * expect((await space.as({ role: "owner" }).prune({ preview: true })).status).toBe("off");
   */
  prune(options?: PruneOptions): Promise<PruneResult>;
  /**
   * Seals what was written under earlier keys anew, under the present one, so that whoever was removed and comes by bytes
   * of the relay later reads none of it. The old bytes go once the relay has the new ones: until then, `status` is
   * `waiting`; sync, and call it again. Cut short, it goes on where it was. What was copied before, it does not reach.
   *
   * @throws {CambiumError} ROLE_REFUSED, ABORTED
   * @example
   * expect((await space.as({ role: "owner" }).rekey()).status).toBe("one-key");
   */
  rekey(options?: RekeyOptions): Promise<RekeyResult>;
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
   * Writes memories to a file or folder, as `Space.export` does. An agent has to confirm it, unless the policy says
   * otherwise. The audit log names the path, the form and how many they were.
   *
   * @throws {CambiumError} CONFIRMATION_NEEDED, ROLE_REFUSED, and what `Space.export` throws
   * @example
   * const agreed = space.as({ agent: "cursor", confirmed: true });
   * expect((await agreed.export(`${dir}/for-cursor.jsonl`)).format).toBe("jsonl");
   */
  export(path: string, options?: ExportOptions): Promise<ExportResult>;
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
  /**
   * Brings proposals to their branch, in the name of who proposed them: see `Space.proposals`. Ids are those of the
   * memories.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, STALE_EXPECTATION, BAD_INPUT, ROLE_REFUSED
   * @example
   * const owner = space.as({ role: "owner" });
   * await owner.policy.set("write", "agent:cursor", "propose");
   * const { id } = await space.as({ agent: "cursor" }).remember({ content: "Tea at four" });
   * await owner.acceptProposals([id]);
   * expect((await space.get(id)).content).toBe("Tea at four");
   */
  acceptProposals(ids: readonly string[], options?: AcceptOptions): Promise<DecidedProposals>;
  /**
   * Takes proposals back. Their versions stay in the history of the branch of proposals.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, ROLE_REFUSED
   * @example
   * const owner = space.as({ role: "owner" });
   * await owner.policy.set("write", "agent:cursor", "propose");
   * const { id } = await space.as({ agent: "cursor" }).remember({ content: "Tea at four" });
   * await owner.rejectProposals([id], { reason: "not true" });
   * expect((await space.proposals()).waiting).toBe(0);
   */
  rejectProposals(ids: readonly string[], options?: DecideOptions): Promise<DecidedProposals>;
  /** Branches, with writes in the name of this agent. */
  readonly branches: Branches;
  /** Checkpoints, with writes in the name of this agent. */
  readonly checkpoints: Checkpoints;
  /** The devices of the space, and who may reach it. */
  readonly members: Members;
  /** Requests for approval, with decisions in the name of this agent. */
  readonly requests: Requests;
  /** The policy, with changes in the name of this agent. */
  readonly policy: PolicyControl;
  /** What was done on this replica, by whom and when, with exports in the name of this agent. */
  readonly audit: Audit;
}

const INVITING = object({
  ...{ role: oneOf("read", "write", "admin"), expiresAt: optional(orNull(number)) },
  ...{ accessUntil: optional(number), uses: optional(number) },
});

/** Fields of a memory are judged one by one where they are parsed. */
const input = ["input", object({})] as const;

export default {
  remember: { action: "write", takes: [input, taking(ON_BRANCH)] },
  revise: {
    action: "write",
    takes: [
      id,
      ["input", object({ type: optional(oneOf("update", "enrich", "correct")) })],
      taking({ ...ON_BRANCH, expect: naming }),
    ],
  },
  forget: { action: "forget", takes: [id, taking({ ...PART, ...BECAUSE, also: list(naming) })] },
  conceal: { action: "within", takes: [ids, taking(ON_BRANCH)] },
  reveal: { action: "within", takes: [ids, taking(ON_BRANCH)] },
  concealed: { action: "none", takes: [taking(ON_BRANCH)] },
  restore: {
    action: "write",
    takes: [
      id,
      taking({ ...PART, ...AT_REF, ...BECAUSE, version: either({ ofText: naming, ofNumber: number }) }),
    ],
  },
  combine: { action: "write", takes: [ids, input, taking(ON_BRANCH)] },
  split: { action: "write", takes: [id, ["inputs", list(object({}))], taking(ON_BRANCH)] },
  resolve: {
    action: "write",
    takes: [
      id,
      [
        "resolution",
        object({
          ...{ field: optional(text), keep: optional(naming), content: optional(text) },
          ...{ discard: list(naming), reason: optional(text) },
        }),
      ],
      taking(ON_BRANCH),
    ],
  },
  reinforce: { action: "write", takes: [ids, taking({ ...ON_BRANCH, times: number })], isNoted: true },
  consolidate: {
    action: "consolidate",
    takes: [["proposal", object({ ids: list(naming), combined: object({}) })], taking(PART)],
  },
  undo: { action: "within", takes: rollbackSignatures.undo },
  rollback: { action: "within", takes: rollbackSignatures.rollback },
  merge: { action: "within", takes: branchSignatures.merge },
  erase: { action: "within", takes: erasureSignatures.erase },
  acceptErasure: { action: "within", takes: erasureSignatures.acceptErasure, on: "space" },
  refuseErasure: { action: "within", takes: erasureSignatures.refuseErasure, on: "space" },
  changeSettings: {
    action: "settings",
    takes: settingsSignatures.changeSettings,
    on: "space",
    isNoted: true,
  },
  prune: { action: "within", takes: settingsSignatures.prune, on: "space" },
  rekey: { action: "within", takes: rekeySignatures.rekey, on: "space" },
  import: { action: "within", takes: upkeepSignatures.import },
  export: { action: "within", takes: upkeepSignatures.export, on: "space" },
  editGraph: { action: "within", takes: [["edit", object({ type: text })], taking(ON_BRANCH)] },
  invite: { action: "none", takes: [["options", INVITING]] },
  link: { action: "none", takes: [["relay", RELAY]] },
  acceptProposals: {
    action: "within",
    takes: [ids, taking({ ...ON_BRANCH, ...BECAUSE, edit: object({}), expect: object({}) })],
  },
  rejectProposals: { action: "within", takes: [ids, taking({ ...ON_BRANCH, ...BECAUSE })] },
  acceptLoss: { action: "accept-loss", takes: [taking(BECAUSE)], on: "space", isNoted: true },
} satisfies GuardedMethodsOf<Agent>;
