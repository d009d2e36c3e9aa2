/**
 * This machine, as setup and doctor look at it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { type Machine, runCommand } from "../setup/machine.js";
import type { Io } from "./io.js";

const BIN = fileURLToPath(new URL("../../bin/cambium.mjs", import.meta.url));

export function machineOf({ env, userHome, cwd }: Io): Machine {
  return {
    platform: process.platform,
    home: userHome,
    cwd,
    env,
    node: process.execPath,
    bin: BIN,
    run: (command, args) => runCommand(command, args, { cwd, env }),
  };
}
