import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDaemonLog } from "../../src/daemon/daemon-log.js";
import { readOrMakeToken } from "../../src/daemon/daemon-token.js";
import { startWithSpace } from "./support/daemon.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cambium-log-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("[DM10] the log has two files of bounded size, and the newest line is never lost", () => {
  const path = join(dir, "log");
  const log = openDaemonLog({ path, now: () => 0, isVerbose: false, largestBytes: 1_000 });
  for (let line = 0; line < 200; line += 1) {
    log.info(`line ${line}`);
    expect(statSync(path).size).toBeLessThan(1_100);
    expect(readFileSync(path, "utf8")).toContain(`line ${line}\n`);
  }
  expect(statSync(`${path}.1`).size).toBeLessThan(1_100);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(log.debug).toBeUndefined();
});

test("[DM10] calls are logged on demand, without what they say", async () => {
  const path = join(dir, "log");
  {
    await using running = await startWithSpace({
      log: openDaemonLog({ path, now: Date.now, isVerbose: true }),
    });
    await running.call("/v1/spaces/~/memories", {
      body: { content: "sesame" },
      headers: { "cambium-agent": "ali" },
    });
    await running.call("/v1/spaces/~/recall?query=sesame");
    await running.call("/v1/spaces/~/memories/sesame");
  }
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/DEBUG remember 200 /);
  expect(text).toMatch(/DEBUG recall 200 /);
  expect(text).toMatch(/INFO Ended/);
  expect(text).not.toMatch(/sesame|ali\b/);
});

test("[DM4] the token is kept, and made anew only when it is none", () => {
  const path = join(dir, "token");
  const token = readOrMakeToken(path);
  expect(readOrMakeToken(path)).toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "");
  expect(readOrMakeToken(path)).not.toBe(token);
});
