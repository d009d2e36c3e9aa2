/**
 * What of a branch is rolled back: read from what a person or program asked for.
 *
 * @module
 */
import { CambiumError, isCambiumError, type MemoryId, type MemoryScope } from "@cambium/core";
import type { RollbackOptions } from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import { refuseUnknownNames } from "../arguments/known-names.js";
import type { FoundState } from "../space/state-finder.js";
import type { RollbackServices } from "./services.js";

export interface RollbackSelection {
  readonly scope: MemoryScope;
  /**
   * Which of the writes are reverted; undefined when memories are brought back to a state, no matter who wrote them.
   */
  readonly changes: ChangeSelection | undefined;
}

export interface ChangeSelection {
  readonly agent: string | undefined;
  /** Effective time on the branch, in milliseconds since 1970; both included. */
  readonly since: number;
  readonly until: number;
}

/** @throws {CambiumError} BAD_INPUT when nothing says what is rolled back, MEMORY_NOT_FOUND, BAD_REF */
export async function parseScope(
  services: RollbackServices,
  { to, only = {} }: RollbackOptions,
  now: FoundState,
  past: FoundState | undefined,
): Promise<RollbackSelection> {
  refuseUnknownNames(only, ["ids", "query", "since", "until"]);
  const { area, category, kind, tag, not, agent, query } = only;
  const named = only.ids === undefined ? undefined : idsOf(services, only.ids, now, past);
  const matching = query === undefined ? undefined : await matchingIds(services, query, now, past);
  const ids = matching?.filter((id) => named?.includes(id) !== false) ?? named;
  const scope = { area, category, kind, tag, not, ids };
  const [since, until] = [await startOf(only.since, services.now()), await endOf(only.until, services.now())];
  if (agent === undefined && since === undefined && until === undefined) {
    if (to !== undefined) return { scope, changes: undefined };
    throw new CambiumError(
      "BAD_INPUT",
      "Give a state to return to, or whose changes to revert, or since when.",
      {
        hint: "For instance: cambium rollback yesterday, or cambium rollback --by cursor --since monday",
      },
    );
  }
  const range = { since: since ?? Number.NEGATIVE_INFINITY, until: until ?? Number.POSITIVE_INFINITY };
  if (range.since > range.until) throw new CambiumError("BAD_INPUT", "since lies after until.");
  return { scope, changes: { agent, ...range } };
}

/** What speaks of it in any wording that either state has shown, now or ever. */
async function matchingIds(
  { reader }: RollbackServices,
  query: string,
  now: FoundState,
  past: FoundState | undefined,
): Promise<readonly MemoryId[]> {
  const found = await reader.everMatching(query, now);
  const before = past === undefined ? [] : await reader.everMatching(query, past);
  return [...new Set([...found, ...before])];
}

/** A memory that is not here any more, or not on this branch, may have been there then. */
const idsOf = (
  { reader }: RollbackServices,
  texts: readonly string[],
  now: FoundState,
  past: FoundState | undefined,
): readonly MemoryId[] =>
  texts.map((text) => {
    try {
      return reader.idOf(now, text);
    } catch (error) {
      if (!isCambiumError(error, "MEMORY_NOT_FOUND") || past === undefined) throw error;
      return reader.idOf(past, text);
    }
  });
