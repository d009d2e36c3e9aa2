/**
 * Queries that are parsed and planned once for each connection.
 *
 * @module
 */

const NAMES = new Map<string, string>();

export function named(
  text: string,
  values: readonly unknown[],
): { name: string; text: string; values: unknown[] } {
  const name = NAMES.get(text) ?? `q${NAMES.size}`;
  NAMES.set(text, name);
  return { name, text, values: [...values] };
}
