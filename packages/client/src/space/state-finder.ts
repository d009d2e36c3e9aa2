/**
 * From refs to states: which branch, and which of its changes had happened.
 *
 * @module
 */
import {
  type BranchId,
  type ChangeHash,
  isCambiumError,
  neitherBranchNorTime,
  parseRef,
  type Ref,
  type RefPoint,
} from "@cambium/core";
import type { AtRef, StateRef } from "../api.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { IndexedState } from "../index-store/state-queries.js";
import type { BranchDirectory, KnownBranch } from "./branch-directory.js";
import type { BranchView, BranchViews } from "./branch-views.js";
import type { CheckpointDirectory, KnownCheckpoint } from "./checkpoint-directory.js";
import { headsNotHere } from "./heads-not-here.js";
import { steadyAnswer } from "./steady-answer.js";

export interface FoundState {
  readonly branch: KnownBranch;
  readonly view: BranchView;
  /** As of now: what heads name stays what it is, whatever was placed on the branch since they were found. */
  readonly state: IndexedState;
  /** Whether this is the branch as it is now, rather than as it was. */
  readonly isNow: boolean;
  /** The date that names it, if one does. */
  readonly at: number | undefined;
  /** The checkpoint that names it, if one does. */
  readonly checkpoint: KnownCheckpoint | undefined;
  /** Computed when asked for: most readers do not need the heads. */
  readonly ref: StateRef;
}

type Point =
  | Exclude<RefPoint, { readonly kind: "checkpoint" }>
  | { readonly kind: "checkpoint"; readonly checkpoint: KnownCheckpoint };

export interface StateFinderOptions {
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
  readonly index: SpaceIndex;
  readonly checkpoints: CheckpointDirectory;
  readonly now: () => number;
}

export class StateFinder {
  readonly #options: StateFinderOptions;

  constructor(options: StateFinderOptions) {
    this.#options = options;
  }

  /** @throws {CambiumError} BAD_REF, BRANCH_NOT_FOUND, HEADS_NOT_HERE, CHECKPOINT_NOT_FOUND */
  find(ref?: AtRef): Promise<FoundState> {
    return this.#find(ref, (id) => this.#options.views.open(id));
  }

  /** A branch as it is now, to write something new on: see `BranchViews.openToAdd`. */
  findToAdd(branch: string): Promise<FoundState> {
    return this.#find({ branch }, (id) => this.#options.views.openToAdd(id));
  }

  /** A branch as it is now, which may not be here: see `BranchView.absence`. */
  look(branch: string): Promise<FoundState> {
    return this.#find({ branch }, (id) => this.#options.views.look(id));
  }

  #find(ref: AtRef | undefined, open: (branch: BranchId) => Promise<BranchView>): Promise<FoundState> {
    return steadyAnswer(this.#options.index, () => this.#findOnce(ref, open));
  }

