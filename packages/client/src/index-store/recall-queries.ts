/**
 * What a recall has to know of one state: which forms it shows, and what stands beside them.
 *
 * @module
 */
import type { Memory, MemoryId } from "@cambium/core";
import { placeInSource, speakerOf } from "../recall/place-in-source.js";
import type { CandidateFacts, Neighbours } from "../recall/rank.js";
import type { RecallState, Surroundings } from "../recall/recall-forms.js";
import { type FormId, sessionKey } from "./form-store.js";
import type { IndexTables } from "./index-tables.js";
import type { IndexedState } from "./state-queries.js";

export interface RecallScope {
  readonly state: IndexedState;
  readonly passes: (memory: Memory) => boolean;
  readonly usesOf: (memory: MemoryId) => number;
}

interface ShownForm {
  readonly form: FormId;
  readonly memory: Memory;
}

export class RecallQueries implements RecallState {
  readonly #tables: IndexTables;
  readonly #scope: RecallScope;
  /** Recall asks about the same forms several times. */
  readonly #shown = new Map<FormId, Memory | undefined>();

  constructor(tables: IndexTables, scope: RecallScope) {
    this.#tables = tables;
    this.#scope = scope;
  }

  /** A memory as the state shows it by this form; it has to be among the facts. */
  memory(form: FormId): Memory {
    const memory = this.#shown.get(form);
    if (memory === undefined) throw new Error("A form was asked about that the state does not show.");
    return memory;
  }

  content(form: FormId): string {
    return this.memory(form).content;
  }

  facts(forms: readonly FormId[]): readonly CandidateFacts[] {
    return this.#visible(forms).map((shown) => this.#factsOf(shown));
  }

  around(facts: readonly CandidateFacts[], reach: number): Surroundings {
    const found = new Map<FormId, CandidateFacts>();
    const pairs: Neighbours[] = [];
    for (const { form } of facts) {
      const place = this.#placeOf(this.memory(form));
      if (place === undefined) continue;
      for (const side of ["before", "after"] as const) {
        const near = this.#beside(place, side, reach);
        for (const [index, one] of near.entries()) {
          found.set(one.form, one);
          pairs.push({ of: form, near: one.form, distance: index + 1 });
        }
      }
    }
    return { facts: [...found.values()], pairs };
  }

  /** Forms the state shows and the filters let through. */
  #visible(forms: readonly FormId[]): readonly ShownForm[] {
    const unknown = forms.filter((form) => !this.#shown.has(form));
    for (const form of unknown) this.#shown.set(form, undefined);
    const rows = this.#visibleRows(unknown);
    this.#tables.forms.load(rows.map(([form]) => form));
    for (const [form, version, versions] of rows) {
      const memory = this.#tables.forms.memory(form, version, versions);
      if (!memory.deleted && this.#scope.passes(memory)) this.#shown.set(form, memory);
    }
    return forms.flatMap((form) => {
      const memory = this.#shown.get(form);
      return memory === undefined ? [] : [{ form, memory }];
    });
  }

  #visibleRows(forms: readonly FormId[]): readonly (readonly [FormId, number, number])[] {
    const { levels, exceptions } = this.#scope.state;
    const parameters: (string | number)[] = [];
    const wanted = JSON.stringify(forms);
    const selects = levels.map(({ row, until }, index) => {
      const nearer = levels.slice(0, index).map((level) => level.row.id);
      parameters.push(wanted, row.id, until, until, ...nearer);
      return `${SELECT_VISIBLE} ${nearer.map(() => NOT_NEARER).join(" ")}`;
    });
    const rows = this.#tables.index.prepare(selects.join(" UNION ALL ")).all(...parameters) as unknown as [
      FormId,
      number,
      number,
      number,
    ][];
    const ordinary = rows.filter(([, , , memory]) => !exceptions.has(memory));
    return [
      ...ordinary.map(([form, version, versions]) => [form, version, versions] as const),
      ...(exceptions.size === 0 ? [] : this.#exceptionRows(new Set(forms))),
    ];
  }

  /** Memories that the state shows otherwise than the branch did then are found by the record they show. */
  #exceptionRows(forms: ReadonlySet<FormId>): readonly (readonly [FormId, number, number])[] {
    return [...this.#scope.state.exceptions.values()].flatMap((memory) => {
      const form = memory === undefined ? undefined : this.#tables.forms.idOf(memory.record);
      if (memory === undefined || form === undefined || !forms.has(form)) return [];
      return [[form, memory.version, memory.versions] as const];
    });
  }

  #factsOf({ form, memory }: ShownForm): CandidateFacts {
    const place = this.#placeOf(memory);
    return {
      ...{ form, memory: memory.id, at: memory.at, occurredAt: memory.occurredAt },
      ...{ importance: memory.importance, uses: this.#scope.usesOf(memory.id) },
      ...{ group: place?.group, session: place?.session, speaker: speakerOf(memory.source) },
    };
  }

  #placeOf(memory: Memory) {
    const { source, occurredAt, at, by } = memory;
    const place = placeInSource({ source, conversation: by.conversation, occurredAt, at });
    return place === undefined ? undefined : { ...place, key: sessionKey(place), memory: memory.id };
  }

  /** The nearest shown ones on one side, nearest first. */
  #beside(
    { key, place, memory }: { readonly key: string; readonly place: number; readonly memory: MemoryId },
    side: "before" | "after",
    reach: number,
  ): readonly CandidateFacts[] {
    const { levels } = this.#scope.state;
    const shown = levels.map((_, index) => {
      const nearer = levels.slice(0, index).map(() => NOT_NEARER);
      return `(s.branch = ? AND s.from_at <= ? AND s.to_at > ? ${nearer.join(" ")})`;
    });
    const [less, order] = side === "before" ? ["<", "DESC"] : [">", "ASC"];
    const rows = this.#tables.index
      .prepare(
        `SELECT f.id FROM forms f JOIN memories m ON m.id = f.memory JOIN spans s ON s.form = f.id
         WHERE f.session = ? AND (f.place, m.uuid) ${less} (?, ?) AND s.deleted = 0 AND (${shown.join(" OR ")})
         ORDER BY f.place ${order}, m.uuid ${order} LIMIT ?`,
      )
      .all(
        ...[key, place, memory],
        ...levels.flatMap(({ row, until }, index) => [
          ...[row.id, until, until],
          ...levels.slice(0, index).map((level) => level.row.id),
        ]),
        reach,
      ) as unknown as [FormId][];
    return this.facts(rows.map(([form]) => form));
  }
}

const SELECT_VISIBLE = `SELECT s.form, s.version, s.versions, s.memory FROM json_each(?) j
  JOIN spans s ON s.form = j.value
  WHERE s.branch = ? AND s.from_at <= ? AND s.to_at > ? AND s.deleted = 0`;
const NOT_NEARER = "AND NOT EXISTS (SELECT 1 FROM spans o WHERE o.branch = ? AND o.memory = s.memory)";
