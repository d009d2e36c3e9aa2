import { join } from "node:path";
import { expect, test } from "vitest";
import type { Summarizer } from "../../src/api/summarizer.js";
import type { Space } from "../../src/api.js";
import { VectorStore } from "../../src/models/vector-store.js";
import { letters } from "../support/letters.js";
import { seededNumbers } from "../support/seeded.js";
import { type Device, World } from "../support/world.js";

const WORDS = ["harbour", "lantern", "meadow", "orchard", "saddle", "violet", "walnut", "zephyr"];
const CATEGORIES = ["place", "plan", "taste"];

/** One step of a life: what is written to which memory, by its number. */
interface Step {
  readonly kind: "remember" | "revise" | "tag" | "forget" | "branch" | "erased";
  readonly subject: number;
  readonly content: string;
  readonly category: string;
}

function lifeOf(seed: number, length: number): readonly Step[] {
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

/** @param isWhole - whether the memory to be erased is lived, too */
async function live(space: Space, steps: readonly Step[], isWhole: boolean): Promise<string | undefined> {
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
async function answers(space: Space, erased: string | undefined) {
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

test("[ER27] what can be asked of a space that erased something is what can be asked of one that never had it", async () => {
  for (const seed of [1, 2, 3]) {
    await using world = new World(seed);
    const [one, other] = [await world.found("one"), await world.found("other")];
    const steps = lifeOf(seed, 16);
    const erased = await live(one.space, steps, true);
    await live(other.space, steps, false);
    if (erased !== undefined) await one.space.as({ confirmed: true }).erase({ ids: [erased] });
    expect(await answers(one.space, erased)).toEqual(await answers(other.space, undefined));
  }
});

const summarizer: Summarizer = {
  model: "quoting",
  summarize: async ({ before, after, type }) => `${type}: ${before.content} became ${after.content}`,
};

/** How many there are, of texts that nobody can find any more as well. */
function vectorsIn({ home, space }: Device): number {
  using store = new VectorStore({ path: join(home.dir, "spaces", space.id, "vectors.sqlite") });
  return store.count(letters.model);
}

test("[ER27] [ER29] so it is where models have written sentences and made vectors, also after a restart", async () => {
  for (const seed of [4, 5]) {
    await using world = new World(seed);
    const models = { embedder: letters, summarizer };
    const steps = lifeOf(seed, 14);
    const [one, other] = [await world.found("one", models), await world.found("other", models)];
    const erased = await live(one.space, steps, true);
    await live(other.space, steps, false);
    for (const { space } of [one, other]) {
      await answers(space, undefined); // asks for sentences
      await space.reindex();
      await space.summariesMade();
    }
    if (erased !== undefined) await one.space.as({ confirmed: true }).erase({ ids: [erased] });
    expect(await answers(one.space, erased)).toEqual(await answers(other.space, undefined));
    expect(await one.space.traces(["secret"])).toEqual([]);
    await one.replica.close();
    const kept = vectorsIn(one);
    const again = await world.reopen(one.home, models);
    await again.space.reindex();
    expect(await answers(again.space, erased)).toEqual(await answers(other.space, undefined));
    await other.replica.close();
    expect(kept).toBe(vectorsIn(other));
  }
});
