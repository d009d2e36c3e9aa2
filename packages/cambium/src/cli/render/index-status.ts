/**
 * How the index and its vectors stand, for people.
 *
 * @module
 */
import type { IndexStatus } from "@cambium/client";
import { counted, oneLine } from "@cambium/core/text";
import type { Style } from "./style.js";

const KIB = 1_024;
const SIZE_UNITS = ["KiB", "MiB", "GiB"] as const;

/** @returns such as `ready, 42 versions on 2 branches, 1.2 MiB` */
export function indexText({ state, records, branches, sizeBytes }: IndexStatus, { colors }: Style): string {
  const word = state === "ready" ? colors.green("ready") : colors.yellow("behind");
  const counts = [
    ...(state === "ready" ? [] : ["catches up when read"]),
    `${counted(records, "version")} on ${counted(branches, "branch", "branches")}`,
    sizeText(sizeBytes),
  ];
  return `${word}${colors.dim(`, ${counts.join(", ")}`)}`;
}

/** @returns such as `30 of 42 by all-minilm; the endpoint did not answer` */
export function vectorsText(
  { done, total, model, problem }: NonNullable<IndexStatus["vectors"]>,
  { colors }: Style,
): string {
  const counted = `${done} of ${total}${colors.dim(` by ${oneLine(model)}`)}`;
  if (problem !== undefined) return `${counted}; ${colors.yellow(oneLine(problem))}`;
  return done < total ? `${counted}${colors.dim("; `cambium reindex` adds the others")}` : counted;
}

function sizeText(sizeBytes: number): string {
  const power = Math.min(SIZE_UNITS.length, Math.floor(Math.log2(Math.max(KIB, sizeBytes)) / 10));
  const size = sizeBytes / KIB ** power;
  return `${size >= 10 ? Math.round(size) : size.toFixed(1)} ${SIZE_UNITS[power - 1]}`;
}
