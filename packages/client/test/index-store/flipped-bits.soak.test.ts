import { expect, test } from "vitest";
import { seededNumbers } from "../support/seeded.js";
import { lifeOf, lookAfter, type Piece } from "./support/flipped-bits.js";

const PLACES = 400;
const PIECES: readonly Piece[] = ["", "", "", "-wal", "-sums"];

test("[IX14] whichever bit of the index is flipped, no answer is wrong", async () => {
  const seed = Number(process.env.CAMBIUM_SEED ?? 1);
  const random = seededNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const life = await lifeOf(seed);
  await using _world = life.world;
  for (let index = 0; index < PLACES; index += 1) {
    const session = pick(["closed", "crashed"] as const);
    const flip = { session, piece: pick(PIECES), place: random(), bit: Math.floor(random() * 8) };
    const seen = await lookAfter(life, flip);
    if (seen !== undefined) expect(seen.second, JSON.stringify(flip)).toEqual(life.expected);
  }
});
