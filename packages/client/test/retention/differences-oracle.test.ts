import { expect, test } from "vitest";
import { seededNumbers } from "../support/seeded.js";
import { World } from "../support/world.js";

const DAY_MS = 86_400_000;
const SEEDS = process.env.CAMBIUM_SOAK === "1" ? 60 : 2;
const STEPS = 40;

/** What a memory has ever said, by version, and whether somebody has erased it. */
interface Told {
  readonly id: string;
  readonly texts: string[];
  readonly erased: Set<number>;
  isGone: boolean;
}

class Life {
  readonly world: World;
  readonly next: () => number;
  readonly told: Told[] = [];
  #words = 0;

  constructor(seed: number) {
    this.world = new World(seed);
    this.next = seededNumbers(seed);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  /** No other sentence has its word. */
  sentence(): string {
    this.#words += 1;
    const word = Math.floor(this.next() * 1e15).toString(36);
    return `The ${this.pick(["harbour", "lantern", "meadow"])} is called ${word}${this.#words}.`;
  }

  text(before?: string): string {
    const sentences = before?.split(/(?<=[.]) /) ?? [];
    const kind = this.pick(["edit", "edit", "edit", "edit", "more", "less", "anew"]);
    if (sentences.length === 0 || kind === "anew")
      return Array.from({ length: 9 }, () => this.sentence()).join(" ");
    const place = Math.floor(this.next() * sentences.length);
    if (kind === "more") return sentences.toSpliced(place, 0, this.sentence()).join(" ");
    if (kind === "less" && sentences.length > 3) return sentences.toSpliced(place, 1).join(" ");
    return sentences.with(place, this.sentence()).join(" ");
  }
}

test("[RT35] whatever is written, pruned, restored and erased: a text is exact or said to be gone, and nothing of an erased one can be had", async () => {
  const seen: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) await lived(new Life(700 + seed), seen);
  expect(Object.keys(seen).sort()).toEqual(["difference", "erased", "none", "whole"]);
  expect(seen.difference).toBeGreaterThan(20);
});

async function lived(life: Life, seen: Record<string, number>): Promise<void> {
  await using world = life.world;
  const device = await world.found("a");
  const { told } = life;
  let { replica, space } = device;
  for (let step = 0; step < STEPS; step += 1) {
    world.clock.advance(Math.floor(life.next() * 5 * DAY_MS));
    const [ada, owner] = [space.as({ agent: "ada" }), space.as({ role: "owner", confirmed: true })];
    const standing = told.filter(({ isGone }) => !isGone);
    const one = standing.length === 0 ? undefined : life.pick(standing);
    const kind = life.pick([
      "new",
      "edit",
      "edit",
      "edit",
      "edit",
      "edit",
      "prune",
      "restore",
      "erase",
      "again",
    ]);
    if (one === undefined || (kind === "new" && standing.length < 5)) {
      const content = life.text();
      told.push({ ...(await ada.remember({ content })), texts: [content], erased: new Set(), isGone: false });
    } else if (kind === "edit") {
      const content = life.text(one.texts.at(-1));
      one.texts.push((await ada.revise(one.id, { content })).content);
    } else if (kind === "prune") {
      const set = {
        ...{ "retention.contents": life.pick([1, 2, 3]), "retention.versions": life.pick([4, 8, "all"]) },
        ...{ "retention.depth": life.pick([30, 90, "all"]) },
        ...{ "retention.differences": life.pick(["yes", "yes", "yes", "yes", "no"]) },
      };
      await owner.changeSettings({ set });
      await owner.prune();
      await checked(life, space, seen);
    } else if (kind === "restore") {
      const version = 1 + Math.floor(life.next() * one.texts.length);
      const restored = await ada.restore(one.id, { version }).catch(({ code }) => code as string);
      if (typeof restored !== "string") one.texts.push(one.texts[version - 1] as string);
      else expect(["CONTENT_PRUNED", "MEMORY_ERASED", "BAD_INPUT"]).toContain(restored);
      if (typeof restored !== "string") expect(restored.content).toBe(one.texts.at(-1));
    } else if (kind === "erase" && life.next() < 0.5) {
      if (life.next() < 0.3) {
        await owner.erase({ ids: [one.id] });
        one.isGone = true;
      } else if (one.texts.length > 2) {
        const version = 1 + Math.floor(life.next() * (one.texts.length - 1));
        await owner.erase({ versions: [{ id: one.id, version }] });
        // What says the same text was restored from it, and goes along where it carries it.
        const history = await space.history(one.id);
        for (const [place, { erased }] of history.entries())
          if (erased === "content" || erased === "whole") one.erased.add(place);
      }
      await checked(life, space, seen);
    } else if (kind === "again" && life.next() < 0.4) {
      await replica.close();
      ({ replica, space } = await world.reopen(device.home));
    }
  }
  await checked(life, space, seen);
  const words = erasedWords(told);
  if (words.length > 0) expect(await space.traces(words)).toEqual([]);
}

async function checked(
  { told }: Life,
  space: Awaited<ReturnType<World["found"]>>["space"],
  seen: Record<string, number>,
): Promise<void> {
  const count = (what: string): void => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  for (const { id, texts, erased, isGone } of told) {
    for (const [place, text] of texts.entries()) {
      const isErased = isGone || erased.has(place);
      const found = await space.text(id, place + 1);
      if (isErased || found.how === "none") expect(found).toMatchObject({ how: "none", text: "" });
      else expect(found.text).toBe(text);
      count(isErased ? "erased" : found.how);
    }
  }
}

/** Words that erased texts have, and no text that was not erased. */
function erasedWords(told: readonly Told[]): readonly string[] {
  const [gone, here] = [new Set<string>(), new Set<string>()];
  for (const { texts, erased, isGone } of told)
    for (const [place, text] of texts.entries())
      for (const word of text.split(/[ .]/))
        if (word.length > 8) (isGone || erased.has(place) ? gone : here).add(word);
  return [...gone.difference(here)];
}
