import { cpSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCambiumError } from "@cambium/core";
import { expect, test } from "vitest";
import type { AuditDamage, Space } from "../../src/api.js";
import { AuditFiles } from "../../src/governance/audit-files.js";
import { startWriter } from "../support/processes.js";
import { type Device, numbered, World } from "../support/world.js";

const logDir = ({ home, space }: Device): string =>
  join(home.dir, "spaces", space.id, "audit", space.replica);

/** A closed home: one segment is compressed, the one after it plain or compressed, too. */
async function closed(world: World, later: number): Promise<Device> {
  const device = await world.found();
  const agent = device.space.as({ agent: "a" });
  await Promise.all(numbered(120, "m").map((content) => agent.remember({ content })));
  await device.replica.close();
  const again = await world.reopen(device.home);
  await Promise.all(
    numbered(later, "n").map((content) => again.space.as({ agent: "a" }).remember({ content })),
  );
  await again.replica.close();
  return device;
}

type Harm = readonly [string, () => void];

async function verified(space: Space): Promise<{ readonly notes: readonly string[]; readonly said: string }> {
  try {
    const { notes } = await space.audit.verify();
    return { notes, said: "" };
  } catch (error) {
    if (!isCambiumError(error, "AUDIT_DAMAGED")) throw error;
    const { findings, notes } = error.details as unknown as AuditDamage;
    return { notes, said: findings.map(({ kind, detail }) => `${kind}: ${detail}`).join("\n") };
  }
}

const listed = async (space: Space) => (await space.audit.list({ limit: 10_000 })).entries;

test("[AU19] a last segment that cannot be read whole is named for good, and what can be read of it is shown", async () => {
  await using world = new World(450);
  const device = await closed(world, 120);
  const path = join(logDir(device), "000001.jsonl.gz");
  const bytes = readFileSync(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] as number) ^ 0x55;
  writeFileSync(path, bytes.subarray(0, -1));
  for (const content of ["later", "later still"]) {
    const again = await world.reopen(device.home);
    await again.space.as({ agent: "a" }).remember({ content });
    const { said, notes } = await verified(again.space);
    expect(said).toContain("unreadable: The file 000001.jsonl.gz");
    expect(notes.join()).not.toContain("crash");
    const entries = await listed(again.space);
    expect(new Set(entries.map(({ seq }) => seq)).size).toBe(entries.length);
    expect(entries.some(({ of }) => of === "unreadable")).toBe(true);
    expect(entries.filter(({ recovered }) => recovered !== true).length).toBeGreaterThan(150);
    expect(readFileSync(path)).toEqual(bytes.subarray(0, -1));
    await again.replica.close();
  }
  unlinkSync(path);
  const again = await world.reopen(device.home);
  expect((await verified(again.space)).said).toContain("unreadable: The file 000001.jsonl.gz");
});

test("[AU19] segments that were exchanged are found, and no number is given twice", async () => {
  await using world = new World(451);
  const device = await closed(world, 120);
  const [one, other] = ["000000", "000001"].map((name) => join(logDir(device), `${name}.jsonl.gz`)) as [
    string,
    string,
  ];
  const bytes = readFileSync(one);
  writeFileSync(one, readFileSync(other));
  writeFileSync(other, bytes);
  unlinkSync(join(logDir(device), "head.json"));
  const again = await world.reopen(device.home);
  await again.space.as({ agent: "a" }).remember({ content: "later" });
  expect((await verified(again.space)).said).not.toBe("");
  const entries = await listed(again.space);
  expect(new Set(entries.map(({ seq }) => seq)).size).toBe(entries.length);
  expect(entries.some(({ recovered }) => recovered)).toBe(false);
});

