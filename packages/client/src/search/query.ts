/**
 * What a query asks for: terms to find, and perhaps a period it speaks of.
 *
 * @module
 */

import type { Period as PeriodSaid } from "@cambium/core";
import { kindAskedBy } from "./kind-words.js";
import { type Period, periodIn } from "./period.js";
import { periodAsked } from "./period-asked.js";
import type { Stemmer } from "./stemmer.js";
import { STOP_WORDS } from "./stop-words.js";
import { wordsOf } from "./words.js";

export interface Term {
  /** As it was written, normalised. */
  readonly text: string;
  /** As the index holds it; what FTS5 takes for several words, with spaces between them. */
  readonly stem: string;
  /** What FTS5 takes for one word each; mostly the text itself. */
  readonly pieces: readonly string[];
  /** Every word that begins so matches. */
  readonly prefix: boolean;
}

export interface SearchQuery {
  /** No two of one stem; the order of the query. */
  readonly terms: readonly Term[];
  /** Preferred, not demanded. Its words are not among the terms, unless the query says nothing else. */
  readonly period?: Period;
  /** Kinds of memory that its words ask for; preferred, not demanded. */
  readonly kinds?: ReadonlySet<string>;
  /** It names a time or kinds and nothing else: what it asks for can be listed. */
  readonly asksForList?: true;
  /** All that it asks for is what there is of this time. */
  readonly asked?: PeriodSaid;
}

/** Beyond this many words a query is a text, and only its first words count. */
const MAX_TERMS = 32;
/** They stand in its first so many UTF-16 units: of a text of a million, no more is read. */
const LONGEST_QUERY = 8_192;
/** Longer ones are no questions, and the dates in them none that the search should prefer. */
const LONGEST_DATED_QUERY = 4_096;

/**
 * @param now - milliseconds since 1970, what "6 months ago" counts from
 */
export async function parseQuery(
  text: string,
  { now, stemmer }: { readonly now: number; readonly stemmer: Stemmer },
): Promise<SearchQuery> {
  const asked = beginningOf(text).normalize("NFKC");
  const isLong = asked.length > LONGEST_DATED_QUERY;
  const dated = isLong ? undefined : await periodIn(asked, now);
  const ofTime = isLong ? undefined : await periodAsked(asked, now);
  const described = contentTerms(dated?.rest ?? asked, stemmer);
  const kinds = new Set(described.flatMap(({ text: word }) => kindAskedBy(word) ?? []));
  return {
    terms: described.length > 0 ? described : termsOf(asked, stemmer),
    ...(dated && { period: { start: dated.start, end: dated.end } }),
    ...(kinds.size > 0 && { kinds }),
    ...(ofTime !== undefined && { asked: ofTime }),
    ...((ofTime !== undefined ||
      ((dated !== undefined || kinds.size > 0) &&
        described.every(({ text: word }) => kindAskedBy(word) !== undefined))) && { asksForList: true }),
  };
}

/** The first words of a text that is no question: dates in it are words like others. */
export const wordQuery = (
  text: string,
  { stemmer, words }: { readonly stemmer: Stemmer; readonly words: number },
): SearchQuery => ({ terms: termsOf(beginningOf(text).normalize("NFKC"), stemmer).slice(0, words) });

/** Ends after a word, unless one word is longer than all that is read. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST_QUERY) return text;
  const beginning = text.slice(0, LONGEST_QUERY);
  const end = beginning.lastIndexOf(" ");
  return (end > 0 ? beginning.slice(0, end) : beginning).toWellFormed();
}

/** Without stop words, unless there are no others. */
function termsOf(text: string, stemmer: Stemmer): readonly Term[] {
  const described = contentTerms(text, stemmer);
  return described.length > 0 ? described : distinctTerms(text, stemmer, () => true);
}

const contentTerms = (text: string, stemmer: Stemmer): readonly Term[] =>
  distinctTerms(text, stemmer, (word) => !STOP_WORDS.has(word.toLowerCase()));

function distinctTerms(text: string, stemmer: Stemmer, counts: (word: string) => boolean): readonly Term[] {
  const words = wordsOf(text).filter(({ text: word, kind }) => kind !== "last" && counts(word));
  const stems = stemmer.stems(words.map((word) => word.text));
  const terms = new Map<string, Term>();
  for (const [index, word] of words.entries()) {
    const stem = stems[index] ?? "";
    if (stem !== "" && !terms.has(stem))
      terms.set(stem, {
        ...{ text: word.text, stem, prefix: word.kind === "lone" },
        pieces: stem.includes(" ") ? piecesOf(word.text, stemmer) : [word.text],
      });
    if (terms.size === MAX_TERMS) break;
  }
  return [...terms.values()];
}

const MARK = /\p{M}/u;

/** Some letters are younger than FTS5's tables, so that it cuts the words they stand in. */
function piecesOf(word: string, stemmer: Stemmer): readonly string[] {
  const characters = [...word];
  const stems = stemmer.stems(characters);
  const spaced = characters.map((character, index) =>
    stems[index] === "" && !MARK.test(character) ? " " : character,
  );
  return spaced
    .join("")
    .split(" ")
    .filter((piece) => piece !== "");
}
