/**
 * From refs to states: which branch, and which of its changes had happened.
 *
 * @module
 */
import {
  type BranchState,
  CambiumError,
  type ChangeSet,
  changesUntil,
  decodeReferences,
  isCambiumError,
  type MemoryId,
  memoryIds,
  memoryKey,
  parseRef,
  type RecordLoader,
  type RefPoint,
  readMemory,
} from "@cambium/core";
import type { AtRef, StateRef } from "../api.js";
import type { BranchDirectory, KnownBranch } from "./branch-directory.js";
import type { BranchView, BranchViews } from "./branch-views.js";

export interface FoundState {
  readonly branch: KnownBranch;
  readonly view: BranchView;
  readonly state: BranchState;
  readonly ref: StateRef;
}

export class StateFinder {
  readonly #directory: BranchDirectory;
  readonly #views: BranchViews;
  readonly #load: RecordLoader;
  readonly #now: () => number;

  constructor(directory: BranchDirectory, views: BranchViews, load: RecordLoader, now: () => number) {
    this.#directory = directory;
    this.#views = views;
    this.#load = load;
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
    const set = await this.#setAt(view, ref.point, text);
    const state = view.state(set);
    const heads = set === undefined ? view.history.heads : view.history.headsOf(set);
    return { branch: found, view, state, ref: { ref: text, branch: found.name, heads } };
  }

  /** A branch's name goes before a date: there may be a branch named `yesterday`. */
  async #parse(text: string): Promise<{ readonly branch: string | undefined; readonly point: RefPoint }> {
    if (!text.includes("@")) {
      const branches = await this.#directory.all();
      if (branches.some(({ id, name, ownName }) => [id, name, ownName].includes(text))) {
        return { branch: text, point: { kind: "now" } };
      }
      if (text.includes("~")) return { branch: text, point: { kind: "now" } };
      const date = dateOrUndefined(text, this.#now());
      return date ?? { branch: text, point: { kind: "now" } };
    }
    return parseRef(text, this.#now());
  }

  async #setAt(view: BranchView, point: RefPoint, ref: string): Promise<ChangeSet | undefined> {
    switch (point.kind) {
      case "now":
        return undefined;
      case "time":
        return changesUntil(view.times, point.at);
      case "heads":
        return view.history.ancestors(point.heads);
      case "checkpoint":
        throw new CambiumError("CHECKPOINT_NOT_FOUND", `There is no checkpoint named "${point.name}".`, {
          details: { ref },
        });
      case "git":
        return this.#setAtCommit(view, point.commit);
      default:
        return point satisfies never;
    }
  }

  /** The state at the newest change that wrote a memory pinned to this commit. */
  async #setAtCommit(view: BranchView, commit: string): Promise<ChangeSet> {
    const state = view.state();
    let newest = -1;
    for (const id of memoryIds(state)) {
      const reading = await readMemory(state, id, this.#load);
      const pinned = new Set(
        [...(reading?.records.values() ?? [])]
          .filter(({ fields }) => fields.git?.commit.startsWith(commit))
          .map(({ hash }) => hash),
      );
      if (pinned.size > 0) newest = Math.max(newest, lastPositionOf(view, id, pinned));
    }
    const change = view.history.changes[newest];
    if (change === undefined) {
      throw new CambiumError("BAD_REF", `No memory on this branch is pinned to the commit ${commit}.`, {
        hint: "Pin memories to commits when you write them: { git: { commit } }.",
      });
    }
    return view.history.ancestors([change.hash]);
  }
}

function lastPositionOf(view: BranchView, id: MemoryId, records: ReadonlySet<string>): number {
  const positions = view.history
    .writes(memoryKey(id))
    .filter(({ value }) => namesOne(value, records))
    .map(({ position }) => position);
  return Math.max(-1, ...positions);
}

function namesOne(value: Uint8Array | number, records: ReadonlySet<string>): boolean {
  return (
    value instanceof Uint8Array && (decodeReferences(value) ?? []).some(({ record }) => records.has(record))
  );
}

function dateOrUndefined(text: string, now: number): ReturnType<typeof parseRef> | undefined {
  try {
    return parseRef(text, now);
  } catch (error) {
    if (isCambiumError(error, "BAD_REF")) return undefined;
    throw error;
  }
}
