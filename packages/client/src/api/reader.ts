/**
 * Reading a space.
 *
 * @module
 */
import type { Memory, MemoryConflicts } from "@cambium/core";
import { flag, number, oneOf, optional, partial, text } from "../arguments/shapes.js";
import {
  ALL_LABELS,
  AT_REF,
  atRef,
  FILTER,
  id,
  PAGE,
  type SignaturesOf,
  taking,
  values,
} from "../arguments/signature.js";
import type { LogOptions, LogPage } from "./log.js";
import type { AtRef, ListOptions, MemoryPage, Recalled, RecallOptions } from "./memories.js";
import type { HistoryVersion, VersionReading } from "./versions.js";
import versionSignatures from "./versions.js";

/** The reading half of a space; `space.at(ref)` gives it fixed at a ref. */
export interface SpaceReader extends VersionReading {
  /**
   * Returns one memory as the branch shows it, at any ref. The id may be a unique prefix.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY, BAD_REF
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * expect((await space.get(id)).content).toBe("Tea at four");
   */
  get(id: string, options?: AtRef): Promise<Memory>;
  /**
   * Lists memories, last written first or in another order, in pages. Default for `limit`: 100.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Tea at four", category: "habit" });
   * const { memories, cursor } = await space.list({ category: "habit" });
   * expect([memories.length, cursor]).toEqual([1, undefined]);
   */
  list(options?: ListOptions): Promise<MemoryPage>;
  /**
   * Finds memories by words, and by meaning if the replica has an embedder. Best match first. Default for
   * `limit`: 10.
   * Each has a `score`, which compares only within one answer, and a `snippet`. The answer as a whole says how sure it
   * is (`certainty`) and what to try next (`advice`). Without words, filters list what they choose, newest first.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Releases are cut on Thursdays" });
   * const [best] = await space.recall("release day");
   * expect(best.content).toBe("Releases are cut on Thursdays");
   * @example
   * await agent.remember({ content: "The rent is 900 euro.", tags: ["money"] });
   * const found = await space.recall(undefined, { tag: "money" });
   * expect([found.length, found.certainty]).toEqual([1, "strong"]);
   */
  recall(query?: string, options?: RecallOptions): Promise<Recalled>;
  /**
   * Returns every version of a memory, oldest first, with what each changed.
   *
   * @throws {CambiumError} MEMORY_NOT_FOUND, BAD_REF
   * @example
   * const { id } = await agent.remember({ content: "Tea at four" });
   * await agent.revise(id, { content: "Tea at five" });
   * expect((await space.history(id)).map(({ version }) => version)).toEqual([1, 2]);
   */
  history(id: string, options?: AtRef): Promise<readonly HistoryVersion[]>;
  /**
   * Returns the changes of a branch, newest first, in pages. Default for `limit`: 100. `since` and `until` are dates
   * or periods in words: of a day or a month, its beginning and its end. `until` cannot be given with `at`. Others
   * choose by who made a change, by what it did, and by the labels of what it wrote.
   *
   * @throws {CambiumError} BAD_REF, BAD_INPUT
   * @example
   * await agent.remember({ content: "Tea at four" });
   * const { changes } = await space.log({ limit: 1 });
   * expect(changes[0].type).toBe("remember");
   * @example
   * await agent.remember({ content: "The rent is 900 euro.", tags: ["money"] });
   * const { changes } = await space.log({ tag: "money", type: ["remember", "revise"] });
   * expect(changes).toHaveLength(1);
   */
  log(options?: LogOptions): Promise<LogPage>;
  /**
   * Returns the memories with open conflicts, with every value of each field.
   *
   * @example
   * expect(await space.conflicts()).toEqual([]);
   */
  conflicts(
    options?: AtRef,
  ): Promise<readonly (MemoryConflicts & { readonly branch: string; readonly memory: Memory })[]>;
}

export default {
  ...versionSignatures,
  get: [id, atRef],
  list: [
    taking({
      ...AT_REF,
      ...FILTER,
      ...PAGE,
      deleted: flag,
      forgotten: flag,
      order: oneOf("changed", "created", "name", "strength"),
    }),
  ],
  recall: [
    ["query", optional(text)],
    taking({ ...AT_REF, ...FILTER, limit: number, priors: flag, spelling: flag }),
  ],
  history: [id, atRef],
  log: [
    taking({
      ...{ ...AT_REF, ...ALL_LABELS, ...PAGE, not: partial(ALL_LABELS) },
      ...{ type: values, since: text, until: text },
    }),
  ],
  conflicts: [atRef],
} satisfies SignaturesOf<SpaceReader>;
