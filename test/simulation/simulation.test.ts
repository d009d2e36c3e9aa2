import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = "test/simulation/main.ts";
/** As `main.ts` prints them with `--json`. */
interface Line {
  readonly type: "seed" | "summary";
  readonly seed?: number;
  readonly hash?: string;
  readonly ok: boolean;
}

/** In a process of its own: the simulation takes the place of this one's clock, network and disk. */
async function simulate(...args: readonly string[]): Promise<{ lines: readonly Line[]; said: string }> {
  const child = spawn(process.execPath, [MAIN, "--json", ...args], { cwd: ROOT });
  const output = { lines: "", said: "" };
  child.stdout.on("data", (data: Buffer) => {
    output.lines += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    output.said += data.toString();
  });
  await once(child, "close");
  const lines = output.lines.split("\n").filter((line) => line !== "");
  return { lines: lines.map((line) => JSON.parse(line) as Line), said: output.said };
}

const IS_SOAK = process.env.CAMBIUM_SOAK === "1";
const SEEDS = IS_SOAK ? 6 : 1;
/** Those that once failed are longer. */
const STEPS = IS_SOAK ? "40" : "16";

test("the first seeds hold what Cambium promises, and a seed runs the same each time", {
  timeout: 600_000,
}, async () => {
  const { lines, said } = await simulate("--seeds", `1..${SEEDS}`, "--steps", STEPS);
  expect(
    lines.filter(({ ok }) => !ok),
    said,
  ).toEqual([]);
  expect(lines).toHaveLength(SEEDS + 1);
  const hashes = lines.flatMap(({ seed, hash }) => (seed === SEEDS ? [hash] : []));
  const again = await simulate("--seeds", `${SEEDS}..${SEEDS}`, "--steps", STEPS);
  expect(again.lines.flatMap(({ hash }) => hash ?? [])).toEqual(hashes);
  expect(hashes).toEqual([expect.any(String)]);
});

test("seeds that once failed hold now", { timeout: 600_000 }, async () => {
  const { lines, said } = await simulate("--known");
  expect(
    lines.filter(({ ok }) => !ok),
    said,
  ).toEqual([]);
});
