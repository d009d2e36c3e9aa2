/**
 * The chain of a memory's versions: which one a person means, which one another follows, and what each says of it.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import type { MemoryId } from "../format/ids.js";
import type { RecordType } from "../format/record.js";
import type { Version } from "../memory/memory.js";
import { differingFields } from "../memory/operations.js";
import { shortId } from "../text/short-ids.js";
import { describeChange, describeFirst, MAX_SENTENCE_LENGTH } from "./describe-change.js";
import { shorten } from "./plain-words.js";

const LEAST_HASH_LENGTH = 4;

/**
 * Returns the version of this number, or of the record that begins so.
 *
 * @throws {CambiumError} RECORD_NOT_FOUND, or BAD_INPUT where several versions match
 */
export function findVersion(id: MemoryId, versions: readonly Version[], name: number | string): Version {
  const text = String(name).trim();
  const matching = versions.filter((candidate) =>
    /^\d{1,7}$/.test(text)
      ? candidate.version === Number(text)
      : text.length >= LEAST_HASH_LENGTH && candidate.record.startsWith(text.toLowerCase()),
  );
  const [found, second] = matching;
  if (second !== undefined) {
    throw new CambiumError(
      "BAD_INPUT",
      `${matching.length} versions match ${text}; they were written side by side.`,
      { hint: `Name one by its record: ${matching.map(({ record }) => record.slice(0, 12)).join(", ")}` },
    );
  }
  if (found !== undefined) return found;
  throw new CambiumError("RECORD_NOT_FOUND", `The memory ${shortId(id)} has no version ${text}.`, {
    hint: `\`cambium history ${shortId(id)}\` lists its versions.`,
  });
}

/**
 * Returns the version that another was written after. Of several, the one it differs least from: it was made
 * of that one, and took in what the others say.
 */
export function previousOf(version: Version, versions: readonly Version[]): Version | undefined {
  const parents = versions.filter(({ record }) => version.parents.includes(record));
  const distance = (parent: Version): number =>
    differingFields(parent, version).length + (parent.content === version.content ? 0 : 1);
  return parents.toSorted((a, b) => distance(a) - distance(b) || b.at - a.at)[0];
}

const FIRST_VERBS: Partial<Record<RecordType, string>> = {
  combine: "put together",
  split: "split off",
  import: "imported",
};

/** One sentence about what a version changed, made by rules. */
export function describeVersion(version: Version, previous: Version | undefined): string {
  if (version.erased === "whole") return "erased for good";
  if (version.erased !== undefined || previous?.erased !== undefined)
    return describeErased(version, previous);
  if (previous === undefined) return describeFirst(version, FIRST_VERBS[version.type]);
  if (differingFields(previous, version).length === 0)
    return version.parents.length > 1 ? "kept one of its versions as it was" : "the same values, set again";
  const sentence = describeChange(previous, version);
  if (version.parents.length < 2) return sentence;
  return shorten(`${version.parents.length} versions joined; ${sentence}`, MAX_SENTENCE_LENGTH);
}

/** Of what was erased or pruned only whether it was hidden is known: nothing can be said of its words. */
function describeErased(version: Version, previous: Version | undefined): string {
  if (previous !== undefined && previous.deleted !== version.deleted)
    return describeChange({ ...version, deleted: previous.deleted }, version);
  if (version.erased !== undefined)
    return version.erased === "pruned" ? "its text is not kept any more" : "erased for good";
  return previous?.erased === "pruned"
    ? "written after a text that is not kept any more"
    : "written after what was erased for good";
}

/** What a version corrected, newest correction last. */
export function correctionsIn(
  versions: readonly Version[],
): readonly { readonly before: Version; readonly correction: Version }[] {
  return versions.flatMap((correction) => {
    const before = correction.type === "correct" ? previousOf(correction, versions) : undefined;
    return before === undefined ? [] : [{ before, correction }];
  });
}
