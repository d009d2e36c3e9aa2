/**
 * Bits turned in what a home keeps: its store, its settings, its audit log. Damage is noticed and named, and nothing
 * damaged is an answer; what others hold comes back.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { CheckFailure } from "../checks/check-failure.ts";
import { isCambiumError } from "../checks/coded-error.ts";
import { canonicalJson } from "../checks/digest.ts";
import { lacking } from "../checks/writes-kept.ts";
import type { Device } from "../device.ts";
import type { DiskImage } from "../host/machine-disk.ts";
import { damageFile, flipBits } from "./damage-faults.ts";
import type { Fault } from "./fault.ts";
import { loseNow } from "./lost-faults.ts";

/** In the database itself. Its index is there, or it is gone, too, so that all is read from the store. */
const flipStore: Fault = async ({ cluster, device, dice, book }) => {
  if (!device.isRunning) return "not running";
  const before = await device.call(versionsByRecord);
  await device.close();
  const held = book.writes.filter(({ holders }) => holders.has(device.name));
  const what = damageFile(device, /store\.sqlite$/, dice, (bytes) => flipBits(bytes, dice));
  if (what === undefined) return "no store";
  if (dice.chance(0.5)) device.disk.restore(withoutFiles(device.disk.image(), /index\.sqlite/));
  device.isDamaged = true;
  // From here on, only others are known to have them.
  book.setBack(device.name, new Set());
  const refusal = await refusalOf(async () => {
    await device.open();
    const { damaged } = await device.call((space) => space.verify());
    const broken = damaged.find(({ reason }) => reason.startsWith("The database file is damaged"));
    if (broken !== undefined) throw Object.assign(new Error(broken.reason), BROKEN);
  });
  // As it is told to.
  if (refusal !== undefined) return `${device.name}: ${what}, ${refusal}; ${loseNow(cluster, device, book)}`;
  refuseOther(device, before, await device.call(versionsByRecord));
  const lost = await lacking(device, held);
  const named = await device.call(namedDamage);
  const [first] = lost;
  if (first !== undefined && named.length === 0) {
    throw new CheckFailure(
      "silent damage",
      `${device.name} (${what}) lacks ${lost.length} of ${held.length} acknowledged writes, such as version ${first.record} of memory ${first.memory}, and says nothing of it`,
    );
  }
  return `${device.name}: ${what}, ${lost.length} lost, ${named.join("; ").slice(0, 300) || "nothing named"}`;
};

/** In the settings of the space or of the replica: it is refused, or makes no difference. Then a backup is put back. */
const flipSettings: Fault = async ({ device, dice }) => {
  device.kill("kill");
  const before = device.disk.image();
  const what = damageFile(device, /(space|replica)\.json$/, dice, (bytes) => flipBits(bytes, dice));
  if (what === undefined) return "no settings";
  const refusal = await refusalOf(() => device.open());
  if (refusal === undefined) return `${device.name}: ${what}, and it makes no difference`;
  device.kill("kill");
  device.disk.restore(before);
  return `${device.name}: ${what}, ${refusal}`;
};

/** In the audit log, closed or not. What stands in it was written, or it says that it was altered. */
const flipAudit: Fault = async ({ device, dice }) => {
  if (!device.isRunning) return "not running";
  if (dice.chance(0.6)) await device.close();
  else device.kill("kill");
  const what = damageFile(device, /audit\/.*\.(jsonl|jsonl\.gz|json)$/, dice, (bytes) =>
    flipBits(bytes, dice),
  );
  if (what === undefined) return "no audit log";
  await device.open();
  if (dice.chance(0.5))
    await device.call((space) => space.as({ agent: "checker" }).remember({ content: "After the damage." }));
  const refusal = await refusalOf(() => device.call((space) => space.audit.verify()));
  // How far it had got says nothing that the log does not say.
  if (what.startsWith("head.json")) {
    if (refusal !== undefined) throw new CheckFailure("audit", `${device.name}: ${what}, then ${refusal}`);
    return `${device.name}: ${what}, and it makes no difference`;
  }
  if (refusal === undefined) {
    const { notes } = await device.call((space) => space.audit.verify());
    if (notes.length === 0) throw new CheckFailure("audit", `${device.name}: ${what}, and nothing says so`);
    return `${device.name}: ${what}, ${notes.length} notes`;
  }
  device.isDamaged = true;
  return `${device.name}: ${what}, ${refusal}`;
};

/** What `verify` names and no other device can give back: the file itself cannot be relied on. */
const BROKEN = { name: "CambiumError", code: "STORE_DAMAGED" };

/** @returns its code and what it says; undefined where it was done. @throws what no caller could act on */
async function refusalOf(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (isCambiumError(error) && error.code !== "INTERNAL") return `${error.code} ${error.message}`;
    throw error;
  }
}

/** Every version that is shown whole, by branch and record: what it says never changes. */
async function versionsByRecord(space: Space): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  for (const { id: branch, isHere, status } of await space.branches.list()) {
    if (!isHere || status === "deleted") continue;
    const { memories } = await space.list({ branch, deleted: true, limit: 1_000 });
    for (const { id } of memories) {
      for (const { record, content, category, area, tags, by } of await space.history(id, { branch }))
        if (content !== undefined)
          versions.set(`${branch} ${record}`, canonicalJson({ content, category, area, tags, by }));
    }
  }
  return versions;
}

function refuseOther(
  device: Device,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): void {
  for (const [record, said] of after) {
    const was = before.get(record);
    if (was !== undefined && was !== said)
      throw new CheckFailure("damage answered", `${device.name} says ${said} of ${record}; it said ${was}`);
  }
}

async function namedDamage(space: Space): Promise<readonly string[]> {
  const { notices } = await space.status();
  const { damaged, lost } = await space.verify();
  return [
    ...notices,
    ...[...damaged, ...(lost?.parts ?? [])].map(({ what, reason }) => `${what}: ${reason}`),
  ];
}

const withoutFiles = (image: DiskImage, name: RegExp): DiskImage =>
  new Map([...image].filter(([path]) => !name.test(path)));

export const STORED_DAMAGE_FAULTS = {
  "flip-store": flipStore,
  "flip-settings": flipSettings,
  "flip-audit": flipAudit,
} satisfies Readonly<Record<string, Fault>>;
