/**
 * Who did something, for people.
 *
 * @module
 */
import type { Author } from "@cambium/core";
import { oneLine } from "@cambium/core/text";
import type { Style } from "./style.js";
import { fullTime } from "./time.js";

/** Random digits stand at the end of a replica's id; its beginning is a time. */
const REPLICA_DIGITS = 4;

/** @returns such as `claude-code@3f2a`: the agent, and the end of its replica's id */
export function authorName({ agent, replica }: Partial<Author>): string {
  const name = agent === undefined || agent === "" ? "" : oneLine(agent);
  if (replica === undefined) return name === "" ? "someone" : name;
  return `${name}@${replica.slice(-REPLICA_DIGITS)}`;
}

export const byAndWhen = (by: Partial<Author>, atMs: number, { colors, nowMs }: Style): string =>
  `${colors.cyan(authorName(by))}${colors.dim(`, ${fullTime(atMs, nowMs)}`)}`;
