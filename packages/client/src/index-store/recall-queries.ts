/**
 * What a recall has to know of one state: which forms it shows, and what stands beside them.
 *
 * @module
 */
import type { Memory, MemoryId } from "@cambium/core";
import { placeInSource, speakerOf } from "../search/place-in-source.js";
import type { CandidateFacts } from "../search/rank.js";
import type { RecallState } from "../search/recall-snapshots.js";
import { NOT_NEARER } from "./branch-rows.js";
import type { IndexTables } from "./index-tables.js";
import { MEMORIES_OF_FORMS } from "./interval-store.js";
import type { SnapshotId } from "./snapshot-columns.js";
import type { ShownMetadata } from "./snapshot-metadata.js";
import { sessionKey } from "./snapshot-rows.js";
import type { IndexedState } from "./state-queries.js";

/** What filters may ask about. */
export type RecallFacts = Pick<
  Memory,
  "category" | "kind" | "area" | "tags" | "by" | "at" | "occurredAt" | "validFrom" | "validUntil"
>;

export interface RecallScope {
  readonly state: IndexedState;
  /** Whether it may show forms that main does not show now. */
  readonly past: boolean;
  readonly passes: (memory: RecallFacts) => boolean;
  readonly usageOf: (memory: MemoryId) => number;
}

type VisibleRow = readonly [snapshot: SnapshotId, version: number, versions: number];

export class RecallQueries implements RecallState {
  readonly #tables: IndexTables;
  readonly #scope: RecallScope;
  readonly #exceptions: readonly VisibleRow[];

