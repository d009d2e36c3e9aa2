import type { LabelValues } from "@cambium/core";

/** What a verb says: one document for programs, one text for people. */
export interface Answer {
  readonly document: unknown;
  readonly text: string;
  readonly exit: number;
}

export const NOT_FOUND_EXIT = 3;

/** Where nothing is found of somebody who has written nothing, the name is what was not found. */
export function exitOfNone(
  found: readonly unknown[],
  agents: LabelValues | undefined,
  advice: readonly string[] | undefined,
): number {
  const isUnknown = (agent: string): boolean => advice?.some((line) => line.includes(`"${agent}"`)) ?? false;
  return found.length === 0 && [agents ?? []].flat().some(isUnknown) ? NOT_FOUND_EXIT : 0;
}
