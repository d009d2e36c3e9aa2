/** Archives that are read without being imported. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openReplica } from "@cambium/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { capturedIo } from "./fixtures.js";

const BIN = fileURLToPath(new URL("../../bin/cambium.mjs", import.meta.url));
let dir: string;
let sealed: string;
let id: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "cambium-browsing-"));
  sealed = join(dir, "notes.cambium");
  writeFileSync(join(dir, "pass"), "three tall pines\n", { mode: 0o600 });
  await using replica = await openReplica({ dir: join(dir, "home"), stateDir: join(dir, "state") });
  const space = await replica.createSpace({ name: "notes" });
  const ada = space.as({ agent: "ada" });
  ({ id } = await ada.remember({ content: "Tea at four", tags: ["drink"] }));
  await ada.revise(id, { content: "Tea at five" });
  await ada.branches.create("draft");
  await ada.remember({ content: "Only a draft" }, { branch: "draft" });
  await space.archive(sealed, { passphrase: "three tall pines" });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const left = (): readonly string[] =>
  ["/dev/shm", tmpdir()].flatMap((place) =>
    existsSync(place) ? readdirSync(place).filter((name) => name.startsWith("cambium-browse-")) : [],
  );

async function browse(...words: readonly string[]) {
  const io = capturedIo({ env: { CAMBIUM_HOME: join(dir, "own"), CAMBIUM_DAEMON: "off" } });
  const code = await main(["browse", sealed, "--passphrase-file", join(dir, "pass"), ...words], io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

test("[AR20] an archive is read by the verbs that read; nothing is written to it, and nothing stays", async () => {
  const sum = () => createHash("sha256").update(readFileSync(sealed)).digest("hex");
  const before = sum();
  const list = await browse("list");
  expect([list.code, list.stderr]).toEqual([0, ""]);
  expect(list.stdout).toContain("Tea at five");
  expect((await browse("list", "--branch", "draft", "--json")).stdout).toContain("Only a draft");
  expect((await browse("history", id)).stdout).toContain("Tea at four");
  expect((await browse("recall", "tea", "--tag", "drink")).stdout).toContain("Tea at five");
  expect((await browse("show", "00000000")).code).toBe(3);
  expect(sum()).toBe(before);
  expect(left()).toEqual([]);
  expect(existsSync(join(dir, "own"))).toBe(false);
});

test("[AR20] the passphrase's file may be named behind the verb, too", async () => {
  for (const option of [
    ["--passphrase-file", join(dir, "pass")],
    [`--passphrase-file=${join(dir, "pass")}`],
  ]) {
    const io = capturedIo({ env: { CAMBIUM_HOME: join(dir, "own"), CAMBIUM_DAEMON: "off" } });
    expect(await main(["browse", sealed, "recall", "tea", ...option], io)).toBe(0);
    expect(io.stdout()).toContain("Tea at five");
  }
});

test("[AR20] verbs that write, a wrong passphrase, no archive and agents are refused", async () => {
  expect((await browse("remember", "x")).code).toBe(2);
  expect((await browse()).code).toBe(2);
  writeFileSync(join(dir, "wrong"), "two\n");
  const io = capturedIo({ env: { CAMBIUM_HOME: join(dir, "own"), CAMBIUM_DAEMON: "off" } });
  expect(await main(["browse", "--passphrase-file", join(dir, "wrong"), sealed, "list"], io)).toBe(5);
  expect(await main(["browse", join(dir, "none"), "list"], io)).not.toBe(0);
  const agents = capturedIo({ env: { CAMBIUM_HOME: join(dir, "own"), CAMBIUM_AGENT: "cursor" } });
  expect(await main(["browse", sealed, "list"], agents)).toBe(5);
  expect(left()).toEqual([]);
});

test("[AR20] what a process left that was killed goes with the next", async () => {
  const gone = join(tmpdir(), "cambium-browse-999999999-left");
  mkdtempSync(`${gone}-`);
  expect(left()).toHaveLength(1);
  await browse("list");
  expect(left()).toEqual([]);
});

test("[AR20] nothing stays after Ctrl-C", async () => {
  const env = { ...process.env, CAMBIUM_HOME: join(dir, "own"), CAMBIUM_DAEMON: "off" };
  const words = ["browse", sealed, "--passphrase-file", join(dir, "pass"), "list"];
  const child = spawn(process.execPath, [BIN, ...words], { env, stdio: "ignore" });
  const exited = once(child, "exit");
  while (left().length === 0 && child.exitCode === null) await setImmediate();
  expect(left()).toHaveLength(1);
  child.kill("SIGINT");
  expect((await exited)[0]).toBe(130);
  expect(left()).toEqual([]);
});
