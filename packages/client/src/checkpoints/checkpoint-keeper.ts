/**
 * Making checkpoints: by hand, and by themselves before something touches much and at the first write of a
 * week. One costs one change of the catalog, whatever the size of the branch.
 *
 * @module
 */
import {
  type AutomaticCause,
  type BranchId,
  bytesToHex,
  CambiumError,
  type Catalog,
  CHECKPOINT_SETTING,
  type ChangeHash,
  type CheckpointEntry,
  type CheckpointId,
  type CheckpointPolicy,
  changedCheckpointPolicy,
  checkName,
  checkpointTextId,
  DEFAULT_CHECKPOINT_POLICY,
  type OperationKind,
  operationKind,
  outdatedCheckpoints,
  planCreate,
  readCheckpointPolicy,
  readSettings,
  SCHEMA_VERSION,
  SETTING_PREFIX,
  type SpaceKeys,
  settingEntry,
  type WriteContext,
  weeklyCheckpointId,
  weekNumber,
} from "@cambium/core";
import type { CheckpointInput } from "../api.js";
import type { CatalogWrite, CatalogWriter } from "../documents/catalog-keeper.js";
import { INDEX_VERSION } from "../index-store/schema.js";
import { Turns } from "../platform/turns.js";
import type { BranchView } from "../space/branch-views.js";
import type { CheckpointDirectory, KnownCheckpoint } from "../space/checkpoint-directory.js";
import type { SpaceServices } from "../space/space-services.js";
import type { WriteAhead } from "../space/writer.js";

export interface CheckpointKeeperOptions
  extends Pick<SpaceServices, "platform" | "replica" | "now" | "catalog" | "documents" | "packs" | "index"> {
  readonly keys: SpaceKeys;
  readonly directory: CheckpointDirectory;
}

/** A state of which a checkpoint is made. */
export interface CheckpointSubject {
  readonly view: BranchView;
  /** Undefined: as the branch is now. */
  readonly heads: readonly ChangeHash[] | undefined;
}

