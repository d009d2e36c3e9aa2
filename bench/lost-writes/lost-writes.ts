/**
 * Many agents write to one memory at once, each through a process of its own: how many of the writes that were
 * acknowledged are still there when all are done?
 *
 * @module
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { machine, machineLine, table, writeJson } from "../support/report.ts";
import { wholeNumber } from "../support/usage-error.ts";
import { SETUPS, type Setup } from "./setups.ts";
import type { Writer } from "./writers.ts";

interface Outcome {
  readonly name: string;
  readonly acknowledged: number;
  readonly refused: number;
  /** Of those acknowledged. */
  readonly kept: number;
  /** From the first write to the last acknowledgement. */
  readonly seconds: number;
  readonly firstProblem?: string;
}

export async function lostWrites(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      writers: { type: "string", default: "32" },
      writes: { type: "string", default: "50" },
      json: { type: "string" },
    },
  });
  const writers = wholeNumber("writers", values.writers, 1);
  const writes = wholeNumber("writes", values.writes, 1);
  const on = await machine();
  const outcomes: Outcome[] = [];
  for (const make of SETUPS) {
    await using dir = await mkdtempDisposable(`${tmpdir()}/cambium-bench-`);
    await using setup = await make(dir.path);
    console.error(`${setup.name} …`);
    outcomes.push(await measure(setup, writers, writes));
  }
  console.log(
    `lost-writes, ${writers} writers, ${writes} writes each\n${machineLine(on)}\n\n${shown(outcomes)}`,
  );
  for (const { name, firstProblem } of outcomes)
    if (firstProblem !== undefined) console.log(`\n${name}, first refusal: ${firstProblem}`);
  if (values.json !== undefined)
    await writeJson(values.json, { benchmark: "lost-writes", writers, writes, machine: on, outcomes });
  const [, ...ours] = outcomes;
  return ours.every(({ acknowledged, kept }) => kept === acknowledged) ? 0 : 1;
}

async function measure(setup: Setup, writers: number, writes: number): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const started: Writer[] = [];
  for (let writer = 0; writer < writers; writer += 1) started.push(stack.use(await setup.start(writer)));
  const acknowledged: string[] = [];
  const problems: string[] = [];
  const begin = performance.now();
  await Promise.all(
    started.map(async (writer, number) => {
      for (let write = 0; write < writes; write += 1) {
        const text = `writer ${number} wrote ${write}`;
        try {
          await writer.write(text);
          acknowledged.push(text);
        } catch (error) {
          problems.push(error instanceof Error ? error.message : String(error));
        }
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  await stack.disposeAsync();
  const kept = new Set(await setup.kept());
  const [firstProblem] = problems;
  return {
    ...{ name: setup.name, acknowledged: acknowledged.length, refused: problems.length, seconds },
    kept: acknowledged.filter((text) => kept.has(text)).length,
    ...(firstProblem === undefined ? {} : { firstProblem: firstProblem.slice(0, 300) }),
  };
}

const shown = (outcomes: readonly Outcome[]): string =>
  table(
    ["", "acknowledged", "kept", "lost", "refused", "seconds"],
    outcomes.map(({ name, acknowledged, kept, refused, seconds }) => [
      name,
      ...[acknowledged, kept, acknowledged - kept, refused].map(String),
      seconds.toFixed(1),
    ]),
  );
