import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bytesFromBase64Url, catalogDocumentId, documentIdFromHex, spaceKeyCheck } from "@cambium/core";
import { expect, test } from "vitest";
import { archiveBytes, type Described, readArchive } from "../../src/archive/archive-file.js";
import type { ArchivePart } from "../../src/archive/tar.js";
import { verifyArchive } from "../../src/archive/verify-archive.js";
import type { SpaceConfig } from "../../src/documents/space-config.js";
import { synced, World } from "../support/world.js";

const CLEAR = { clear: true } as const;

interface Unpacked {
  readonly parts: readonly ArchivePart[];
  readonly described: Described;
}

async function unpacked(path: string): Promise<Unpacked> {
  const parts: ArchivePart[] = [];
  const { manifest } = await readArchive(path, {}, (part) => {
    if (part.name !== "cambium-archive.txt") parts.push(part);
  });
  const { format: _format, version: _version, parts: _parts, ...described } = manifest;
  return { parts, described };
}

/** With a manifest that says of each part what it is now. */
async function pack(path: string, { parts, described }: Unpacked): Promise<void> {
  const all = (async function* (): AsyncGenerator<ArchivePart, Described> {
    yield* parts;
    return described;
  })();
  await writeFile(path, archiveBytes(all));
}

type Epochs = NonNullable<SpaceConfig["epochs"]>;
type Settings = Readonly<Record<"id" | "key" | "keyCheck", string>> & { readonly epochs?: Epochs };

function settingsOf({ parts }: Unpacked): Settings {
  const part = parts.find(({ name }) => name === "space.json");
  return JSON.parse(Buffer.from(part?.bytes ?? []).toString("utf8")) as Settings;
}

const withSettings = ({ parts, described }: Unpacked, change: (settings: Settings) => object): Unpacked => ({
  described,
  parts: parts.map((part) => {
    if (part.name !== "space.json") return part;
    const settings = JSON.parse(Buffer.from(part.bytes).toString("utf8")) as Settings;
    return { ...part, bytes: Buffer.from(JSON.stringify({ ...settings, ...change(settings) })) };
  }),
});

/** The documents of `to` get the content of those of `from`, and, if told to, their last changes. */
function moved(
  { parts, described }: Unpacked,
  { from, to, withHeads }: { readonly from: string[]; readonly to: string[]; readonly withHeads: boolean },
): Unpacked {
  const nameOf = (id: string | undefined) => `documents/${id}/0`;
  const content = new Map(to.map((id, at) => [nameOf(id), nameOf(from[at])]));
  const bytesOf = (name: string) => parts.find((part) => part.name === name)?.bytes ?? new Uint8Array();
  const headsOf = (id: string) => described.documents.find((one) => one.id === id)?.heads ?? [];
  return {
    parts: parts.map((part) => ({ ...part, bytes: bytesOf(content.get(part.name) ?? part.name) })),
    described: {
      ...described,
      documents: described.documents.map(({ id, heads }) => {
        const source = withHeads ? from[to.indexOf(id)] : undefined;
        return { id, heads: source === undefined ? heads : headsOf(source) };
      }),
    },
  };
}

const WRONG_KEY = "A".repeat(43);

