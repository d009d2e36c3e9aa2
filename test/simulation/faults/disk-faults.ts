/**
 * Faults of disks: full, restored from an earlier copy, robbed of the index.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { CheckFailure } from "../checks/check-failure.ts";
import { MAX_DEVICES } from "../cluster.ts";
import type { Device } from "../device.ts";
import type { Fault } from "./fault.ts";

const copyHome: Fault = ({ device, book }) => {
  // Of a home in use, as a backup program would take it.
  device.copies.push({ image: device.disk.image(), held: book.heldBy(device.name) });
  return `${device.name} copied`;
};

const restoreHome: Fault = async ({ cluster, device, dice, book }) => {
  const oldest =
    device.firstImage === undefined ? undefined : { image: device.firstImage, held: new Set<number>() };
  const copy = dice.pick(device.copies) ?? oldest;
  if (copy === undefined) return "no copy";
  for (const other of cluster.devices) other.hasLostPeer = true;
  const before = await whoWrites(device);
  const isOlder = book.writes.some(
    ({ number, device: writer }) => writer === device.name && !copy.held.has(number),
  );
  device.kill("kill");
  device.disk.restore(copy.image, "home");
  book.setBack(device.name, copy.held);
  if (before !== undefined && isOlder) await refuseUsedEpoch(device, before);
  return `${device.name} restored from a copy`;
};

type Writer = Awaited<ReturnType<Space["status"]>>["replica"];

const whoWrites = async (device: Device): Promise<Writer | undefined> =>
  device.isRunning ? (await device.call((space) => space.status())).replica : undefined;

/** What it wrote since the copy stands under numbers that it must not give again. @throws {CheckFailure} */
async function refuseUsedEpoch(device: Device, before: Writer): Promise<void> {
  await device.open();
  await device.call((space) => space.checkpoints.create({ name: "restored" }));
  const now = await whoWrites(device);
  if (now === undefined || now.id !== before.id || now.epoch > before.epoch) return;
  throw new CheckFailure(
    "epoch",
    `${device.name} was restored from an earlier copy, and writes under epoch ${now.epoch} as before`,
  );
}

/** The home and what is kept outside of it are put back together: nothing here tells that anything is gone. */
const restoreAll: Fault = ({ cluster, device, dice, book }) => {
  const copy = dice.pick(device.copies);
  if (copy === undefined) return "no copy";
  for (const other of cluster.devices) other.hasLostPeer = true;
  device.kill("kill");
  device.disk.restore(copy.image);
  book.setBack(device.name, copy.held);
  return `${device.name} restored from a copy, with its outside state`;
};

const fillDisk: Fault = ({ device }) => {
  device.disk.isFull = !device.disk.isFull;
  return `${device.name} ${device.disk.isFull ? "has a full disk" : "has room again"}`;
};

const loseIndex: Fault = ({ device }) => {
  device.kill("kill");
  const image = device.disk.image();
  device.disk.restore(new Map([...image].filter(([path]) => !path.includes("index.sqlite"))));
  return `${device.name} lost its index`;
};

const copyRelay: Fault = ({ cluster, book }) => {
  cluster.relay.copies.push({ image: cluster.relay.disk.image(), held: book.heldBy("relay") });
  return "relay copied";
};

const setRelayBack: Fault = async ({ cluster, dice, book }) => {
  const copy = dice.pick(cluster.relay.copies);
  if (copy === undefined) return "no copy";
  cluster.relay.stopWith(copy.image);
  book.setBack("relay", copy.held);
  await cluster.relay.start();
  return "relay set back";
};

/** Two relays' data change places; the second begins as a copy of the first. */
const swapRelays: Fault = async ({ cluster, book }) => {
  const { relay } = cluster;
  const now = { image: relay.disk.image(), held: book.heldBy("relay") };
  const other = relay.other ?? now;
  relay.stopWith(other.image);
  relay.other = now;
  book.setBack("relay", other.held);
  await relay.start();
  return "relays swapped";
};

const fillRelayDisk: Fault = ({ cluster }) => {
  const { disk } = cluster.relay;
  disk.isFull = !disk.isFull;
  return `the relay ${disk.isFull ? "has a full disk" : "has room again"}`;
};

/** A copy of a home on another machine: it goes on as a replica of its own. */
const cloneHome: Fault = async ({ cluster, device }) => {
  if (cluster.devices.length >= MAX_DEVICES) return "no";
  const clone = await cluster.cloneDevice(device);
  return `${device.name} cloned as ${clone.name}`;
};

export const DISK_FAULTS = {
  "copy-home": copyHome,
  "restore-home": restoreHome,
  "restore-all": restoreAll,
  "full-disk": fillDisk,
  "lose-index": loseIndex,
  "relay-copy": copyRelay,
  "relay-set-back": setRelayBack,
  "relay-swap": swapRelays,
  "relay-full-disk": fillRelayDisk,
  "clone-home": cloneHome,
} satisfies Readonly<Record<string, Fault>>;
