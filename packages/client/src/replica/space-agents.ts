/**
 * Agents of a space: those who write to it, with the services they write through.
 *
 * @module
 */
import { bytesFromBase64Url, type ChangeHash, isCambiumError, type Platform } from "@cambium/core";
import type { AcceptedLoss, Agent, AgentIdentity, InviteOptions, RelayAccess, Role } from "../api.js";
import { CheckpointOperations } from "../checkpoints/checkpoint-operations.js";
import type { Identity } from "../documents/identity.js";
import { type RequestCodes, requestCodes } from "../documents/requested-changes.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { BegunCalls } from "../governance/begun-calls.js";
import { authorOf, type Caller, callerOf } from "../governance/caller.js";
import type { Governance } from "../governance/governance.js";
import { type GuardServices, guardAgent } from "../governance/guarded-agent.js";
import type { CheckedAction, PolicyCheck } from "../governance/policy-check.js";
import type { EpochUpkeep } from "../keys/epoch-upkeep.js";
import type { Writer, WrittenChange } from "../space/writer.js";
import { headsFromRelay } from "../sync/invitation-heads.js";
import { SpaceAgent } from "./agent.js";
import type { AgentServices } from "./agent-services.js";
import { BranchOperations } from "./branch-operations.js";
import type { EndedAgain } from "./ended-access.js";
import type { NewAccess } from "./introduce.js";
import { inviteTo, type MadeInvitation } from "./invite.js";
import type { KitUpkeep } from "./kit-upkeep.js";
import { linkTo } from "./link.js";
import { MemberOperations } from "./members.js";
import { ProposalDecisions } from "./proposal-decisions.js";
import { Proposals } from "./proposals.js";
import type { SpaceParts } from "./space-parts.js";

/** What tells an operation of several changes from others. */
const OPERATION_BYTES = 8;

export interface SpaceAgentsOptions {
  readonly parts: SpaceParts;
  readonly governance: Governance;
  readonly platform: Platform;
  readonly identity: Identity;
  readonly config: () => SpaceConfig;
  readonly moveTo: (relay: RelayAccess, role: Role, made?: NewAccess) => Promise<void>;
  readonly acceptLoss: () => Promise<AcceptedLoss>;
  readonly keys: EpochUpkeep;
  readonly kits: Pick<KitUpkeep, "expect" | "register">;
}

/** The space is linked: what the relay could not be told, it is told at the next connection. */
const unlessItFailedThere = (error: unknown): void => {
  if (!isCambiumError(error)) throw error;
};

/** For what was allowed as part of something else. */
const PASSING: PolicyCheck = { check: async () => undefined };

/** Never a request: it would keep the text. */
const ERASED_TEXT: CheckedAction = {
  ...{ operation: "remember-erased", call: { method: "remember", args: [] } },
  preview: () => ({ counts: {}, ids: [], plan: null }),
};

export class SpaceAgents {
  readonly proposals: Proposals;
  readonly decisions: ProposalDecisions;
  readonly #options: SpaceAgentsOptions;

  constructor(options: SpaceAgentsOptions) {
    this.#options = options;
    const { parts, governance, platform, identity } = options;
    const { now } = parts.clock;
    this.decisions = new ProposalDecisions({ parts, platform, now, replica: identity.id });
    this.proposals = new Proposals({
      ...{ parts, audit: governance.audit, decisions: this.decisions },
      freely: (caller) => this.#make({ ...caller, requestKey: undefined }, PASSING, undefined, true),
    });
  }

  as(identity: AgentIdentity): Agent {
    const { governance, config } = this.#options;
    const caller = callerOf(identity, config().role);
    return this.#make(caller, governance.policyCheckFor(caller, identity));
  }

