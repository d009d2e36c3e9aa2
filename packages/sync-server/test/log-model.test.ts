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
}

/** @returns the first seed at which something is wrong, and what */
async function firstFault({
  seeds,
  newStore = sqliteModelStore,
  forgets,
}: Seeds): Promise<string | undefined> {
  const first = forgets === undefined ? FIRST : 0;
  for (let seed = first + 1; seed <= first + seeds; seed += 1) {
    await using store = await newStore();
    const fault = await new ModelWorld(seed, store, forgets).run(STEPS);
    if (fault !== undefined) return `seed ${seed}: ${fault}`;
  }
  return undefined;
}

test("[RL68] whatever fails, nothing that a surviving replica wrote is lost, and all end with the same log", async () => {
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

test("[RL68] without any of the main rules, the model finds the fault", async () => {
  const rules: readonly Forgotten[] = [
    "receipts above the common point are void",
    "entries before the cursor",
    "a refused batch stops its line",
  ];
  for (const rule of rules) expect(await firstFault({ seeds: 60, forgets: rule }), rule).toBeDefined();
});
