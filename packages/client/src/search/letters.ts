/**
 * How far two words are apart, in slips of the keyboard.
 *
 * @module
 */

/**
 * Counts the letters that are too many, missing, other, or in the wrong order (two neighbours).
 *
 * @param other - what another letter in place of one counts
 */
export function distanceBetween(a: ArrayLike<string>, b: ArrayLike<string>, other = 1): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, place) => place)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : other;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + same,
        swapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] as number;
}
