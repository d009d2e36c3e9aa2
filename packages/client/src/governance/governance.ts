/**
 * Governance of an open space, put together: what each caller is given.
 *
 * @module
 */
import { join } from "node:path";
import type { ChangeHash, MemoryId, ReplicaId } from "@cambium/core";
import type { Agent, AgentIdentity, Audit, PolicyControl, Requests, Role } from "../api.js";
import { homeOf } from "../export/outside-home.js";
import type { SpaceServices } from "../space/space-services.js";
import type { ReplicaStore } from "../storage/store.js";
import { ArrivedConcealing } from "./arrived-concealing.js";
import { AuditEnd } from "./audit-end.js";
import { AuditLog } from "./audit-log.js";
import { AuditReader } from "./audit-reader.js";
import { BegunCalls } from "./begun-calls.js";
import { type Caller, callerOf } from "./caller.js";
import type { GuardServices } from "./guarded-agent.js";
import { OwnerCode } from "./owner-code.js";
import { type PolicyCheck, PolicyChecker } from "./policy-check.js";
import { policyControl } from "./policy-control.js";
import { PolicyKeeper } from "./policy-keeper.js";
import { RequestBook } from "./request-book.js";
import { CallersRequests } from "./requests.js";
import { type ConcealingMethod, type IsSettled, settledBefore, settledBy } from "./settled-concealing.js";

const BY_SYNC: Caller = { role: "owner", trigger: "sync" };

export interface GovernanceOptions
  extends Omit<SpaceServices, "replica" | "store" | "finder" | "uses" | "writer"> {
  /** Where the space keeps its files. */
  readonly dir: string;
  readonly store: Pick<ReplicaStore, "refuseDisplaced" | "load" | "save">;
  readonly onNotice: (message: string) => void;
  readonly mayWrite: () => boolean;
  /** Counts the changes of branches that were acknowledged and are missing from the store. */
  readonly countLost: () => number;
  /** The epoch since this home was last put back from an earlier copy, if it ever was. */
  readonly restoredEpoch: () => number | undefined;
}

/** Makes the agent of a caller, whose calls pass this check and report the changes they write. */
export type AgentMaker = (
  caller: Caller,
  policyCheck: PolicyCheck,
  onChange: (change: ChangeHash) => void,
) => Agent;

export class Governance {
  readonly audit: AuditLog;
  readonly policy: PolicyKeeper;
  readonly requests: RequestBook;
  /** Calls of all agents that write. */
  readonly begun = new BegunCalls();
  /** To be opened with the catalog. */
  readonly arrived: ArrivedConcealing;
  /** Where nothing is written that somebody names. */
  readonly home: string;
  readonly #ownerCode: OwnerCode;
  readonly #options: GovernanceOptions;
  #welcomedAs: Role | undefined;

