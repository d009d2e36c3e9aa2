import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentIdFromHex, isCambiumError } from "@cambium/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveBytes, type Described, readArchive } from "../../src/archive/archive-file.js";
import { ByteReader } from "../../src/archive/byte-reader.js";
import { Passphrase, sealed, sealing, unsealed } from "../../src/archive/sealed-stream.js";
import type { ArchivePart } from "../../src/archive/tar.js";
import { writeNewFile } from "../../src/export/new-files.js";
import { seededBytes, seededNumbers } from "../support/seeded.js";

/** As cheap as scrypt gets. */
const CHEAP = { N: 2, r: 1, p: 1 };
const { cost } = sealing;
const PASSPHRASE = new Passphrase("three tall pines");
const FLIPS = 240;
const CUTS = 60;

let dir: string;
beforeAll(async () => {
  sealing.cost = CHEAP;
  dir = await mkdtemp(join(tmpdir(), "cambium-archive-"));
});
afterAll(async () => {
  sealing.cost = cost;
  await rm(dir, { recursive: true, force: true });
});

const DESCRIBED: Described = {
  ...{
    id: "0f",
    madeAt: 1,
    space: { id: "01a2085a-a002-77d8-a6c4-0ba390c2a728" as never, name: "notes" },
    by: { replica: "r" as never, device: "laptop" },
  },
  ...{ branches: [], checkpoints: 0, replicas: [], documents: [], damaged: 0 },
};

function partsOf(seed: number): readonly ArchivePart[] {
  const [bytes, next] = [seededBytes(seed), seededNumbers(seed)];
  const sizes = [0, 1, 511, 512, 513, Math.floor(next() * 5_000)];
  return sizes.map((size, number) => ({
    name: `documents/${documentIdFromHex(number.toString().repeat(32))}/0`,
    bytes: bytes(size),
  }));
}

async function* given(parts: readonly ArchivePart[]): AsyncGenerator<ArchivePart, Described> {
  yield* parts;
  return DESCRIBED;
}

test("[AR2] an archive whose ids are none is damaged: they name directories where it is taken in", async () => {
  const path = join(dir, "foreign.cambium");
  for (const wrong of [
    { space: { id: "../../victim" as never, name: "notes" } },
    { documents: [{ id: "../../victim" as never, heads: [] }] },
  ]) {
    const parts = (async function* (): AsyncGenerator<ArchivePart, Described> {
      yield* partsOf(3);
      return { ...DESCRIBED, ...wrong };
    })();
    await writeNewFile(path, archiveBytes(parts), { home: join(dir, "home"), overwrite: true });
    await expect(readArchive(path, {})).rejects.toHaveProperty("code", "ARCHIVE_DAMAGED");
  }
});

async function written(name: string, parts: readonly ArchivePart[], isSealed: boolean): Promise<string> {
  const path = join(dir, name);
  const seal = { passphrase: PASSPHRASE, random: seededBytes(7) };
  await writeNewFile(path, archiveBytes(given(parts), isSealed ? seal : undefined), {
    home: join(dir, "home"),
    overwrite: true,
  });
  return path;
}

