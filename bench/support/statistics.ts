/**
 * Timing, and what to say of many times.
 *
 * @module
 */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly samples: number;
}

export function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), samples: sorted.length };
}

/** The nearest of the values themselves; NaN of none. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;

/** How long one call takes, and what it returns: checking that belongs outside. */
export async function timed<Result>(
  run: () => Promise<Result>,
): Promise<{ readonly ms: number; readonly result: Result }> {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
}

/** Small times with two digits, so that none reads as nothing. */
export const msText = (ms: number): string =>
  ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0);
