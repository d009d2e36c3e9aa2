/**
 * Requests for approval, as the catalog holds them: written, listed, decided. They and the decisions about
 * them sync like everything else.
 *
 * @module
 */

import {
  type BranchId,
  CambiumError,
  concealmentsIn,
  type DecisionEntry,
  decidedRequest,
  decisionKey,
  type Encodable,
  newUuid,
  type PolicyAction,
  parseDecisionEntry,
  parseRequestEntry,
  type RequestEntry,
  type RequestId,
  type RequestState,
  requestKey,
  requestOfKey,
} from "@cambium/core";
import type { ApprovalRequest, RequestDecision } from "../api.js";
import { Turns } from "../platform/turns.js";
import type { SpaceServices } from "../space/space-services.js";
import { authorOf, type Caller, seesConcealed } from "./caller.js";
import { closingErasure } from "./erased-requests.js";
import type { AskedRequest, CheckedAction } from "./policy-check.js";
import type { PolicyKeeper } from "./policy-keeper.js";
import { valuesOf } from "./policy-keeper.js";
import { type NotedAction, noteAction, plainCall } from "./replay.js";
import { readText, writeText } from "./request-texts.js";
import type { IsSettled } from "./settled-concealing.js";

export interface RequestBookOptions
  extends Pick<
    SpaceServices,
    "platform" | "replica" | "now" | "catalog" | "documents" | "packs" | "directory" | "views" | "load"
  > {
  readonly policy: PolicyKeeper;
}

/** A request with what was decided about it. */
export interface FoundRequest {
  readonly id: RequestId;
  readonly entry: RequestEntry;
  readonly decisions: readonly DecisionEntry[];
}

export interface NewDecision {
  readonly decision: DecisionEntry["decision"];
  readonly caller: Caller;
  readonly reason?: string | undefined;
  readonly change?: DecisionEntry["change"];
}

const DAY_MS = 86_400_000;
const SHORTEST_PREFIX = 4;

const isAsker = ({ by }: RequestEntry, { agent, role }: Pick<Caller, "role" | "agent">): boolean =>
  by.agent === agent && by.role === role;

const requestNotFound = (message: string): CambiumError =>
  new CambiumError("REQUEST_NOT_FOUND", message, { hint: "See what waits with `cambium approve`." });

export class RequestBook {
  readonly #options: RequestBookOptions;
  /** By request: approving one may run the approval of another. */
  readonly #deciding = new Map<RequestId, Turns>();
  /** The same that is asked for twice at once is one request. */
  readonly #asking = new Turns();

  constructor(options: RequestBookOptions) {
    this.#options = options;
  }

  /**
   * Asks for approval. Who asks for the same again, while nothing has moved, gets the same request. Where it would do
   * something else by now, what was asked for in the same words before is withdrawn.
   */
  ask(action: CheckedAction, operation: PolicyAction, caller: Caller): Promise<AskedRequest> {
    return this.#asking.take(() => this.#ask(action, operation, caller));
  }

