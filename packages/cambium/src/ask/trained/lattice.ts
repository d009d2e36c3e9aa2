/**
 * A chain of tags, each with a score at each token and after each other tag: the likeliest chain, and how likely a tag
 * or a stretch of tags is over all chains (forward and backward sums of a linear-chain conditional random field). Pure.
 *
 * @module
 */
export interface Lattice {
  readonly tags: number;
  readonly length: number;
  /** Raised scores, a row a token; 0 where a tag cannot be. */
  readonly here: Float64Array;
  /** Raised scores, a row for the tag before; 0 where one cannot follow the other. */
  readonly after: Float64Array;
}

export interface Sums {
  /** Shares of what leads to a tag, a row a token. */
  readonly forward: Float64Array;
  /** So that a forward share times its backward one is the probability of the tag. */
  readonly backward: Float64Array;
  /** What each row was divided by. */
  readonly scales: Float64Array;
}

export function sumsOf(lattice: Lattice): Sums {
  const { tags, length, here, after } = lattice;
  const forward = new Float64Array(tags * length);
  const backward = new Float64Array(tags * length);
  const scales = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    let scale = 0;
    for (let tag = 0; tag < tags; tag += 1) {
      const own = here[at * tags + tag] as number;
      if (own === 0) continue;
      let led = at === 0 ? 1 : 0;
      if (at > 0)
        for (let before = 0; before < tags; before += 1)
          led += (forward[(at - 1) * tags + before] as number) * (after[before * tags + tag] as number);
      forward[at * tags + tag] = led * own;
      scale += led * own;
    }
    scales[at] = scale;
    for (let tag = 0; tag < tags; tag += 1)
      forward[at * tags + tag] = (forward[at * tags + tag] as number) / scale;
  }
  backward.fill(1, (length - 1) * tags);
  for (let at = length - 2; at >= 0; at -= 1)
    for (let tag = 0; tag < tags; tag += 1)
      backward[at * tags + tag] = onward(lattice, { backward, scales }, at, tag);
  return { forward, backward, scales };
}

/** What may come after a tag at a place, all but one tag. */
function onward(
  { tags, here, after }: Lattice,
  { backward, scales }: Pick<Sums, "backward" | "scales">,
  at: number,
  tag: number,
  but = -1,
): number {
  let sum = 0;
  for (let next = 0; next < tags; next += 1)
    if (next !== but)
      sum +=
        (after[tag * tags + next] as number) *
        (here[(at + 1) * tags + next] as number) *
        (backward[(at + 1) * tags + next] as number);
  return sum / (scales[at + 1] as number);
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly begins: number;
  readonly goesOn: number;
}

/** How likely these tokens, neither fewer nor more, are one part. */
export function likelihoodOf(lattice: Lattice, sums: Sums, { from, to, begins, goesOn }: Stretch): number {
  const { tags, length, here, after } = lattice;
  let share = sums.forward[from * tags + begins] as number;
  let last = begins;
  for (let at = from + 1; at < to; at += 1) {
    share *=
      ((after[last * tags + goesOn] as number) * (here[at * tags + goesOn] as number)) /
      (sums.scales[at] as number);
    last = goesOn;
  }
  return to === length ? share : share * onward(lattice, sums, to - 1, last, goesOn);
}

/** @returns the likeliest tag of each token, all together */
export function likeliest({ tags, length, here, after }: Lattice): readonly number[] {
  const best = new Float64Array(tags * length);
  const from = new Int32Array(tags * length);
  for (let at = 0; at < length; at += 1) {
    let most = 0;
    for (let tag = 0; tag < tags; tag += 1) {
      const own = here[at * tags + tag] as number;
      let led = at === 0 ? 1 : 0;
      for (let before = 0; at > 0 && before < tags; before += 1) {
        const one = (best[(at - 1) * tags + before] as number) * (after[before * tags + tag] as number);
        if (one > led) {
          led = one;
          from[at * tags + tag] = before;
        }
      }
      best[at * tags + tag] = led * own;
      most = Math.max(most, led * own);
    }
    for (let tag = 0; tag < tags; tag += 1) best[at * tags + tag] = (best[at * tags + tag] as number) / most;
  }
  const chain: number[] = [];
  for (let at = length - 1; at >= 0; at -= 1) {
    const next = chain[0];
    if (next !== undefined) chain.unshift(from[(at + 1) * tags + next] as number);
    else
      chain.push(
        best
          .subarray(at * tags, (at + 1) * tags)
          .reduce((top, one, tag, all) => (one > (all[top] as number) ? tag : top), 0),
      );
  }
  return chain;
}
