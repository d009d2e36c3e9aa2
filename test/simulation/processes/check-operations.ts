/**
 * What holds for single operations, whatever the history.
 *
 * @module
 */
import type { Memory, Space } from "@cambium/client";
import { listed, textOf } from "./observe.ts";
import type { Finding } from "./protocol.ts";

/** Fields whose merge is one side's value, or an open conflict. */
const WHOLE_FIELDS = ["category", "importance", "deleted"] as const;

interface Sides {
  readonly from: readonly Memory[];
  readonly into: readonly Memory[];
}

/** After a merge a field that cannot be joined is what one of the sides said; what both said stays. */
export function checkMergedFields(
  { from, into }: Sides,
  after: readonly Memory[],
  strategy: string,
): Finding[] {
  const findings: Finding[] = [];
  const find = (message: string): void => {
    findings.push({ checker: "merge", message: `Under ${strategy}: ${message}` });
  };
  const byId = (memories: readonly Memory[]) => new Map(memories.map((memory) => [memory.id, memory]));
  const [source, target, merged] = [byId(from), byId(into), byId(after)];
  for (const id of new Set([...source.keys(), ...target.keys()])) {
    const [one, other, now] = [source.get(id), target.get(id), merged.get(id)];
    if (now === undefined) {
      find(`${id} is gone`);
      continue;
    }
    for (const field of WHOLE_FIELDS) {
      if (now.conflicts.some((conflict) => conflict.field === field)) continue;
      const values = [one, other].flatMap((side) =>
        side === undefined ? [] : [textOf(side[field] ?? null)],
      );
      if (!values.includes(textOf(now[field] ?? null)))
        find(`${field} of ${id} is ${textOf(now[field])}, and was ${values.join(" and ")}`);
    }
    if (
      one !== undefined &&
      other !== undefined &&
      one.content === other.content &&
      now.content !== one.content
    )
      find(`the content of ${id} is ${now.content}, and was ${one.content} on both`);
  }
  return findings;
}

/** Applied to the first state, a diff gives the second. */
export async function checkDiff(space: Space, from: string, to: string): Promise<Finding[]> {
  const [before, after, diff] = [
    await listed(space, { at: from }),
    await listed(space, { at: to }),
    await space.diff(from, to),
  ];
  const shown = (memories: readonly Memory[]) =>
    new Map(memories.filter(({ deleted }) => !deleted).map((memory) => [memory.id, saidBy(memory)]));
  const applied = shown(before);
  for (const memory of diff.deleted) applied.delete(memory.id);
  for (const memory of diff.created) applied.set(memory.id, saidBy(memory));
  for (const { id, after: memory } of diff.changed) {
    if (memory.deleted) applied.delete(id);
    else applied.set(id, saidBy(memory));
  }
  const expected = shown(after);
  const findings: Finding[] = [];
  for (const id of new Set([...applied.keys(), ...expected.keys()])) {
    if (applied.get(id) === expected.get(id)) continue;
    const message = `The diff from ${from} to ${to} makes ${id} ${applied.get(id)}, where it is ${expected.get(id)}`;
    findings.push({ checker: "diff", message });
  }
  return findings;
}

const saidBy = ({ content, category, tags, importance }: Memory): string =>
  textOf([content, category, tags, importance]);
