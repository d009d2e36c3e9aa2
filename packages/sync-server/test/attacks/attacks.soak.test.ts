import { expect, test } from "vitest";
import { ATTACKS } from "./attacks.js";
import { type AttackFigures, measureAttack, RARELY } from "./measured-attack.js";

const MOST_TIMES = 3;
/** In use by the relay: some 40 are so before anybody comes. */
const MOST_MB = 128;
const ONLY = process.env.CAMBIUM_ATTACK;

function expectHarmless(name: string, { quietMs, attackedMs, p95Ms, times, usedMb, peakMb }: AttackFigures) {
  const ms = [quietMs, attackedMs, p95Ms.quiet, p95Ms.attacked].map((value) => value.toFixed(1));
  const figures = `| ${[name, ...ms, times.toFixed(2), usedMb, peakMb].join(" | ")} |`;
  process.stdout.write(`${figures}\n`);
  expect(times, figures).toBeLessThan(MOST_TIMES);
  expect(usedMb, figures).toBeLessThan(MOST_MB);
}

for (const name of Object.keys(ATTACKS).filter((each) => ONLY === undefined || each.includes(ONLY))) {
  test(`[RL98] an innocent writer's receipt takes at most three times as long: ${name}`, async () => {
    expectHarmless(name, await measureAttack(name));
  });
}

const ALONE = "turns filled by one writer";
test.skipIf(ONLY !== undefined && !ALONE.includes(ONLY))(
  `[RL98] [RL65] the same where she writes so rarely that the attacker is alone in between: ${ALONE}`,
  async () => {
    expectHarmless(`${ALONE}, rarely`, await measureAttack(ALONE, RARELY));
  },
);
