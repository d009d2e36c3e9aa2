/**
 * Making, listing, renaming, deleting and merging branches.
 *
 * @module
 */
import {
  type BranchId,
  bytesToHex,
  CambiumError,
  type Catalog,
  type ChangeHash,
  checkName,
  type DocumentId,
  documentIdFromHex,
  findUndone,
  type MemoryId,
  type MergePlan,
  newUuid,
  planCreate,
  planMerge,
  type RecordHash,
  type Reference,
  readSettings,
  settingOf,
  type WriteContext,
} from "@cambium/core";
import type { Branches, BranchInfo, MergeOptions, MergeResult, NewBranch, StateRef } from "../api.js";
import * as A from "../documents/automerge.js";
import { deviceNames } from "../documents/device-names.js";
import { mergeAction } from "../governance/checked-actions.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import { type KnownBranch, nameMemoryId, refuseDeleted } from "../space/branch-directory.js";
import { startInThePast, startOf } from "../space/branch-start.js";
import type { BranchView } from "../space/branch-views.js";
import { withNotes, writeNote } from "../space/change-notes.js";
import type { SpaceServices } from "../space/space-services.js";
import type { FoundState } from "../space/state-finder.js";
import { choiceOf } from "./merge-choice.js";

export type BranchServices = Omit<SpaceServices, "identity" | "codec" | "uses">;

export class BranchOperations implements Branches {
  readonly #services: BranchServices;
  readonly #context: () => WriteContext;
  readonly #policyCheck: PolicyCheck;

  constructor(services: BranchServices, context: () => WriteContext, policyCheck: PolicyCheck) {
    this.#services = services;
    this.#context = context;
    this.#policyCheck = policyCheck;
  }

  /** Costs the same at any size when it forks from now: the stored chunks are shared, not read. */
  async create(name: string, options: { readonly from?: string } = {}): Promise<NewBranch> {
    const { writer, directory } = this.#services;
    writer.refuseReaders();
    const checked = checkName("branch", name);
    return directory.naming.take(() => this.#create(checked, options));
  }

  async #create(checked: string, options: { readonly from?: string }): Promise<NewBranch> {
    const { finder, platform, replica, now, catalog, documents, index } = this.#services;
    await this.#refuseTaken(checked);
    await this.#refuseMore();
    const source = await finder.find({ at: options.from ?? "main" });
    const id = bytesToHex(platform.random(16)) as BranchId;
    const document = documentIdFromHex(id);
    const reference = await this.#writeName(id, checked);
    const heads = await this.#fork(source, document);
    const createdAt = now();
    const past = source.isNow ? undefined : startInThePast(index.tables, source.view, heads, createdAt);
    const entry = {
      ...{ document, parent: source.branch.id, forkHeads: heads, createdBy: replica(), createdAt },
      ...(past === undefined ? {} : { startsAt: past }),
    };
    await catalog.put(() => [
      { map: "branches", key: id, entry },
      { map: "branchStates", key: id, entry: { name: reference, status: "open" } },
    ]);
    await documents.flush();
    return {
      id,
      name: checked,
      status: "open",
      head: heads,
      parent: source.branch.name,
      forkedAt: createdAt,
      startsAt: past ?? createdAt,
    };
  }

  /** @returns the heads that the branch begins with */
  async #fork({ view, ref, isNow }: FoundState, document: DocumentId): Promise<readonly ChangeHash[]> {
    const { documents } = this.#services;
    if (isNow && documents.isHere(view.document)) {
      await documents.flush(); // what is written meanwhile is in the copy and its heads, or in neither
      return documents.copy(view.document, document);
    }
    await documents.prepare();
    documents.createFrom(document, await this.#bytesAt(view, ref));
    return ref.heads;
  }