test.each([5, 120])(
  "[AU19] a byte turned, a file cut or gone is named, or changes nothing that is shown (%i)",
  async (later) => {
    await using world = new World(452);
    const device = await closed(world, later);
    const dir = logDir(device);
    const kept = `${dir}-kept`;
    cpSync(dir, kept, { recursive: true });
    const fresh = (): void => {
      rmSync(dir, { recursive: true });
      cpSync(kept, dir, { recursive: true });
    };
    const before = await world.reopen(device.home);
    const shown = await listed(before.space);
    await before.replica.close();
    const harms = readdirSync(kept).flatMap((file): readonly Harm[] => {
      const path = join(dir, file);
      const bytes = readFileSync(join(kept, file));
      const places = [0, 3, 9, 0.1, 0.4, 0.7, -5, -1].map((place) =>
        place < 0 ? bytes.length + place : place % 1 === 0 ? place : Math.floor(place * bytes.length),
      );
      return [
        ...places.map(
          (at): Harm => [
            `${file} turned at ${at}`,
            () => writeFileSync(path, bytes.with(at, (bytes[at] as number) ^ (1 << (at % 7)))),
          ],
        ),
        ...places.map(
          (at): Harm => [`${file} cut at ${at}`, () => writeFileSync(path, bytes.subarray(0, at))],
        ),
        [`${file} gone`, () => unlinkSync(path)],
      ];
    });
    const unseen: string[] = [];
    for (const [name, harm] of harms) {
      fresh();
      harm();
      const again = await world.reopen(device.home);
      const { said, notes } = await verified(again.space);
      const now = await listed(again.space);
      const isShown = JSON.stringify(now) === JSON.stringify(shown);
      // One entry that was torn is recovered, and it is said.
      const isTorn = now.length >= shown.length && notes.some((note) => note.includes("unfinished"));
      if (said === "" && !isShown && !isTorn) unseen.push(name);
      await again.replica.close();
    }
    expect(unseen).toEqual([]);
  },
  60_000,
);

test("[AU19] whenever compressing is stopped, nothing is lost, and a shorter plain file does not win", async () => {
  await using world = new World(453);
  const device = await closed(world, 120);
  const dir = logDir(device);
  const name = "000001.jsonl";
  const packed = readFileSync(join(dir, `${name}.gz`));
  const files = new AuditFiles(dir);
  const { lines } = files.read(name);
  const text = `${lines.join("\n")}\n`;
  const half = packed.subarray(0, packed.length / 2);
  const states: readonly (readonly [string, string | Uint8Array])[][] = [
    [
      [name, text],
      [`${name}.gz.new`, half],
    ],
    [
      [name, text],
      [`${name}.gz`, packed],
    ],
    [
      [name, text.slice(0, 1_000)],
      [`${name}.gz`, packed],
    ],
  ];
  for (const state of states) {
    for (const file of [name, `${name}.gz`, `${name}.gz.new`]) rmSync(join(dir, file), { force: true });
    for (const [file, bytes] of state) writeFileSync(join(dir, file), bytes);
    expect(files.read(name).lines).toEqual(lines);
    const again = await world.reopen(device.home);
    expect(await verified(again.space)).toEqual({ notes: [], said: "" });
    await again.replica.close();
    expect(files.read(name).lines).toEqual(lines);
  }
});

const withoutEnd = (device: Device): void => {
  for (const name of ["000001.jsonl.gz", "000001.jsonl", "head.json"])
    rmSync(join(logDir(device), name), { force: true });
};

test("[AU20] where the end of a log was removed with the note of it, it is named for good, and each write is there again", async () => {
  await using world = new World(459);
  const device = await closed(world, 120);
  withoutEnd(device);
  for (const content of ["later", "later still"]) {
    const again = await world.reopen(device.home);
    await again.space.as({ agent: "a" }).remember({ content });
    const { said, notes } = await verified(again.space);
    expect(said).toContain("were cut off");
    expect(notes.join()).not.toContain("after a crash");
    const recovered = (await listed(again.space)).filter((entry) => entry.recovered === true);
    expect(recovered).toHaveLength(120);
    await again.replica.close();
  }
});

test("[AU20] a log whose files are all gone is missed, before and after it goes on", async () => {
  await using world = new World(460);
  const device = await closed(world, 1);
  rmSync(logDir(device), { recursive: true });
  const again = await world.reopen(device.home);
  expect((await verified(again.space)).said).toContain("truncated");
  await again.space.as({ agent: "a" }).remember({ content: "later" });
  expect((await verified(again.space)).said).toContain("were cut off");
});

test("[AU20] of a log that was not closed, no more than its last 64 entries go unmissed", async () => {
  await using world = new World(461);
  const { home, space, replica } = await world.found();
  await replica.close();
  await using writer = startWriter({ ...home, storage: "sqlite", agent: "a", seed: 1 });
  await writer.lines.until((line) => line === "open");
  for (let line = 0; line < 100; line += 1) await writer.lines.next();
  await writer.kill();
  const path = join(logDir({ home, space, replica }), "000000.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, `${lines.slice(0, -66).join("\n")}\n`);
  const again = await world.reopen(home);
  const { said, notes } = await verified(again.space);
  expect(said).toContain("were cut off");
  expect(notes.join()).not.toContain("after a crash");
});