  async #findOnce(
    { branch, at }: AtRef = {},
    open: (branch: BranchId) => Promise<BranchView>,
  ): Promise<FoundState> {
    const text = at?.trim() || (branch ?? "main");
    const ref =
      at === undefined
        ? { branch: branch ?? "main", point: { kind: "now" } as const }
        : await this.#parse(text);
    const point = await this.#pointOf(ref, branch);
    const checkpoint = point.kind === "checkpoint" ? point.checkpoint : undefined;
    // A checkpoint knows its branch.
    const found = await this.#options.directory
      .find(ref.branch ?? checkpoint?.entry.branch ?? branch ?? "main")
      .catch((error: unknown) => {
        // A word that stands alone may have been meant as a time: the branches alone would be no help.
        if (at === undefined || text !== ref.branch || !isCambiumError(error, "BRANCH_NOT_FOUND"))
          throw error;
        throw neitherBranchNorTime(text, error.details?.branches as readonly string[] | undefined);
      });
    if (checkpoint !== undefined) await this.#refuseLate(found, checkpoint);
    const view = await open(found.id);
    const { state, heads } = await this.#stateAt(view, point);
    return {
      ...{ branch: found, view, checkpoint, isNow: ref.point.kind === "now" },
      get state() {
        return state();
      },
      at: ref.point.kind === "time" ? ref.point.at : undefined,
      get ref() {
        return { ref: text, branch: found.name, heads: heads() };
      },
    };
  }

  async #pointOf({ branch, point }: Ref, asked = "main"): Promise<Point> {
    if (point.kind !== "checkpoint") return point;
    const { directory, checkpoints } = this.#options;
    const known = branch === undefined ? undefined : await directory.find(branch);
    const usual = known ?? (await directory.find(asked));
    return { kind: "checkpoint", checkpoint: await checkpoints.find(point.name, known?.id, usual.id) };
  }

  async #refuseLate({ id, name }: KnownBranch, checkpoint: KnownCheckpoint): Promise<void> {
    const { heads, branch } = checkpoint.entry;
    const { row } = await this.#options.views.look(id);
    const missing = heads.filter(
      (head) => this.#options.index.tables.changes.placeOf(row, head) === undefined,
    );
    if (missing.length > 0) throw headsNotHere(checkpoint, missing, id === branch ? undefined : name);
  }

  /** A branch's name goes before a date, and a date before a checkpoint: there may be a branch named `yesterday`. */
  async #parse(text: string): Promise<Ref> {
    if (!text.includes("@") && !text.startsWith("checkpoint:")) {
      const branches = await this.#options.directory.all();
      if (branches.some(({ id, name, ownName }) => [id, name, ownName].includes(text))) {
        return { branch: text, point: { kind: "now" } };
      }
      if (text.includes("~")) return { branch: text, point: { kind: "now" } };
      const date = await dateOrUndefined(text, this.#options.now());
      if (date !== undefined) return date;
      return (await this.#options.checkpoints.has(text))
        ? { branch: undefined, point: { kind: "checkpoint", name: text } }
        : { branch: text, point: { kind: "now" } };
    }
    return parseRef(text, this.#options.now());
  }

  async #stateAt(
    view: BranchView,
    point: Point,
  ): Promise<{ readonly state: () => IndexedState; readonly heads: () => readonly ChangeHash[] }> {
    const { row } = view;
    switch (point.kind) {
      case "now": {
        const heads = view.heads; // as of this answer: the branch may move on
        const state = this.#options.index.states.stateAt(row, undefined);
        return { state: () => state, heads: () => heads };
      }
      case "time": {
        const state = this.#options.index.states.stateAt(row, point.at);
        return { state: () => state, heads: () => this.#options.index.headsAt(row, point.at) };
      }
      case "heads":
        return this.#atHeads(view, point.heads);
      case "checkpoint":
        return this.#atHeads(view, point.checkpoint.entry.heads);
      case "git":
        return this.#atHeads(view, [this.#options.index.changeAtCommit(row, point.commit)]);
      default:
        return point satisfies never;
    }
  }

  /** Heads name the same state for ever: what is placed between finding it and reading it has no part in it. */
  async #atHeads({ row }: BranchView, heads: readonly ChangeHash[]) {
    const own = this.#options.index.headsAmong(row, heads);
    let { size } = row;
    let state = await this.#options.index.stateAtHeads(row, own);
    const current = (): IndexedState => {
      if (row.size === size) return state;
      state = this.#options.index.stateAtHeadsNow(row, own) ?? state;
      size = row.size;
      return state;
    };
    return { state: current, heads: () => own };
  }
}

/** No branch can be named so: it was meant as a date, though there is no such day. */
const LIKE_A_DATE = /^\d{4}(-\d{2}(-\d{2}([T ].*)?)?)?$/s;

async function dateOrUndefined(text: string, now: number): Promise<Ref | undefined> {
  try {
    return await parseRef(`@${text}`, now); // else a word such as `yesterday` would be taken for a branch
  } catch (error) {
    if (isCambiumError(error, "BAD_REF") && !LIKE_A_DATE.test(text)) return undefined;
    throw error;
  }
}
