/**
 * What an agent and a person wait for when a process starts: the first answer of `cambium mcp`, and whole verbs.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Figure } from "../reference/budgets.ts";
import { type Environment, runNode } from "../support/cambium-command.ts";
import { timed } from "../support/statistics.ts";
import { BUDGETS_MS, figureOf } from "./budgets.ts";
import type { Device, Shown } from "./device.ts";
import { McpProcess } from "./mcp-process.ts";

const STARTS = 15;
const VERBS = 31;
/** With a daemon that starts, or a replica that is opened and closed. */
const SLOW_VERBS = 9;

const EMBEDDED: Environment = { CAMBIUM_DAEMON: "off" };

interface Recalled {
  readonly memories: readonly Shown[];
}

/** From the start of the process to the answer to its first `recall`. */
export async function measureMcp(device: Device): Promise<readonly Figure[]> {
  const alone = await mcpStarts(device, {}, () => device.endDaemon());
  const throughDaemon = await mcpStarts(device, {});
  await device.endDaemon();
  const embedded = await mcpStarts(device, EMBEDDED);
  return [
    figureOf("mcp, spawn to initialize, no daemon runs", alone.initialized),
    figureOf("mcp, spawn to first recall, no daemon runs", alone.recalled, BUDGETS_MS.mcpAlone),
    figureOf("mcp, spawn to initialize, daemon runs", throughDaemon.initialized),
    figureOf("mcp, spawn to first recall, daemon runs", throughDaemon.recalled, BUDGETS_MS.mcpThroughDaemon),
    figureOf("mcp, spawn to first recall, CAMBIUM_DAEMON=off", embedded.recalled),
  ];
}

async function mcpStarts(device: Device, env: Environment, before = async (): Promise<void> => undefined) {
  const [initialized, recalled]: [number[], number[]] = [[], []];
  await mcpStart(device, env); // what is compiled is kept for those that follow
  for (let round = 0; round < timesOf(device, STARTS); round += 1) {
    await before();
    const { initializedMs, recalledMs } = await mcpStart(device, env);
    initialized.push(initializedMs);
    recalled.push(recalledMs);
  }
  return { initialized, recalled };
}

async function mcpStart(device: Device, env: Environment) {
  const query = device.words().join(" ");
  const start = performance.now();
  await using server = new McpProcess({ ...device.env, ...env }, device.cwd);
  await server.initialize();
  const initializedMs = performance.now() - start;
  const { memories } = await server.call<Recalled>("recall", { query });
  const recalledMs = performance.now() - start;
  device.check(memories);
  return { initializedMs, recalledMs };
}

type Verb = (device: Device, env: Environment) => Promise<number>;

const VERBS_BY_NAME: Readonly<Record<string, Verb>> = {
  recall: async (device, env) => {
    const words = device.words();
    const { ms, result } = await timed(() => device.run(["recall", ...words, "--json"], env));
    device.check((JSON.parse(result) as Recalled).memories);
    return ms;
  },
  remember: async (device, env) => {
    const { content, category = "", tags = [] } = device.workload.input();
    const labels = ["--category", category, ...tags.flatMap((tag) => ["--tag", tag])];
    let [ms, kept]: [number, string] = [0, ""];
    const writer = {
      remember: async () => {
        const written = await timed(() => device.run(["remember", content, ...labels, "--json"], env));
        ({ ms } = written);
        const memory = JSON.parse(written.result) as Shown;
        kept = memory.content;
        return memory;
      },
      revise: async () => undefined,
    };
    await device.workload.remember(writer, { content });
    assert.equal(kept, content);
    return ms;
  },
  show: async (device, env) => {
    const [id = ""] = device.workload.sample(1);
    const { ms, result } = await timed(() => device.run(["show", id, "--json"], env));
    device.check([JSON.parse(result) as Shown]);
    return ms;
  },
};

/** From the start of the process to its end. */
export async function measureVerbs(device: Device): Promise<readonly Figure[]> {
  const floor = await repeat(device, VERBS, async () => (await timed(() => nodeAlone(device))).ms);
  const version = await repeat(device, VERBS, async () => (await timed(() => device.run(["--version"]))).ms);
  const through = await eachVerb(device, VERBS, {}, { budget: BUDGETS_MS.verbThroughDaemon });
  const first = await eachVerb(device, SLOW_VERBS, {}, { before: () => device.endDaemon() });
  await device.endDaemon();
  const embedded = await eachVerb(device, SLOW_VERBS, EMBEDDED, {});
  return [
    figureOf("node -e 0", floor),
    figureOf("cambium --version", version),
    ...through.map(named("daemon runs")),
    ...first.map(named("starts the daemon")),
    ...embedded.map(named("CAMBIUM_DAEMON=off")),
  ];
}

const named =
  (how: string) =>
  (measured: Figure): Figure => ({ ...measured, operation: `${measured.operation}, ${how}` });

const nodeAlone = (device: Device): Promise<string> => runNode(["-e", "0"], {}, device.cwd);

interface Mode {
  readonly budget?: number;
  readonly before?: () => Promise<void>;
}

async function eachVerb(
  device: Device,
  times: number,
  env: Environment,
  { budget, before }: Mode,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, verb] of Object.entries(VERBS_BY_NAME)) {
    await verb(device, env);
    const values = await repeat(device, times, async () => {
      await before?.();
      return await verb(device, env);
    });
    figures.push(figureOf(`cambium ${name}`, values, budget));
  }
  return figures;
}

async function repeat(device: Device, times: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  while (values.length < timesOf(device, times)) values.push(await measure());
  return values;
}

const timesOf = ({ workload }: Device, times: number): number => Math.min(times, workload.size.samples);
