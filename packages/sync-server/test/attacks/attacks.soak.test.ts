import { expect, test } from "vitest";
import { ATTACKS } from "./attacks.js";
import { measureAttack } from "./measured-attack.js";

const MOST_TIMES = 3;
/** In use by the relay: some 40 are so before anybody comes. */
const MOST_MB = 128;
const ONLY = process.env.CAMBIUM_ATTACK;

for (const name of Object.keys(ATTACKS).filter((each) => ONLY === undefined || each.includes(ONLY))) {
  test(`[RL98] an innocent writer's receipt takes at most three times as long: ${name}`, async () => {
    const { quietMs, attackedMs, times, usedMb, peakMb } = await measureAttack(name);
    const figures = `| ${name} | ${quietMs.toFixed(1)} | ${attackedMs.toFixed(1)} | ${times.toFixed(2)} | ${usedMb} | ${peakMb} |`;
    process.stdout.write(`${figures}\n`);
    expect(times, figures).toBeLessThan(MOST_TIMES);
    expect(usedMb, figures).toBeLessThan(MOST_MB);
  });
}
