/**
 * From what a search found to what a recall answers.
 *
 * What a memory and those beside it say of the query counts most; see `evidence.ts`. Then follow preferences, each
 * a factor near 1: who spoke, when it happened, whether it tells or asks, and how recent and used it is.
 *
 * What nobody asks for is not read: of the forms that only stand beside a match, the facts are fetched when they may be
 * next in the order, because the preferences can raise a form no further than a known factor.
 *
 * Pure, and the same for the same input: ties are decided by memory id.
 *
 * @module
 */
import { type EvidenceSettings, evidenceBySnapshot } from "./evidence.js";
import type { Shape, TextMatches } from "./full-text.js";
import type { Period } from "./period.js";
import type { SearchQuery } from "./query.js";
import { wordsOf } from "./words.js";

/** What ranking has to know of a form that the state shows and the caller's filters let through. */
export interface CandidateFacts {
  readonly snapshot: number;
  readonly memory: string;
  /** Milliseconds since 1970, when it became known. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly occurredAt?: number | undefined;
  /** 0 to 1. */
  readonly importance?: number | undefined;
  readonly kind?: string | undefined;
  /** How often it was recalled. */
  readonly uses?: number | undefined;
  /** Names one session of one source. */
  readonly session?: string | undefined;
  readonly speaker?: string | undefined;
}

export interface RankInput {
  readonly query: SearchQuery;
  readonly matches: TextMatches;
  /** Of forms that matched. */
  readonly found: readonly CandidateFacts[];
  /** The forms that stand in each session, in its order. */
  readonly sessions: readonly (readonly number[])[];
  /** Of those of the forms that may be answered. */
  readonly facts: (snapshots: readonly number[]) => readonly CandidateFacts[];
  readonly shapes: (snapshots: readonly number[]) => ReadonlyMap<number, Shape>;
  /** Milliseconds since 1970; undefined leaves recency, importance and use out. */
  readonly priorsAt?: number | undefined;
}

export interface RankSettings extends EvidenceSettings {
  /** For what was said by somebody whom the query names. */
  readonly speaker: number;
  /** For what happened in the period that the query speaks of. */
  readonly period: number;
  /** For memories of a kind that the query asks for. */
  readonly kind: number;
  /** What a text that ends by asking counts. */
  readonly asking: number;
  /** Words at which a text counts nearly two thirds, for "Thanks!" answers nothing. */
  readonly briefWords: number;
}

export interface RankedSnapshot {
  readonly facts: CandidateFacts;
  /** Greater is better; always above 0. */
  readonly score: number;
}

/** Chosen on conversations; see bench/README.md for how, and for what other choices give. */
export const DEFAULT_RANK_SETTINGS: RankSettings = {
  near: [0.7, 0.5],
  session: 0.2,
  coverage: 0.5,
  speaker: 0.4,
  period: 0.5,
  kind: 0.3,
  asking: 0.8,
  briefWords: 6,
};

/** Mild on purpose: together they move a memory past one that says the query a third better, at most. */
const PRIORS = { recency: 0.1, importance: 0.1, use: 0.1 };
const RECENCY_HALF_LIFE_MS = 180 * 86_400_000;
/** Uses at which the prior of use is half spent. */
const HALF_USAGE = 5;
/** People misremember dates: this long beside the period, a quarter of its length if that is more. */
const PERIOD_SLACK_MS = 3 * 86_400_000;
/** Facts are fetched so many at a time. */
const FETCHED_AT_ONCE = 32;