test("[AR26] an archive whose parts do not fit each other is damaged, and nothing is made of it", async () => {
  await using world = new World(31);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ada" });
  await agent.remember({ content: "tea at four" });
  await agent.branches.create("trial");
  await agent.remember({ content: "only there" }, { branch: "trial" });
  await agent.branches.create("empty");
  await agent.remember({ content: "coffee at ten" });
  const path = join(world.root, "a.tar");
  await first.space.archive(path, CLEAR);
  const whole = await unpacked(path);
  const idOf = (name: string): string =>
    documentIdFromHex(whole.described.branches.find((branch) => branch.name === name)?.id ?? "");
  const [main, trial, empty] = [idOf("main"), idOf("trial"), idOf("empty")];
  const catalog = catalogDocumentId(first.space.id);
  const records = whole.described.documents
    .map(({ id }) => id)
    .find((id) => ![main, trial, empty, catalog].includes(id));
  const without = (id: string | undefined) => ({
    ...whole,
    parts: whole.parts.filter(({ name }) => !name.startsWith(`documents/${id}/`)),
  });
  const named = (name: string) => ({
    ...whole,
    parts: [...whole.parts, { name, bytes: Buffer.from("{}\n") }],
  });
  const both = { from: [trial, main], to: [main, trial] };
  const wrong: Readonly<Record<string, Unpacked>> = {
    "another key": withSettings(whole, () => ({ key: WRONG_KEY })),
    "another key that is proven": withSettings(whole, ({ id }) => ({
      key: WRONG_KEY,
      keyCheck: spaceKeyCheck(id as never, bytesFromBase64Url(WRONG_KEY)),
    })),
    "no key": withSettings(whole, () => ({ key: "AAAA" })),
    "no records": without(records),
    "no main": without(main),
    "no main, and none listed": {
      ...without(main),
      described: {
        ...whole.described,
        documents: whole.described.documents.filter(({ id }) => id !== main),
      },
    },
    "two branches for each other": moved(whole, { ...both, withHeads: false }),
    "two branches for each other, with their heads": moved(whole, { ...both, withHeads: true }),
    "a branch for main": moved(whole, { from: [trial], to: [main], withHeads: true }),
    "main for a branch": moved(whole, { from: [main], to: [empty], withHeads: true }),
    "records for a branch": moved(whole, { from: [records ?? ""], to: [trial], withHeads: true }),
    "a part beside": named("audit/../../../../../../tmp/evil/000001.jsonl"),
    "a document of no name": named("documents/x/0"),
    "a part of no kind": named("notes.txt"),
  };
  const home = world.newHome("restored");
  const replica = await world.open(home);
  const bad = join(world.root, "bad.tar");
  for (const [what, one] of Object.entries(wrong)) {
    await pack(bad, one);
    const codes = [];
    for (const call of [
      () => verifyArchive(bad),
      () => replica.importArchive(bad, { preview: true }),
      () => replica.importArchive(bad),
      () => replica.importArchive(bad, { asSpace: "copy" }),
      () => first.replica.importArchive(bad),
    ])
      codes.push(
        await call().then(
          () => "taken",
          ({ code }) => code,
        ),
      );
    expect([what, ...codes]).toEqual([what, ...Array.from({ length: 5 }, () => "ARCHIVE_DAMAGED")]);
  }
  expect(await replica.spaces()).toEqual([]);
  const spaces = join(home.dir, "spaces");
  expect(existsSync(spaces) ? readdirSync(spaces) : []).toEqual([]);
  await pack(bad, whole);
  expect(await verifyArchive(bad)).toMatchObject({ space: { id: first.space.id } });
  await replica.importArchive(bad);
  expect((await (await replica.openSpace()).list()).memories).toHaveLength(2);
});

