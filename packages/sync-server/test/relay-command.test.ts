import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runRelayCommand } from "../src/command/relay-command.js";
import { startRelay } from "../src/relay.js";
import { eventsOf, runCommand } from "./support/command.js";
import { RelayFixture } from "./support/relay-fixture.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-relay-command-"));

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function said(...argv: readonly string[]) {
  const stop = new AbortController();
  const onOutput = (text: string): void => {
    if (text.includes("http://")) stop.abort("SIGINT");
  };
  return await runCommand(argv, { userHome: dir, signal: stop.signal, onOutput });
}

describe("[RL50] cambium-relay", () => {
  test("says where it listens and where it keeps its token; then ends when it is told to", async () => {
    const first = await said("--port", "0");
    expect([first.code, eventsOf(first.errors)]).toEqual([0, ["started", "stopped"]]);
    const dataDir = join(dir, ".cambium", "relay");
    const tokenFile = join(dataDir, "admin-token");
    const [, url] = /listens on (http:\/\/127\.0\.0\.1:\d+);/.exec(first.out) ?? [];
    expect(first.out).toContain(`Its admin token is in ${tokenFile}\n`);
    expect(first.out).toContain(`cambium init team --relay ${url} --token "$(cat ${tokenFile})"`);
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    const token = readFileSync(tokenFile, "utf8");
    const again = await said("--port", "0", "--json", "--data", dataDir);
    expect(JSON.parse(again.out)).toEqual({
      ...{ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), tokenFile },
    });
    // It is still the relay's; of one that told its token before there was a file, nothing is known.
    await using relay = await startRelay({ dataDir, port: 0 });
    expect(relay.adminToken).toBeUndefined();
    const created = await fetch(`${relay.url}/spaces`, {
      ...{ method: "POST", body: JSON.stringify({ space: randomUUID() }) },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    expect(created.status).toBe(201);
    await relay.close();
    rmSync(tokenFile);
    expect(JSON.parse((await said("--json", "--port", "0", "--data", dataDir)).out)).not.toHaveProperty(
      "tokenFile",
    );
    expect(existsSync(tokenFile)).toBe(false);
  });

  test("says what to do about an address that it cannot have", async () => {
    await using first = await startRelay({ dataDir: join(dir, "first"), port: 0 });
    const taken = await said("--port", String(first.port), "--data", join(dir, "second"));
    expect([taken.code, taken.errors]).toEqual([
      2,
      expect.stringContaining("choose another port with --port"),
    ]);
    const foreign = await said("--host", "192.0.2.1", "--port", "0", "--data", join(dir, "second"));
    expect([foreign.code, foreign.errors]).toEqual([2, expect.stringContaining("--host")]);
  });

  test("tells of each of its parts only that, and where the other is", async () => {
    const helpOf = async (part: "serve" | "administer"): Promise<string> => {
      const out: string[] = [];
      const io = {
        output: (text: string | Uint8Array) => void out.push(String(text)),
        errors: () => undefined,
      };
      const rest = { env: {}, userHome: dir, signal: new AbortController().signal, isWatched: false };
      expect(await runRelayCommand(["--help"], { ...io, ...rest }, { name: "relay", part })).toBe(0);
      return out.join("");
    };
    const [serve, administer] = [await helpOf("serve"), await helpOf("administer")];
    expect([serve.includes("backup <file>"), administer.includes("--tls-cert")]).toEqual([false, false]);
    expect(serve).toContain("cambium relay --help");
    expect(administer).toContain("cambium serve --help");
  });

  test("has help and a version", async () => {
    const help = await said("-h");
    expect(help).toMatchObject({ code: 0, errors: "" });
    for (const option of ["--host", "--port", "--data", "--json"]) expect(help.out).toContain(`  ${option} `);
    expect(await said("--version")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+(-\w+)?\n$/),
    });
  });

  test.each([
    [["--quiet"], "Unknown option '--quiet'."],
    [["here"], 'There is no verb "here".'],
    [["--port"], "Option '--port <value>' argument missing."],
    [["--port", "70000"], '--port is "70000", which is not a port. Give a port from 0 to 65535.'],
    [["--port", ""], '--port is "", which is not a port. Give a port from 0 to 65535.'],
  ])("refuses %j with exit code 2", async (argv, message) => {
    const hint = message.startsWith("--port")
      ? "`cambium-relay --help` lists the settings, and `cambium-relay config` shows where each comes from."
      : "Run `cambium-relay --help`.";
    expect(await said(...argv)).toEqual({
      code: 2,
      out: "",
      errors: `cambium-relay: ${message}\n  ${hint}\n`,
    });
    const { code, out, errors } = await said("--json", ...argv);
    expect([code, out, JSON.parse(errors)]).toEqual([2, "", { error: { code: "BAD_INPUT", message, hint } }]);
  });

  test("refuses a port that is taken", async () => {
    await using fixture = await RelayFixture.start();
    const port = String(fixture.relay.port);
    expect(await said("--port", port)).toMatchObject({
      code: 2,
      out: "",
      errors: expect.stringContaining(port),
    });
  });
});

