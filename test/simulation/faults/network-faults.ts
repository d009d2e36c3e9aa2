/**
 * Faults of the network and of clocks; and devices that join late.
 *
 * @module
 */
import { MAX_DEVICES } from "../cluster.ts";
import type { Fault } from "./fault.ts";

const HOUR_MS = 3_600_000;

const cutOff: Fault = ({ cluster, device }) => {
  cluster.world.network.cutOff(device.name);
  return `${device.name} cut off`;
};

/** In the midst of what it is being told: one document has come, another has not. */
const cutOffSoon: Fault = ({ cluster, device, dice }) => {
  const after = 1 + dice.below(25);
  cluster.world.network.cutOffAfter(device.name, after);
  return `${device.name} will be cut off after ${after} messages`;
};

const rejoin: Fault = ({ cluster, device }) => {
  cluster.world.network.rejoin(device.name);
  return `${device.name} reaches the others`;
};

const breakConnections: Fault = ({ cluster, device }) => {
  cluster.world.network.breakConnectionsOf(device.name);
  return `connections of ${device.name} broken`;
};

const weather: Fault = ({ cluster, dice }) => {
  const { conditions } = cluster.world.network;
  conditions.latencyMs = dice.pick([1, 20, 200, 3_000]) ?? 20;
  conditions.breaksOnceIn = dice.pick([0, 0, 15, 60]) ?? 0;
  return `latency ${conditions.latencyMs} ms, breaks once in ${conditions.breaksOnceIn}`;
};

/** Until the run comes to rest, or it is called off. */
const garble: Fault = ({ cluster, dice }) => {
  const { conditions } = cluster.world.network;
  for (const machine of cluster.devices) machine.hasRefused = true;
  conditions.garblesOnceIn = conditions.garblesOnceIn > 0 ? 0 : (dice.pick([5, 30]) ?? 30);
  return `a bit turned once in ${conditions.garblesOnceIn} messages`;
};

const moveClock: Fault = ({ device, dice }) => {
  const size = dice.pick([50, 1_000, HOUR_MS, 40 * 24 * HOUR_MS]) ?? 50;
  device.clock.offsetMs = Math.floor(dice.between(-size, size));
  device.clock.drift = dice.chance(0.3) ? dice.between(-0.2, 0.2) : 0;
  return `clock of ${device.name} is ${device.clock.offsetMs} ms off`;
};

const joinLate: Fault = async ({ cluster }) => {
  const [first] = cluster.devices;
  if (cluster.devices.length >= MAX_DEVICES || first?.isRunning !== true || !cluster.relay.isRunning)
    return "no";
  const added = await cluster.addDevice();
  // An earlier relay does not know its token.
  cluster.relay.copies.splice(0);
  cluster.relay.other = undefined;
  return `${added.name} joined`;
};

export const NETWORK_FAULTS = {
  "cut-off": cutOff,
  "cut-off-soon": cutOffSoon,
  rejoin,
  "break-connections": breakConnections,
  weather,
  garble,
  "move-clock": moveClock,
  "join-late": joinLate,
} satisfies Readonly<Record<string, Fault>>;
