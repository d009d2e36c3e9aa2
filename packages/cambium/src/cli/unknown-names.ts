/**
 * Names in a selection that no memory has: where nothing was found, they are why.
 *
 * @module
 */
import type { EraseOptions, Space } from "@cambium/client";
import type { LabelValues, Memory } from "@cambium/core";
import { oneLine } from "@cambium/core/text";

const MOST_NAMED = 10;
const MOST_READ = 1_000;

/** What a memory has of each, as it is typed. */
const LABELS: Readonly<Record<Label, (memory: Memory) => readonly (string | undefined)[]>> = {
  category: ({ category }) => [category],
  tag: ({ tags }) => tags,
  kind: ({ kind }) => [kind],
  area: ({ area }) => [area],
  agent: ({ by }) => [by.agent],
};

type Label = "category" | "tag" | "kind" | "area" | "agent";

/** Returns what of a selection is not in use, with what is. */
export async function unknownLines(
  space: Pick<Space, "list">,
  wanted: Pick<EraseOptions, Label | "source">,
): Promise<readonly string[]> {
  const asked = (Object.keys(LABELS) as Label[]).flatMap((label) =>
    valuesOf(wanted[label]).map((value) => ({ label, value })),
  );
  if (asked.length === 0 && wanted.source === undefined) return [];
  const { memories } = await space.list({ limit: MOST_READ, deleted: true });
  const lines = asked.flatMap(({ label, value }) => {
    const used = new Set<string>(
      memories.flatMap((memory) => LABELS[label](memory).flatMap((one) => one ?? [])),
    );
    if (used.has(value)) return [];
    const what = label === "agent" ? `was written by "${value}"` : `has the ${label} "${value}"`;
    const named = [...used].sort().slice(0, MOST_NAMED).map(oneLine).join(", ");
    return [`No memory here ${oneLine(what)}. ${named === "" ? "None is in use." : `In use: ${named}.`}`];
  });
  return [...lines, ...(wanted.source === undefined ? [] : sourcesLines(memories))];
}

const valuesOf = (value: LabelValues | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/** Parts of a source that somebody would type: not the ids of what was brought back, nor how it was read. */
const PLACES: ReadonlySet<string> = new Set([...["url", "uri", "name", "file", "path", "thread", "tool"]]);

/** As they were noted, which may be without the folder that a file was imported from. */
function sourcesLines(memories: readonly Memory[]): readonly string[] {
  const named = memories.flatMap(({ source = {} }) =>
    Object.entries(source).flatMap(([key, value]) => (PLACES.has(key) ? [String(value)] : [])),
  );
  const sources = [...new Set(named)].slice(0, MOST_NAMED);
  return sources.length === 0
    ? []
    : [
        "Sources are as they were noted when something came. Here, for instance:",
        ...sources.map((source) => `  ${oneLine(source)}`),
      ];
}
