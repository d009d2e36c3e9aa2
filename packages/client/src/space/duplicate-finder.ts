/**
 * Looks for memories that say nearly what a text says: the index finds those that share its words, and only these
 * few are compared with it.
 *
 * @module
 */
import { CambiumError, fingerprintOf, similarityOf } from "@cambium/core";
import type { SimilarMemory, SimilarOptions, SimilarTo } from "../api.js";
import type { SearchLists } from "../index-store/search-lists.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { bestMatches, type WeighedTerm } from "../search/full-text.js";
import { type Term, wordQuery } from "../search/query.js";
import { Stemmer } from "../search/stemmer.js";
import { namesSubject, SAME_SUBJECT, sharedSubject, subjectOf } from "../search/subject.js";
import type { StateFinder } from "./state-finder.js";
import type { StateReader } from "./state-reader.js";

export interface DuplicateFinderOptions {
  readonly finder: StateFinder;
  readonly reader: StateReader;
  readonly index: SpaceIndex;
  readonly lists: SearchLists;
}

const DEFAULT_LIMIT = 3;
const MAX_LIMIT = 100;
/** Half of the pairs of words: a changed name or number in a short sentence, and all that is nearer. */
const DEFAULT_THRESHOLD = 0.5;
const LEAST_THRESHOLD = 0.1;
/**
 * Words that are counted, and the rarest of them, which are looked up: a text that says nearly the same has most of
 * them.
 */
const MAX_WORDS = 12;
const LOOKED_UP = 6;
/** Texts that are compared, for each that is asked for and at least. */
const COMPARED_PER_RESULT = 4;
const LEAST_COMPARED = 24;
/** The best matches, of which it is asked what they are about. */
const COMPARED_IN_SUBJECT = 8;

export class DuplicateFinder implements Disposable {
  readonly #options: DuplicateFinderOptions;
  #stemmer: Stemmer | undefined;

  constructor(options: DuplicateFinderOptions) {
    this.#options = options;
  }

  /** Most similar first. */
  async alike(
    of: SimilarTo,
    { branch, limit = DEFAULT_LIMIT, threshold = DEFAULT_THRESHOLD, related = false }: SimilarOptions = {},
  ): Promise<readonly SimilarMemory[]> {
    checkNumber("limit", limit, 1, MAX_LIMIT);
    checkNumber("threshold", threshold, LEAST_THRESHOLD, 1);
    const { finder, reader, index, lists } = this.#options;
    const self = typeof of === "string" ? undefined : await reader.get(of.id, { branch });
    const text = self?.content ?? (of as string);
    const found = await finder.find({ branch });
    this.#stemmer ??= new Stemmer();
    const past = !(found.state.levels.length === 1 && found.branch.name === "main");
    const state = index.recallState({
      ...{ state: found.state, past, passes: () => true, usageOf: () => 0 },
    });
    const query = wordQuery(text, { stemmer: this.#stemmer, words: MAX_WORDS });
    const weighed = lists.text.weigh(query, { past });
    const { weights } = lists.text.match({ terms: rarestOf(weighed) }, { past });
    const compared = Math.max(LEAST_COMPARED, COMPARED_PER_RESULT * limit) + 1;
    const matches = bestMatches(weights, compared).map(({ snapshot }) => snapshot);
    const snapshots = state
      .facts(matches)
      .flatMap(({ snapshot, memory }) => (memory === self?.id ? [] : [snapshot]));
    const { shingles } = fingerprintOf(text);
    const subjectIn = this.#subjectOf(weighed);
    const close = new Set(related ? matches.slice(0, COMPARED_IN_SUBJECT) : []);
    const scored = state
      .contents(snapshots)
      .map((content, place) => {
        const snapshot = snapshots[place] as number;
        const similarity = similarityOf(shingles, fingerprintOf(content).shingles);
        const isSame = similarity >= threshold || !close.has(snapshot);
        return { snapshot, similarity, subject: isSame ? 0 : subjectIn(content) };
      })
      .filter(({ similarity, subject }) => similarity >= threshold || subject >= SAME_SUBJECT)
      .sort((a, b) => rankOf(b, threshold) - rankOf(a, threshold) || b.snapshot - a.snapshot)
      .slice(0, limit);
    const memories = state.memories(scored.map(({ snapshot }) => snapshot));
    return memories.map((memory, place) => {
      const { similarity } = scored[place] as Likeness;
      return { ...memory, similarity, likeness: similarity >= threshold ? "text" : "subject" };
    });
  }

  /** How much a text shares with what these words are about. */
  #subjectOf(weighed: readonly WeighedTerm[]): (content: string) => number {
    const naming = weighed.filter(({ term }) => namesSubject(term));
    const subject = new Map(naming.map(({ term, weight }) => [term.stem, weight]));
    const stemmer = this.#stemmer as Stemmer;
    return (content) => (subject.size === 0 ? 0 : sharedSubject(subject, subjectOf(content, stemmer)));
  }

  [Symbol.dispose](): void {
    this.#stemmer?.[Symbol.dispose]();
  }
}

interface Likeness {
  /** Of the texts, as `SimilarMemory` says. */
  readonly similarity: number;
  /** Of what they are about. */
  readonly subject: number;
}

/** What says nearly the same comes before what is about the same. */
const rankOf = ({ similarity, subject }: Likeness, threshold: number): number =>
  similarity >= threshold ? 1 + similarity : subject;

/** The terms that fewest forms hold, and any at all: by these, whoever says nearly the same is found at less cost. */
const rarestOf = (weighed: readonly WeighedTerm[]): readonly Term[] =>
  weighed
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows)
    .slice(0, LOOKED_UP)
    .map(({ term }) => term);

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (value >= least && value <= most) return;
  throw new CambiumError("BAD_INPUT", `${name} has to be a number from ${least} to ${most}.`, {
    details: { field: name },
  });
}
