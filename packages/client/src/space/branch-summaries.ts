/**
 * How branches differ from those they were made from, for many branches at once: only what was written on each is looked
 * at, whatever the space holds.
 *
 * @module
 */
import { type BranchId, differingFields } from "@cambium/core";
import type { BranchSummary } from "../api.js";
import { arrivingMemories } from "../index-store/difference-queries.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { IndexedState } from "../index-store/state-queries.js";
import type { BranchDirectory, KnownBranch } from "./branch-directory.js";
import { startOf } from "./branch-start.js";
import type { BranchView, BranchViews } from "./branch-views.js";
import { withNotes } from "./change-notes.js";

export interface BranchSummariesOptions {
  readonly index: SpaceIndex;
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
}

type Differences = Pick<BranchSummary, "created" | "changed" | "hidden" | "onBothSides">;

export class BranchSummaries {
  readonly #services: BranchSummariesOptions;

  constructor(services: BranchSummariesOptions) {
    this.#services = services;
  }

  async list(deleted: boolean): Promise<readonly BranchSummary[]> {
    const all = await this.#services.directory.all();
    const names = new Map(all.map(({ id, name }) => [id, name]));
    const summaries: BranchSummary[] = [];
    for (const branch of all)
      if (deleted || branch.status !== "deleted") summaries.push(await this.#summaryOf(branch, names));
    return summaries;
  }

  async #summaryOf(branch: KnownBranch, names: ReadonlyMap<BranchId, string>): Promise<BranchSummary> {
    const { views, index } = this.#services;
    const { id, name, status, entry, notice } = branch;
    const view = await views.look(id);
    const parent = entry?.parent === undefined ? undefined : await views.look(entry.parent);
    const parentName = entry?.parent === undefined ? undefined : names.get(entry.parent);
    const merged = parent && index.tables.distances.lastMergeOf(parent.row, id);
    const startsAt = parent && entry && startOf(entry);
    const last = view.absence === undefined ? await this.#lastOf(view) : undefined;
    return {
      ...{ id, name, status, isHere: view.absence === undefined },
      ...(parentName === undefined ? {} : { parent: parentName }),
      ...(parent === undefined || entry === undefined ? {} : { forkedAt: entry.createdAt }),
      ...(startsAt === undefined ? {} : { startsAt }),
      ...(merged === undefined ? {} : { merged }),
      ...(last === undefined ? {} : { last }),
      ...(parent === undefined || view.absence !== undefined || parent.absence !== undefined
        ? {}
        : this.#differences(view, parent, startsAt ?? 0)),
      ...(view.absence === undefined ? { conflicts: index.states.conflictsWrittenOn(view.row) } : {}),
      ...(notice === undefined ? {} : { notice }),
    };
  }

  /** Since it was made, and without what its parent has, or shows the same, by now. */
  #differences({ row }: BranchView, parent: BranchView, startsAt: number): Differences {
    const { states, tables } = this.#services.index;
    const forked = row.parent === parent.row ? row.sharedUntil : startsAt;
    const [before, now, other] = [
      states.stateAt(parent.row, forked),
      states.stateAt(row, undefined),
      states.stateAt(parent.row, undefined),
    ];
    const counts = { created: 0, changed: 0, hidden: 0, onBothSides: 0 };
    const arriving = new Set(arrivingMemories(tables, row, parent.row));
    const memories = states.mayDiffer(before, now).filter((memory) => arriving.has(memory));
    const [was, is, theirs] = [before, now, other].map((state) => this.#shown(state, memories));
    for (const [place, memory] of memories.entries()) {
      const [a, b, c] = [was?.[place], is?.[place], theirs?.[place]];
      if (a?.snapshot === b?.snapshot || b?.snapshot === c?.snapshot) continue;
      const kind = kindOf(a?.isVisible === true, b?.isVisible === true);
      if (kind === undefined) continue;
      const isOnBoth = c?.snapshot !== a?.snapshot;
      if (isOnBoth && this.#isThere(before, now, other, memory)) continue;
      counts[kind] += 1;
      if (isOnBoth) counts.onBothSides += 1;
    }
    return counts;
  }

  /** What was brought over in part is told by other records there. Fields that the branch left alone do not count. */
  #isThere(before: IndexedState, now: IndexedState, other: IndexedState, memory: number): boolean {
    const { states } = this.#services.index;
    const [[was, is] = []] = states.pairs(before, now, [memory]);
    const [[theirs] = []] = states.pairs(other, now, [memory]);
    if (is === undefined || theirs === undefined || is.deleted !== theirs.deleted) return false;
    if (is.deleted) return true;
    const [own, open] = [was && new Set(differingFields(was, is)), differingFields(theirs, is)];
    return open.every((field) => own?.has(field) === false);
  }

  #shown({ levels }: IndexedState, memories: readonly number[]) {
    const { intervals, snapshots } = this.#services.index.tables;
    return intervals.shownOf(levels, memories).map((shown) => {
      if (shown?.snapshot === undefined) return undefined;
      return { snapshot: shown.snapshot, isVisible: !snapshots.metadata(shown.snapshot).deleted };
    });
  }

  async #lastOf({ row }: BranchView): Promise<BranchSummary["last"]> {
    const { index } = this.#services;
    const newest = { since: row.lastAt - 1, limit: 1, after: undefined };
    const entries = index.log.entries(index.states.stateAt(row, undefined), newest);
    const [entry] = await withNotes(entries, index.loadAndKeep);
    return entry && { at: entry.at, by: entry.by };
  }
}

function kindOf(wasVisible: boolean, isVisible: boolean): "created" | "changed" | "hidden" | undefined {
  if (isVisible) return wasVisible ? "changed" : "created";
  return wasVisible ? "hidden" : undefined;
}
