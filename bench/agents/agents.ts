/**
 * What agents, scripts and people wait for who call Cambium from other processes: starts, verbs, calls through
 * the daemon; and what its tools and its daemon take.
 *
 * @module
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { progress, rowOf, say } from "../reference/reference.ts";
import type { WorkloadSize } from "../reference/workload.ts";
import { writeHome } from "../scale/written-home.ts";
import { bytesText, machine, machineLine, table, writeJson } from "../support/report.ts";
import { wholeNumber } from "../support/usage-error.ts";
import { workloadSize } from "../support/workload-size.ts";
import { measureAdded } from "./added-by-daemon.ts";
import { LEAN_TOKENS } from "./budgets.ts";
import { measureMemory, type Resident } from "./daemon-memory.ts";
import { Device } from "./device.ts";
import { measureMcp, measureVerbs } from "./starts.ts";
import { measureToolLists, type ToolList } from "./tool-lists.ts";

export async function agents(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      memories: { type: "string", default: "10000" },
      changes: { type: "string", default: "30000" },
      samples: { type: "string", default: "1000" },
      seed: { type: "string", default: "1" },
      json: { type: "string" },
      keep: { type: "string" },
      home: { type: "string" },
    },
  });
  const asked = workloadSize(values);
  const seed = wholeNumber("seed", values.seed);
  await using root = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  const stop = untilSignalled();
  const from = resolve(values.home ?? values.keep ?? join(root.path, "written"));
  if (values.home === undefined) await writeHome(from, asked, seed, progressUntil(stop, asked.changes));
  const on = await machine();
  const measured = await measure(from, root.path, asked.samples, stop);
  const report = { benchmark: "agents", machine: on, ...measured };
  print(report);
  if (values.json !== undefined) await writeJson(values.json, report);
  return 0;
}

/** A process that ends at once would leave behind what it has started. */
function untilSignalled(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}.`)));
  return stop.signal;
}

function progressUntil(stop: AbortSignal, total: number): (done: number) => void {
  const show = progress(total);
  return (done) => {
    stop.throwIfAborted();
    show(done);
  };
}

async function measure(from: string, root: string, samples: number, stop: AbortSignal) {
  say("copying the home");
  await using device = await Device.copy(from, join(root, "served"), samples, stop);
  await using other = await Device.copy(from, join(root, "embedded"), samples, stop);
  const size: WorkloadSize = { ...device.workload.size };
  say("measuring: what the daemon adds");
  const added = await measureAdded(other, device);
  say("measuring: cambium mcp");
  const mcp = await measureMcp(device);
  say("measuring: verbs");
  const verbs = await measureVerbs(device);
  say("measuring: lists of tools");
  const toolLists = await measureToolLists(device);
  say("measuring: the daemon's memory");
  const memory = await measureMemory(device);
  say("checking what was written");
  await device.checkAll();
  await other.checkAll();
  const daemons = [...device.daemons]; // all of them ended
  return { size, figures: [...mcp, ...verbs, ...added], toolLists, memory, daemons };
}

type Report = Awaited<ReturnType<typeof measure>> & {
  readonly machine: Awaited<ReturnType<typeof machine>>;
};

function print({ figures, toolLists, memory, size, machine: on }: Report): void {
  console.log(`agents, ${size.memories} memories, ${size.changes} changes\n${machineLine(on)}\n`);
  console.log(table(["operation", "p50", "p95", "samples", "budget", ""], figures.map(rowOf)));
  console.log(
    `\n${table(["tools", "number", "tools/list", "tokens", "shown to the model", "tokens", "budget", ""], toolLists.map(listRow))}`,
  );
  console.log(`\n${table(["daemon after", "resident"], memory.map(memoryRow))}`);
}

/** The budget is for all of the list, though few clients pass on more than what is shown. */
const listRow = ({ set, tools, bytes, tokens, shownBytes, shownTokens }: ToolList): readonly string[] => [
  ...[set, String(tools), bytesText(bytes), `≤ ${tokens}`, bytesText(shownBytes), `≤ ${shownTokens}`],
  ...(set === "lean" ? [`< ${LEAN_TOKENS}`, tokens < LEAN_TOKENS ? "met" : "over"] : ["–", ""]),
];

const memoryRow = ({ after, bytes }: Resident): readonly string[] => [after, bytesText(bytes)];
