/**
 * Damage to what stands on a disk. Whatever is lost by it has to be named; nothing may be shown that was not written.
 *
 * @module
 */
import { CheckFailure } from "../checks/check-failure.ts";
import { isCambiumError } from "../checks/coded-error.ts";
import { lacking } from "../checks/writes-kept.ts";
import type { Device } from "../device.ts";
import type { DiskImage } from "../host/machine-disk.ts";
import type { Dice } from "../random.ts";
import type { Fault } from "./fault.ts";

/** Bits are turned in the index, or in its log. What it says after is what the documents say. */
const flipIndex: Fault = ({ device, dice }) => {
  device.kill("kill");
  const flipped = damageFile(device, /index\.sqlite(-wal)?$/, dice, (bytes) => flipBits(bytes, dice));
  return `${device.name}: ${flipped ?? "no index"}`;
};

/** The same of an index that was closed: its pages are in the file, and nothing that is in the log hides them. */
const flipClosedIndex: Fault = async ({ device, dice }) => {
  if (!device.isRunning) return "not running";
  await device.close();
  const flipped = damageFile(device, /index\.sqlite$/, dice, (bytes) => flipBits(bytes, dice));
  return `${device.name}: ${flipped ?? "no index"}`;
};

/** The log of the store is cut short, turned in a bit, or gone. */
const damageLog: Fault = async ({ device, dice, book }) => {
  device.kill("kill");
  const held = book.writes.filter(({ holders }) => holders.has(device.name));
  const damage = dice.pick([
    (bytes: Uint8Array) => bytes.subarray(0, dice.below(bytes.length)),
    (bytes: Uint8Array) => flipBits(bytes, dice),
    () => undefined,
  ]);
  const what = damage && damageFile(device, /store\.sqlite-wal$/, dice, damage);
  if (what === undefined) return "no log";
  device.isDamaged = true;
  // From here on, only others are known to have them.
  book.setBack(device.name, new Set());
  await device.open();
  const lost = await lacking(device, held);
  const { notices } = await device.call((space) => space.status());
  const [first] = lost;
  if (first !== undefined && notices.length === 0) {
    throw new CheckFailure(
      "silent loss",
      `${device.name} (${what}) lacks ${lost.length} of ${held.length} acknowledged writes, such as version ${first.record} of memory ${first.memory}, and no notice says so`,
    );
  }
  return `${device.name}: ${what}, ${lost.length} lost, ${notices.length} notices`;
};

/** The home's file of settings holds the key of another space, as one does that was put together from two backups. */
const wrongKey: Fault = async ({ device, dice }) => {
  const name = /space\.json$/;
  device.kill("kill");
  const before = device.disk.image();
  const done = damageFile(device, name, dice, (bytes) => {
    const settings = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
    if (settings.isUnheard === true) return bytes;
    // Files from before there were checksums are read; from before there were codes of the key, too.
    const { checksum: _, keyCheck, ...kept } = settings;
    const key = Buffer.from(dice.bytes(32)).toString("base64url");
    return Buffer.from(JSON.stringify({ ...kept, key, ...(dice.chance(0.5) ? { keyCheck } : {}) }));
  });
  const isAltered = !isSameFile(before, device.disk.image(), name);
  try {
    if (isAltered) await refuseOpen(device);
  } finally {
    device.kill("kill");
    device.disk.restore(before);
  }
  return isAltered ? `${device.name}: ${done}, and refused` : "nothing to alter";
};

/** @throws {CheckFailure} when it can be opened and written to */
async function refuseOpen(device: Device): Promise<void> {
  try {
    await device.open();
    const content = "Sealed under the key of another space.";
    await device.call((space) => space.as({ agent: "checker" }).remember({ content }));
  } catch (error) {
    if (isCambiumError(error)) return;
    throw error;
  }
  throw new CheckFailure("key", `${device.name} was opened with the key of another space, and written to`);
}

function isSameFile(one: DiskImage, other: DiskImage, name: RegExp): boolean {
  const path = [...one.keys()].find((file) => name.test(file)) ?? "";
  return Buffer.compare(one.get(path) ?? new Uint8Array(), other.get(path) ?? new Uint8Array()) === 0;
}

/** @returns what was done; undefined where there is no such file, or nothing in it */
export function damageFile(
  device: Device,
  name: RegExp,
  dice: Dice,
  damage: (bytes: Uint8Array) => Uint8Array | undefined,
): string | undefined {
  const image = new Map(device.disk.image());
  const path = dice.pick(
    [...image.keys()].filter((file) => name.test(file) && image.get(file)?.length !== 0),
  );
  const bytes = path === undefined ? undefined : image.get(path);
  if (path === undefined || bytes === undefined) return undefined;
  const damaged = damage(bytes.slice());
  if (damaged === undefined) image.delete(path);
  else image.set(path, damaged);
  device.disk.restore(image);
  return `${path.split("/").at(-1)} damaged, ${bytes.length} bytes before, ${damaged?.length ?? 0} now`;
}

export function flipBits(bytes: Uint8Array, dice: Dice): Uint8Array {
  for (let count = 1 + dice.below(3); count > 0; count -= 1) {
    const at = dice.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
  }
  return bytes;
}

export const DAMAGE_FAULTS = {
  "flip-index": flipIndex,
  "flip-closed-index": flipClosedIndex,
  "damage-log": damageLog,
  "wrong-key": wrongKey,
} satisfies Readonly<Record<string, Fault>>;
