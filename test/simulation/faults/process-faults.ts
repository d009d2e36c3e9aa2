/**
 * Faults of programs: killed, at rest or in the midst of a write, and started again.
 *
 * @module
 */
import type { Fault } from "./fault.ts";

const kill: Fault = ({ device }) => {
  device.kill("kill");
  return `${device.name} killed`;
};

const powerCut: Fault = ({ device }) => {
  device.kill("power");
  return `${device.name} without power`;
};

const killInWrite: Fault = ({ device, dice }) => {
  const after = 1 + dice.below(12);
  const cut = dice.chance(0.5) ? "kill" : "power";
  device.cutDuringWrite(after, cut);
  return `${device.name} will lose ${cut === "kill" ? "its process" : "power"} in ${after} writes`;
};

const restart: Fault = async ({ device }) => {
  if (!device.isRunning) return "not running";
  await device.close();
  await device.open();
  return `${device.name} closed and opened`;
};

const killRelay: Fault = async ({ cluster, dice }) => {
  cluster.relay.kill(dice.chance(0.5) ? "kill" : "power");
  return "relay killed";
};

const killRelayInWrite: Fault = ({ cluster, dice }) => {
  const after = 1 + dice.below(8);
  cluster.relay.cutDuringWrite(after, dice.chance(0.5) ? "kill" : "power");
  return `relay will be killed in ${after} writes`;
};

const startRelay: Fault = async ({ cluster }) => {
  if (cluster.relay.isRunning) return "runs already";
  await cluster.relay.start();
  return "relay started";
};

export const PROCESS_FAULTS = {
  kill,
  "power-cut": powerCut,
  "kill-in-write": killInWrite,
  restart,
  "relay-kill": killRelay,
  "relay-kill-in-write": killRelayInWrite,
  "relay-start": startRelay,
} satisfies Readonly<Record<string, Fault>>;
