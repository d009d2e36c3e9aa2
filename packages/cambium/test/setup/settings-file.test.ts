import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { clientNamed } from "../../src/setup/clients.js";
import { type ClientRequest, planClient } from "../../src/setup/plan-client.js";
import { doStep } from "../../src/setup/step.js";
import { makeMachine } from "./machines.js";

const user: ClientRequest = { scope: "user", remove: false, entry: {} };
const cursor = clientNamed("cursor");
const FILE = "home/.cursor/mcp.json";

test("[SU12] a linked file is edited where it lies, and stays linked", async () => {
  await using machine = await makeMachine();
  const target = await machine.write("home/dotfiles/mcp.json", "{}\n");
  await mkdir(machine.path("home/.cursor"));
  const file = machine.path(FILE);
  await symlink(target, file);
  await doStep(planClient(cursor, user, machine), machine);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toContain("cambium");
  expect(await readFile(`${target}.before-cambium`, "utf8")).toBe("{}\n");
  await doStep(planClient(cursor, { ...user, remove: true }, machine), machine);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await machine.snapshot()).toEqual({ "home/dotfiles/mcp.json": "{}\n" });
});

test.skipIf(process.platform === "win32")(
  "[SU12] a pipe in place of the file is not waited for",
  async () => {
    await using machine = await makeMachine();
    await mkdir(machine.path("home/.cursor"));
    execFileSync("mkfifo", [machine.path(FILE)]);
    const step = planClient(cursor, user, machine);
    expect(step).toMatchObject({ status: "failed", error: { message: expect.stringContaining("a pipe") } });
  },
);

test("[SU12] a link to nothing is refused", async () => {
  await using machine = await makeMachine();
  await mkdir(machine.path("home/.cursor"));
  await symlink(machine.path("gone.json"), machine.path(FILE));
  const step = planClient(cursor, user, machine);
  expect(step).toMatchObject({ status: "failed", error: { message: expect.stringContaining("not there") } });
});

test.each([0o600, 0o664, 0o640])("[SU12] rights of %o stay, also on the copy", async (mode) => {
  await using machine = await makeMachine();
  const file = await machine.write(FILE, "{}");
  await chmod(file, mode);
  await doStep(planClient(cursor, user, machine), machine);
  expect((await stat(file)).mode & 0o777).toBe(mode);
  expect((await stat(`${file}.before-cambium`)).mode & 0o777).toBe(mode);
});

test("[SU12] what another program wrote meanwhile is not written over", async () => {
  await using machine = await makeMachine();
  const file = await machine.write(FILE, "{}");
  const planned = planClient(cursor, user, machine);
  await machine.write(FILE, '{ "new": 1 }');
  expect(await doStep(planned, machine)).toMatchObject({
    status: "failed",
    error: { code: "SETTINGS_REFUSED", hint: "Run this again." },
  });
  expect(await machine.read(file)).toBe('{ "new": 1 }');
});

test.skipIf(process.getuid?.() === 0)(
  "[SU12] a directory that cannot be written to is told of, untouched",
  async () => {
    await using machine = await makeMachine();
    await machine.write(FILE, "{}");
    const before = await machine.snapshot();
    await chmod(machine.path("home/.cursor"), 0o500);
    const step = await doStep(planClient(cursor, user, machine), machine);
    await chmod(machine.path("home/.cursor"), 0o700);
    expect(step).toMatchObject({ status: "failed", error: { code: "SETTINGS_REFUSED" } });
    expect(await machine.snapshot()).toEqual(before);
  },
);

test("[SU12] a directory in place of the file is told of", async () => {
  await using machine = await makeMachine();
  await machine.write(`${FILE}/x`, "");
  expect(planClient(cursor, user, machine)).toMatchObject({ status: "failed" });
});
