/**
 * What was done and is no change of a branch: made from the catalog, which every device has, and from the audit log of
 * this one. Nothing is written for it.
 *
 * @module
 */
import { type AuditEntry, concealmentsIn, lastSet, type MemoryId, type ReplicaId } from "@cambium/core";
import type { LogEvent } from "../api.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { BranchDirectory, KnownBranch } from "./branch-directory.js";
import type { CheckpointDirectory } from "./checkpoint-directory.js";

/** In milliseconds since 1970. */
export interface EventTimes {
  /** Later than this. */
  readonly after: number;
  /** At the latest. */
  readonly until: number;
}

type BranchNames = (id: string | undefined) => string | undefined;

export class LogEvents {
  readonly #directory: BranchDirectory;
  readonly #checkpoints: CheckpointDirectory;
  readonly #catalog: Pick<CatalogKeeper, "current">;
  /** Newest first; none until the space has opened its audit log. */
  noted: (after: number) => Iterable<AuditEntry> = () => [];
  /** Whose audit log that is. */
  notedBy: ReplicaId | undefined;

  constructor(
    directory: BranchDirectory,
    checkpoints: CheckpointDirectory,
    catalog: Pick<CatalogKeeper, "current">,
  ) {
    this.#directory = directory;
    this.#catalog = catalog;
    this.#checkpoints = checkpoints;
  }

  /** Newest first. */
  async of(branch: KnownBranch, { after, until }: EventTimes): Promise<readonly LogEvent[]> {
    const branches = await this.#directory.all();
    const nameOf: BranchNames = (id) => branches.find((known) => known.id === id)?.name;
    const events = [
      ...branches.flatMap((known) => branchEvent(known, branch)),
      ...(await this.#ofCheckpoints(branch)),
      ...this.#ofSettings(),
      ...this.#ofRetention(),
      ...this.#ofAudit(after, nameOf),
    ];
    return events.filter(({ at }) => at > after && at <= until).sort((a, b) => b.at - a.at);
  }

  /** Without what is concealed; an event about nothing else is none. */
  #ofAudit(after: number, nameOf: BranchNames): readonly LogEvent[] {
    const concealed = concealmentsIn(this.#catalog.current.settings);
    return [...this.noted(after)].flatMap((entry) => {
      const event = notedEvent(entry, nameOf, this.notedBy);
      if (!Array.isArray(event.memories)) return [event];
      const memories = (event.memories as readonly MemoryId[]).filter((id) => !concealed.has(id));
      return memories.length === 0 && event.memories.length > 0 ? [] : [{ ...event, memories }];
    });
  }

  #ofRetention(): readonly LogEvent[] {
    return [...this.#catalog.current.erasures.values()].flatMap(({ value: { cause, at, by, counts } }) =>
      cause === "retention"
        ? [{ type: "retention", from: "space", at, by: { replica: by.replica }, memories: counts.memories }]
        : [],
    );
  }

  /** Of each setting, who set it last. */
  #ofSettings(): readonly LogEvent[] {
    return lastSet(this.#catalog.current.settings).map(({ key, value, at, by, agent }) => ({
      ...{ type: "settings", from: "space", at, name: key, of: String(value ?? "default") },
      by: { replica: by as ReplicaId, ...(agent === undefined ? {} : { agent }) },
    }));
  }

  async #ofCheckpoints(branch: KnownBranch): Promise<readonly LogEvent[]> {
    const all = await this.#checkpoints.all();
    return all
      .filter(({ entry }) => entry.branch === branch.id)
      .map(({ name, entry, text: { author, reason } }) => ({
        ...{ type: "checkpoint", from: "space", at: entry.at, by: author ?? { replica: entry.by } },
        ...{ name, of: entry.cause },
        ...(reason === undefined ? {} : { reason }),
      }));
  }
}

/** A branch stands in its own log and in that of the one it was made from. */
function branchEvent({ id, name, entry, namedBy }: KnownBranch, branch: KnownBranch): readonly LogEvent[] {
  if (entry === undefined || (id !== branch.id && entry.parent !== branch.id)) return [];
  const by = namedBy?.replica === entry.createdBy ? namedBy : { replica: entry.createdBy };
  return [{ type: "branch", from: "space", at: entry.createdAt, by, name }];
}

/** Deeds of the audit log that are no changes of a branch. */
export const NOTED_EVENTS = [
  ...["rename-branch", "delete-branch", "restore-branch", "delete-checkpoint"],
  ...["reinforce", "verify", "failed"],
] as readonly LogEvent["type"][];

function notedEvent(
  { operation, seq, at, agent, session, trigger, branch, memories, of, details }: AuditEntry,
  nameOf: BranchNames,
  replica: ReplicaId | undefined,
): LogEvent {
  const name = nameOf(branch);
  return {
    ...{ type: operation as LogEvent["type"], from: "device", at, seq },
    by: {
      ...(replica === undefined ? {} : { replica }),
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { session }),
      ...(trigger === undefined ? {} : { trigger }),
    },
    ...(name === undefined ? {} : { name }),
    ...(memories === undefined ? {} : { memories }),
    ...(of === undefined ? {} : { of }),
    ...(typeof details?.code === "string" ? { code: details.code } : {}),
  };
}
