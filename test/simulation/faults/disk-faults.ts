/**
 * Faults of disks: full, restored from an earlier copy, robbed of the index.
 *
 * @module
 */
import type { Fault } from "./fault.ts";

const copyHome: Fault = ({ device, book }) => {
  // Of a home in use, as a backup program would take it.
  device.copies.push({ image: device.disk.image(), held: book.heldBy(device.name) });
  return `${device.name} copied`;
};

const restoreHome: Fault = ({ device, dice, book }) => {
  const copy = dice.pick(device.copies);
  if (copy === undefined) return "no copy";
  device.kill("kill");
  device.disk.restore(copy.image, "home");
  book.setBack(device.name, copy.held);
  return `${device.name} restored from a copy`;
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

export const DISK_FAULTS = {
  "copy-home": copyHome,
  "restore-home": restoreHome,
  "full-disk": fillDisk,
  "lose-index": loseIndex,
  "relay-copy": copyRelay,
  "relay-set-back": setRelayBack,
} satisfies Readonly<Record<string, Fault>>;
