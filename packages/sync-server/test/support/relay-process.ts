/**
 * A relay in a process of its own, to be killed: `node --import ./typescript-hooks.mjs relay-process.ts
 * <dataDir> <adminToken>`. Prints its address when it is ready.
 *
 * @module
 */
import { startRelay } from "../../src/index.js";

const [dataDir = "", adminToken = ""] = process.argv.slice(2);
const relay = await startRelay({ dataDir, adminToken });
process.stdout.write(`${relay.url}\n`);