  /** @param exceptional - the forms of the state's exceptions, by memory */
  constructor(tables: IndexTables, scope: RecallScope, exceptional: ReadonlyMap<number, SnapshotId>) {
    this.#tables = tables;
    this.#scope = scope;
    this.#exceptions = [...exceptional].map(([memory, snapshot]) => {
      const { version, versions } = scope.state.exceptions.get(memory) as Memory;
      return [snapshot, version, versions];
    });
  }

  /** The memories as the state shows them by these forms, in their order. */
  memories(snapshots: readonly SnapshotId[]): readonly Memory[] {
    const rows = new Map(this.#visibleRows(snapshots).map((row) => [row[0], row]));
    const shown = snapshots.map((snapshot) => {
      const row = rows.get(snapshot);
      if (row === undefined) throw new Error("A form was asked about that the state does not show.");
      return { snapshot, version: row[1], versions: row[2] };
    });
    return this.#tables.snapshots.memories(shown).filter((memory) => memory !== undefined);
  }

  contents(snapshots: readonly SnapshotId[]): readonly string[] {
    return this.#tables.snapshots.contents(snapshots);
  }

  facts(snapshots: readonly SnapshotId[]): readonly CandidateFacts[] {
    const visible = this.#visible(snapshots);
    const metadataOf = this.#tables.snapshots.metadataOf(visible);
    return visible.flatMap((snapshot, place) => {
      const metadata = metadataOf[place] as ShownMetadata;
      return !metadata.deleted && this.#scope.passes(metadata) ? [this.#factsOf(snapshot, metadata)] : [];
    });
  }

  sessions(facts: readonly CandidateFacts[]): readonly (readonly SnapshotId[])[] {
    const sessions = [...new Set(facts.flatMap(({ session }) => session ?? []))];
    if (sessions.length === 0) return [];
    const standing = this.#standingIn(sessions);
    const visible = this.#scope.past
      ? new Set(this.#visible(standing.map(({ snapshot }) => snapshot)))
      : undefined;
    const bySession = Map.groupBy(
      visible === undefined ? standing : standing.filter(({ snapshot }) => visible.has(snapshot)),
      ({ session }) => session,
    );
    return [...bySession.values()].map((list) =>
      list.sort((a, b) => this.#byPlace(a, b)).map(({ snapshot }) => snapshot),
    );
  }

  /** What the state shows, and perhaps has forgotten. */
  #visible(snapshots: readonly SnapshotId[]): readonly SnapshotId[] {
    if (this.#scope.past) return this.#visibleRows(snapshots).map(([snapshot]) => snapshot);
    const rows = this.#tables.index
      .prepare("SELECT l.form FROM json_each(?) j CROSS JOIN current_text_lengths l ON l.form = j.value")
      .all(JSON.stringify(snapshots)) as unknown as [SnapshotId][];
    return rows.map(([snapshot]) => snapshot);
  }

  #visibleRows(snapshots: readonly SnapshotId[]): readonly VisibleRow[] {
    const { levels, exceptions } = this.#scope.state;
    const parameters: (string | number)[] = [];
    const wanted = JSON.stringify(snapshots);
    const selects = levels.map(({ row, until }, index) => {
      const nearer = levels.slice(0, index).map((level) => level.row.id);
      parameters.push(wanted, row.id, until, until, wanted, ...nearer);
      return `${SELECT_VISIBLE} ${nearer.map(() => NOT_NEARER).join(" ")}`;
    });
    const rows = this.#tables.index.prepare(selects.join(" UNION ALL ")).all(...parameters) as unknown as [
      SnapshotId,
      number,
      number,
      number,
    ][];
    const ordinary = rows.filter(([, , , memory]) => !exceptions.has(memory));
    return [
      ...ordinary.map(([snapshot, version, versions]) => [snapshot, version, versions] as const),
      ...this.#exceptionRows(snapshots),
    ];
  }

  /** Memories that the state shows otherwise than the branch did then are found by what they show. */
  #exceptionRows(snapshots: readonly SnapshotId[]): readonly VisibleRow[] {
    if (this.#exceptions.length === 0) return [];
    const wanted = new Set(snapshots);
    return this.#exceptions.filter(([snapshot]) => wanted.has(snapshot));
  }

  #factsOf(snapshot: SnapshotId, metadata: ShownMetadata): CandidateFacts {
    const { id: memory, source, occurredAt, importance, kind, at, by } = metadata;
    const place = placeInSource({ source, conversation: by.conversation, occurredAt, at });
    return {
      ...{ snapshot, memory, at, occurredAt, importance, kind, uses: this.#scope.usageOf(memory) },
      ...{ session: place && sessionKey(place), speaker: speakerOf(source) },
    };
  }

  /** What stands in each session, in any order; of very long ones only the beginning. */
  #standingIn(sessions: readonly string[]): readonly Standing[] {
    const rows = this.#tables.index
      .prepare(`${this.#scope.past ? STANDING_EVER : STANDING_NOW} LIMIT ${MAX_STANDING}`)
      .all(JSON.stringify(sessions)) as unknown as [number, SnapshotId, number, number][];
    return rows.map(([session, snapshot, place, memory]) => ({ session, snapshot, place, memory }));
  }

  #byPlace(a: Standing, b: Standing): number {
    if (a.place !== b.place || a.memory === b.memory) return a.place - b.place;
    return this.#tables.memories.idOf(a.memory) < this.#tables.memories.idOf(b.memory) ? -1 : 1;
  }
}

interface Standing {
  readonly snapshot: SnapshotId;
  /** Its place among the sessions asked about. */
  readonly session: number;
  readonly place: number;
  readonly memory: number;
}

/** Rows looked at for the surroundings of one recall, which takes some milliseconds. */
const MAX_STANDING = 6_000;
const STANDING_EVER = `SELECT j.key, f.id, f.place, f.memory FROM json_each(?) j
  CROSS JOIN sessions n ON n.value = j.value
  CROSS JOIN forms f INDEXED BY forms_session ON f.session = n.id AND f.listed >= 1`;
/** A form that was forgotten stays listed, and is not among the texts of now. */
const STANDING_NOW = `SELECT j.key, f.id, f.place, f.memory FROM json_each(?) j
  CROSS JOIN sessions n ON n.value = j.value
  CROSS JOIN forms f INDEXED BY forms_session ON f.session = n.id AND f.listed = 1
  CROSS JOIN current_text_lengths l ON l.form = f.id`;
const SELECT_VISIBLE = `SELECT s.form, s.version, s.versions, s.memory FROM (${MEMORIES_OF_FORMS}) m
  CROSS JOIN spans s ON s.branch = ? AND s.memory = m.memory AND s.from_at <= ?
  WHERE s.to_at > ? AND s.form IN (SELECT value FROM json_each(?)) AND s.deleted = 0`;
