import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BlobStore, newBlobName } from "../src/log/blobs/blob-store.js";
import { DirectoryBlobs } from "../src/log/blobs/directory-blobs.js";
import { S3Blobs, type S3Options } from "../src/log/blobs/s3-blobs.js";
import { S3_KEY, type S3Fault, type S3Server, startS3Server } from "./support/s3-server.js";

let server: S3Server;
let directory = "";
beforeAll(async () => {
  server = await startS3Server();
  directory = await mkdtemp(join(tmpdir(), "cambium-blobs-"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const bytes = (text: string): Uint8Array => Buffer.from(text);
const retried: string[] = [];

function s3(prefix: string, options: S3Options & { secret?: string; bucket?: string } = {}): S3Blobs {
  const { secret = S3_KEY, bucket = server.bucket, ...rest } = options;
  const place = { endpoint: server.endpoint, region: "us-east-1", bucket, prefix, keyId: S3_KEY, secret };
  const onRetry = (error: Error): void => void retried.push(error.message);
  return new S3Blobs(place, { pauseMs: 1, timeoutMs: 5_000, onRetry, ...rest });
}

async function listOf(blobs: BlobStore): Promise<readonly (readonly [string, number])[]> {
  const found: [string, number][] = [];
  for await (const { name, sizeBytes } of blobs.list()) found.push([name, sizeBytes]);
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe.each([
  ["a directory", () => new DirectoryBlobs(join(directory, "new"))],
  ["S3", () => s3("some where/ü/")],
] as const)("[RL175] blobs in %s", (_, open) => {
  test("are given back as they were stored, are listed, and are gone once they are deleted", async () => {
    const blobs = open();
    expect([await blobs.get("none/at-all"), await listOf(blobs)]).toEqual([undefined, []]);
    const spaces = ["team", "../a b", "ü.%2F&+<x>"];
    const stored = spaces.map((space) => [newBlobName(space, bytes(space)), bytes(space)] as const);
    for (const [name, content] of stored) await blobs.put(name, content);
    for (const [name, content] of stored)
      expect(Buffer.from((await open().get(name)) ?? [])).toEqual(content);
    expect(await listOf(blobs)).toEqual(
      stored
        .map(([name, content]) => [name, content.length])
        .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    );
    const [[name]] = stored as [(typeof stored)[0]];
    await blobs.delete(name);
    await blobs.delete(name);
    expect([await blobs.get(name), (await listOf(blobs)).length]).toEqual([undefined, 2]);
  });
});

test("[RL175] blobs in a directory are readable by the relay's user alone", async () => {
  const blobs = new DirectoryBlobs(join(directory, "own"));
  const name = newBlobName("team", bytes("x"));
  await blobs.put(name, bytes("x"));
  expect((await stat(join(directory, "own", name))).mode & 0o777).toBe(0o600);
});

test("[RL175] a list of S3 is read to its end", async () => {
  const blobs = s3("many/", { pageKeys: 3 });
  const names = ["a/1", "a/2", "b/1", "b/2", "b/3", "c/1", "c/2"];
  await Promise.all(names.map((name) => blobs.put(name, bytes("."))));
  expect((await listOf(blobs)).map(([name]) => name)).toEqual(names);
});

describe("[RL176] S3 that fails", () => {
  const name = () => newBlobName("team", bytes("content"));

  test.each<S3Fault>(["down", "5xx", "short", "other"])(
    "%s in passing is asked again, and told",
    async (fault) => {
      const [blobs, one] = [s3("passing/"), name()];
      for (const method of ["PUT", "GET", "DELETE"]) {
        let left = method !== "GET" && (fault === "short" || fault === "other") ? 0 : 2;
        retried.length = 0;
        const told = left;
        server.fault = () => (left-- > 0 ? fault : undefined);
        if (method === "PUT") await blobs.put(one, bytes("content"));
        if (method === "GET") expect(Buffer.from((await blobs.get(one)) ?? [])).toEqual(bytes("content"));
        if (method === "DELETE") await blobs.delete(one);
        expect(retried.length).toBe(told);
      }
      server.fault = () => undefined;
      expect(await blobs.get(one)).toBeUndefined();
    },
  );

  test("for long is given up, by name and without keys; what answers nothing is waited for a while", async () => {
    const blobs = s3("long/", { timeoutMs: 50 });
    for (const [fault, words] of [
      ["down", /other side closed|ECONNRESET|socket/],
      ["silent", /did not answer in time/],
      ["5xx", /503 \(SlowDown\)/],
    ] as const) {
      server.fault = () => fault;
      const asked = server.asked.length;
      const error = (await blobs.put(name(), bytes("content")).catch((thrown: unknown) => thrown)) as Error;
      expect(error).toMatchObject({ code: "STORE_FAILED", message: expect.stringMatching(words) });
      expect([error.message.includes("s3://relay/long/"), error.message.includes(S3_KEY)]).toEqual([
        true,
        false,
      ]);
      expect(server.asked.length - asked).toBe(4);
    }
    server.fault = () => undefined;
  });

  test("a wrong secret, and a bucket that is not there, are told at once and are not taken for a missing blob", async () => {
    for (const [options, words] of [
      [{ secret: "wrong" }, /403 \(SignatureDoesNotMatch\)/],
      [{ bucket: "nobodys" }, /404 \(NoSuchBucket\)/],
    ] as const) {
      const [blobs, asked] = [s3("", options), server.asked.length];
      const fault = { code: "STORE_FAILED", message: expect.stringMatching(words) };
      await expect(blobs.get(name())).rejects.toMatchObject(fault);
      await expect(blobs.put(name(), bytes("content"))).rejects.toMatchObject(fault);
      await expect(listOf(blobs)).rejects.toMatchObject(fault);
      expect(server.asked.length - asked).toBe(3);
    }
  });

  test("always with other bytes: they are given to whoever compares them", async () => {
    const [blobs, one] = [s3("wrong/"), name()];
    await blobs.put(one, bytes("content"));
    server.fault = () => "other";
    expect(Buffer.from((await blobs.get(one)) ?? []).toString()).toBe("tnetnoc");
    server.fault = () => undefined;
  });
});
