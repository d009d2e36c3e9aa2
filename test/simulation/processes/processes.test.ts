/**
 * A short turn of the chaos with real processes; `npm run test:soak` takes many.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ChaosOptions, runChaos } from "./chaos.ts";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const SOAK_SEEDS = 40;

/** Its homes stay where they are when something was found. */
async function tried(options: Omit<ChaosOptions, "root">): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), "cambium-chaos-"));
  const { findings } = await runChaos({ ...options, root });
  if (findings.length === 0) await rm(root, { recursive: true, force: true });
  return findings.map(({ checker, message }) => `[${checker}] ${message}, homes in ${root}`);
}

test("[CH1] processes that are killed, copied and set back lose nothing, and agree in the end", async () => {
  expect(await tried({ seed: 3, steps: 12, chapters: 1 })).toEqual([]);
}, 240_000);

test.runIf(isSoak)(
  "[CH2] the same holds for many seeds",
  async () => {
    const first = Number(process.env.CAMBIUM_SEED ?? 1) % 1_000_000;
    for (let seed = first; seed < first + SOAK_SEEDS; seed += 1)
      expect(await tried({ seed }), `node test/simulation/processes/main.ts --seeds ${seed}`).toEqual([]);
  },
  3_600_000,
);