test("[AR28] an archive whose keys of later epochs are not those of its catalog and its packs is damaged", async () => {
  await using world = await World.withRelay(32);
  const first = await world.found("first");
  const [phone, desk] = [await world.join(first, "phone"), await world.join(first, "desk")];
  for (const one of [first, phone, desk]) await synced(one);
  await first.space.as({}).remember({ content: "before" });
  for (const [name, content] of [
    ["phone", "between"],
    ["desk", "after"],
  ] as const) {
    await first.space.members.revoke(name);
    await first.space.as({}).remember({ content });
  }
  const path = join(world.root, "a.tar");
  await first.space.archive(path, CLEAR);
  const whole = await unpacked(path);
  const withEpochs = (change: (epochs: Epochs) => Epochs | undefined) =>
    withSettings(whole, ({ epochs }) => ({ epochs: change(epochs as Epochs) }));
  const [one, two] = settingsOf(whole).epochs?.known ?? [];
  if (one === undefined || two === undefined) throw new Error("The space has no two later keys.");
  const wrong: Readonly<Record<string, Unpacked>> = {
    "another key": withEpochs(({ current, known }) => ({
      current,
      known: known.map((epoch) => (epoch.id === two.id ? { ...epoch, secret: WRONG_KEY } : epoch)),
    })),
    "two keys for each other": withEpochs(({ current }) => ({
      current,
      known: [
        { ...one, secret: two.secret },
        { ...two, secret: one.secret },
      ],
    })),
    "a key of another number": withEpochs(({ current }) => ({ current, known: [one, { ...two, epoch: 7 }] })),
    "a key that the catalog does not have": withEpochs(() => ({
      current: "0".repeat(32),
      known: [one, { id: "0".repeat(32), epoch: two.epoch, secret: WRONG_KEY }],
    })),
    "none that is written under": withEpochs(({ current }) => ({ current, known: [one] })),
    "an earlier state of the settings": withEpochs(() => ({ current: one.id, known: [one] })),
    "not the one before": withEpochs(({ current }) => ({ current, known: [two] })),
    "no later keys": withEpochs(() => undefined),
  };
  const home = world.newHome("restored");
  const replica = await world.open(home);
  const bad = join(world.root, "bad.tar");
  for (const [what, parts] of Object.entries(wrong)) {
    await pack(bad, parts);
    const calls = [verifyArchive(bad), replica.importArchive(bad), first.replica.importArchive(bad)];
    const codes = (await Promise.allSettled(calls)).map(
      (settled) => settled.status === "rejected" && settled.reason.code,
    );
    expect([what, ...codes]).toEqual([what, ...calls.map(() => "ARCHIVE_DAMAGED")]);
  }
  expect(await replica.spaces()).toEqual([]);
  await pack(bad, whole);
  await replica.importArchive(bad);
  expect((await (await replica.openSpace()).list()).memories).toHaveLength(3);
  // Whoever was removed lacks keys, and has an archive all the same.
  const theirs = join(world.root, "theirs.tar");
  await phone.space.archive(theirs, CLEAR);
  await replica.importArchive(theirs, { asSpace: "theirs" });
  expect((await (await replica.openSpace("theirs")).list()).memories).toHaveLength(1);
}, 60_000);

test("[AR12] an archive that builds on itself is read once, and refused", async () => {
  await using world = new World(95);
  const { space } = await world.found("first");
  await space.as({}).remember({ content: "round and round" });
  const path = join(world.root, "round.tar");
  await space.archive(path, CLEAR);
  const { parts, described } = await unpacked(path);
  const since = { id: described.id, file: "round.tar", madeAt: described.madeAt };
  await pack(path, { parts, described: { ...described, since } });
  const read: string[] = [];
  await expect(
    verifyArchive(path, { onProgress: ({ stage }) => void read.push(stage) }),
  ).rejects.toMatchObject({ code: "BAD_INPUT", message: expect.stringContaining("builds on itself") });
  expect(read).toHaveLength(1);
});

test("[AR12] two archives that build on each other are each read once, and refused", async () => {
  await using world = new World(96);
  const { space } = await world.found("first");
  await space.as({}).remember({ content: "to and fro" });
  const paths = ["to.tar", "fro.tar"].map((name) => join(world.root, name));
  for (const path of paths) await space.archive(path, CLEAR);
  const read = await Promise.all(paths.map((path) => unpacked(path)));
  for (const [place, path] of paths.entries()) {
    const [own, other] = [read[place], read[1 - place]];
    if (own === undefined || other === undefined) throw new Error("There are two.");
    const { id, madeAt } = other.described;
    const since = { id, madeAt, file: place === 0 ? "fro.tar" : "to.tar" };
    await pack(path, { parts: own.parts, described: { ...own.described, since } });
  }
  const stages: string[] = [];
  await expect(
    verifyArchive(paths[0] ?? "", { onProgress: ({ stage }) => void stages.push(stage) }),
  ).rejects.toMatchObject({ code: "BAD_INPUT", message: expect.stringContaining("builds on itself") });
  expect(stages).toHaveLength(2);
});
