import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ArchiveContents,
  type ArchiveOptions,
  type ImportArchiveOptions,
  openReplica,
} from "@cambium/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPLICA, SPACE } from "./fixtures.js";
import { cambium } from "./run-cambium.js";

const CONTENTS: ArchiveContents = {
  ...{
    path: "/tmp/a.cambium",
    id: "0f",
    madeAt: Date.UTC(2026, 7, 1),
    isSealed: true,
    documents: 4,
    sizeBytes: 20_700,
  },
  ...{
    space: { id: SPACE, name: "notes" },
    by: { replica: REPLICA, device: "laptop" },
    checkpoints: 1,
    devices: 2,
  },
  branches: [
    { id: "aa" as never, name: "main", memories: 2 },
    { id: "bb" as never, name: "draft", memories: 1 },
  ],
};

let dir: string;
let clear: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "cambium-archives-"));
  clear = join(dir, "clear.tar");
  writeFileSync(join(dir, "pass"), "three tall pines\nnot this\n", { mode: 0o600 });
  await using replica = await openReplica({
    dir: join(dir, "home"),
    stateDir: join(dir, "state"),
    name: "laptop",
  });
  const space = await replica.createSpace({ name: "notes" });
  await space.as({ agent: "ada" }).remember({ content: "tea at four" });
  await space.archive(clear, { clear: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const archiving = () => {
  const asked: [path: string, options: ArchiveOptions][] = [];
  const space = {
    archive: async (path: string, options: ArchiveOptions) => {
      asked.push([path, options]);
      return { ...CONTENTS, path, isSealed: options.clear !== true };
    },
  };
  return { answers: { space }, asked };
};

test("[AR17] archive seals with what a file or standard input gives, and says what that means", async () => {
  const { answers, asked } = archiving();
  const sealed = await cambium(
    ["archive", "/tmp/a.cambium", "--passphrase-file", join(dir, "pass")],
    answers,
  );
  expect(sealed.stdout).toBe(
    [
      "Wrote the space notes (2 memories, 2 branches, 1 checkpoint) to /tmp/a.cambium (20.7 kB).",
      "It is sealed. Without the passphrase nobody can open it, not even you: keep it in another place.",
      "To take it back: cambium import /tmp/a.cambium\n",
    ].join("\n"),
  );
  expect(sealed.stderr).toBe("");
  chmodSync(join(dir, "pass"), 0o640);
  const readable = await cambium(
    ["archive", "/tmp/b.cambium", "--passphrase-file", join(dir, "pass")],
    answers,
  );
  expect([readable.code, readable.stderr]).toEqual([
    0,
    `Others on this machine can read ${join(dir, "pass")}, with the passphrase. To close it: chmod go= ${join(dir, "pass")}\n`,
  ]);
  asked.pop();
  await cambium(["archive", "/tmp/a.cambium", "--passphrase-file", "-"], answers, { input: "other pines\n" });
  const open = await cambium(["archive", "/tmp/a.cambium", "--clear", "--force"], answers);
  expect(open.stdout).toContain("It is not encrypted: whoever has the file reads everything");
  expect(asked.map(([, { passphrase, clear, overwrite }]) => ({ passphrase, clear, overwrite }))).toEqual([
    { passphrase: "three tall pines" },
    { passphrase: "other pines" },
    { clear: true, overwrite: true },
  ]);
  const some = await cambium(
    ["archive", "/tmp/a.cambium", "--clear", "--branch", "trip", "--branch", "work"],
    answers,
  );
  expect(asked.pop()?.[1]).toMatchObject({ branches: ["trip", "work"] });
  expect(some.stdout).not.toContain("Left out");
  for (const wrong of [
    [],
    ["--clear", "--passphrase-file", join(dir, "pass")],
    ["--passphrase-file", "/none"],
  ])
    expect((await cambium(["archive", "/tmp/a.cambium", ...wrong], answers)).code).toBe(2);
  expect(asked).toHaveLength(3);
  const agent = await cambium(["archive", "/tmp/a.cambium", "--clear"], answers, {
    env: { CAMBIUM_AGENT: "claude-code" },
  });
  expect([agent.code, agent.stderr]).toEqual([5, expect.stringContaining("may not archive a space")]);
});

test("[AR17] --verify needs no space; import knows an archive by its beginning", async () => {
  const verified = await cambium(["archive", clear, "--verify"]);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining("is whole")]);
  expect(verified.calls).toEqual([]);
  expect(JSON.parse((await cambium(["archive", clear, "--verify", "--json"])).stdout)).toMatchObject({
    ...{ ok: true, isSealed: false, space: { name: "notes" }, branches: [{ name: "main", memories: 1 }] },
  });
  writeFileSync(join(dir, "broken"), "cambium-archive.txt\0 and no more");
  const broken = await cambium(["archive", join(dir, "broken"), "--verify"]);
  expect([broken.code, broken.stderr]).toEqual([6, expect.stringContaining("its end is missing")]);

  expect((await cambium(["archive", clear, "--verify", "--branch", "main"])).code).toBe(2);
  const nowhere = await cambium(["archive", join(dir, "nope"), "--verify"]);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("nope does not exist.")]);
  const partial = { ...CONTENTS, leftOut: ["private", "trip"] };
  const { stdout } = await cambium(["import", clear], {
    replica: {
      importArchive: async () =>
        ({
          status: "imported",
          as: "replica",
          space: { id: SPACE, name: "kept" },
          archive: partial,
        }) as const,
    },
  });
  expect(stdout).toContain("Left out: private, trip. Versions of them may be in it");
  const asked: (ImportArchiveOptions | undefined)[] = [];
  const replica = {
    importArchive: async (_path: string, options?: ImportArchiveOptions) => {
      asked.push(options);
      return {
        status: "imported",
        as: "replica",
        space: { id: SPACE, name: "kept" },
        archive: CONTENTS,
      } as const;
    },
  };
  const imported = await cambium(["import", clear, "--name", "kept"], { replica });
  expect(imported.stdout).toBe(
    "Imported the space notes (2 memories, 2 branches, 1 checkpoint), as the space kept.\n",
  );
  expect(asked).toMatchObject([{ name: "kept", preview: true }, { name: "kept" }]);
  const made = { as: "space", space: { id: SPACE, name: "trial" } } as const;
  const asSpace = {
    importArchive: async (path: string, options?: ImportArchiveOptions) => ({
      ...(await replica.importArchive(path, options)),
      ...made,
    }),
  };
  const trial = await cambium(["import", clear, "--as-space", "trial"], { replica: asSpace });
  expect(trial.stdout).toContain("Made the new space trial of the space notes (2 memories");
  expect(trial.stdout).toContain("Only what was erased before ");
  expect(asked.at(-1)).toMatchObject({ asSpace: "trial" });
  const here = async (erasedSince: object): Promise<string> => {
    const importArchive = async (path: string) => ({ ...(await asSpace.importArchive(path)), erasedSince });
    return (await cambium(["import", clear, "--as-space", "trial"], { replica: { importArchive } })).stdout;
  };
  expect(await here({ memories: 2, lastAt: Date.UTC(2026, 10, 23) })).toContain(
    "2 memories left out, whole or in part: erased in notes since then, the last on 2026-11-23",
  );
  expect(await here({ memories: 0 })).not.toContain("erased");
  const merge = { as: "merge", branches: [], erasedSince: { memories: 1, lastAt: 0 } } as const;
  const merged = await cambium(["import", clear], {
    replica: {
      importArchive: async (path: string) => ({ ...(await replica.importArchive(path)), ...merge }),
    },
  });
  expect(merged.stdout).toMatch(/holds, but for what was erased\.\n1 memory left out, whole or in part/);
  for (const [option, value] of [
    ["--space", "work"],
    ["--branch", "draft"],
    ["--format", "jsonl"],
  ] as const) {
    const refused = await cambium(["import", clear, option, value], { replica });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(option)]);
  }
  const none = await cambium(["import", join(dir, "pass"), "--as-space", "trial"], { replica });
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("--as-space belongs to an archive")]);
  // What every verb takes is none of the archive's options.
  expect((await cambium(["import", clear, "--yes", "--json"], { replica })).code).toBe(0);
  expect(Object.keys(asked.at(-1) ?? {}).toSorted()).toEqual(["onProgress", "signal", "since"]);
  expect((await cambium(["import", clear, "--link"], { replica })).stdout).toContain("`cambium sync`");
  const other = await cambium(["import", join(dir, "pass"), "--link"], { replica });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--link belongs to an archive")]);
  const agent = await cambium(["import", clear], { replica }, { env: { CAMBIUM_AGENT: "claude-code" } });
  expect(agent.code).toBe(5);
});