test("[RO3] [RO4] [RO11] verbs find the relay and its token in the data directory; the token is printed when asked", async () => {
  const data = join(dir, "found");
  const run = (...argv: readonly string[]) => runCommand([...argv, "--data", data], { userHome: dir });
  const stop = new AbortController();
  const listening = Promise.withResolvers<void>();
  const serving = runCommand(["--port", "0", "--data", data, "--print-admin-token", "--json"], {
    ...{ userHome: dir, signal: stop.signal },
    onOutput: () => listening.resolve(),
  });
  await listening.promise;
  const token = readFileSync(join(data, "admin-token"), "utf8");
  expect(await run("admin-token")).toEqual({ code: 0, out: `${token}\n`, errors: "" });
  const outside = { userHome: dir, env: { CAMBIUM_RELAY_ADMIN_TOKEN: `outside-${token}` } };
  const elsewhere = await runCommand(["admin-token", "--data", data], outside);
  expect(elsewhere).toMatchObject({ code: 2, out: "", errors: expect.stringContaining("from outside") });
  expect(await run("spaces")).toEqual({ code: 0, out: "None.\n", errors: "" });
  expect(await run("rotate")).toMatchObject({ code: 0, out: expect.not.stringContaining("cambium_relay_") });
  const rotated = readFileSync(join(data, "admin-token"), "utf8");
  expect(rotated).not.toBe(token);
  expect(statSync(join(data, "admin-token")).mode & 0o777).toBe(0o600);
  expect(await run("spaces")).toMatchObject({ code: 0 });
  expect(await run("spaces", "--token", token)).toMatchObject({
    code: 5,
    errors: expect.stringContaining("unknown"),
  });
  stop.abort("SIGTERM");
  expect(JSON.parse((await serving).out)).toMatchObject({ adminToken: token });
  expect(await run("spaces")).toMatchObject({
    code: 1,
    errors: expect.stringContaining("No relay runs with the data in"),
  });
  // At rest, the new one counts from the next start on.
  await run("rotate");
  await using relay = await startRelay({
    dataDir: data,
    adminToken: readFileSync(join(data, "admin-token"), "utf8"),
  });
  expect(await run("spaces", "--url", relay.url)).toMatchObject({ code: 0 });
});

test("[RO3] a token that is set from outside is in no file, and is rotated where it was set", async () => {
  const data = join(dir, "outside");
  const env = { CAMBIUM_RELAY_ADMIN_TOKEN: "from-a-secret-store-0123456789-0123" };
  const stop = new AbortController();
  const listening = Promise.withResolvers<string>();
  const serving = runCommand(["--port", "0", "--data", data, "--json"], {
    ...{ env, userHome: dir, signal: stop.signal },
    onOutput: (text) => listening.resolve(text),
  });
  expect(JSON.parse(await listening.promise)).toEqual({ url: expect.any(String) });
  expect(existsSync(join(data, "admin-token"))).toBe(false);
  const config = await runCommand(["--print-config", "--data", data], { env, userHome: dir });
  expect(config).toMatchObject({ code: 0, out: expect.not.stringContaining("from-a-secret-store") });
  expect(config.out).toMatch(/^A start from here would take:\n/);
  expect(await runCommand(["spaces", "--data", data], { env, userHome: dir })).toMatchObject({ code: 0 });
  expect(await runCommand(["rotate", "--data", data], { env, userHome: dir })).toMatchObject({ code: 2 });
  stop.abort("SIGTERM");
  await serving;
});

test("[RO3] a file with a token that is easy to guess stops the start, and a restore before it writes", async () => {
  const data = join(dir, "guessed");
  mkdirSync(data);
  writeFileSync(join(data, "admin-token"), "open-sesame\n");
  const refused = {
    code: 2,
    errors: expect.stringMatching(/admin-token has to have 32 to 256 (?!.*sesame).*\n.*cambium-relay rotate/),
  };
  const run = (...argv: readonly string[]) => runCommand([...argv, "--data", data], { userHome: dir });
  expect(await said("--port", "0", "--data", data)).toMatchObject(refused);
  expect(await run("restore", join(dir, "none.sqlite"))).toMatchObject(refused);
  expect(readdirSync(data)).toEqual(["admin-token"]);
  expect(await run("rotate")).toMatchObject({ code: 0 });
  expect(readFileSync(join(data, "admin-token"), "utf8")).toMatch(/^cambium_relay_/);
});

test("[RO23] config shows what the relay that runs was started with; where none runs, what a start would take", async () => {
  const data = join(dir, "config");
  const run = (...argv: readonly string[]) => runCommand(["config", ...argv], { userHome: dir });
  const stop = new AbortController();
  const listening = Promise.withResolvers<string>();
  const serving = runCommand(["--port", "0", "--data", data, "--json", "--max-payload", "16MiB"], {
    ...{ userHome: dir, signal: stop.signal },
    env: { CAMBIUM_RELAY_MAX_BYTES_PER_SPACE: "7GiB" },
    onOutput: (text) => listening.resolve(text),
  });
  const { url } = JSON.parse(await listening.promise) as { url: string };
  const token = readFileSync(join(data, "admin-token"), "utf8");
  for (const asked of [
    ["--data", data],
    ["--url", url, "--token", token],
  ]) {
    const { out } = await run(...asked);
    expect(out).toMatch(new RegExp(`^The relay at ${url} was started with:\\n`));
    expect(out).toMatch(/max-payload +16MiB {2}\(--max-payload\)\n/);
    expect(out).toMatch(/max-bytes-per-space +7GiB {2}\(CAMBIUM_RELAY_MAX_BYTES_PER_SPACE\)\n/);
    expect(JSON.parse((await run(...asked, "--json")).out)).toMatchObject({ url });
  }
  expect(await run("--url", url, "--token", "wrong")).toMatchObject({ code: 5 });
  stop.abort("SIGTERM");
  await serving;
  const { out } = await run("--data", data);
  expect(out).toContain(`No relay runs with the data in ${data}. A start from here would take:\n`);
  expect(out).toMatch(/max-payload +64MiB\n/);
  expect(JSON.parse((await run("--data", data, "--json")).out)).toMatchObject({ url: null });
});
