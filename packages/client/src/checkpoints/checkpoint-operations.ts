/**
 * Checkpoints as programs and agents use them.
 *
 * @module
 */
import {
  bytesToHex,
  CambiumError,
  type CheckpointPolicy,
  type Memory,
  type MemoryConflicts,
  singleSpaced,
  type WriteContext,
} from "@cambium/core";
import type { Checkpoint, CheckpointInput, CheckpointListOptions, Checkpoints, DiffResult } from "../api.js";
import type { KnownBranch } from "../space/branch-directory.js";
import type { CheckpointDirectory, KnownCheckpoint } from "../space/checkpoint-directory.js";
import type { SpaceServices } from "../space/space-services.js";
import type { CheckpointKeeper } from "./checkpoint-keeper.js";

export interface CheckpointServices
  extends Pick<SpaceServices, "directory" | "views" | "index" | "finder" | "reader" | "writer"> {
  readonly checkpoints: CheckpointDirectory;
  readonly checkpointKeeper: CheckpointKeeper;
}

/** `checkpoint:name` or `branch@checkpoint:name`; a name in plain words may hold either sign. */
const REF = /^(?:([^\s@"'^:\\]+)?@)?checkpoint:(.*)$/su;
const EVERYTHING = 10_000;

export class CheckpointOperations implements Checkpoints {
  readonly #services: CheckpointServices;
  readonly #context: () => WriteContext;

  constructor(services: CheckpointServices, context: () => WriteContext) {
    this.#services = services;
    this.#context = context;
  }

  async create(input: CheckpointInput): Promise<Checkpoint> {
    const { writer, finder, checkpointKeeper } = this.#services;
    writer.refuseReaders();
    const { branch, at } = input;
    const found = await finder.find({ branch, at });
    const heads = found.isNow ? undefined : found.ref.heads;
    const id = await checkpointKeeper.create(input, { view: found.view, heads }, this.#context());
    return this.#describe(await this.#find(id), found.branch);
  }

  async list({
    branch,
    causes,
    deleted = false,
  }: CheckpointListOptions = {}): Promise<readonly Checkpoint[]> {
    const { directory, checkpoints } = this.#services;
    const wanted = branch === undefined ? undefined : (await directory.find(branch)).id;
    const found = (await checkpoints.all()).filter(
      ({ entry, state }) =>
        (deleted || state === "kept") &&
        (wanted === undefined || entry.branch === wanted) &&
        (causes === undefined || causes.includes(entry.cause)),
    );
    const branches = new Map((await directory.all()).map((known) => [known.id, known]));
    const described: Checkpoint[] = [];
    for (const checkpoint of found.toReversed())
      described.push(await this.#describe(checkpoint, branches.get(checkpoint.entry.branch)));
    return described;
  }

  async get(text: string): Promise<Checkpoint> {
    const found = await this.#find(text);
    const described = await this.#describe(found, await this.#branchOf(found));
    if (!described.isHere) return described;
    const at = `checkpoint:${found.id}`;
    const { area } = found.text;
    if (area === undefined) {
      const { state } = await this.#services.finder.find({ at });
      return { ...described, memories: this.#services.index.states.counts(state).memories };
    }
    let memories = 0;
    let cursor: string | undefined;
    do {
      const page = await this.#services.reader.list({ at, area, limit: EVERYTHING, cursor });
      memories += page.memories.length;
      cursor = page.cursor;
    } while (cursor !== undefined);
    return { ...described, memories };
  }

  async compare(from: string, to = "now"): Promise<DiffResult> {
    const before = await this.#find(from);
    const after = to === "now" ? undefined : await this.#find(to);
    const [first, second] = [before.text.area, after?.text.area];
    if (first !== undefined && second !== undefined && first !== second) {
      throw new CambiumError("BAD_INPUT", `${before.name} is of the area ${first}, and ${to} of ${second}.`, {
        hint: "Compare checkpoints of one area, or whole states with `cambium diff`.",
      });
    }
    const branch = await this.#branchOf(before);
    const diff = await this.#services.reader.diff(
      `checkpoint:${before.id}`,
      after === undefined ? (branch?.id ?? before.entry.branch) : `checkpoint:${after.id}`,
    );
    const area = first ?? second;
    const refs = {
      from: { ...diff.from, ref: `${diff.from.branch}@checkpoint:${before.name}` },
      to: {
        ...diff.to,
        ref: after === undefined ? diff.to.branch : `${diff.to.branch}@checkpoint:${after.name}`,
      },
    };
    return { ...(area === undefined ? diff : withinArea(diff, area)), ...refs };
  }

  async delete(text: string): Promise<Checkpoint> {
    const { writer, checkpointKeeper } = this.#services;
    writer.refuseReaders();
    const found = await this.#find(text);
    refuseUnnamed(found, text);
    await this.#refuseAmbiguous(found, text);
    if (found.state === "kept") await checkpointKeeper.delete(found);
    return this.#describe(await this.#find(found.id), await this.#branchOf(found));
  }

  async restore(text: string): Promise<Checkpoint> {
    const { writer, checkpointKeeper, checkpoints } = this.#services;
    writer.refuseReaders();
    const all = await checkpoints.all();
    const named = all.filter(({ id, ownName }) => id === text || ownName === text);
    const found =
      named.find(({ id }) => id === text) ??
      named.find(({ state }) => state === "kept") ??
      named.at(-1) ??
      (await this.#find(text));
    if (found.state === "deleted") await checkpointKeeper.restore(found);
    return this.#describe(await this.#find(found.id), await this.#branchOf(found));
  }

  async policy(): Promise<CheckpointPolicy> {
    return this.#services.checkpointKeeper.policy;
  }

  async setPolicy(changes: Partial<CheckpointPolicy>): Promise<CheckpointPolicy> {
    this.#services.writer.refuseReaders();
    return this.#services.checkpointKeeper.setPolicy(changes);
  }

  /** By name or id, or as a ref: `main@checkpoint:before-cleanup`. */
  async #find(text: string): Promise<KnownCheckpoint> {
    const { checkpoints, directory } = this.#services;
    const [, branch, name = text.trim()] = REF.exec(text.trim()) ?? [];
    const known = branch === undefined ? undefined : await directory.find(branch);
    return checkpoints.find(name, known?.id, known?.id ?? (await directory.find("main")).id);
  }

  /** A name that two bear is no reason to delete the first. */
  async #refuseAmbiguous({ id, ownName }: KnownCheckpoint, text: string): Promise<void> {
    if (text !== ownName) return;
    const named = (await this.#services.checkpoints.all()).filter(
      (one) => one.ownName === text && one.state === "kept",
    );
    if (named.length < 2) return;
    const refs = named.map((one) => `${ownName}~${one.id.slice(0, 4)}`);
    throw new CambiumError("BAD_INPUT", `${named.length} checkpoints are named ${text}.`, {
      hint: `Use one of: ${refs.join(", ")}`,
      details: { refs, id },
    });
  }

  async #branchOf({ entry }: KnownCheckpoint): Promise<KnownBranch | undefined> {
    return (await this.#services.directory.all()).find(({ id }) => id === entry.branch);
  }

  async #describe(checkpoint: KnownCheckpoint, branch: KnownBranch | undefined): Promise<Checkpoint> {
    const { id, name, entry, state, text, notice } = checkpoint;
    const { heads, cause, by, at, schemaVersion, indexVersion, digest } = entry;
    const { description, reason, area } = text;
    const isHere = branch !== undefined && (await this.#hasAll(checkpoint));
    return {
      ...{ id, name, branch: branch?.name ?? entry.branch.slice(0, 8), heads },
      ...(description === undefined ? {} : { description }),
      ...(reason === undefined ? {} : { reason }),
      scope: entry.scope === "full" ? "full" : { area: area ?? "" },
      ...{ cause, by: text.author ?? { replica: by }, at, state, isHere },
      ...{ schemaVersion, indexVersion, digest: bytesToHex(digest) },
      ...(notice === undefined ? {} : { notice }),
    };
  }

  async #hasAll({ entry }: KnownCheckpoint): Promise<boolean> {
    const { views, index } = this.#services;
    const { row } = await views.look(entry.branch);
    return entry.heads.every((head) => index.tables.changes.placeOf(row, head) !== undefined);
  }
}

/** Memories that belong to the area on either side. */
function withinArea(diff: DiffResult, area: string): DiffResult {
  const isOf = (memory: Memory): boolean => memory.area === area;
  const changed = diff.changed.filter(({ before, after }) => isOf(before) || isOf(after));
  const shown = new Set([...diff.created, ...changed].map(({ id }) => id));
  return {
    ...diff,
    created: diff.created.filter(isOf),
    changed,
    deleted: diff.deleted.filter(isOf),
    conflicts: diff.conflicts.filter(({ id }: MemoryConflicts) => shown.has(id)),
  };
}

/** A beginning of a name, or `last`, is enough to look at one, not to delete it. */
function refuseUnnamed({ id, name, ownName }: KnownCheckpoint, text: string): void {
  const spaced = singleSpaced(text.trim());
  const named = [name, ownName, id].some((one) => spaced.endsWith(singleSpaced(one)));
  if (named || /^[0-9a-f~]{4,}$/.test(text) || text.includes("~")) return;
  throw new CambiumError("CHECKPOINT_NOT_FOUND", `There is no checkpoint named "${text}".`, {
    hint: `Give its whole name to delete it: ${name}`,
    details: { checkpoint: text },
  });
}