  /**
   * Writes in the name of a caller, as far as the policy lets them.
   *
   * @param isWithin - its calls are parts of one that has begun: that is the one to wait for
   */
  readonly #make = (
    caller: Caller,
    policyCheck: PolicyCheck,
    onChange?: (change: ChangeHash) => void,
    isWithin = false,
  ): Agent => {
    const { parts, governance } = this.#options;
    const { requestKey } = caller;
    const request = requestKey && requestCodes(parts.codec.keys.requests, requestKey);
    const onWritten = (written: WrittenChange): void => {
      governance.audit.noteChange(caller, written);
      onChange?.(written.hash);
    };
    const onErasedText = (): Promise<void> => policyCheck.check(ERASED_TEXT);
    const writer = parts.writer.notifying({ onWritten, onErasedText }, request);
    const outer = this.#guardsFor(caller, policyCheck);
    const guards = isWithin ? { ...outer, begun: new BegunCalls() } : outer;
    return guardAgent(new SpaceAgent(this.#servicesFor(guards, writer, request), authorOf(caller)), guards);
  };

  /** @returns how many recovery kits the relay does not know all the same */
  async registerKits(): Promise<number> {
    const caller = callerOf({}, this.#options.config().role);
    return await this.#membersFor(this.#guardsFor(caller, PASSING)).registerKits();
  }

  /** Ends at the relay what had ended and it takes again. */
  async endAgain(ids: readonly string[]): Promise<EndedAgain | undefined> {
    const caller = callerOf({}, this.#options.config().role);
    return await this.#membersFor(this.#guardsFor(caller, PASSING)).endAgain(ids);
  }

  #guardsFor(caller: Caller, policyCheck: PolicyCheck): GuardServices {
    const stage: GuardServices["stage"] = (branch, by) => this.proposals.stage(branch, by);
    return { ...this.#options.governance.guardsFor(caller, policyCheck), stage };
  }

  #membersFor(guards: GuardServices): MemberOperations {
    const { parts, governance, platform, identity, config, keys } = this.#options;
    const { caller, policyCheck } = guards;
    const members: MemberOperations = new MemberOperations({
      ...{ parts, identity, config, caller, policyCheck, platform, keys },
      audit: governance.audit,
      invite: (options) => this.#inviteTo(guards, members, options),
    });
    return members;
  }

  async #inviteTo(
    { caller, policyCheck }: GuardServices,
    members: MemberOperations,
    options: InviteOptions,
  ): Promise<{ readonly invitation: string; readonly id: string }> {
    const { parts, governance, platform, config } = this.#options;
    let id = "";
    const services = {
      ...{ config: config(), audit: governance.audit, caller, policyCheck, now: parts.clock.now },
      ...{ random: platform.random, epoch: () => parts.epochs.later },
      noteInvitation: async (made: MadeInvitation) => {
        id = made.tokenId;
        await members.noteInvitation(made);
      },
      seen: () => headsFromRelay(parts),
    };
    return { invitation: await inviteTo(services, options), id };
  }

  #servicesFor(guards: GuardServices, writer: Writer, request: RequestCodes | undefined): AgentServices {
    const { parts, governance, platform, identity, config, kits, moveTo, acceptLoss } = this.#options;
    const { caller, policyCheck } = guards;
    const members = this.#membersFor(guards);
    const services: ConstructorParameters<typeof BranchOperations>[0] = {
      ...{ ...parts, writer, platform, replica: () => identity.id },
      ...{ now: parts.clock.now, load: parts.index.load },
    };
    return {
      ...parts,
      ...services,
      ...{ policyCheck, guards },
      importKey: parts.codec.keys.imports,
      spaceName: () => config().name,
      settleConcealing: (method, memories) => governance.settleConcealing(method, memories, caller),
      // A call that is sent again, after it was cut short, goes on with the operation that it began.
      operationBytes: () =>
        request === undefined
          ? platform.random(OPERATION_BYTES)
          : bytesFromBase64Url(request.key).subarray(0, OPERATION_BYTES),
      invite: async (options) => (await this.#inviteTo(guards, members, options)).invitation,
      link: async (relay) => {
        const linking = { config: config(), moveTo, audit: governance.audit, caller, policyCheck };
        kits.expect();
        const linked = await linkTo(linking, relay);
        await kits.register().catch(unlessItFailedThere);
        return linked;
      },
      acceptLoss,
      proposals: this.proposals,
      members,
      requests: governance.requestsOf(caller, policyCheck, this.#make),
      policy: governance.policyOf(caller, policyCheck),
      home: governance.home,
      audit: governance.auditOf(caller),
      branchesFor: (context) => new BranchOperations(services, context, policyCheck),
      checkpointsFor: (context) => new CheckpointOperations(parts, context),
    };
  }
}
