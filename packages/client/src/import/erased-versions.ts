/**
 * An export may name versions whose text was erased for good. They are no versions of anything where it is imported: a
 * memory without a text would be one that nobody wrote.
 *
 * @module
 */
import type { RecordHash, StateField } from "@cambium/core";
import type { ExportedVersion } from "./import-draft.js";

type IsErased = (version: ExportedVersion) => boolean;

const isErased: IsErased = ({ erased }) => erased !== undefined;

/**
 * Those with a text, each following the nearest one before it that has one. What an erased version decided besides its
 * text is decided by the next one, which says it too.
 *
 * @param isPassed - whether a version is passed over
 * @returns none when nothing is left of what the memory is now
 */
export function withoutErased(
  versions: readonly ExportedVersion[],
  isPassed: IsErased = isErased,
): readonly ExportedVersion[] {
  if (!versions.some(isPassed)) return versions;
  const followed = new Set(versions.flatMap(({ parents }) => parents));
  if (versions.every((version) => followed.has(version.record) || isPassed(version))) return [];
  const left = new Map<RecordHash, Pick<ExportedVersion, "parents" | "decides">>();
  return versions.flatMap((version) => {
    const passed = version.parents.flatMap((parent) => left.get(parent) ?? []);
    const here = version.parents.filter((parent) => !left.has(parent));
    const parents = unique([...here, ...passed.flatMap((each) => each.parents)]);
    const taken = passed.flatMap(({ decides }) => decides);
    const decides = unique<StateField>([...version.decides, ...taken]);
    if (!isPassed(version)) return [{ ...version, parents, decides: parents.length === 0 ? [] : decides }];
    left.set(version.record, { parents, decides: decides.filter((field) => field !== "content") });
    return [];
  });
}

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];
