/** A life of a space with one memory more or less, and all that can be asked of it. */
import type { Space } from "../../src/api.js";
import { seededNumbers } from "./seeded.js";

export const WORDS = ["harbour", "lantern", "meadow", "orchard", "saddle", "violet", "walnut", "zephyr"];
const CATEGORIES = ["place", "plan", "taste"];

/** One step of a life: what is written to which memory, by its number. */
interface Step {
  readonly kind: "remember" | "revise" | "tag" | "forget" | "branch" | "erased";
  readonly subject: number;
  readonly content: string;
  readonly category: string;
}

export function lifeOf(seed: number, length: number): readonly Step[] {
  const next = seededNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  const kinds: readonly Step["kind"][] = [
    "remember",
    "revise",
    "revise",
    "tag",
    "forget",
    "branch",
    "erased",
  ];
  return Array.from({ length }, (_, number) => ({
    kind: number < 3 ? "remember" : pick(kinds),
    subject: Math.floor(next() * 8),
    content: `${pick(WORDS)} ${pick(WORDS)} ${number}`,
    category: pick(CATEGORIES),
  }));
}

/** @param isWhole - whether the memory that is to go is lived, too */
export async function live(
  space: Space,
  steps: readonly Step[],
  isWhole: boolean,
): Promise<string | undefined> {
  const ada = space.as({ agent: "ada" });
  const ids: string[] = [];
  let erased: string | undefined;
  let branches = 0;
  for (const { kind, subject, content, category } of steps) {
    const id = ids[subject % ids.length] as string;
    const isForgotten = ids.length > 0 && (await space.get(id)).deleted;
    if (kind === "remember") ids.push((await ada.remember({ content, category })).id);
    else if (kind === "erased") {
      if (!isWhole) continue;
      const text = { content: `SECRET ${content}`, category };
      if (erased === undefined) erased = (await ada.remember(text)).id;
      else await ada.revise(erased, text);
    } else if (kind === "branch") {
      branches += 1;
      await space.branches.create(`b${branches}`);
    } else if (isForgotten) await ada.restore(id);
    else if (kind === "revise") await ada.revise(id, { content });
    else if (kind === "tag") await ada.revise(id, { tags: [category] });
    else await ada.forget(id);
  }
  return erased;
}

/** All that can be asked, without what two spaces never have in common: ids, hashes and times. */
export async function answers(space: Space, erased: string | undefined) {
  const texts = (memories: readonly { readonly content: string }[]) => memories.map(({ content }) => content);
  const found: unknown[] = [];
  for (const { name } of await space.branches.list()) {
    const { memories } = await space.list({ at: name, limit: 100 });
    found.push(
      name,
      memories.map(({ content, category, tags, version }) => [content, category, tags, version]),
    );
    for (const category of CATEGORIES) found.push(texts((await space.list({ at: name, category })).memories));
    for (const { id } of memories) {
      const history = await space.history(id, { at: name });
      found.push(
        history.map(({ content, type, changed, version, change }) => [
          ...[content, type, changed, version],
          ...[change.summary, change.summaryBy],
        ]),
      );
    }
  }
  for (const word of [...WORDS, "SECRET"]) found.push(word, texts(await space.recall(word)).toSorted());
  const { changes } = await space.log({ limit: 200 });
  found.push(
    changes
      .filter(({ memories }) => !Array.isArray(memories) || !memories.includes(erased as never))
      .map(({ type }) => type),
  );
  found.push(
    await space.conflicts(),
    (await space.duplicates()).length,
    (await space.status()).branch.memories,
  );
  return found;
}