  async #ask(action: CheckedAction, operation: PolicyAction, caller: Caller): Promise<AskedRequest> {
    const noted = await noteAction(action, operation);
    const { digest, words, effect } = noted;
    const open = this.#all().filter((one) => isAsker(one.entry, caller) && this.stateOf(one) === "open");
    const inWords = open.filter(({ entry }) => entry.words === words && entry.operation === operation);
    const same =
      open.find(({ entry }) => entry.digest === digest) ??
      inWords.find(({ entry }) => entry.effect === effect);
    if (same !== undefined) return { id: same.id, askedAt: same.entry.at, replaced: [] };
    const id = await this.#write(action, noted, caller);
    for (const { id: before } of inWords)
      await this.whileOpen(before, (found) =>
        this.decide(found, { decision: "withdraw", caller, reason: "Asked for again, in the same words." }),
      );
    return { id, replaced: inWords.map((before) => before.id) };
  }

  async #write(action: CheckedAction, noted: NotedAction, caller: Caller): Promise<RequestId> {
    const { platform, now, replica, packs, policy } = this.#options;
    const { operation, preview, heads, digest, words, effect, branch } = noted;
    const at = now();
    const id = newUuid<RequestId>({ now, random: platform.random });
    const by = { role: caller.role, replica: replica(), ...authorOf(caller) };
    const text = await writeText(
      packs,
      id,
      { content: JSON.stringify(plainCall(action.call)), reason: action.reason },
      { at, author: { ...authorOf(caller), replica: replica() } },
    );
    const entry: RequestEntry = {
      ...{ operation, at, expiresAt: at + policy.current.limits.requestDays * DAY_MS },
      ...{ by, text, preview, heads, digest, words, effect },
      branch: branch ?? (action.branch as BranchId | undefined),
    };
    await this.#put(requestKey(id), entry);
    return id;
  }

  /** Newest first. */
  async list(
    state: RequestState | undefined,
    viewer: Pick<Caller, "role" | "agent"> | undefined,
  ): Promise<readonly ApprovalRequest[]> {
    const found = this.#all().filter((request) => state === undefined || this.stateOf(request) === state);
    found.sort((a, b) => b.entry.at - a.entry.at || (a.id < b.id ? 1 : -1));
    const shown: ApprovalRequest[] = [];
    for (const request of found)
      if (await this.#isShownTo(request, viewer)) shown.push(await this.show(request));
    return shown;
  }

  /**
   * What names a concealed memory is for the owner. A request to reveal, whether or not what it names is concealed, is
   * for whoever asked as well: nobody else can tell from it what is.
   *
   * @param viewer - undefined: anybody
   */
  async #isShownTo(
    { id, entry }: FoundRequest,
    viewer: Pick<Caller, "role" | "agent"> | undefined,
  ): Promise<boolean> {
    if (viewer !== undefined && seesConcealed(viewer)) return true;
    const concealed = concealmentsIn(this.#options.catalog.current.settings);
    if (concealed.size === 0 && entry.operation !== "conceal") return true;
    const { call } = await readText(this.#options.load, id, entry.text);
    if (entry.operation === "conceal" && call?.method !== "conceal")
      return viewer !== undefined && isAsker(entry, viewer);
    const named = JSON.stringify([entry.preview.ids, call?.args]);
    return ![...concealed.keys()].some((memory) => named.includes(memory));
  }

  /** @throws {CambiumError} REQUEST_NOT_FOUND */
  async findFor(text: string, viewer: Pick<Caller, "role" | "agent">): Promise<FoundRequest> {
    const found = this.find(text);
    if (await this.#isShownTo(found, viewer)) return found;
    throw requestNotFound(`There is no request ${text}.`);
  }

  /** How many wait for a decision. */
  get waiting(): number {
    return this.#all().filter((request) => this.stateOf(request) === "open").length;
  }

  /** @throws {CambiumError} REQUEST_NOT_FOUND */
  find(text: string): FoundRequest {
    const wanted = text.trim().toLowerCase();
    const matching = this.#all().filter(
      ({ id }) =>
        id === wanted || (wanted.length >= SHORTEST_PREFIX && (id.startsWith(wanted) || id.endsWith(wanted))),
    );
    const [found] = matching;
    if (found !== undefined && matching.length === 1) return found;
    throw requestNotFound(
      found === undefined
        ? `There is no request ${text}.`
        : `Several requests match ${text}; give more of it.`,
    );
  }

  stateOf(request: FoundRequest): RequestState {
    return this.#decided(request).state;
  }

  #decided({ entry, decisions }: FoundRequest) {
    const erasure = decisions.length > 0 ? undefined : closingErasure(this.#options.catalog.current, entry);
    const decided = decidedRequest(entry, decisions, this.#options.now(), erasure?.at);
    return decided.state === "erased" && erasure !== undefined ? { ...decided, erasure } : decided;
  }

  /** @throws {CambiumError} REQUEST_CLOSED */
  refuseClosed(request: FoundRequest): void {
    const decided = this.#decided(request);
    const { state } = decided;
    if (state === "open") return;
    const erasure = "erasure" in decided ? decided.erasure : undefined;
    const why =
      erasure === undefined
        ? `it was ${state}`.replace("was expired", "has expired")
        : `what it is about was erased on ${erasure.by.device}, by the erasure ${erasure.id}`;
    throw new CambiumError("REQUEST_CLOSED", `The request is closed: ${why}.`, {
      details: { request: request.id, state, ...(erasure === undefined ? {} : { erasure: erasure.id }) },
    });
  }

  /**
   * One decision after the other: the next one sees the request as the last one left it.
   *
   * @throws {CambiumError} REQUEST_CLOSED when it has been decided by then
   */
  whileOpen<Result>(id: RequestId, work: (found: FoundRequest) => Promise<Result>): Promise<Result> {
    const turns = this.#deciding.get(id) ?? new Turns();
    this.#deciding.set(id, turns);
    return turns.take(() => {
      const found = this.find(id);
      this.refuseClosed(found);
      return work(found);
    });
  }

  async decide(
    { id }: FoundRequest,
    { decision, caller, reason, change }: NewDecision,
  ): Promise<FoundRequest> {
    const { now, replica, packs } = this.#options;
    const author = { ...authorOf(caller), replica: replica() };
    const at = now();
    const text =
      reason === undefined
        ? undefined
        : await writeText(packs, id, { content: reason, reason }, { at, author });
    const by = { role: caller.role, ...author };
    const entry: DecisionEntry = { decision, by, at, text, change };
    await this.#put(decisionKey(id, replica()), entry);
    return this.find(id);
  }

  /** Approves what waits to be concealed or revealed and has been by now, so that nothing is left of it. */
  async settleConcealing(isSettled: IsSettled, caller: Caller): Promise<readonly RequestId[]> {
    const settled: RequestId[] = [];
    for (const { id, entry } of this.openConcealing) {
      const { call } = await readText(this.#options.load, id, entry.text);
      const [ids] = call?.args ?? [];
      if (call === undefined || !Array.isArray(ids)) continue;
      if (!isSettled({ entry, method: call.method, ids })) continue;
      await this.whileOpen(id, (found) => this.decide(found, { decision: "approve", caller }));
      settled.push(id);
    }
    return settled;
  }

  /** Requests to conceal or reveal that wait. */
  get openConcealing(): readonly FoundRequest[] {
    return this.#all().filter(
      (request) => request.entry.operation === "conceal" && this.stateOf(request) === "open",
    );
  }

  async show(request: FoundRequest): Promise<ApprovalRequest> {
    const { load, directory } = this.#options;
    const { id, entry } = request;
    const { state, decision, overruled, ...closed } = this.#decided(request);
    const { reason } = await readText(load, id, entry.text);
    const branch = (await directory.all()).find((known) => known.id === entry.branch)?.name;
    const others: RequestDecision[] = [];
    for (const other of overruled) others.push(await this.#showDecision(id, other));
    return {
      ...{ id, state, operation: entry.operation, by: entry.by, at: entry.at, expiresAt: entry.expiresAt },
      ...{
        preview: entry.preview,
        moved: state === "open" && (await this.hasMoved(entry)),
        overruled: others,
      },
      ...(branch === undefined ? {} : { branch }),
      ...(reason === undefined ? {} : { reason }),
      ...(decision === undefined ? {} : { decision: await this.#showDecision(id, decision) }),
      ...closed,
    };
  }

  async hasMoved({ heads }: RequestEntry): Promise<boolean> {
    for (const [branch, previewed] of Object.entries(heads)) {
      const view = await this.#options.views.look(branch as BranchId);
      if (view.heads.join() !== [...previewed].sort().join()) return true;
    }
    return false;
  }

  async #showDecision(id: RequestId, { text, ...decision }: DecisionEntry): Promise<RequestDecision> {
    const { reason } = await readText(this.#options.load, id, text);
    return { ...decision, ...(reason === undefined ? {} : { reason }) };
  }

  #all(): FoundRequest[] {
    const requests = new Map<RequestId, RequestEntry>();
    const decisions = new Map<RequestId, DecisionEntry[]>();
    for (const [key, setting] of this.#options.catalog.current.settings) {
      const about = requestOfKey(key);
      if (about === undefined) continue;
      for (const value of valuesOf(setting)) {
        const request = about.isDecision ? undefined : parseRequestEntry(value);
        const decision = about.isDecision ? parseDecisionEntry(value) : undefined;
        if (request !== undefined) requests.set(about.id, request);
        if (decision !== undefined) decisions.set(about.id, [...(decisions.get(about.id) ?? []), decision]);
      }
    }
    return [...requests].map(([id, entry]) => ({ id, entry, decisions: decisions.get(id) ?? [] }));
  }

  /** Durable when it returns. */
  async #put(key: string, entry: RequestEntry | DecisionEntry): Promise<void> {
    const value = entry as unknown as Encodable;
    await this.#options.catalog.put(() => [{ map: "settings", key, entry: { value } }]);
    await this.#options.documents.flush();
  }
}
