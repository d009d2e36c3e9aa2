/**
 * Who did something, for people.
 *
 * @module
 */
import type { Author } from "@cambium/core";
import { authorText, oneLine } from "@cambium/core/text";
import type { Style } from "./style.js";
import { fullTime } from "./time.js";

/** @returns such as `laptop · claude-code`: the device, and the agent on it */
export const authorName = (by: Partial<Author>): string => authorText(by, oneLine);

export const byAndWhen = (by: Partial<Author>, atMs: number, { colors, nowMs }: Style): string =>
  `${colors.cyan(authorName(by))}${colors.dim(`, ${fullTime(atMs, nowMs)}`)}`;