for (const isSealed of [true, false]) {
  const kind = isSealed ? "sealed" : "clear";

  test(`[AR2] a ${kind} archive gives back every part; one bit or byte more, less or other is damage`, async () => {
    const parts = partsOf(isSealed ? 1 : 2);
    const path = await written(`${kind}.cambium`, parts, isSealed);
    const found: ArchivePart[] = [];
    const { manifest } = await readArchive(path, { opener: PASSPHRASE }, (part) => void found.push(part));
    expect(found.slice(1).map(({ name, bytes }) => [name, Buffer.from(bytes)])).toEqual(
      parts.map(({ name, bytes }) => [name, Buffer.from(bytes)]),
    );
    expect(manifest).toMatchObject({ ...DESCRIBED, format: "cambium-archive", version: 1 });

    const whole = readFileSync(path);
    const next = seededNumbers(3);
    const place = (): number => Math.floor(next() * whole.length);
    const broken = join(dir, `${kind}-broken.cambium`);
    const codeOf = async (bytes: Uint8Array): Promise<string> => {
      writeFileSync(broken, bytes);
      const error = await readArchive(broken, { opener: PASSPHRASE }).catch((thrown: unknown) => thrown);
      return isCambiumError(error) ? error.code : String(error);
    };
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const bytes = Uint8Array.from(whole);
      // The first line, where the seal is described, and the end, as often as all the rest.
      const at = flip % 3 === 0 ? flip % 300 : flip % 3 === 1 ? whole.length - 1 - (flip % 700) : place();
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(next() * 8));
      expect([at, await codeOf(bytes)]).toEqual([at, "ARCHIVE_DAMAGED"]);
    }
    for (let cut = 0; cut < CUTS; cut += 1) {
      const end = cut < 20 ? whole.length - 1 - cut : place();
      expect([end, await codeOf(whole.subarray(0, end))]).toEqual([end, "ARCHIVE_DAMAGED"]);
    }
    expect(await codeOf(Buffer.concat([whole, Buffer.from([0])]))).toBe("ARCHIVE_DAMAGED");
    expect(await codeOf(Buffer.concat([whole, whole]))).toBe("ARCHIVE_DAMAGED");
  });
}

test("[AR3] another passphrase is told from damage, and none is asked for", async () => {
  const path = await written("kept.cambium", partsOf(4), true);
  await expect(readArchive(path, { opener: new Passphrase("three tall pine") })).rejects.toHaveProperty(
    "code",
    "WRONG_PASSPHRASE",
  );
  await expect(readArchive(path, { opener: new Passphrase("") })).rejects.toHaveProperty(
    "code",
    "WRONG_PASSPHRASE",
  );
  await expect(readArchive(path, {})).rejects.toMatchObject({
    code: "BAD_INPUT",
    hint: expect.stringContaining("--passphrase-file"),
  });
  // Typed on another keyboard: the same letters, composed in another way.
  const composed = await collected(
    sealed(one(Buffer.from("x")), { passphrase: new Passphrase("caf\u00e9"), random: seededBytes(1) }),
  );
  expect(await collected(unsealed(readerOf(composed), new Passphrase("cafe\u0301")))).toEqual(
    Buffer.from("x"),
  );
});

test("[AR2] chunks of a sealed archive cannot be moved, left out, or taken from another one", async () => {
  const text = seededBytes(9)(200_000);
  const seal = (seed: number) =>
    collected(sealed(one(text), { passphrase: PASSPHRASE, random: seededBytes(seed) }));
  const [first, second] = [await seal(1), await seal(2)];
  const body = first.length - Math.floor(200_000 / 65_536) * 65_552 - (200_000 % 65_536) - 16;
  const chunk = (from: Buffer, number: number): Buffer =>
    from.subarray(body + number * 65_552, body + (number + 1) * 65_552);
  expect(await collected(unsealed(readerOf(first), PASSPHRASE))).toEqual(Buffer.from(text));
  const built = (chunks: readonly Buffer[]): Buffer => Buffer.concat([first.subarray(0, body), ...chunks]);
  for (const chunks of [
    [chunk(first, 1), chunk(first, 0), chunk(first, 2), chunk(first, 3)],
    [chunk(first, 0), chunk(first, 2), chunk(first, 3)],
    [chunk(first, 0), chunk(first, 1), chunk(first, 2)],
    [chunk(first, 0), chunk(second, 1), chunk(first, 2), chunk(first, 3)],
    [],
  ])
    await expect(collected(unsealed(readerOf(built(chunks)), PASSPHRASE))).rejects.toHaveProperty(
      "code",
      "ARCHIVE_DAMAGED",
    );
});

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

const readerOf = (bytes: Uint8Array): ByteReader => new ByteReader(one(bytes), () => new Error("short"));

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
