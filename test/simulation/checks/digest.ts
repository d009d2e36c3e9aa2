/**
 * Answers as short texts, equal where the answers are.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** JSON with the names of each object in order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(canonicalJson(value) ?? "")
    .digest("hex")
    .slice(0, 32);

const SHORT = 60_000;

/** For a message about what differs. */
export const shortOf = (value: unknown): string => (canonicalJson(value) ?? "").slice(0, SHORT);

/** Where two texts begin to differ, with what stands around it. */
export function differenceOf(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  return `…${around(one)}… but …${around(other)}…`;
}
