/**
 * What speaks for each form: its own words, and those of what stands beside it.
 *
 * A turn of a conversation is seldom understood alone. So for each term, the nearest memory of the same
 * session that says it lends part of what it is worth there, and the session as a whole lends part of what it says
 * anywhere. Both lift memories that matched nothing, such as the answer "Oscar, my guinea pig" to the question
 * that named the pet. Who has more of the different terms so, rarer ones counted more, counts more.
 *
 * @module
 */
import type { TermWeights, TextMatches } from "./full-text.js";

export interface EvidenceSettings {
  /** What the nearest memory that says a term lends, by distance: the first for the previous and the next. */
  readonly near: readonly number[];
  /** What the session lends. */
  readonly session: number;
  /** Added where all terms are said, here or near; in proportion where some are. */
  readonly coverage: number;
}

interface EvidenceInput {
  readonly matches: TextMatches;
  /** Indexes of the terms that say nothing of the subject. */
  readonly unspoken: ReadonlySet<number>;
  /** Forms to judge in any case. */
  readonly forms: readonly number[];
  /** What stands in one session each, in its order; no form stands in two. */
  readonly sessions: readonly (readonly number[])[];
}

/** By form; of `forms`, and of those in `sessions` that say a term or stand near one that does. */
export function evidenceByForm(
  { matches, unspoken, forms, sessions }: EvidenceInput,
  settings: EvidenceSettings,
): ReadonlyMap<number, number> {
  const rarity = matches.rarity.map((one, index) => (unspoken.has(index) ? 0 : one));
  const told = (form: number): TermWeights | undefined => {
    const weights = matches.weights.get(form);
    if (weights === undefined || unspoken.size === 0) return weights;
    return weights.map((weight, index) => (unspoken.has(index) ? 0 : weight));
  };
  const evidence = new Map<number, number>();
  for (const session of sessions) {
    const said = session.map(told);
    const strongest = strongestOf(said);
    if (strongest === undefined) continue;
    for (const [index, form] of session.entries()) {
      const own = said[index];
      const lent = lentTo(said, index, settings.near);
      if (own !== undefined || lent !== undefined)
        evidence.set(form, worth({ own, lent, session: strongest }, rarity, settings));
    }
  }
  for (const form of forms) {
    if (evidence.has(form)) continue;
    const own = told(form);
    if (own !== undefined)
      evidence.set(form, worth({ own, lent: undefined, session: own }, rarity, settings));
  }
  return evidence;
}

interface Said {
  readonly own: TermWeights | undefined;
  readonly lent: TermWeights | undefined;
  readonly session: TermWeights;
}

function worth({ own, lent, session }: Said, rarity: TermWeights, settings: EvidenceSettings): number {
  let [total, covered, coverable] = [0, 0, 0];
  for (const [term, rare] of rarity.entries()) {
    const here = (own?.[term] ?? 0) + (lent?.[term] ?? 0);
    total += here + settings.session * (session[term] ?? 0);
    coverable += rare;
    if (here > 0) covered += rare;
  }
  return coverable === 0 ? total : total * (1 + (settings.coverage * covered) / coverable);
}

/** Of every term what its nearest and best neighbours lend; one that repeats a word adds nothing. */
function lentTo(
  said: readonly (TermWeights | undefined)[],
  index: number,
  near: readonly number[],
): TermWeights | undefined {
  let lent: number[] | undefined;
  for (const [step, part] of near.entries()) {
    for (const neighbour of [said[index - step - 1], said[index + step + 1]]) {
      if (neighbour === undefined) continue;
      lent ??= neighbour.map(() => 0);
      for (const [term, weight] of neighbour.entries())
        lent[term] = Math.max(lent[term] as number, weight * part);
    }
  }
  return lent;
}

/** Of every term its greatest weight; undefined where none is said. */
function strongestOf(said: readonly (TermWeights | undefined)[]): TermWeights | undefined {
  let strongest: number[] | undefined;
  for (const weights of said) {
    if (weights === undefined) continue;
    if (strongest === undefined) strongest = [...weights];
    else
      for (const [term, weight] of weights.entries())
        strongest[term] = Math.max(strongest[term] as number, weight);
  }
  return strongest;
}
