/**
 * `node test/simulation/processes/main.ts --seeds 1..40 [--steps 60] [--chapters 2] [--json] [--until-failure] [--keep dir]
 * [--build dir] [--older commit-or-dir] [--trace] [--record]`
 *
 * Runs seeds of the chaos with real processes, one after the other. Exits with 1 when something was found. A failing seed
 * leaves its homes where it says. With --older, some replicas, and in some seeds the relay, are of that earlier version.
 * With --record, docs/reliability.md gets the figures.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ChaosResult, rootOf, runChaos } from "./chaos.ts";
import { olderBuild } from "./older-build.ts";
import { record } from "./record.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..10" },
    steps: { type: "string", default: "60" },
    chapters: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
    "until-failure": { type: "boolean", default: false },
    keep: { type: "string" },
    build: { type: "string" },
    older: { type: "string" },
    record: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
  },
});

const [first = 1, last = first] = values.seeds.split("..").map(Number);
const [steps, chapters] = [Number(values.steps), Number(values.chapters)];
if (![first, last, steps, chapters].every(Number.isInteger))
  throw new Error("Seeds and steps are whole numbers.");
// The processes inherit it.
if (values.build !== undefined) process.env.CAMBIUM_BUILD = resolve(values.build);
const older = values.older === undefined ? undefined : olderBuild(values.older);
const base =
  values.keep === undefined ? await mkdtemp(join(tmpdir(), "cambium-chaos-")) : resolve(values.keep);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function tell({ seed, findings, counts, seconds }: ChaosResult, root: string): void {
  if (values.json) {
    const [finding] = findings;
    const ok = finding === undefined;
    say(JSON.stringify({ type: "seed", seed, ok, ...finding, findings, counts, seconds, homes: root }));
    return;
  }
  const { operations = 0, acknowledged = 0 } = counts;
  const done = `${operations} operations, ${acknowledged} acknowledged, ${seconds.toFixed(1)} s`;
  say(`${findings.length === 0 ? "✓" : "✗"} seed ${seed}: ${done}`);
  for (const { checker, message } of findings) say(`  [${checker}] ${message}`);
  if (findings.length === 0) return;
  const mix = values.older === undefined ? "" : ` --older ${values.older}`;
  say(
    `  again: node test/simulation/processes/main.ts --seeds ${seed} --steps ${steps} --chapters ${chapters}${mix}`,
  );
  say(`  homes: ${root}`);
}

const onStep = values.trace ? (line: string) => say(`  ${line}`) : undefined;
let [tried, failed] = [0, 0];
const totals: Record<string, number> = {};
for (let seed = first; seed <= last; seed += 1) {
  const root = rootOf(base, seed);
  const result = await runChaos({ seed, root, steps, chapters, olderBuild: older, onStep });
  tell(result, root);
  tried += 1;
  for (const [what, count] of Object.entries(result.counts)) totals[what] = (totals[what] ?? 0) + count;
  if (result.findings.length > 0) failed += 1;
  else await rm(root, { recursive: true, force: true });
  if (failed > 0 && values["until-failure"]) break;
}
if (!values.json) say(JSON.stringify(totals));
if (values.record)
  record(older === undefined ? "processes" : "mixed", {
    ...{ seeds: tried, failed, counts: totals },
    on: new Date().toISOString().slice(0, 10),
  });
if (failed === 0 && values.keep === undefined) await rm(base, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
