/**
 * Machines that are lost at the worst moment: just when they have said that all is safe, or in the midst of what they
 * send; and machines that write before they have heard all.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { Cluster } from "../cluster.ts";
import type { Device } from "../device.ts";
import { attempt, heardBook } from "../run/attempt.ts";
import type { Focus } from "../steps/operation.ts";
import { OPERATIONS } from "../steps/operations.ts";
import { NOTHING_PENDING } from "../steps/reading.ts";
import type { WriteBook } from "../steps/write-book.ts";
import { pickFocus } from "./apart-faults.ts";
import type { Fault, FaultContext } from "./fault.ts";

const WRITES = ["remember", "remember", "remember-many", "revise", "branch-create", "merge"];
const REWRITES = ["revise", "revise", "forget", "restore", "resolve"];
const LONGEST_MS = 4_000;

/** What was not synced is gone with the machine; another one in its place begins with the oldest backup. */
const loseHome: Fault = ({ cluster, device, book }) => loseNow(cluster, device, book);

/** In the midst of what it sends: others have got one document, and not another. */
const loseHomeSoon: Fault = ({ cluster, device, dice, book }) => {
  const messages = 1 + dice.below(30);
  cluster.world.network.onceDelivered(device.name, messages, () => loseNow(cluster, device, book));
  return `${device.name} will lose its home after ${messages} messages`;
};

/** It writes, often for the first time, and is lost while it sends that. */
const diesSending: Fault = async (context) => {
  const { cluster, device, dice, book } = context;
  if (dice.chance(0.4)) loseNow(cluster, device, book);
  if (!device.isRunning) await device.open();
  else if (dice.chance(0.5)) await operate(context, device, "sync");
  const messages = 1 + dice.below(14);
  if (!device.isRunning) return "ended";
  if (dice.chance(0.3)) device.cutDuringWrite(1 + dice.below(3), dice.chance(0.5) ? "kill" : "power");
  cluster.world.network.onceDelivered(device.name, messages, () => loseNow(cluster, device, book));
  const outcome = await operate(context, device, dice.pick(WRITES) ?? "remember");
  await waitUntil(cluster, () => !device.isRunning);
  return `${device.name} to be lost after ${messages} messages: ${outcome}`;
};

/** A device says that the relay has what it wrote. In this moment the relay loses power, and the device its home. */
const trustedAndLost: Fault = async (context) => {
  const { cluster, device, dice, book } = context;
  const { relay } = cluster;
  if (!(await areUp(cluster, [device]))) return "not running";
  const outcome = await operate(context, device, dice.pick(WRITES) ?? "remember");
  const told = dice.chance(0.3) ? await operate(context, device, "sync") : await untilNothingPending(context);
  if (told !== NOTHING_PENDING) return `${outcome}; ${told}`;
  relay.kill(dice.chance(0.5) ? "kill" : "power");
  loseNow(cluster, device, book);
  if (dice.chance(0.7)) await relay.start();
  return `${outcome}; ${told}; ${device.name} and the relay are lost`;
};

/** The relay loses what it has just acknowledged. As soon as a device says that it has it again, the device is lost. */
const relayForgets: Fault = async (context) => {
  const { cluster, device, dice, book } = context;
  const { relay } = cluster;
  if (!(await areUp(cluster, [device]))) return "not running";
  const [image, held] = [relay.disk.image(), book.heldBy(relay.name)];
  const outcomes: string[] = [];
  for (const kind of ["branch-create", "remember-many", "remember-many", "sync"])
    outcomes.push(await operate(context, device, kind));
  // Of documents that nobody has in memory, only what is known of them says that they have to be sent again.
  if (dice.chance(0.6)) {
    for (const some of cluster.devices) if (some.isRunning) some.kill("kill");
    await device.open();
  }
  relay.stopWith(image);
  book.setBack(relay.name, held);
  await relay.start();
  await waitUntil(cluster, () => false, dice.fraction() * LONGEST_MS);
  const told = await operate(context, device, "sync");
  if (told === NOTHING_PENDING && dice.chance(0.8)) loseNow(cluster, device, book);
  return `${[...outcomes, told].join("; ")}${device.isRunning ? "" : "; lost"}`;
};