export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  /** Where the last consolidation of each branch left it. */
  readonly #afterConsolidation = new Map<BranchId, string>();
  #lastOperation: string | undefined;
  /** Looked at once, and not at each write. */
  readonly #isUpgraded = new Set<BranchId>();
  /** What is taken, and how many there are, has to hold when the entry is written. */
  readonly #turns = new Turns();

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
  }

  get policy(): CheckpointPolicy {
    return policyIn(this.#options.catalog.current);
  }

  async setPolicy(changes: Partial<CheckpointPolicy>): Promise<CheckpointPolicy> {
    let policy = changedCheckpointPolicy(this.policy, changes);
    await this.#put((current) => {
      policy = changedCheckpointPolicy(policyIn(current), changes);
      const { now, replica } = this.#options;
      return settingWrites(changes, { at: now(), by: replica() });
    });
    return policy;
  }

  /** @throws {CambiumError} BAD_INPUT, CHECKPOINT_EXISTS, CHECKPOINT_LIMIT */
  create(input: CheckpointInput, subject: CheckpointSubject, context: WriteContext): Promise<CheckpointId> {
    return this.#turns.take(() => this.#create(input, subject, context));
  }

  async #create(
    { name, description, reason, scope }: CheckpointInput,
    { view, heads }: CheckpointSubject,
    context: WriteContext,
  ): Promise<CheckpointId> {
    const { platform, packs } = this.#options;
    const checked = checkName("checkpoint", name);
    await this.#refuseTaken(checked);
    const id = bytesToHex(platform.random(16)) as CheckpointId;
    const fields = { content: checked, summary: description, reason, area: scope?.area };
    const { draft } = planCreate(checkpointTextId(id), fields, context, { type: "name" });
    const sealed = await packs.seal(draft);
    packs.put([sealed]);
    const text = { record: sealed.record.hash, pack: sealed.record.pack };
    const about = { cause: "manual", scope: scope === undefined ? "full" : "area", text } as const;
    const write = this.#write(id, view, heads, about);
    await this.#put(() => [write]);
    return id;
  }

  async #refuseTaken(name: string): Promise<void> {
    const kept = (await this.#options.directory.all()).filter(({ state }) => state === "kept");
    const taken = kept.find((checkpoint) => checkpoint.ownName === name || checkpoint.name === name);
    if (taken !== undefined) {
      throw new CambiumError("CHECKPOINT_EXISTS", `A checkpoint named ${name} exists already.`, {
        hint: "Choose another name, or delete that one.",
        details: { id: taken.id },
      });
    }
    const byHand = kept.filter(({ entry }) => entry.cause === "manual");
    const { byHand: limit } = this.policy;
    if (byHand.length < limit) return;
    throw new CambiumError("CHECKPOINT_LIMIT", `${limit} checkpoints made by hand are the maximum.`, {
      hint: `Delete one first; the oldest is ${byHand[0]?.name ?? "none"}. Or raise the setting byHand.`,
      details: { limit },
    });
  }

  /**
   * Names the branch as it is now, unless its newest checkpoint does, and lets go those that the policy keeps
   * no longer.
   *
   * @returns the one that names it; undefined when nothing has been written on the branch
   */
  automatic(view: BranchView, cause: AutomaticCause): Promise<KnownCheckpoint | undefined> {
    return this.#turns.take(async () => {
      if (!hasWrites(view)) return undefined;
      const newest = this.#newestOf(view.branch);
      const isNamed = newest !== undefined && newest.entry.heads.join() === view.heads.join();
      const id = isNamed ? newest.id : await this.#make(view, cause);
      return (await this.#options.directory.all()).find((checkpoint) => checkpoint.id === id);
    });
  }

  async #make(view: BranchView, cause: AutomaticCause): Promise<CheckpointId> {
    const { platform, keys, now, catalog } = this.#options;
    const id =
      cause === "weekly"
        ? weeklyCheckpointId(keys.checkpoints, view.branch, weekNumber(now()))
        : (bytesToHex(platform.random(16)) as CheckpointId);
    if (catalog.current.checkpoints.has(id)) return id; // another device was faster
    const write = this.#write(id, view, undefined, { cause, scope: "full" });
    await this.#put((current) =>
      current.checkpoints.has(id) ? [] : [write, ...this.#outdatedWith(id, write.entry, current)],
    );
    return id;
  }

  /**
   * What comes before a write: a checkpoint for its own sake, because it touches many memories, or because it
   * is the first one of the week.
   */
  async beforeWrite({ view, checkpoint, operation, memories }: WriteAhead): Promise<void> {
    if (checkpoint === "none") return;
    await this.#beforeUpgrade(view);
    if (operation !== undefined && operation === this.#lastOperation) return; // it goes on
    this.#lastOperation = operation;
    if (checkpoint === "consolidate" && this.#afterConsolidation.get(view.branch) === view.heads.join())
      return; // the run goes on
    const { policy } = this;
    const isForget = operation !== undefined && FORGETTING.has(operationKind(operation));
    const cause = checkpoint ?? (isForget ? "forget" : memories > policy.bulk ? "bulk" : undefined);
    if (cause !== undefined) await this.automatic(view, cause);
    else if (policy.weekly && this.#isFirstOfWeek(view)) await this.automatic(view, "weekly");
  }

  /** A branch of whose state an older format is noted last: what this version writes on it may be more than that one reads. */
  async #beforeUpgrade(view: BranchView): Promise<void> {
    if (this.#isUpgraded.has(view.branch)) return;
    this.#isUpgraded.add(view.branch);
    const newest = this.#newestOf(view.branch);
    if (newest !== undefined && newest.entry.schemaVersion < SCHEMA_VERSION)
      await this.automatic(view, "upgrade");
  }

  /** Consolidations with nothing in between are one run, with one checkpoint before it. */
  noteConsolidated(view: BranchView): void {
    this.#afterConsolidation.set(view.branch, view.heads.join());
  }

  /** By when its last change counts: a branch that was written to this week already has one. */
  #isFirstOfWeek(view: BranchView): boolean {
    return hasWrites(view) && weekNumber(view.row.lastAt) < weekNumber(this.#options.now());
  }

  async delete({ id, entry }: KnownCheckpoint): Promise<void> {
    await this.#put(({ checkpoints }) => {
      const known = checkpoints.get(id)?.value ?? entry;
      return [{ map: "checkpoints", key: id, entry: { ...known, state: "deleted" } }];
    });
  }

  /** @throws {CambiumError} CHECKPOINT_EXISTS, CHECKPOINT_LIMIT */
  restore({ id, entry, ownName }: KnownCheckpoint): Promise<void> {
    return this.#turns.take(async () => {
      await this.#refuseTaken(ownName);
      await this.#put(({ checkpoints }) => {
        const known = checkpoints.get(id)?.value ?? entry;
        return [{ map: "checkpoints", key: id, entry: { ...known, state: "kept" } }];
      });
    });
  }

  /** In one tick, so that heads and digest are of one state. */
  #write(
    id: CheckpointId,
    view: BranchView,
    heads: readonly ChangeHash[] | undefined,
    about: Pick<CheckpointEntry, "cause" | "scope" | "text">,
  ): CatalogWrite<"checkpoints"> {
    const { replica, now, index } = this.#options;
    const entry: CheckpointEntry = {
      ...about,
      branch: view.branch,
      heads: heads ?? view.heads,
      by: replica(),
      at: now(),
      schemaVersion: SCHEMA_VERSION,
      indexVersion: INDEX_VERSION,
      digest: index.digestAt(view.row, heads),
      state: "kept",
    };
    return { map: "checkpoints", key: id, entry };
  }

  #newestOf(branch: BranchId): { readonly id: CheckpointId; readonly entry: CheckpointEntry } | undefined {
    let newest: { id: CheckpointId; entry: CheckpointEntry } | undefined;
    for (const [id, { value: entry }] of this.#options.catalog.current.checkpoints) {
      if (entry.branch !== branch || entry.state !== "kept" || entry.scope !== "full") continue;
      if (newest === undefined || entry.at >= newest.entry.at) newest = { id: id as CheckpointId, entry };
    }
    return newest;
  }

  #outdatedWith(
    id: CheckpointId,
    made: CheckpointEntry,
    current: Catalog,
  ): readonly CatalogWrite<"checkpoints">[] {
    const kept = [...current.checkpoints]
      .map(([key, { value }]) => ({ id: key, branch: value.branch, at: value.at, entry: value }))
      .filter(({ entry }) => entry.cause !== "manual" && entry.state === "kept");
    const all = [...kept, { id, branch: made.branch, at: made.at, entry: made }];
    const outdated = outdatedCheckpoints(all, policyIn(current), this.#options.now());
    return outdated
      .filter((one) => one.id !== id)
      .map(({ id: key, entry }) => ({
        map: "checkpoints" as const,
        key,
        entry: { ...entry, state: "deleted" },
      }));
  }

  async #put(writer: CatalogWriter): Promise<void> {
    await this.#options.catalog.put(writer);
    await this.#options.documents.flush();
  }
}

const FORGETTING: ReadonlySet<string> = new Set<OperationKind>(["forget", "decay"]);

/** An earlier version kept all in one entry: what is set one by one counts before it. */
function policyIn({ settings }: Catalog): CheckpointPolicy {
  const set = readSettings(settings);
  const single = Object.keys(DEFAULT_CHECKPOINT_POLICY).flatMap((name) => {
    const value = set.get(`checkpoints.${name}`)?.value;
    return value === undefined ? [] : [[name, name === "weekly" ? value === "yes" : value]];
  });
  const whole = readCheckpointPolicy(settings.get(CHECKPOINT_SETTING)?.value.value);
  return readCheckpointPolicy({ ...whole, ...Object.fromEntries(single) });
}

function settingWrites(changes: Partial<CheckpointPolicy>, by: Parameters<typeof settingEntry>[1]) {
  return Object.entries(changes).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const stored = typeof value === "boolean" ? (value ? "yes" : "no") : value;
    const key = `${SETTING_PREFIX}checkpoints.${name}`;
    return [{ map: "settings", key, entry: settingEntry(stored, by) } as const];
  });
}

/** Whether there is anything to go back to: every document begins with a change that says nothing. */
const hasWrites = (view: BranchView): boolean => view.row.lastAt > 0;
