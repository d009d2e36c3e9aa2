/**
 * From refs to states: which branch, and which of its changes had happened.
 *
 * @module
 */
import { CambiumError, type ChangeHash, isCambiumError, parseRef, type RefPoint } from "@cambium/core";
import type { AtRef, StateRef } from "../api.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { IndexedState } from "../index-store/state-queries.js";
import type { BranchDirectory, KnownBranch } from "./branch-directory.js";
import type { BranchView, BranchViews } from "./branch-views.js";

export interface FoundState {
  readonly branch: KnownBranch;
  readonly view: BranchView;
  readonly state: IndexedState;
  /** Whether this is the branch as it is now, rather than as it was. */
  readonly isNow: boolean;
  /** The date that names it, if one does. */
  readonly at: number | undefined;
  /** Computed when asked for: most readers do not need the heads. */
  readonly ref: StateRef;
}

export class StateFinder {
  readonly #directory: BranchDirectory;
  readonly #views: BranchViews;
  readonly #index: SpaceIndex;
  readonly #now: () => number;

  constructor(directory: BranchDirectory, views: BranchViews, index: SpaceIndex, now: () => number) {
    this.#directory = directory;
    this.#views = views;
    this.#index = index;
    this.#now = now;
  }

  /** @throws {CambiumError} BAD_REF, BRANCH_NOT_FOUND, HEADS_NOT_HERE, CHECKPOINT_NOT_FOUND */
  async find({ branch, at }: AtRef = {}): Promise<FoundState> {
    const text = at?.trim() || (branch ?? "main");
    const ref =
      at === undefined
        ? { branch: branch ?? "main", point: { kind: "now" } as const }
        : await this.#parse(text);
    const found = await this.#directory.find(ref.branch ?? branch ?? "main");
    const view = await this.#views.open(found.id);
    const { state, heads } = await this.#stateAt(view, ref.point, text);
    return {
      ...{ branch: found, view, state, isNow: ref.point.kind === "now" },
      at: ref.point.kind === "time" ? ref.point.at : undefined,
      get ref() {
        return { ref: text, branch: found.name, heads: heads() };
      },
    };
  }

  /** A branch's name goes before a date: there may be a branch named `yesterday`. */
  async #parse(text: string): Promise<{ readonly branch: string | undefined; readonly point: RefPoint }> {
    if (!text.includes("@")) {
      const branches = await this.#directory.all();
      if (branches.some(({ id, name, ownName }) => [id, name, ownName].includes(text))) {
        return { branch: text, point: { kind: "now" } };
      }
      if (text.includes("~")) return { branch: text, point: { kind: "now" } };
      const date = await dateOrUndefined(text, this.#now());
      return date ?? { branch: text, point: { kind: "now" } };
    }
    return parseRef(text, this.#now());
  }

  async #stateAt(
    view: BranchView,
    point: RefPoint,
    ref: string,
  ): Promise<{ readonly state: IndexedState; readonly heads: () => readonly ChangeHash[] }> {
    const { row } = view;
    switch (point.kind) {
      case "now": {
        const heads = view.heads; // as of this answer: the branch may move on
        return { state: this.#index.states.stateAt(row, undefined), heads: () => heads };
      }
      case "time":
        return {
          state: this.#index.states.stateAt(row, point.at),
          heads: () => this.#index.headsAt(row, point.at),
        };
      case "heads":
        return this.#atHeads(view, point.heads);
      case "checkpoint":
        throw new CambiumError("CHECKPOINT_NOT_FOUND", `There is no checkpoint named "${point.name}".`, {
          details: { ref },
        });
      case "git":
        return this.#atHeads(view, [this.#index.changeAtCommit(row, point.commit)]);
      default:
        return point satisfies never;
    }
  }

  async #atHeads({ row }: BranchView, heads: readonly ChangeHash[]) {
    const own = this.#index.headsAmong(row, heads);
    return { state: await this.#index.stateAtHeads(row, own), heads: () => own };
  }
}

async function dateOrUndefined(
  text: string,
  now: number,
): Promise<Awaited<ReturnType<typeof parseRef>> | undefined> {
  try {
    return await parseRef(text, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return undefined;
    throw error;
  }
}
