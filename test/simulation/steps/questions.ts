/**
 * Questions about a state that its heads fix.
 *
 * @module
 */
import type { Memory, Space } from "@cambium/client";
import { withoutKnownDifferences } from "../checks/known.ts";

/** @param question - as in `askPlainly` */
export async function askAtHeads(space: Space, ref: string, question: string): Promise<unknown> {
  return withoutKnownDifferences(question, await askPlainly(space, ref, question));
}

/** @param question - `list`, `get <id>`, `history <id>`, `log`, `conflicts`, `recall <words>` or `diff <ref>` */
async function askPlainly(space: Space, ref: string, question: string): Promise<unknown> {
  const [kind, ...rest] = question.split(" ");
  const subject = rest.join(" ");
  switch (kind) {
    case "list":
      return listAll(space, ref);
    case "get":
      return space.get(subject, { at: ref });
    case "history":
      return space.history(subject, { at: ref });
    case "log":
      // A clock that is found wrong later moves what it timed.
      return (await space.log({ at: ref, limit: 1_000 })).changes
        .map(({ at: _, ...change }) => change)
        .sort((a, b) => (a.hash < b.hash ? -1 : 1));
    case "conflicts":
      return (await space.conflicts({ at: ref })).map(({ id, fields }) => ({ id, fields }));
    case "recall":
      // Order and scores follow how often memories were used, which is no part of the state.
      return (await space.recall(subject, { at: ref, limit: 1_000, priors: false }))
        .map(({ id, content, alike = [] }) => ({ ids: [id, ...alike].sort(), content }))
        .sort((a, b) => ((a.ids[0] ?? "") < (b.ids[0] ?? "") ? -1 : 1));
    case "diff": {
      const { created, changed, deleted } = await space.diff(ref, subject);
      return {
        created: created.map(shownOf),
        changed: changed.map(({ id, after, fields }) => ({ id, fields, after: shownOf(after) })),
        deleted: deleted.map(({ id }) => id),
      };
    }
    default:
      throw new Error(`There is no question ${question}.`);
  }
}

/** Every memory of a state, forgotten ones too, by id. */
export async function listAll(space: Space, at: string): Promise<readonly Memory[]> {
  const memories: Memory[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await space.list({
      at,
      deleted: true,
      limit: 1_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    memories.push(...page.memories);
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return memories.map(shownOf).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A memory as all devices show it. */
const shownOf = (memory: Memory): Memory => memory;
