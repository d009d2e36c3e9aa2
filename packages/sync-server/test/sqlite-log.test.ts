import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteLog } from "../src/index.js";
import { relayLogContract } from "./support/relay-log-contract.js";

async function temporaryDirectory(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "cambium-log-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

relayLogContract("SQLite", async () => {
  const directory = await temporaryDirectory();
  return {
    open: async () => openSqliteLog(join(directory.path, "relay")),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
});

test("[RL6] the log is readable by its owner only", async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, "relay");
  const log = openSqliteLog(dataDir);
  await log.probe();
  const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
  expect(await mode(dataDir)).toBe(0o700);
  expect(await mode(join(dataDir, "relay.sqlite"))).toBe(0o600);
  expect(await mode(join(dataDir, "relay.sqlite-wal"))).toBe(0o600);
  await log.close();
});

test("[RL6] a second relay on the same directory is refused", async () => {
  await using directory = await temporaryDirectory();
  const log = openSqliteLog(directory.path);
  expect(() => openSqliteLog(directory.path)).toThrow(expect.objectContaining({ code: "STORE_FAILED" }));
  await log.close();
  await openSqliteLog(directory.path).close();
});
