/**
 * A relay in a process of its own, to be killed: `node --import ./typescript-hooks.mjs relay-process.ts
 * <dataDir> <adminToken>`. Prints its address when it is ready, and with `--expose-gc` the memory in use when asked.
 *
 * @module
 */
import { startRelay } from "../../src/index.js";

const [dataDir = "", adminToken = ""] = process.argv.slice(2);
const relay = await startRelay({ dataDir, adminToken });
process.stdout.write(`${relay.url}\n`);
// What is in use, without garbage, whenever a line comes. With `--expose-gc` only.
if (globalThis.gc !== undefined)
  process.stdin.on("data", () => {
    // The first one lets go of buffers beside this thread, and counts them until then; the second one waits for that.
    for (let pass = 0; pass < 2; pass += 1) globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write(`${heapUsed + external}\n`);
  });