/** Best first. Facts are fetched as the order is read. */
export function* rankSnapshots(
  input: RankInput,
  settings: RankSettings = DEFAULT_RANK_SETTINGS,
): Generator<RankedSnapshot, undefined> {
  const spoken = namedSpeakers(input);
  const snapshots = input.found.map(({ snapshot }) => snapshot);
  const evidence = evidenceBySnapshot({ ...input, snapshots, unspoken: spoken.terms }, settings);
  const scored = (facts: readonly CandidateFacts[]): readonly RankedSnapshot[] => {
    const shapes = input.shapes(facts.map(({ snapshot }) => snapshot));
    return facts
      .map((one) => ({
        facts: one,
        score:
          (evidence.get(one.snapshot) ?? 0) *
          preference(one, { input, settings, spoken }) *
          detailFactor(shapes.get(one.snapshot), settings),
      }))
      .filter(({ score }) => score > 0);
  };
  const known = new Set(snapshots);
  const others = [...evidence].filter(([snapshot]) => !known.has(snapshot)).sort((a, b) => b[1] - a[1]);
  const greatest = greatestPreference(input, settings, spoken);
  let ready = scored(input.found).toSorted(byScore);
  for (let fetched = 0, taken = 0; ; taken += 1) {
    for (;;) {
      const bound = (others[fetched]?.[1] ?? 0) * greatest;
      if (
        fetched >= others.length ||
        (taken < ready.length && (ready[taken] as RankedSnapshot).score > bound)
      )
        break;
      const next = others.slice(fetched, fetched + FETCHED_AT_ONCE).map(([snapshot]) => snapshot);
      fetched += next.length;
      ready = [...ready.slice(taken), ...scored(input.facts(next))].sort(byScore);
      taken = 0;
    }
    const best = ready[taken];
    if (best === undefined) return undefined;
    yield best;
  }
}

const byScore = (a: RankedSnapshot, b: RankedSnapshot): number =>
  b.score - a.score || (a.facts.memory < b.facts.memory ? -1 : 1);

interface NamedSpeakers {
  readonly names: ReadonlySet<string>;
  /** Indexes of the terms that are these names, and say nothing else. */
  readonly terms: ReadonlySet<number>;
}

/** A term that is a speaker's name chooses among speakers; memories that say it are mostly by somebody else. */
function namedSpeakers({ query, found }: RankInput): NamedSpeakers {
  const [names, terms] = [new Set<string>(), new Set<number>()];
  const indexByWord = new Map(query.terms.map(({ text }, index) => [text.toLowerCase(), index]));
  for (const speaker of new Set(found.flatMap((one) => one.speaker ?? []))) {
    for (const { text } of wordsOf(speaker)) {
      const index = indexByWord.get(text.toLowerCase());
      if (index === undefined) continue;
      names.add(speaker);
      terms.add(index);
    }
  }
  return { names, terms: terms.size === query.terms.length ? new Set() : terms };
}

interface Preferring {
  readonly input: RankInput;
  readonly settings: RankSettings;
  readonly spoken: NamedSpeakers;
}

const preference = (facts: CandidateFacts, { input, settings, spoken }: Preferring): number =>
  (1 + (spoken.names.has(facts.speaker ?? "") ? settings.speaker : 0)) *
  (1 + settings.period * nearness(input.query.period, facts)) *
  (input.query.kinds?.has(facts.kind?.toLowerCase() ?? "") ? 1 + settings.kind : 1) *
  prior(facts, input.priorsAt);

/** What no form's preference exceeds. */
const greatestPreference = (
  { query, priorsAt }: RankInput,
  settings: RankSettings,
  { names }: NamedSpeakers,
): number =>
  (names.size === 0 ? 1 : 1 + settings.speaker) *
  (query.period === undefined ? 1 : 1 + settings.period) *
  (query.kinds === undefined ? 1 : 1 + settings.kind) *
  (priorsAt === undefined ? 1 : 1 + PRIORS.recency + PRIORS.importance + PRIORS.use);

/** At most 1. */
function detailFactor(shape: Shape | undefined, { asking, briefWords }: RankSettings): number {
  if (shape === undefined) return 1;
  return (1 - Math.exp(-shape.words / briefWords)) * (shape.asks ? asking : 1);
}

/** 1 within the period, falling by a factor of e with each length of slack beside it; 0 without one. */
function nearness(period: Period | undefined, { occurredAt, at }: CandidateFacts): number {
  if (period === undefined) return 0;
  const time = occurredAt ?? at;
  const beside = Math.max(period.start - time, time - (period.end - 1), 0);
  return Math.exp(-beside / Math.max(PERIOD_SLACK_MS, (period.end - period.start) / 4));
}

function prior({ at, importance = 0, uses = 0 }: CandidateFacts, now: number | undefined): number {
  if (now === undefined) return 1;
  const recency = 2 ** (-Math.max(0, now - at) / RECENCY_HALF_LIFE_MS);
  const used = uses / (uses + HALF_USAGE);
  return 1 + PRIORS.recency * recency + PRIORS.importance * importance + PRIORS.use * used;
}
