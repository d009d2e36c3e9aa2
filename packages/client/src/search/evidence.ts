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
  readonly snapshots: readonly number[];
  /** What stands in one session each, in its order; no form stands in two. */
  readonly sessions: readonly (readonly number[])[];
}

/** By form; of `forms`, and of those in `sessions` that say a term or stand near one that does. */
export function evidenceBySnapshot(
  { matches, unspoken, snapshots, sessions }: EvidenceInput,
  settings: EvidenceSettings,
): ReadonlyMap<number, number> {
  const rarity = matches.rarity.map((one, index) => (unspoken.has(index) ? 0 : one));
  const described = (snapshot: number): TermWeights | undefined => {
    const weights = matches.weights.get(snapshot);
    if (weights === undefined || unspoken.size === 0) return weights;
    return weights.map((weight, index) => (unspoken.has(index) ? 0 : weight));
  };
  const evidence = new Map<number, number>();
  for (const session of sessions) {
    const stated = session.map(described);
    const strongest = strongestOf(stated);
    if (strongest === undefined) continue;
    for (const [index, snapshot] of session.entries()) {
      const own = stated[index];
      const lent = lentTo(stated, index, settings.near);
      if (own !== undefined || lent !== undefined)
        evidence.set(snapshot, worth({ own, lent, session: strongest }, rarity, settings));
    }
  }
  for (const snapshot of snapshots) {
    if (evidence.has(snapshot)) continue;
    const own = described(snapshot);
    if (own !== undefined)
      evidence.set(snapshot, worth({ own, lent: undefined, session: own }, rarity, settings));
  }
  return evidence;
}

interface TermEvidence {
  readonly own: TermWeights | undefined;
  readonly lent: TermWeights | undefined;
  readonly session: TermWeights;
}

function worth(
  { own, lent, session }: TermEvidence,
  rarity: TermWeights,
  settings: EvidenceSettings,
): number {
  let [total, covered, coverable] = [0, 0, 0];
  for (let term = 0; term < rarity.length; term += 1) {
    const here = (own?.[term] ?? 0) + (lent?.[term] ?? 0);
    const rare = rarity[term] as number;
    total += here + settings.session * (session[term] ?? 0);
    coverable += rare;
    if (here > 0) covered += rare;
  }
  return coverable === 0 ? total : total * (1 + (settings.coverage * covered) / coverable);
}

/** Of every term what its nearest and best neighbours lend; one that repeats a word adds nothing. */
function lentTo(
  stated: readonly (TermWeights | undefined)[],
  index: number,
  near: readonly number[],
): TermWeights | undefined {
  let lent: number[] | undefined;
  for (let step = 0; step < near.length; step += 1) {
    const part = near[step] as number;
    lent = raised(lent, stated[index - step - 1], part);
    lent = raised(lent, stated[index + step + 1], part);
  }
  return lent;
}

/** Of every term its greatest weight; undefined where none is said. */
function strongestOf(stated: readonly (TermWeights | undefined)[]): TermWeights | undefined {
  let strongest: number[] | undefined;
  for (const weights of stated) strongest = raised(strongest, weights, 1);
  return strongest;
}

/** Of every term the greater of what is there and a part of what comes; what is there is altered. */
function raised(
  there: number[] | undefined,
  coming: TermWeights | undefined,
  part: number,
): number[] | undefined {
  if (coming === undefined) return there;
  if (there === undefined) return coming.map((weight) => weight * part);
  for (let term = 0; term < coming.length; term += 1) {
    there[term] = Math.max(there[term] as number, (coming[term] as number) * part);
  }
  return there;
}
