/**
 * The packages as they are published, installed by npm where there is no workspace. What others have made comes from
 * npm's cache or the registry; where neither has it, there is nothing to test.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { endDaemons } from "../packages/cambium/test/cli/daemons.js";
import { Installed, install, pack, ROOT } from "./support/installed.js";
import { syncTwoHomes, useMcp, useTheCommand, useTheLibraries } from "./support/journeys.js";

const MEGABYTE = 1_000_000;
/** Of everything together; the aims are 40 for the library alone and 60 for the command. */
const LARGEST_INSTALLATION = 40 * MEGABYTE;

const dir = mkdtempSync(join(tmpdir(), "cambium-install-"));
const folder = join(dir, "somewhere");
let isInstalled = false;

beforeAll(async () => {
  const tarballs = await pack(join(dir, "tarballs"));
  isInstalled = await install(folder, Object.values(tarballs));
}, 300_000);

afterAll(async () => {
  await endDaemons(dir);
  rmSync(dir, { recursive: true, force: true });
}, 60_000);

const ours = (): readonly string[] =>
  ["@cambium/core", "@cambium/client", "@cambium/sync-server", "cambium"].map((name) =>
    join(folder, "node_modules", name),
  );

const somebody = ({ skip }: TestContext): Installed => {
  if (!isInstalled) skip("npm has no way to what we depend on");
  return new Installed(folder, process.execPath);
};

test("[PK2] a tarball has what its package needs, its readme and its licence, and nothing else", (context) => {
  somebody(context);
  for (const path of ours()) {
    const files = readdirSync(path, { recursive: true, encoding: "utf8" });
    expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE"]));
    expect(
      files.filter((file) => /\.(?:map|tsbuildinfo|tsx?)$/.test(file) && !file.endsWith(".d.ts")),
    ).toEqual([]);
    expect(files.filter((file) => /(?:^|\/)(?:test|src)\//.test(file) || /\.test\./.test(file))).toEqual([]);
    expect(readFileSync(join(path, "README.md"), "utf8")).not.toMatch(/\]\(\.\.?\//);
    if (path.endsWith("cambium")) expect(files).toContain(join("models", "ask.bin"));
  }
});

test("[PK3] one version stands in every manifest, and the workspace says which", (context) => {
  somebody(context);
  const { version } = manifestIn(ROOT);
  for (const path of ours()) {
    const manifest = manifestIn(path);
    const { description, license, keywords, engines, exports } = manifest;
    expect({ description, license, keywords, engines, exports }).not.toContain(undefined);
    expect(manifest.version).toBe(version);
    expect(JSON.stringify(manifest)).not.toContain("workspace:");
    for (const [name, wanted] of Object.entries(manifest.dependencies ?? {}))
      if (name.startsWith("@cambium/")) expect(wanted).toBe(version);
  }
  for (const name of readdirSync(join(ROOT, "packages")))
    expect(manifestIn(join(ROOT, "packages", name)).version).toBe(version);
});

test("[PK4] the command works, for people and as an MCP server", { timeout: 120_000 }, async (context) => {
  const installed = somebody(context);
  await useTheCommand(installed, dir);
  await useMcp(installed, dir);
});

test("[PK5] the examples of the readmes work", { timeout: 120_000 }, async (context) => {
  await useTheLibraries(somebody(context), dir);
});

test("[PK5] a program without modules may require the library", async (context) => {
  const { stdout } = await somebody(context).program(
    'console.log(typeof require("@cambium/client").openReplica)',
    {
      args: [],
    },
  );
  expect(stdout.trim()).toBe("function");
});

test("[PK5] one copy of Automerge is loaded, whoever asks", async (context) => {
  const { stdout } = await somebody(context).program(`
    import { registerHooks } from "node:module";
    const loaded = new Set();
    const load = (url, context, nextLoad) => nextLoad(loaded.add(url) && url, context);
    registerHooks({ load });
    await import("@cambium/core/automerge");
    await import("@cambium/client/others/automerge-repo");
    console.log([...loaded].filter((url) => /automerge_wasm\\.cjs|low_level\\.js/.test(url)).length);
  `);
  expect(stdout.trim()).toBe("2");
});

test("[PK6] a relay and two homes sync", { timeout: 120_000 }, async (context) => {
  await syncTwoHomes(somebody(context), dir);
});

test("[PK7] the declarations are whole", { timeout: 120_000 }, (context) => {
  somebody(context);
  const program = ["@cambium/core", "@cambium/core/automerge", "@cambium/client", "@cambium/client/embedders"]
    .concat(["@cambium/client/testing", "@cambium/sync-server", "cambium"])
    .map((name) => `import "${name}";\n`);
  writeFileSync(join(folder, "program.mts"), program.join(""));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext"];
  const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
  const lib = ["--lib", "es2024,esnext.disposable,esnext.collection,dom"];
  execFileSync(process.execPath, [compiler, ...options, ...types, ...lib, "program.mts"], {
    cwd: folder,
    encoding: "utf8",
  });
});

test("[PK8] everything together is small", (context) => {
  somebody(context);
  const sizes = readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" }).map(
    (file) => lstatSync(join(folder, "node_modules", file)).size,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST_INSTALLATION);
});

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

function manifestIn(path: string): Manifest {
  return JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
}