async function untilNothingPending(context: FaultContext): Promise<string> {
  const { cluster, device, dice } = context;
  const endMs = cluster.world.nowMs + LONGEST_MS;
  for (;;) {
    const told = await operate(context, device, "pending");
    if (told === NOTHING_PENDING || !device.isRunning || cluster.world.nowMs > endMs) return told;
    await cluster.world.runUntil(() => false, cluster.world.nowMs + dice.fraction() * 2);
  }
}

/** A memory that two have is written by one. The other writes it too, as soon as it has heard of that in part. */
const halfHeard: Fault = async (context) => {
  const { cluster, device, dice } = context;
  const { network } = cluster.world;
  const other = dice.pick(cluster.devices.filter((some) => some !== device));
  if (other === undefined || !(await areUp(cluster, [device, other]))) return "not running";
  const focus = await pickFocus(context, [device, other]);
  if (focus === undefined) return "nothing that both have";
  network.cutOff(device.name);
  const outcomes = [await operate(context, other, "revise", focus), await operate(context, other, "sync")];
  const heard = await hearStepwise(cluster, device, focus);
  outcomes.push(await operate(context, device, dice.pick(REWRITES) ?? "revise", focus));
  if (dice.chance(0.7)) network.rejoin(device.name);
  return `${heard} of ${focus.memory?.slice(0, 8)}: ${outcomes.join("; ")}`;
};

async function areUp({ relay, world }: Cluster, devices: readonly Device[]): Promise<boolean> {
  if (!relay.isRunning) await relay.start();
  for (const device of devices) {
    world.network.rejoin(device.name);
    if (!device.isRunning) await device.open();
  }
  return devices.every(({ isRunning }) => isRunning);
}

const MOST_MESSAGES = 12;
/** So long nobody waits before trying to connect again. */
const RECONNECTED_MS = 40_000;

/** Lets a device get a few messages more each time, until it has heard of a version in part, or of all. */
async function hearStepwise(cluster: Cluster, device: Device, focus: Focus): Promise<string> {
  const { network } = cluster.world;
  for (let messages = 2; messages <= MOST_MESSAGES && device.isRunning; messages += 1) {
    network.rejoin(device.name);
    network.cutOffAfter(device.name, messages);
    const isCut = await waitUntil(cluster, () => network.isCutOffByName(device.name), RECONNECTED_MS);
    if (!isCut) return "all";
    if (await device.call((space) => isHalfHere(space, focus))) return "half";
  }
  return "not enough";
}

/** Whether a version of the memory is named, and not here. */
async function isHalfHere(space: Space, { branch, memory }: Focus): Promise<boolean> {
  const { memories } = await space.list({ branch, deleted: true, limit: 1_000 });
  return memories.some(({ id, incomplete }) => id === memory && incomplete !== undefined);
}

async function operate(context: FaultContext, machine: Device, kind: string, focus?: Focus): Promise<string> {
  const { dice, step, scratch } = context;
  const operation = OPERATIONS.get(kind);
  if (operation === undefined) throw new Error(`There is no operation ${kind}.`);
  if (!machine.isRunning) return `${machine.name} ended`;
  const book = heardBook(context.book, machine.lifeline());
  const focused = focus === undefined ? {} : { focus };
  return attempt(() =>
    machine.call((space) =>
      operation({ device: machine.name, ...{ space, step, dice, book, scratch }, ...focused }),
    ),
  );
}

const waitUntil = ({ world }: Cluster, isDone: () => boolean, forMs = LONGEST_MS): Promise<boolean> =>
  world.runUntil(isDone, world.nowMs + forMs);

/** Its owner sets it up again, from what it was when it had joined. */
export function loseNow(cluster: Cluster, device: Device, book: WriteBook): string {
  if (device.firstImage === undefined) return "no first copy";
  for (const other of cluster.devices) other.hasLostPeer = true;
  device.kill("kill");
  device.disk.restore(device.firstImage, "home");
  book.setBack(device.name, new Set());
  return `${device.name} lost its home`;
}

export const LOST_FAULTS = {
  "lose-home": loseHome,
  "lose-home-soon": loseHomeSoon,
  "dies-sending": diesSending,
  "trusted-and-lost": trustedAndLost,
  "relay-forgets": relayForgets,
  "half-heard": halfHeard,
} satisfies Readonly<Record<string, Fault>>;
