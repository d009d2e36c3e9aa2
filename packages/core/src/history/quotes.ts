/**
 * Quotes around a part of a ref, as shells and people leave them.
 *
 * @module
 */

export function unquote(text: string): string {
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(text);
  return quoted === null ? text : (quoted[1] ?? quoted[2] ?? "");
}
