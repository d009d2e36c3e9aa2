/**
 * Proposals of a space: what is written on the branch of proposals of another branch, what differs there, and how it is
 * brought over or taken back.
 *
 * @module
 */
import {
  CambiumError,
  type ChangeHash,
  compareText,
  labelTest,
  type Memory,
  type MemoryId,
  namedMemories,
  type ProposalVerdict,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type {
  AcceptOptions,
  Agent,
  DecidedProposals,
  DecideOptions,
  MergeResult,
  Proposal,
  ProposalOptions,
  ProposalPage,
} from "../api.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { Caller } from "../governance/caller.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import { Turns } from "../platform/turns.js";
import type { KnownBranch } from "../space/branch-directory.js";
import type { ProposalDecisions } from "./proposal-decisions.js";
import type { SpaceParts } from "./space-parts.js";

export interface ProposalsOptions {
  readonly parts: Pick<SpaceParts, "directory" | "views" | "index" | "reader" | "versions">;
  readonly audit: AuditLog;
  readonly decisions: ProposalDecisions;
  /** An agent of the caller that asks no policy: what it does was allowed before. */
  readonly freely: (caller: Caller) => Agent;
}

/** Who decides, and what the policy says to that. */
export interface Decider {
  readonly caller: Caller;
  readonly policyCheck: PolicyCheck;
}

const STAGE = "proposed";
const MAIN = "main";
const DEFAULT_LIMIT = 100;
const MOST = 1_000;

export class Proposals {
  readonly #options: ProposalsOptions;
  readonly #turns = new Turns();

  constructor(options: ProposalsOptions) {
    this.#options = options;
  }

  /** The branch to propose on, with everything that is on the other one by now. */
  stage(branch: string | undefined, caller: Caller): Promise<string> {
    return this.#turns.take(() => this.#stage(branch, caller));
  }

  async #stage(branch: string | undefined, caller: Caller): Promise<string> {
    const { directory, views, index } = this.#options.parts;
    const target = await directory.find(branch ?? MAIN, true);
    if (await this.#isStage(target)) return target.id;
    const agent = this.#options.freely(caller);
    const [stage] = await this.#stagesOf(target);
    if (stage === undefined) return (await agent.branches.create(stageName(target), { from: target.id })).id;
    const [source, into] = [await views.open(target.id), await views.open(stage.id)];
    if (index.tables.distances.countLacking(source.row, into.row) > 0)
      await agent.merge({ from: target.id, into: stage.id, strategy: "target", again: true });
    return stage.id;
  }

  /** A name alone does not make one: anybody may begin that of a branch with `proposed-`. */
  async #isStage({ ownName, entry }: KnownBranch): Promise<boolean> {
    const parent = (await this.#options.parts.directory.all()).find(({ id }) => id === entry?.parent);
    return parent !== undefined && ownName === stageName(parent);
  }

  /** Devices that were apart may each have made one. */
  async #stagesOf(target: KnownBranch): Promise<readonly KnownBranch[]> {
    return (await this.#options.parts.directory.all()).filter(
      ({ ownName, status, entry }) =>
        ownName === stageName(target) && status !== "deleted" && entry?.parent === target.id,
    );
  }

  async list(reader: Caller, options: ProposalOptions = {}): Promise<ProposalPage> {
    const limit = checkedLimit(options.limit);
    const { stages, proposals } = await this.#waiting(reader, options.branch);
    const isBy = labelTest({ agent: options.agent });
    const wanted = proposals
      .map(({ proposal }) => proposal)
      .filter(({ by, after }) => isBy({ ...after, by }));
    const last =
      options.cursor === undefined ? undefined : wanted.findIndex(({ id }) => id === options.cursor);
    const page = wanted.slice((last ?? -1) + 1).slice(0, limit);
    const end = page.at(-1);
    const isMore = end !== undefined && end !== wanted.at(-1);
    const [stage] = stages;
    return {
      ...{ proposals: page, waiting: proposals.length },
      ...(stage === undefined ? {} : { branch: stage.name }),
      ...(isMore ? { cursor: end.id } : {}),
    };
  }

  /** Newest first. */
  async #waiting(caller: Caller, branch: string | undefined) {
    const { directory } = this.#options.parts;
    const target = await directory.find(branch ?? MAIN);
    const stages = await this.#stagesOf(target);
    const agent = this.#options.freely(caller);
    const proposals: Waiting[] = [];
    for (const stage of stages) {
      const preview = { from: stage.id, into: target.id, preview: true, again: true } as const;
      const { conflicts } = await agent.merge(preview);
      const found = differencesIn(await agent.merge({ ...preview, strategy: "source" }));
      const contested = new Set(conflicts.map(({ id }) => id));
      for (const difference of found)
        proposals.push({ stage, proposal: await this.#proposalOf(difference, stage, target, contested) });
    }
    return { target, stages, proposals: proposals.sort(newestFirst) };
  }

  /** A merge that brought the stage into step may have kept a proposal against what was written meanwhile. */
  async #proposalOf(
    { id, ...difference }: Difference,
    { id: branch }: KnownBranch,
    target: KnownBranch,
    contested: ReadonlySet<MemoryId>,
  ): Promise<Proposal> {
    const { reader, versions } = this.#options.parts;
    const after = await reader.get(id, { branch });
    const isMerged = after.type === "merge";
    const [there, here] = isMerged
      ? [await versions.history(id, { branch }), await versions.history(id, { branch: target.id })]
      : [[], []];
    const known = new Set(here.map(({ record }) => record));
    const { by, at } = there.findLast(({ type, record }) => type !== "merge" && !known.has(record)) ?? after;
    return { id, ...difference, by, at, after, isContested: isMerged || contested.has(id) };
  }

  async accept(
    decider: Decider,
    ids: readonly string[],
    options: AcceptOptions = {},
  ): Promise<DecidedProposals> {
    const { caller } = decider;
    const { edit, expect, branch, reason } = options;
    if (edit !== undefined && ids.length !== 1)
      throw new CambiumError("BAD_INPUT", "An edit is for one proposal. Accept the others by themselves.");
    await this.#check(decider, "acceptProposals", ids, options);
    return await this.#turns.take(async () => {
      const { target, chosen } = await this.#chosen(caller, ids, branch);
      for (const { proposal } of chosen) refuseMoved(proposal, expect);
      const changes: ChangeHash[] = [];
      let edited: Memory | undefined;
      const groups = Map.groupBy(chosen, ({ stage, proposal: { by } }) => JSON.stringify([stage.id, by]));
      for (const group of groups.values()) {
        const [{ stage, proposal }] = group as [Waiting];
        const only = { ids: group.map((one) => one.proposal.id) };
        if (edit !== undefined) {
          const editor = this.#options.freely(caller);
          edited = await editor.revise(proposal.id, omitUndefined(edit), { branch: stage.id });
        }
        const { replica: _here, device: _named, ...by } = proposal.by;
        const agent = this.#options.freely(edit === undefined ? { ...by, role: "agent" } : caller);
        const merge = { from: stage.id, into: target.id, only, strategy: "source", again: true } as const;
        const { change } = await agent.merge({ ...merge, reason });
        if (change !== undefined) changes.push(change);
      }
      const decision = edit === undefined ? "accept" : "edit";
      return await this.#decided(caller, decision, chosen, { changes, edited });
    });
  }

  async reject(
    decider: Decider,
    ids: readonly string[],
    options: DecideOptions = {},
  ): Promise<DecidedProposals> {
    const { caller } = decider;
    await this.#check(decider, "rejectProposals", ids, options);
    return await this.#turns.take(async () => {
      const { target, chosen } = await this.#chosen(caller, ids, options.branch);
      const agent = this.#options.freely(caller);
      for (const { stage, proposal } of chosen) {
        const there = {
          branch: stage.id,
          ...(options.reason === undefined ? {} : { reason: options.reason }),
        };
        if (proposal.kind === "added") await agent.forget(proposal.id, there);
        else await agent.restore(proposal.id, { ...there, at: target.id });
      }
      return await this.#decided(caller, "reject", chosen, { changes: [] });
    });
  }

  async #check(
    { policyCheck }: Decider,
    method: string,
    ids: readonly string[],
    { reason }: DecideOptions,
  ): Promise<void> {
    await this.#options.audit.open();
    await policyCheck.check({
      ...{ operation: "approve", call: { method, args: [ids] }, affected: ids.length, reason },
      preview: () => ({ counts: { memories: ids.length }, ids: [], plan: [method, ids] }),
    });
  }

  async #chosen(caller: Caller, ids: readonly string[], branch: string | undefined) {
    const { target, proposals } = await this.#waiting(caller, branch);
    const chosen = ids.map((id) => {
      const found = proposals.filter(({ proposal }) => proposal.id.startsWith(id.toLowerCase()));
      if (found.length === 1) return found[0] as Waiting;
      throw new CambiumError("MEMORY_NOT_FOUND", `No proposal waits for the memory ${id}.`, {
        hint: "It may have been decided, or its writer has taken it back. List the proposals again.",
        details: { id },
      });
    });
    return { target, chosen: [...new Set(chosen)] };
  }

  /** One entry for each branch of proposals: devices that were apart may have made several. */
  async #decided(
    caller: Caller,
    decision: ProposalVerdict,
    chosen: readonly Waiting[],
    { changes, edited }: { readonly changes: readonly ChangeHash[]; readonly edited?: Memory | undefined },
  ): Promise<DecidedProposals> {
    const ids = chosen.map(({ proposal }) => proposal.id);
    const [first] = chosen;
    this.#options.audit.note(caller, {
      ...{ operation: decision === "reject" ? "reject" : "accept", of: "proposal" },
      ...{ memories: namedMemories(ids), change: changes.at(-1) },
      ...(first === undefined ? {} : { branch: first.stage.id }),
    });
    for (const [branch, group] of Map.groupBy(chosen, ({ stage }) => stage.id))
      await this.#options.decisions.note(caller, {
        ...{ decision, branch, agents: group.map(({ proposal: { by } }) => by.agent) },
        proposals: group.map(({ proposal: { id, kind, after } }) => ({
          ...{ id, kind, record: (edited ?? after).record },
        })),
      });
    return { ids, changes };
  }
}

interface Waiting {
  readonly stage: KnownBranch;
  readonly proposal: Proposal;
}

const stageName = ({ ownName }: KnownBranch): string => (ownName === MAIN ? STAGE : `${STAGE}-${ownName}`);

const newestFirst = ({ proposal: a }: Waiting, { proposal: b }: Waiting): number =>
  b.at - a.at || compareText(a.id, b.id);

type Difference = Pick<Proposal, "id" | "kind" | "fields" | "before">;

const differencesIn = ({ created, changed, deleted }: MergeResult): readonly Difference[] => [
  ...created.map(({ id }) => ({ id, kind: "added" as const, fields: [] })),
  ...changed.map(({ id, before, fields }) => ({ id, kind: "changed" as const, fields, before })),
  ...deleted.map((before) => ({ id: before.id, kind: "hidden" as const, fields: [], before })),
];

function refuseMoved({ id, after }: Proposal, expect: AcceptOptions["expect"]): void {
  if (expect?.[id] === undefined || expect[id] === after.record) return;
  throw new CambiumError("STALE_EXPECTATION", `The proposal for ${id} has changed since it was read.`, {
    hint: "Read it again, and decide then.",
    details: { id, record: after.record },
  });
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MOST}.`);
}
