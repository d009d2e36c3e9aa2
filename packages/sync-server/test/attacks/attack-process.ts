/**
 * One attack in a process of its own: `node --import ./typescript-hooks.mjs attack-process.ts <name> <world>`. It ends
 * when its standard input does.
 *
 * @module
 */
import { setPriority } from "node:os";
import { ATTACKS } from "./attacks.js";
import type { AttackWorld } from "./hostile-client.js";

// What is measured is how the relay shares its time, not how a machine shares its processors.
setPriority(10);
const [name = "", world = "{}"] = process.argv.slice(2);
let isOver = false;
process.stdin.resume().on("end", () => {
  isOver = true;
  setTimeout(() => process.exit(0), 300);
});
process.on("unhandledRejection", (error) => process.stderr.write(`${String(error)}\n`));
const onBegun = (): boolean => process.stdout.write("begun\n");
await ATTACKS[name]?.({ ...(JSON.parse(world) as AttackWorld), isOver: () => isOver, onBegun });
