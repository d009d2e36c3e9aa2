/**
 * What a recall has to know of one state: which forms it shows, and what stands beside them.
 *
 * @module
 */
import type { Memory, MemoryId } from "@cambium/core";
import { placeInSource, speakerOf } from "../recall/place-in-source.js";
import type { CandidateFacts, Neighbours } from "../recall/rank.js";
import type { RecallState, Surroundings } from "../recall/recall-forms.js";
import { NOT_NEARER } from "./branch-rows.js";
import { type FormId, type FormStore, sessionKey } from "./form-store.js";
import type { IndexTables } from "./index-tables.js";
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
  readonly usesOf: (memory: MemoryId) => number;
}

interface ShownForm {
  readonly form: FormId;
  readonly version: number;
  readonly versions: number;
  readonly about: ReturnType<FormStore["about"]>;
}

export class RecallQueries implements RecallState {
  readonly #tables: IndexTables;
  readonly #scope: RecallScope;
  /** Recall asks about the same forms several times. */
  readonly #shown = new Map<FormId, ShownForm | undefined>();

  constructor(tables: IndexTables, scope: RecallScope) {
    this.#tables = tables;
    this.#scope = scope;
  }

  /** A memory as the state shows it by this form; it has to be among the facts. */
  memory(form: FormId): Memory {
    const { version, versions } = this.#shownBy(form);
    return this.#tables.forms.memory(form, version, versions);
  }

  content(form: FormId): string {
    return this.#tables.forms.content(form);
  }

  #shownBy(form: FormId): ShownForm {
    const shown = this.#shown.get(form);
    if (shown === undefined) throw new Error("A form was asked about that the state does not show.");
    return shown;
  }

  facts(forms: readonly FormId[]): readonly CandidateFacts[] {
    return this.#visible(forms).map((shown) => this.#factsOf(shown));
  }

  around(facts: readonly CandidateFacts[], reach: number): Surroundings {
    const places = facts.flatMap(({ form }) => this.#placeOf(this.#shownBy(form)) ?? []);
    const standing = this.#standingIn([...new Set(places.map(({ key }) => key))]);
    const beside = places.map((place) => ({
      of: place.form,
      sides: besideIn(standing.get(place.key) ?? [], place, reach + SPARE_NEIGHBOURS),
    }));
    const near = this.facts([...new Set(beside.flatMap(({ sides }) => sides.flat()))]);
    const factsByForm = new Map(near.map((one) => [one.form, one]));
    const pairs = beside.flatMap(({ of, sides }) =>
      sides.flatMap((side) =>
        side
          .filter((form) => factsByForm.has(form))
          .slice(0, reach)
          .map((form, index): Neighbours => ({ of, near: form, distance: index + 1 })),
      ),
    );
    const wanted = new Set(pairs.map((pair) => pair.near));
    return { facts: near.filter(({ form }) => wanted.has(form)), pairs };
  }

  /** Forms the state shows and the filters let through. */
  #visible(forms: readonly FormId[]): readonly ShownForm[] {
    const unknown = forms.filter((form) => !this.#shown.has(form));
    for (const form of unknown) this.#shown.set(form, undefined);
    const rows = this.#visibleRows(unknown);
    this.#tables.forms.load(
      rows.map(([form]) => form),
      { texts: false },
    );
    for (const [form, version, versions] of rows) {
      const about = this.#tables.forms.about(form);
      if (!about.deleted && this.#scope.passes(about))
        this.#shown.set(form, { form, version, versions, about });
    }
    return forms.flatMap((form) => this.#shown.get(form) ?? []);
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

  #factsOf(shown: ShownForm): CandidateFacts {
    const { form, about } = shown;
    const place = this.#placeOf(shown)?.session;
    return {
      ...{ form, memory: about.memory, at: about.at, occurredAt: about.occurredAt },
      ...{ importance: about.importance, uses: this.#scope.usesOf(about.memory) },
      ...{ group: place?.group, session: place?.session, speaker: speakerOf(about.source) },
    };
  }

  #placeOf({ form, about }: ShownForm) {
    const { memory, source, occurredAt, at, by } = about;
    const place = placeInSource({ source, conversation: by.conversation, occurredAt, at });
    return place && { form, place: place.place, memory, session: place, key: sessionKey(place) };
  }

  /** What stands in each session, in its order; of very long ones only the beginning. */
  #standingIn(sessions: readonly string[]): ReadonlyMap<string, readonly Standing[]> {
    const { past } = this.#scope;
    const rows = this.#tables.index
      .prepare(
        `SELECT n.value, f.id, f.place, f.memory FROM json_each(?) j CROSS JOIN sessions n ON n.value = j.value
         CROSS JOIN forms f INDEXED BY forms_session ON f.session = n.id AND f.listed ${past ? ">= 1" : "= 1"}
         LIMIT ?`,
      )
      .all(JSON.stringify(sessions), MAX_STANDING) as unknown as [string, FormId, number, number][];
    const isShown = past
      ? new Set(this.#visibleRows(rows.map(([, form]) => form)).map(([form]) => form))
      : undefined;
    const standing = new Map<string, Standing[]>();
    for (const [session, form, place, number] of rows) {
      const memory = this.#tables.memories.idOf(number);
      if (isShown?.has(form) === false) continue;
      const list = standing.get(session);
      if (list === undefined) standing.set(session, [{ form, place, memory }]);
      else list.push({ form, place, memory });
    }
    for (const list of standing.values()) list.sort(byPlace);
    return standing;
  }
}

interface Standing {
  readonly form: FormId;
  readonly place: number;
  readonly memory: MemoryId;
}

const byPlace = (a: Standing, b: Standing): number =>
  a.place - b.place || (a.memory < b.memory ? -1 : a.memory > b.memory ? 1 : 0);

/** The nearest on each side, nearest first. */
function besideIn(
  standing: readonly Standing[],
  place: Standing,
  reach: number,
): readonly (readonly FormId[])[] {
  const index = standing.findIndex(({ memory }) => memory === place.memory);
  if (index === -1) return [[], []];
  const before = standing.slice(Math.max(0, index - reach), index).reverse();
  const after = standing.slice(index + 1, index + 1 + reach);
  return [before.map(({ form }) => form), after.map(({ form }) => form)];
}

/** Rows looked at for the surroundings of one recall, which takes some milliseconds. */
const MAX_STANDING = 4_000;
/** Neighbours that the filters leave out are replaced by the next ones, up to so many. */
const SPARE_NEIGHBOURS = 2;
const SELECT_VISIBLE = `SELECT s.form, s.version, s.versions, s.memory FROM json_each(?) j
  CROSS JOIN spans s INDEXED BY spans_form ON s.form = j.value
  WHERE s.branch = ? AND s.from_at <= ? AND s.to_at > ? AND s.deleted = 0`;
