/** What someone sees who loads a package with a Node that is too old. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PACKAGES = new URL("../packages/", import.meta.url);
/** They hold the sentence itself. */
const OPEN = ["@cambium/core/errors", "@cambium/core/node-version"];

/** Says that it is an older Node than it is, and lacks what that one lacks. */
const PRETENDING = `
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });
  process.getBuiltinModule = undefined;
`;
const SENTENCE =
  "needs Node 22.16 or later (not 23), and this is Node 18.20.8: install one from https://nodejs.org.";

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
}

const packages = readdirSync(PACKAGES).map((folder) => {
  const at = (path: string) => new URL(`${folder}/${path}`, PACKAGES);
  const { name, bin = {}, exports } = JSON.parse(readFileSync(at("package.json"), "utf8")) as Manifest;
  const doors = Object.entries(exports).map(([door, file]) => ({
    door: name + door.slice(1),
    url: at(file.default).href,
  }));
  return { doors, bins: Object.values(bin).map((file) => fileURLToPath(at(file))) };
});
const doors = packages.flatMap((one) => one.doors);

test("[PK1] every door of every package says which Node it needs", () => {
  const guarded = doors.filter(({ door }) => !OPEN.includes(door));
  const tries = guarded.map(
    ({ door, url }) =>
      `await import("${url}").then(() => console.log("${door} loads"), ({ code, message }) => console.log(code, message));`,
  );
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", PRETENDING + tries.join("\n")], {
    encoding: "utf8",
  });
  expect(said.trim().split("\n")).toEqual(guarded.map(() => `OLD_NODE Cambium ${SENTENCE}`));
  expect(guarded.length).toBeGreaterThan(10);
});

test("[PK1] what a door loads at once holds nothing that Node 18 cannot link", () => {
  const script = fileURLToPath(new URL("support/foreign-to-node-18-process.mjs", import.meta.url));
  const found = execFileSync(process.execPath, [script, ...doors.map(({ url }) => url)], {
    encoding: "utf8",
  });
  expect(found.trim()).toBe("");
});

test("[PK1] every command says which Node it needs", () => {
  const files = packages.flatMap(({ bins }) => bins);
  expect(files).toHaveLength(2);
  for (const file of files) {
    const started = `${PRETENDING} process.argv.splice(1, 0, "${file}"); await import("file://${file}");`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", started], {
      encoding: "utf8",
      env: { ...process.env, CAMBIUM_NODE_FOUND: "1" },
    });
    expect(stderr.trim()).toMatch(/^cambium(-relay)? needs/);
    expect(stderr.trim()).toContain(SENTENCE);
    expect(status).toBe(1);
  }
});