  async #bytesAt(view: BranchView, { heads }: StateRef): Promise<Uint8Array | undefined> {
    const doc = await this.#services.documents.load("branch", view.document);
    if (doc === undefined || heads.length === 0) return undefined;
    const past = A.getBackend(doc).fork(undefined, [...heads]);
    const bytes = past.save();
    past.free();
    return bytes;
  }

  async #refuseTaken(name: string): Promise<void> {
    const taken = (await this.#services.directory.all()).some(
      (branch) => [branch.name, branch.ownName].includes(name) && branch.status !== "deleted",
    );
    if (!taken) return;
    throw new CambiumError("BRANCH_EXISTS", `A branch named ${name} exists already.`, {
      hint: "Choose another name, or delete or rename that one.",
    });
  }

  /** Main does not count. */
  async #refuseMore(): Promise<void> {
    const { catalog, directory } = this.#services;
    const limit = settingOf(readSettings(catalog.current.settings), "branches.open");
    if (typeof limit !== "number") return;
    const open = (await directory.all()).filter(
      ({ id, status }) => id !== directory.main && status === "open",
    );
    if (open.length < limit) return;
    throw new CambiumError("BRANCH_LIMIT", `${limit} open branches are the maximum.`, {
      hint: "Merge or delete one first, or raise the setting branches.open.",
      details: { limit },
    });
  }

  async #writeName(id: BranchId, name: string): Promise<Reference> {
    const { packs } = this.#services;
    const { draft } = planCreate(nameMemoryId(id), { content: name }, this.#context(), { type: "name" });
    const sealed = await packs.seal(draft);
    packs.put([sealed]);
    return { record: sealed.record.hash, pack: sealed.record.pack };
  }

  async list({ deleted = false }: { readonly deleted?: boolean } = {}): Promise<readonly BranchInfo[]> {
    const branches = (await this.#services.directory.all()).filter(
      ({ status }) => deleted || status !== "deleted",
    );
    const infos: BranchInfo[] = [];
    for (const branch of branches) infos.push(await this.#describe(branch));
    return infos;
  }

  async rename(branch: string, name: string): Promise<BranchInfo> {
    const { directory, writer } = this.#services;
    writer.refuseReaders();
    const checked = checkName("branch", name);
    return directory.naming.take(() => this.#rename(branch, checked));
  }

  async #rename(branch: string, checked: string): Promise<BranchInfo> {
    const { directory, catalog, documents } = this.#services;
    const asked = catalog.current;
    const found = await this.#findOther(branch, "renamed");
    await this.#refuseTaken(checked);
    const reference = await this.#writeName(found.id, checked);
    await catalog.put((current) => {
      refuseRenamed(found.id, asked, current);
      const status = current.branchStates.get(found.id)?.value.status ?? "open";
      return [{ map: "branchStates", key: found.id, entry: { name: reference, status } }];
    });
    await documents.flush();
    return this.#describe(await directory.find(found.id));
  }

  /** A status: its history stays, and what others still write to it is kept. */
  async delete(branch: string): Promise<void> {
    const { writer, directory } = this.#services;
    writer.refuseReaders();
    return directory.naming.take(() => this.#delete(branch));
  }

  async #delete(branch: string): Promise<void> {
    const { catalog, documents } = this.#services;
    const found = await this.#findOther(branch, "deleted");
    await catalog.put(({ branchStates }) => {
      const name = branchStates.get(found.id)?.value.name;
      return [{ map: "branchStates", key: found.id, entry: { name, status: "deleted" } }];
    });
    await documents.flush();
  }

  async restore(branch: string): Promise<BranchInfo> {
    const { writer, directory } = this.#services;
    writer.refuseReaders();
    return directory.naming.take(() => this.#restore(branch));
  }

  async #restore(branch: string): Promise<BranchInfo> {
    const { directory, catalog, documents } = this.#services;
    const found = await directory.findDeleted(branch);
    if (found.status !== "deleted") return this.#describe(found);
    await this.#refuseTaken(found.ownName);
    await this.#refuseMore();
    await catalog.put(({ branchStates }) => {
      const name = branchStates.get(found.id)?.value.name;
      if (name === undefined) throw nameErased(found);
      return [{ map: "branchStates", key: found.id, entry: { name, status: "open" } }];
    });
    await documents.flush();
    return this.#describe(await directory.find(found.id));
  }

  async #findOther(branch: string, done: string): Promise<KnownBranch> {
    const found = await this.#services.directory.findToEnd(branch);
    if (found.id !== this.#services.directory.main) return found;
    throw new CambiumError("BAD_INPUT", `main cannot be ${done}.`);
  }

  async #describe(branch: KnownBranch): Promise<BranchInfo> {
    const { views, directory, index } = this.#services;
    const view = await views.look(branch.id);
    const last = await this.#lastOf(view);
    const { parent, createdAt } = branch.entry ?? {};
    const parentView = parent === undefined ? undefined : await views.look(parent);
    const startsAt = branch.entry && startOf(branch.entry);
    const { absence } = view;
    const parentName =
      parent === undefined ? undefined : (await directory.all()).find(({ id }) => id === parent)?.name;
    const { distances } = index.tables;
    const merged = parentView === undefined ? undefined : distances.lastMergeOf(parentView.row, branch.id);
    return {
      id: branch.id,
      name: branch.name,
      status: branch.status,
      isHere: absence === undefined,
      ...(absence === undefined
        ? { memories: index.states.counts(index.states.stateAt(view.row, undefined)).memories }
        : {}),
      head: view.heads,
      ...(absence === undefined && parentView?.absence === undefined
        ? {
            ahead: parentView === undefined ? 0 : distances.countLacking(view.row, parentView.row),
            behind: parentView === undefined ? 0 : distances.countLacking(parentView.row, view.row),
          }
        : {}),
      ...(absence?.madeBy === undefined ? {} : { madeBy: absence.madeBy }),
      ...(parentName === undefined ? {} : { parent: parentName }),
      ...(parent === undefined || createdAt === undefined ? {} : { forkedAt: createdAt }),
      ...(startsAt === undefined ? {} : { startsAt }),
      ...(merged === undefined ? {} : { merged }),
      ...(last === undefined ? {} : { last }),
      ...(branch.notice === undefined ? {} : { notice: branch.notice }),
    };
  }

  async #lastOf({ row, absence }: BranchView): Promise<BranchInfo["last"]> {
    const { index, catalog } = this.#services;
    if (absence !== undefined) return undefined;
    const newest = { since: Number.NEGATIVE_INFINITY, limit: 1, after: undefined };
    const entries = index.log.entries(index.states.stateAt(row, undefined), newest);
    const [entry] = await withNotes(entries, index.loadAndKeep);
    if (entry === undefined) return undefined;
    const { at, by } = entry;
    const device = by.replica && deviceNames(catalog.current).get(by.replica);
    return { at, by, ...(device === undefined ? {} : { device }) };
  }

  /** Whether the agent named the branch itself, and its parent shows everything that it brought. */
  async isMergedOwn(branch: string, agent: string | undefined): Promise<boolean> {
    const { directory, views, index, now } = this.#services;
    const found = await directory.find(branch, true);
    const parent = found.entry?.parent;
    if (agent === undefined || found.namedBy?.agent !== agent || parent === undefined) return false;
    const [view, into] = [await views.look(found.id), await views.look(parent)];
    if (view.absence !== undefined || into.absence !== undefined) return false;
    if (index.tables.distances.countLacking(view.row, into.row) > 0) return false;
    return findUndone(index.pairOf(view.row, into.row, now())).length === 0;
  }

  /**
   * Shows what a merge would do, or does it: all or nothing, as one change.
   *
   * @throws {CambiumError} CONTENT_NOT_HERE, STALE_EXPECTATION, MERGE_AGAIN_UNDECIDED, ROLE_REFUSED
   */
  async merge(options: MergeOptions): Promise<MergeResult> {
    const { directory, views, writer, packs } = this.#services;
    if (options.preview !== true) writer.refuseReaders();
    const [source, target] = [
      await directory.find(options.from),
      await directory.find(options.into ?? "main", options.preview !== true),
    ];
    if (options.preview !== true) refuseDeleted(target);
    if (source.id === target.id)
      throw new CambiumError("BAD_INPUT", "A branch cannot be merged into itself.");
    const [sourceView, targetView] = [await views.open(source.id), await views.open(target.id)];
    checkExpected(options, sourceView, targetView);
    const refs = { from: stateRef(source, sourceView), to: stateRef(target, targetView) };
    if (options.preview === true)
      return resultOf(await this.#plan(options, sourceView, targetView), refs, "preview");
    let plan: MergePlan | undefined;
    let note: string | undefined;
    const change = await writer.write({
      view: targetView,
      type: "merge",
      checkpoint: "merge",
      plan: async () => {
        await views.load(sourceView);
        plan = await this.#plan(options, sourceView, targetView);
        if (plan.status === "undecided") throw againUndecided(plan);
        if (plan.status !== "ready") return { writes: [] };
        await this.#policyCheck.check(mergeAction(options, plan, sourceView, targetView));
        const undos = plan.answered.map(({ undo }) => undo);
        const answer = undos.length === 0 ? {} : { of: undos, again: options.again === true };
        const statement = { from: source.id, ...answer };
        if (options.only !== undefined) return { writes: plan.writes, statement, isOfWhole: true };
        if (plan.writes.length === 0)
          note ??= await writeNote(packs, source.id, options.reason, this.#context());
        const signed = plan.writes.length === 0 ? { ...statement, note } : statement;
        const whole = { ...signed, heads: sourceView.heads };
        return { writes: plan.writes, statement: whole, mergeIn: sourceView, always: true };
      },
    });
    const result = resultOf(plan as MergePlan, refs, "merged");
    return change === undefined ? result : { ...result, change };
  }

  async #plan(options: MergeOptions, source: BranchView, target: BranchView): Promise<MergePlan> {
    const { platform, now, load, index } = this.#services;
    const strategy = options.strategy ?? (options.resolver === undefined ? "manual" : "resolver");
    if (strategy === "resolver" && options.resolver === undefined) {
      throw new CambiumError("BAD_INPUT", "The strategy resolver needs a resolver function.");
    }
    const context = this.#context();
    return await planMerge({
      branches: index.pairOf(source.row, target.row, context.at),
      strategy,
      resolutions: options.resolutions ?? {},
      resolver: options.resolver,
      chooses: options.only && (await choiceOf(options.only, source.branch, this.#services)),
      again: options.again,
      reason: options.reason,
      context,
      newMemoryId: () => newUuid<MemoryId>({ now, random: platform.random }),
      load,
    });
  }
}

const nameErased = ({ id }: KnownBranch): CambiumError =>
  new CambiumError("BAD_INPUT", "What only this branch had was erased, with its name. It cannot come back.", {
    details: { branch: id },
  });

/** A name that the caller cannot have seen is not written over. */
function refuseRenamed(branch: BranchId, asked: Catalog, current: Catalog): void {
  const known = nameRecordsIn(asked, branch);
  if (nameRecordsIn(current, branch).every((record) => known.includes(record))) return;
  throw new CambiumError("STALE_EXPECTATION", "The branch was given another name at the same moment.", {
    hint: "List the branches, and rename it again if that name is to go.",
    details: { branch },
  });
}

function nameRecordsIn({ branchStates }: Catalog, branch: BranchId): readonly (RecordHash | undefined)[] {
  const state = branchStates.get(branch);
  return state === undefined ? [] : [state.value, ...state.others].map(({ name }) => name?.record);
}

function checkExpected({ expect }: MergeOptions, source: BranchView, target: BranchView): void {
  if (expect === undefined) return;
  const same = (expected: readonly string[], view: BranchView) =>
    [...expected].sort().join() === view.heads.join();
  if (same(expect.from, source) && same(expect.into, target)) return;
  throw new CambiumError("STALE_EXPECTATION", "One of the branches has moved since the preview.", {
    hint: "Look at the preview again.",
  });
}

function againUndecided(plan: MergePlan): CambiumError {
  const dates = plan.undone.map(
    ({ mergedAt, undoneAt }) => `merged on ${isoDay(mergedAt)}, undone on ${isoDay(undoneAt)}`,
  );
  return new CambiumError(
    "MERGE_AGAIN_UNDECIDED",
    `This source was merged before and that was undone (${dates.join("; ")}).`,
    {
      hint: "Say again: true to bring all of it back, or again: false to bring only what is new (--again yes|no).",
      details: {
        undone: plan.undone.map(({ merge, mergedAt, undo, undoneAt }) => ({
          merge,
          mergedAt,
          undo,
          undoneAt,
        })),
      },
    },
  );
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 16).replace("T", " ");

const stateRef = (branch: KnownBranch, view: BranchView): StateRef => ({
  ref: branch.name,
  branch: branch.name,
  heads: view.heads,
});

function resultOf(
  plan: MergePlan,
  refs: Pick<MergeResult, "from" | "to">,
  done: "merged" | "preview",
): MergeResult {
  const status =
    plan.status === "up-to-date" || (plan.status === "conflict" && done === "merged") ? plan.status : done;
  const { created, changed, deleted, conflicts } = plan;
  const undone = plan.undone.map(({ merge, mergedAt, undo, undoneAt }) => ({
    merge,
    mergedAt,
    undo,
    undoneAt,
  }));
  return {
    status,
    ...refs,
    created,
    changed,
    deleted,
    conflicts,
    ...(undone.length === 0 ? {} : { undone }),
  };
}
