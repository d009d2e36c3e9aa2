/**
 * `npm run bench -- <name> [options]`: measures the built packages. See README.md.
 */
import { agents } from "./agents/agents.ts";
import { conversations } from "./conversations/conversations.ts";
import { lostWrites } from "./lost-writes/lost-writes.ts";
import { peers } from "./peers/peers.ts";
import { pruned } from "./pruned/pruned.ts";
import { reference } from "./reference/reference.ts";
import { relay } from "./relay/relay.ts";
import { retrieval } from "./retrieval/retrieval.ts";
import { scale } from "./scale/scale.ts";
import { short } from "./short/short.ts";
import { UsageError } from "./support/usage-error.ts";

/** Each takes its own arguments and returns the exit code. */
const BENCHMARKS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  agents,
  conversations,
  "lost-writes": lostWrites,
  peers,
  pruned,
  reference,
  relay,
  retrieval,
  scale,
  short,
};

const USAGE = `npm run bench -- agents [--memories <n>] [--changes <n>] [--samples <n>] [--seed <n>] [--keep <dir> | --home <dir>] [--json <file>]
npm run bench -- conversations <file> [--seed <n>] [--json <file>]
npm run bench -- lost-writes [--writers <n>] [--writes <n>] [--json <file>]
npm run bench -- peers [--memories <n>] [--changes <n>] [--samples <n>] [--seed <n>] [--only <peer,…>] [--json <file>]
npm run bench -- pruned [--memories <n>] [--seed <n>] [--json <file>]
npm run bench -- reference [--memories <n>] [--changes <n>] [--samples <n>] [--seed <n>] [--json <file>]
npm run bench -- relay [--quick] [--only <part,…>] [--against <checkout>] [--json <file>]
npm run bench -- retrieval <file> [--leave-one-out] [--json <file>]
npm run bench -- scale [--memories <n>] [--changes <n>] [--samples <n>] [--seed <n>] [--keep <dir> | --home <dir>] [--json <file>]
npm run bench -- short [--memories <n>] [--seed <n>] [--only <workload,…>] [--json <file>]`;

const [name = "", ...args] = process.argv.slice(2);
const run = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
try {
  if (run === undefined) throw new UsageError("Say which benchmark to run.");
  process.exitCode = await run(args);
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

/** Ours, or one of Node's own argument parser. */
function isUsage(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof TypeError && "code" in error);
}
