/**
 * Which memories a merge brings: read from what a person or program asked for.
 *
 * @module
 */
import { type BranchId, CambiumError, type Choice, isInScope } from "@cambium/core";
import type { MergeScope } from "../api.js";
import { refuseUnknownNames } from "../arguments/known-names.js";
import type { StateFinder } from "../space/state-finder.js";
import type { StateReader } from "../space/state-reader.js";

export interface ChoiceServices {
  readonly finder: StateFinder;
  readonly reader: StateReader;
}

/** So many, of what a query finds: whoever means more names a label. */
const MOST_FOUND = 1_000;

/** @throws {CambiumError} BAD_INPUT when nothing is said, MEMORY_NOT_FOUND */
export async function choiceOf(
  { query, ...only }: MergeScope,
  source: BranchId,
  { finder, reader }: ChoiceServices,
): Promise<Choice> {
  const { ids: named, ...labels } = only;
  refuseUnknownNames(only, ["ids", "query"]);
  const isLabelled = Object.values(labels).some((part) => Object.keys(part ?? {}).length > 0);
  if (query === undefined && named === undefined && !isLabelled) {
    throw new CambiumError("BAD_INPUT", "`only` has to say which memories.", {
      hint: "Leave it out to merge the whole branch.",
    });
  }
  const state = await finder.find({ branch: source });
  const ids = named?.map((text) => reader.idOf(state, text));
  const found =
    query === undefined
      ? undefined
      : await reader.recall(query, { branch: source, limit: MOST_FOUND, spelling: false });
  const recalled = found && new Set(found.map(({ id }) => id));
  return (id, sides) => (recalled?.has(id) ?? true) && isInScope({ ...labels, ids }, id, sides);
}
