import { expect, test } from "vitest";
import { type ModelStore, postgresModelStore, sqliteModelStore } from "./model/model-store.js";
import { type Forgotten, ModelWorld } from "./model/model-world.js";
import { hasPostgres } from "./support/postgres-server.js";

const STEPS = 120;

const isSoak = process.env.CAMBIUM_SOAK === "1";
const FIRST = isSoak ? Number(process.env.CAMBIUM_SEED ?? 0) : 0;

interface Seeds {
  readonly seeds: number;
  readonly newStore?: () => ModelStore | Promise<ModelStore>;
  readonly forgets?: Forgotten;
  readonly first?: number;
}

/** @returns the first seed at which something is wrong, and what */
async function firstFault({
  seeds,
  newStore = sqliteModelStore,
  forgets,
  first = FIRST,
}: Seeds): Promise<string | undefined> {
  for (let seed = first + 1; seed <= first + seeds; seed += 1) {
    await using store = await newStore();
    const fault = await new ModelWorld(seed, store, forgets).run(STEPS);
    if (fault !== undefined) return `seed ${seed}: ${fault}`;
  }
  return undefined;
}

test("[RL68] whatever fails and is erased, nothing that counts is lost, and all end with the same log", async () => {
  expect(await firstFault({ seeds: isSoak ? 500 : 3 })).toBeUndefined();
}, 600_000);

test.skipIf(!hasPostgres)(
  "[RL68] [RL109] the same with two relays on one PostgreSQL database",
  async () => {
    const newStore = (): Promise<ModelStore> => postgresModelStore(2);
    expect(await firstFault({ seeds: isSoak ? 60 : 1, newStore })).toBeUndefined();
  },
  600_000,
);

test("[RL152] what a commit stored whose answer was lost reaches everybody", async () => {
  expect(await firstFault({ seeds: 1, first: 92 })).toBeUndefined();
});

/** Rules that the model can leave out, and a seed at which that shows. */
const RULES: readonly (readonly [Forgotten, number])[] = [
  ["receipts above the common point are void", 16],
  ["entries before the cursor", 3],
  ["a refused batch stops its line", 14],
  ["what is valid is carried before it is dropped", 2],
];

test.each(RULES)("[RL68] without the rule that %s, the model finds the fault", async (rule, seed) => {
  expect(await firstFault({ seeds: 60, forgets: rule, first: seed - 1 })).toBeDefined();
});
