import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { S3Blobs } from "../src/log/blobs/s3-blobs.js";
import { openPostgres } from "../src/log/postgres/postgres-log.js";
import { ChangeMaker, documentHex, logChange } from "./support/change-maker.js";
import { runCommand } from "./support/command.js";
import { LogClient } from "./support/log-client.js";
import { hasPostgres, newPostgresStore } from "./support/postgres-server.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { S3_KEY, startS3Server } from "./support/s3-server.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-blobs-command-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SECRET = "do-not-show-this";
const STORE = "postgres://cambium@db.example.org/c";
const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  runCommand(argv, { userHome: dir, env });

describe("[RL177] the place for segments", () => {
  test("is shown without its key's secret, and refused without repeating what was written", async () => {
    const place = "s3://bucket/some/where?endpoint=https://s3.example.org&region=eu-1";
    const env = { CAMBIUM_RELAY_BLOBS: place, CAMBIUM_RELAY_BLOBS_SECRET: SECRET };
    const config = await run(["config", "--store", STORE], { ...env, CAMBIUM_RELAY_BLOBS_KEY: "id" });
    expect(config.out).toContain(place);
    for (const wrong of [
      `s3://id:${SECRET}@bucket/`,
      `s3://bucket/?secret=${SECRET}`,
      `s3://bucket/?endpoint=https://id:${SECRET}@s3.example.org`,
      `https://s3.example.org/${SECRET}`,
      `bucket-${SECRET}`,
    ]) {
      const { code, errors } = await run(["--store", STORE, "--blobs", wrong]);
      expect([code, errors]).toEqual([2, expect.stringContaining("--blobs is neither")]);
      expect(errors).not.toContain(SECRET);
    }
    const half = await run(["--store", STORE, "--blobs", place], { AWS_ACCESS_KEY_ID: "id" });
    expect([half.code, half.errors]).toEqual([2, expect.stringContaining("its key or secret is not set")]);
    const alone = await run(["--blobs", "/var/lib/segments"]);
    expect([alone.code, alone.errors]).toEqual([2, expect.stringContaining("`store` is not set")]);
    expect(config.out + half.errors).not.toContain(SECRET);
  });
});

describe.skipIf(!hasPostgres)("[RL178] segments in S3", () => {
  test("are sent to readers, do without S3 for what is new, and are checked with the log", async () => {
    await using s3 = await startS3Server();
    const store = await newPostgresStore();
    const place = { ...s3, region: "us-east-1", prefix: "relay/", keyId: S3_KEY, secret: S3_KEY };
    const log = await openPostgres(store, {
      blobs: new S3Blobs(place, { pauseMs: 1 }),
      ...{ leastOutsideBytes: 1, sizes: { bytes: 1 << 20, entries: 40, kept: 0, least: 8 } },
    });
    await using relay = await RelayFixture.start({ log });
    const token = await relay.makeSpace("team");
    const maker = new ChangeMaker("aa");
    const write = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => maker.write(`${at}`, `${from + at}`));
    const items = write(0, 50).map((chunk) => logChange(documentHex(1), chunk));
    await log.spaces.append([{ space: "team", items }]);
    expect(await log.packer.packAll()).toBe(2);
    for (const reads of [["zstd"], []]) {
      await using reader = await LogClient.subscribe(relay.url, token, [], { reads });
      await reader.reached(50);
      const sent = reader.chunksOf(documentHex(1)).map((chunk) => Buffer.from(chunk));
      expect(sent).toEqual(items.map(({ bytes }) => Buffer.from(bytes)));
      const forms = reader.frames.flatMap((frame) => (frame.type === "entries" ? [frame.items.form] : []));
      expect(forms.includes("segment-zstd")).toBe(reads.length > 0);
    }
    s3.fault = () => "down";
    await using writer = await LogClient.subscribe(relay.url, token, [await log.spaces.end("team")]);
    expect(await writer.write(documentHex(1), ...write(50, 20))).toMatchObject({ type: "receipt" });
    await expect(log.packer.packAll()).rejects.toMatchObject({ code: "STORE_FAILED" });
    s3.fault = () => undefined;
    expect(await log.packer.packAll()).toBe(1);
    const env = { AWS_ACCESS_KEY_ID: S3_KEY, AWS_SECRET_ACCESS_KEY: S3_KEY };
    const check = () =>
      run(
        ["check", "--json", "--store", store, "--blobs", `s3://${s3.bucket}/relay?endpoint=${s3.endpoint}`],
        env,
      );
    const blobs = new S3Blobs(place);
    await blobs.put("team/nobodys", new Uint8Array(3));
    const whole = await check();
    expect([whole.code, JSON.parse(whole.out)]).toMatchObject([0, { ok: true, unnamed: ["team/nobodys"] }]);
    for await (const { name } of blobs.list()) await blobs.delete(name);
    const broken = await check();
    expect([broken.code, JSON.parse(broken.out)]).toMatchObject([
      6,
      {
        ok: false,
        problems: expect.arrayContaining([expect.stringContaining("is not in s3://relay/relay/")]),
      },
    ]);
  });
});
