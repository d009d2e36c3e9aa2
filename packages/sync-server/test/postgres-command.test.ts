import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { runCommand } from "./support/command.js";
import { LogClient } from "./support/log-client.js";
import { hasPostgres, newPostgresStore, queryPostgres } from "./support/postgres-server.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-postgres-command-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const PASSWORD = "do-not-show-this";

/** Runs a relay while `use` runs. */
async function withRelay(
  argv: readonly string[],
  use: (ready: { url: string; tokenFile?: string }) => Promise<void>,
): Promise<string> {
  const stop = new AbortController();
  let used: Promise<void> | undefined;
  const onOutput = (text: string): void => {
    used ??= use(JSON.parse(text) as { url: string }).finally(() => stop.abort("SIGINT"));
  };
  const run = await runCommand(["--port", "0", "--json", ...argv], {
    userHome: dir,
    signal: stop.signal,
    onOutput,
  });
  await used;
  expect(run.code).toBe(0);
  return run.out + run.errors;
}

const spaces = (url: string, token: string, space: string): Promise<Response> =>
  fetch(`${url}/spaces`, {
    ...{ method: "POST", body: JSON.stringify({ space }) },
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });

describe("[RL108] a store in a database", () => {
  test("is named without its password, and refused without repeating what was written", async () => {
    const env = {
      CAMBIUM_RELAY_STORE: `postgres://cambium:${PASSWORD}@db.example.org/c?sslpassword=${PASSWORD}`,
    };
    const config = await runCommand(["config"], { userHome: dir, env });
    expect(config.out).toContain("postgres://cambium:***@db.example.org/c?sslpassword=***");
    const socket = { CAMBIUM_RELAY_STORE: `postgres://cambium:p@${PASSWORD}@/c?host=/run/postgresql` };
    const atSocket = await runCommand(["config"], { userHome: dir, env: socket });
    expect(atSocket.out).toContain("postgres://cambium:***@/c?host=/run/postgresql");
    const wrong = await runCommand(["--store", `mysql://cambium:${PASSWORD}@db`], { userHome: dir });
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining("--store is not an address")]);
    // Read as they stand, these have a part of the password in the host, the port or the path.
    for (const password of [`p@${PASSWORD}/x`, `${PASSWORD}/x`, `${PASSWORD}?x`, `p@${PASSWORD}#x`]) {
      const raw = await runCommand(["--store", `postgres://cambium:${password}@127.0.0.1:1/c`], {
        userHome: dir,
      });
      expect([raw.code, raw.errors]).toEqual([2, expect.stringContaining("with %-codes for")]);
      expect(raw.errors).not.toContain(PASSWORD);
    }
    const away = await runCommand(["--store", `postgres://cambium:${PASSWORD}@127.0.0.1:1/c`], {
      userHome: dir,
    });
    expect(away.code).toBe(1);
    expect(away.errors).toContain("connect ECONNREFUSED 127.0.0.1:1");
    expect(config.out + atSocket.out + wrong.errors + away.errors).not.toContain(PASSWORD);
  });

  test.skipIf(!hasPostgres)(
    "serves two relays with one admin token, is checked, and is copied by pg_dump",
    async () => {
      const store = await newPostgresStore();
      const one = ["--store", store, "--data", join(dir, "one")];
      let token = "";
      await withRelay(one, async ({ url, tokenFile = "" }) => {
        token = readFileSync(tokenFile, "utf8");
        const { token: own } = (await (await spaces(url, token, "a")).json()) as { token: string };
        await using client = await LogClient.subscribe(url, own);
        const maker = new ChangeMaker("aa");
        await client.write(documentHex(1), maker.write("1", "1"), maker.write("2", "2"));
      });
      await withRelay(["--store", store, "--data", join(dir, "two")], async ({ url, tokenFile }) => {
        expect(tokenFile).toBeUndefined();
        expect((await spaces(url, token, "b")).status).toBe(201);
      });
      expect((await runCommand(["check", ...one], { userHome: dir })).out).toContain("is whole");
      const backup = await runCommand(["backup", join(dir, "copy"), ...one], { userHome: dir });
      expect([backup.code, backup.errors]).toEqual([2, expect.stringContaining("pg_dump")]);
      await queryPostgres(store, "UPDATE log_entries SET hash = mark WHERE position = 2");
      const check = await runCommand(["check", ...one], { userHome: dir });
      expect([check.code, check.out]).toEqual([
        6,
        expect.stringContaining("the entry at position 2 does not follow"),
      ]);
    },
  );
});