  constructor(options: GovernanceOptions) {
    this.#options = options;
    const { dir, codec, identity, now, catalog, directory, index, onNotice } = options;
    this.home = homeOf(dir);
    this.audit = new AuditLog({
      ...{ dir: join(dir, "audit", identity.id), key: codec.keys.audit, replica: identity.id },
      ...{ replicaName: identity.name, now, catalog, directory, index, onNotice },
      end: new AuditEnd(options.store, identity.id),
      refuseDisplaced: () => options.store.refuseDisplaced(),
    });
    this.policy = new PolicyKeeper(catalog);
    this.#ownerCode = new OwnerCode({ catalog, path: join(dir, "owner-code.json"), now });
    this.requests = new RequestBook({ ...options, policy: this.policy, replica: this.#replica });
    this.arrived = this.#newArrived();
    options.documents.onHeads(({ isReplaced }) => {
      if (isReplaced) this.audit.noteReplaced();
    });
  }

  /** What the owner conceals or reveals on another device. */
  #newArrived(): ArrivedConcealing {
    const { catalog, mayWrite, onNotice } = this.#options;
    return new ArrivedConcealing({
      ...{ catalog, replica: this.#replica },
      settle: async (method, memories) => {
        if (!mayWrite()) return;
        await this.audit.open();
        const settled = settledBy(method, memories, {
          settings: catalog.current.settings,
          of: this.#replica(),
        });
        await this.#settle(settled, BY_SYNC);
      },
      settleLeft: async () => {
        if (!mayWrite() || this.requests.openConcealing.length === 0) return;
        await this.audit.open();
        await this.#settle(settledBefore(catalog.current.settings, this.#replica()), BY_SYNC);
      },
      onFailure: (error) => onNotice(`A request could not be closed: ${String(error)}`),
    });
  }

  readonly #replica = (): ReplicaId => this.#options.identity.id;

  /** The relay has accepted this replica: noted once in a session, and when its role changes. */
  noteWelcome(role: Role): void {
    if (role === this.#welcomedAs) return;
    this.#welcomedAs = role;
    const caller: Caller = { role: callerOf({}, role).role, trigger: "relay" };
    const { onNotice } = this.#options;
    this.audit.open().then(
      () => this.audit.note(caller, { operation: "sign-in", of: "relay", details: { role } }),
      (error: unknown) => onNotice(`The audit log could not be opened: ${String(error)}`),
    );
  }

  policyCheckFor(
    caller: Caller,
    { confirmed, ownerCode: stated }: Pick<AgentIdentity, "confirmed" | "ownerCode">,
  ): PolicyCheck {
    const { policy, audit, requests } = this;
    const ask = (...[action, operation]: Parameters<PolicyCheckerAsk>) =>
      requests.ask(action, operation, caller);
    return new PolicyChecker({ caller, policy, audit, confirmed, ask, ownerCode: this.#ownerCode, stated });
  }

  guardsFor(caller: Caller, policyCheck: PolicyCheck): Omit<GuardServices, "stage"> {
    const { directory, views, reader } = this.#options;
    return { caller, policyCheck, audit: this.audit, begun: this.begun, directory, views, reader };
  }

  requestsOf(caller: Caller, policyCheck: PolicyCheck, makeAgent: AgentMaker): Requests {
    const { audit, requests: book } = this;
    return new CallersRequests({
      ...{ book, audit, caller, policyCheck, load: this.#options.load },
      settleConcealing: (method, memories) => this.settleConcealing(method, memories, caller),
      agentWith: (requester, policyCheckOf) => {
        let last: ChangeHash | undefined;
        const inTheirName = { ...requester, requestKey: caller.requestKey };
        const agent = makeAgent(inTheirName, policyCheckOf(this.policyCheckFor(requester, {})), (change) => {
          last = change;
        });
        return { agent, lastChange: () => last };
      },
    });
  }

  /** Requests for what the owner has concealed or revealed by now are approved. */
  settleConcealing(method: ConcealingMethod, memories: readonly MemoryId[], caller: Caller): Promise<void> {
    const { settings } = this.#options.catalog.current;
    return this.#settle(settledBy(method, memories, { settings }), caller);
  }

  async #settle(isSettled: IsSettled, caller: Caller): Promise<void> {
    for (const request of await this.requests.settleConcealing(isSettled, caller))
      this.audit.note(caller, { operation: "approve", of: "conceal", request });
  }

  policyOf(caller: Caller, policyCheck: PolicyCheck): PolicyControl {
    const { policy, audit } = this;
    return policyControl({
      policy,
      audit,
      caller,
      policyCheck,
      ownerCode: this.#ownerCode,
      documents: this.#options.documents,
    });
  }

  auditOf(caller: Caller): Audit {
    const { codec, now, documents, index, load, countLost, restoredEpoch } = this.#options;
    const replica = this.#replica();
    return new AuditReader({
      ...{ log: this.audit, key: codec.keys.audit, caller, replica, now },
      ...{ documents, index, load, countLost, restoredEpoch, home: this.home },
    });
  }
}

type PolicyCheckerAsk = ConstructorParameters<typeof PolicyChecker>[0]["ask"];
