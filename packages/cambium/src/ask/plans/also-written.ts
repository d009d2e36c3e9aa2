/**
 * What an agent wrote and a list by author leaves out: others have changed it since, or it was forgotten.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { type AskedAnswer, listedAnswer } from "../answers.js";
import type { Planning } from "./plan.js";

const MOST_READ = 1_000;
const WRITES: readonly string[] = ["remember", "revise", "import", "restore"];

interface Filters {
  readonly category?: string;
  readonly tag?: string;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export async function alsoWritten(
  agent: string,
  { category, tag, since, until }: Filters,
  { space, branch }: Pick<Planning, "space" | "branch">,
): Promise<AskedAnswer | undefined> {
  const chosen = omitUndefined({ branch, agent, category, tag, since, until });
  const { changes } = await space.log({ ...chosen, type: WRITES, limit: MOST_READ });
  const written = new Set(changes.flatMap(({ memories }) => (typeof memories === "number" ? [] : memories)));
  if (written.size === 0) return undefined;
  const listed = await space.list({ ...chosen, limit: MOST_READ });
  for (const { id } of listed.memories) written.delete(id);
  const all = await Promise.all([...written].map((id) => space.get(id, { branch }).catch(() => undefined)));
  const others = all.filter((memory): memory is Memory => memory !== undefined);
  const [gone, changed] = [others.filter(({ deleted }) => deleted), others.filter(({ deleted }) => !deleted)];
  const by = oneLine(agent);
  const parts = [
    ...(changed.length === 0 ? [] : [listedAnswer(changed, `that ${by} wrote, and others changed since`)]),
    ...(gone.length === 0 ? [] : [listedAnswer(gone, `that ${by} wrote, forgotten since`)]),
  ];
  if (parts.length === 0) return undefined;
  return {
    document: { also: { changed, forgotten: gone } },
    lines: parts.flatMap(({ lines }) => lines),
  };
}
