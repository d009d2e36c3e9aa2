/** The benchmarks as people call them. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MAIN = fileURLToPath(new URL("../../bench/main.ts", import.meta.url));
export const LONG = { timeout: 240_000 };

export const runBench = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [MAIN, ...args], { timeout: LONG.timeout });
