/**
 * Requests in the hands of one caller: listed, previewed, approved, declined, withdrawn.
 *
 * @module
 */
import { CambiumError, isCambiumError, type MemoryId, type RecordLoader } from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type {
  Agent,
  ApprovalRequest,
  ApprovalResult,
  GuardedCall,
  RequestPreview,
  Requests,
} from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import type { AuditLog } from "./audit-log.js";
import { type Caller, callerName } from "./caller.js";
import type { PolicyCheck } from "./policy-check.js";
import { ApprovedCheck, hasMoved, makeCall, PreviewCheck, StoppedAtCheck } from "./replay.js";
import type { FoundRequest, RequestBook } from "./request-book.js";
import { readText } from "./request-texts.js";

export interface RequestsServices {
  readonly book: RequestBook;
  readonly audit: AuditLog;
  readonly load: RecordLoader;
  readonly caller: Caller;
  readonly settleConcealing: (method: "conceal" | "reveal", memories: readonly MemoryId[]) => Promise<void>;
  /** Of the caller. */
  readonly policyCheck: PolicyCheck;
  /** An agent whose calls pass another check than its policy's. */
  readonly agentWith: (
    caller: Caller,
    policyCheck: (usual: PolicyCheck) => PolicyCheck,
  ) => { readonly agent: Agent; readonly lastChange: () => ApprovalResult["change"] };
}

type Reasoned = { readonly reason?: string | undefined };

export class CallersRequests implements Requests {
  readonly #services: RequestsServices;

  constructor(services: RequestsServices) {
    this.#services = services;
  }

  list({ state }: Parameters<Requests["list"]>[0] = {}): Promise<readonly ApprovalRequest[]> {
    const { book, caller } = this.#services;
    return book.list(state, caller);
  }

  async get(id: string): Promise<ApprovalRequest> {
    const { book, caller } = this.#services;
    return book.show(await book.findFor(id, caller));
  }

  async preview(id: string): Promise<RequestPreview> {
    const { book, caller } = this.#services;
    const found = await book.findFor(id, caller);
    const request = await book.show(found);
    if (request.state === "erased") book.refuseClosed(found);
    const call = await this.#callOf(found);
    if (request.state !== "open") return { request, call, problem: `It is closed: ${request.state}.` };
    try {
      const now = await this.#previewNow(found, call);
      const isSame = now?.digest === found.entry.digest;
      return {
        ...{ request, call },
        ...(now === undefined ? {} : { now: now.preview }),
        ...(isSame ? {} : { problem: hasMoved().message }),
      };
    } catch (error) {
      if (isCambiumError(error)) return { request, call, problem: error.message };
      throw error;
    }
  }

  async approve(id: string, { reason }: Reasoned = {}): Promise<ApprovalResult> {
    const asked = await this.#toDecide(id, "approve", reason);
    const approved = await this.#services.book.whileOpen(asked.id, (found) => this.#approve(found, reason));
    if (asked.entry.operation === "conceal") await this.#settleAlike(asked);
    return approved;
  }

  /** Others may have asked for the same. */
  async #settleAlike(request: FoundRequest): Promise<void> {
    const { method, args } = await this.#callOf(request);
    const { settleConcealing } = this.#services;
    if (method === "conceal" || method === "reveal") await settleConcealing(method, args[0] as MemoryId[]);
  }

  async #approve(found: FoundRequest, reason: string | undefined): Promise<ApprovalResult> {
    const { book, audit, caller } = this.#services;
    const call = await this.#callOf(found);
    const now = await this.#previewNow(found, call);
    if (now?.digest !== found.entry.digest) throw hasMoved();
    const { result, change } = await this.#run(found, call);
    const of = found.entry.operation;
    audit.note(caller, { operation: "approve", of, request: found.id, change });
    const decided = await book.decide(found, { decision: "approve", caller, reason, change });
    return { request: await book.show(decided), result, ...(change === undefined ? {} : { change }) };
  }

  async decline(id: string, { reason }: Reasoned = {}): Promise<ApprovalRequest> {
    const found = await this.#toDecide(id, "decline", reason);
    return this.#close(found, "decline", reason);
  }

  async withdraw(id: string, { reason }: Reasoned = {}): Promise<ApprovalRequest> {
    const { book, audit, caller } = this.#services;
    await audit.open();
    audit.signIn(caller);
    const found = await book.findFor(id, caller);
    book.refuseClosed(found);
    const { by } = found.entry;
    if (caller.role !== "owner" && (caller.agent !== by.agent || caller.role !== by.role)) {
      audit.note(caller, { operation: "refuse", of: "withdraw", request: found.id });
      throw new CambiumError(
        "ROLE_REFUSED",
        `Only ${callerName(by)} or the owner can take this request back.`,
        {
          details: { request: found.id, role: caller.role },
        },
      );
    }
    return this.#close(found, "withdraw", reason);
  }

  async #toDecide(
    id: string,
    method: "approve" | "decline",
    reason: string | undefined,
  ): Promise<FoundRequest> {
    const { book, audit, policyCheck, caller } = this.#services;
    await audit.open();
    const found = await book.findFor(id, caller);
    await policyCheck.check({
      operation: "approve",
      call: { method: `requests.${method}`, args: [found.id] },
      reason,
      preview: () => ({ counts: {}, ids: [], plan: [method, found.id] }),
    });
    return found;
  }

  async #close(found: FoundRequest, decision: "decline" | "withdraw", reason: string | undefined) {
    const { book, audit, caller } = this.#services;
    return book.whileOpen(found.id, async () => {
      const decided = await book.decide(found, { decision, caller, reason });
      audit.note(caller, { operation: decision, of: found.entry.operation, request: found.id });
      return book.show(decided);
    });
  }

  async #callOf({ id, entry }: FoundRequest): Promise<GuardedCall> {
    const { call } = await readText(this.#services.load, id, entry.text);
    if (call !== undefined) return call;
    throw new CambiumError(
      "CONTENT_NOT_HERE",
      "What this request asks for has not arrived, or cannot be read here.",
      {
        hint: "Run `cambium sync`; a newer Cambium may have written it.",
        details: { request: id },
      },
    );
  }

  async #previewNow({ entry }: FoundRequest, call: GuardedCall) {
    const policyCheck = new PreviewCheck();
    const { agent } = this.#services.agentWith(requester(entry), () => policyCheck);
    try {
      await makeCall(agent, call);
    } catch (error) {
      if (!(error instanceof StoppedAtCheck)) throw error;
    }
    return policyCheck.action;
  }

  /** In the name of the agent who asked; the trigger says who let it happen. */
  async #run({ id, entry }: FoundRequest, call: GuardedCall) {
    const { caller, agentWith } = this.#services;
    const trigger = `approved by ${callerName(caller)}`;
    const { agent, lastChange } = agentWith(
      { ...requester(entry), trigger, request: id },
      (usual) => new ApprovedCheck(call, entry.digest, usual),
    );
    const result = await makeCall(agent, call);
    return { result, change: lastChange() };
  }
}

const requester = ({ by }: FoundRequest["entry"]): Caller => ({
  ...{ role: by.role, agent: by.agent, session: by.session, conversation: by.conversation },
});

checkCallsOf(CallersRequests, SIGNATURES.requests);
