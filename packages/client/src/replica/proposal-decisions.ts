/**
 * Who decided what about proposals: written into the catalog with each decision, so that every device lists the same.
 *
 * @module
 */
import {
  CambiumError,
  compareText,
  type DecidedProposal,
  type Encodable,
  MOST_DECIDED_NAMED,
  newUuid,
  type Platform,
  type ProposalDecisionEntry,
  parseProposalDecision,
  proposalDecisionKey,
  proposalDecisionOfKey,
  type ReplicaId,
} from "@cambium/core";
import type { ProposalDecision, ProposalDecisionOptions, ProposalDecisionPage } from "../api.js";
import { authorOf, type Caller } from "../governance/caller.js";
import { lineOf } from "../index-store/log-queries.js";
import type { SpaceParts } from "./space-parts.js";

export interface ProposalDecisionsOptions {
  readonly parts: Pick<SpaceParts, "catalog" | "documents" | "concealments" | "versions">;
  readonly platform: Pick<Platform, "random">;
  readonly now: () => number;
  readonly replica: ReplicaId;
}

type NewDecision = Pick<ProposalDecisionEntry, "decision" | "branch" | "proposals"> & {
  readonly agents: readonly (string | undefined)[];
};

const DEFAULT_LIMIT = 100;
const MOST = 1_000;
const MOST_WORDED = 3;

export class ProposalDecisions {
  readonly #options: ProposalDecisionsOptions;

  constructor(options: ProposalDecisionsOptions) {
    this.#options = options;
  }

  /** Durable when it returns. */
  async note(caller: Caller, { decision, branch, proposals, agents }: NewDecision): Promise<void> {
    const { parts, platform, now, replica } = this.#options;
    const names = [...new Set(agents.filter((name) => name !== undefined))];
    const entry: ProposalDecisionEntry = {
      ...{ decision, at: now(), branch, count: proposals.length },
      by: { role: caller.role, ...authorOf(caller), replica },
      proposals: proposals.slice(0, MOST_DECIDED_NAMED),
      agents: names.sort(compareText).slice(0, MOST_DECIDED_NAMED),
    };
    const key = proposalDecisionKey(newUuid({ now, random: platform.random }));
    const value = entry as unknown as Encodable;
    await parts.catalog.put(() => [{ map: "settings", key, entry: { value } }]);
    await parts.documents.flush();
  }

  async list({ limit = DEFAULT_LIMIT, cursor }: ProposalDecisionOptions = {}): Promise<ProposalDecisionPage> {
    const last = cursor === undefined ? undefined : placeOf(cursor);
    const left = this.#shown().filter((one) => last === undefined || newestFirst(last, one) < 0);
    const page = left.slice(0, checkedLimit(limit));
    const decisions: ProposalDecision[] = [];
    for (const { id, entry } of page) decisions.push(await this.#worded(id, entry));
    const end = page.at(-1);
    const isMore = end !== undefined && left.length > page.length;
    return { decisions, ...(isMore ? { cursor: `${end.at}.${end.id}` } : {}) };
  }

  /** Newest first. Of memories that are concealed nothing is said. */
  #shown(): readonly (Place & { readonly entry: ProposalDecisionEntry })[] {
    const { catalog, concealments } = this.#options.parts;
    const found = [...catalog.current.settings].flatMap(([key, { value }]) => {
      const id = proposalDecisionOfKey(key);
      const entry = id === undefined ? undefined : parseProposalDecision(value.value);
      if (id === undefined || entry === undefined) return [];
      const proposals = entry.proposals.filter((one) => !concealments.isConcealed(one.id));
      const count = entry.count - (entry.proposals.length - proposals.length);
      // Which of the agents proposed which is not kept: one of them may have proposed what is concealed alone.
      const agents = count === entry.count ? entry.agents : [];
      return count === 0 ? [] : [{ id, at: entry.at, entry: { ...entry, proposals, count, agents } }];
    });
    return found.sort(newestFirst);
  }

  async #worded(
    id: string,
    { decision, by, at, branch, count, agents, proposals }: ProposalDecisionEntry,
  ): Promise<ProposalDecision> {
    const worded: ProposalDecision["proposals"][number][] = [];
    for (const [index, proposal] of proposals.entries()) {
      const text = index < MOST_WORDED ? await this.#textOf(proposal, branch) : undefined;
      worded.push({ ...proposal, ...(text === undefined ? {} : { text }) });
    }
    return { id, decision, by, at, count, proposals: worded, agents };
  }

  /** Its branch may be deleted, and its words may be erased or not have arrived. */
  async #textOf(
    { id, record }: DecidedProposal,
    branch: ProposalDecisionEntry["branch"],
  ): Promise<string | undefined> {
    const { versions } = this.#options.parts;
    const found = await versions.version(id, record, { branch }).catch(() => undefined);
    const text = found === undefined ? "" : lineOf(found);
    return text === "" ? undefined : text;
  }
}

/** Where a decision stands in the list; it keeps its place when others, or it, are concealed. */
interface Place {
  readonly id: string;
  readonly at: number;
}

const newestFirst = (a: Place, b: Place): number => b.at - a.at || compareText(b.id, a.id);

/** @throws {CambiumError} BAD_INPUT */
function placeOf(cursor: string): Place {
  const [, at, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new CambiumError("BAD_INPUT", "The cursor does not belong to this list.", {
      hint: "Take the cursor of the page before, or none.",
    });
  return { id, at: Number(at) };
}

function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MOST}.`);
}
