import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { AuditChecker, auditLine } from "@cambium/core";
import { afterEach, expect, test } from "vitest";
import { auditSegments } from "../../src/archive/audit-parts.js";
import { AuditFiles } from "../../src/governance/audit-files.js";
import { startFillingAudit } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";

const root = mkdtempSync(join(tmpdir(), "cambium-audit-files-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const KEY = new Uint8Array(32).fill(7);
const ENTRIES = 30;
const PER_SEGMENT = 10;

/** A log of three segments, the last of which is written to. */
function written(): { readonly dir: string; readonly files: AuditFiles } {
  const dir = join(root, "spaces", "audit", "replica");
  const files = new AuditFiles(dir);
  files.begin();
  let mac = "";
  for (let seq = 0; seq < ENTRIES; seq += 1) {
    if (seq > 0 && seq % PER_SEGMENT === 0) files.rotate();
    const next = auditLine(KEY, mac, { seq, at: seq, operation: "remember" });
    mac = next.mac;
    files.append(`${next.line}\n`);
  }
  return { dir, files };
}

const linesOf = (files: AuditFiles): readonly string[] =>
  files.segments().flatMap((name) => files.read(name).lines);

function check(files: AuditFiles): readonly string[] {
  const checker = new AuditChecker(KEY);
  for (const line of linesOf(files)) checker.take(line);
  return checker.finish("").map(({ kind }) => kind);
}

test("[AU12] segments that are full are compressed, and read and go on as before", async () => {
  const { dir, files } = written();
  const before = linesOf(files);
  await files.compress();
  expect(readdirSync(dir).sort()).toEqual(["000000.jsonl.gz", "000001.jsonl.gz", "000002.jsonl"]);
  expect(linesOf(files)).toEqual(before);
  expect(check(files)).toEqual([]);
  await files.compress();
  files.end(undefined);

  const again = new AuditFiles(dir);
  again.begin();
  again.append("one more\n");
  expect(linesOf(again)).toEqual([...before, "one more"]);
  again.end(undefined);
});

test("[AU12] what was stopped between compressing and removing counts once, and is put right at the next end", async () => {
  const { dir, files } = written();
  const plain = readFileSync(join(dir, "000000.jsonl"));
  const before = linesOf(files);
  await files.compress();
  writeFileSync(join(dir, "000000.jsonl"), plain);
  expect(linesOf(files)).toEqual(before);
  await files.compress();
  expect(existsSync(join(dir, "000000.jsonl"))).toBe(false);
  expect(linesOf(files)).toEqual(before);
  files.end(undefined);
});

test("[AU12] the last segment is compressed at the end unless it is short, and the next session begins another", async () => {
  const { dir, files } = written();
  const short = linesOf(files);
  await files.compressLast();
  files.end({ seq: ENTRIES - 1, mac: "m", covered: {} });
  expect(existsSync(join(dir, "000002.jsonl"))).toBe(true);

  const again = new AuditFiles(dir);
  expect(again.readHead()).toMatchObject({ seq: ENTRIES - 1 });
  again.begin();
  const long = "x".repeat(40_000);
  again.append(`${long}\n`);
  await again.compressLast();
  again.end({ seq: ENTRIES, mac: "n", covered: {} });
  expect(readdirSync(dir)).toContain("000002.jsonl.gz");
  expect(readdirSync(dir)).not.toContain("000002.jsonl");

  const third = new AuditFiles(dir);
  expect(third.readHead()).toMatchObject({ seq: ENTRIES, segment: "000002.jsonl" });
  third.begin();
  expect(third.sizeBytes).toBe(0);
  third.append("one more\n");
  expect(third.segments()).toHaveLength(4);
  expect(linesOf(third)).toEqual([...short, long, "one more"]);
  third.end(undefined);

  const tampered = join(dir, "000003.jsonl");
  writeFileSync(tampered, `${readFileSync(tampered, "utf8")}${long}\n`);
  expect(new AuditFiles(dir).readHead()).toBeUndefined();
});

test("[AU13] a compressed segment that was damaged or removed is found", async () => {
  const { dir, files } = written();
  await files.compress();
  const path = join(dir, "000001.jsonl.gz");
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, whole.length / 2));
  expect(check(files)).not.toEqual([]);
  // What comes before the cut is read.
  expect(linesOf(files).length).toBeGreaterThan(ENTRIES - PER_SEGMENT);
  expect(files.read("000001.jsonl").damaged).toBe("000001.jsonl.gz");
  rmSync(path);
  expect(check(files)).not.toEqual([]);
  files.end(undefined);
});

/** That many times a file is made, renamed or removed: five or so for each segment that is compressed. */
async function filesMoved(dir: string, times: number): Promise<void> {
  let seen = 0;
  for await (const { eventType } of watch(dir)) {
    if (eventType === "rename") seen += 1;
    if (seen >= times) return;
  }
}

/** Of about three segments. */
const MOVES = 15;

test("[AU19] killed while a segment is compressed, every line is there once, and what is left is put right", async () => {
  const next = seededNumbers(17);
  for (let kill = 0; kill < (process.env.CAMBIUM_SOAK === "1" ? 40 : 3); kill += 1) {
    const dir = join(root, "killed", String(kill));
    mkdirSync(dir, { recursive: true });
    await using running = startFillingAudit({ dir, segmentBytes: 256 * 1024 });
    await running.lines.until((line) => Number(line) > 0);
    await filesMoved(dir, 1 + Math.floor(next() * MOVES));
    const said = await running.kill();
    const files = new AuditFiles(dir);
    const numbers = (): readonly number[] => linesOf(files).map((line) => Number.parseInt(line, 10));
    const found = numbers();
    expect(found).toEqual(found.map((_line, at) => at));
    expect(found.length).toBeGreaterThan(Number(said.at(-1)));
    expect(files.segments().flatMap((name) => files.read(name).damaged ?? [])).toEqual([]);
    files.begin();
    await files.compress();
    files.end(undefined);
    expect(numbers()).toEqual(found);
    const left = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
    expect(left.length).toBeLessThanOrEqual(1);
  }
});

test("[AU19] an archive takes the longer file of a segment, as whoever reads the log does", () => {
  const { dir, files } = written();
  files.end(undefined);
  const audit = join(root, "spaces", "audit");
  const replica = "01a2085a-a002-77d8-a6c4-0ba390c2a728";
  renameSync(dir, join(audit, replica));
  const path = join(audit, replica, "000000.jsonl");
  const whole = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(whole));
  writeFileSync(path, whole.subarray(0, whole.indexOf(0x0a) + 1));
  const names = () => [...auditSegments(audit)].map(({ name }) => name);
  expect(names()[0]).toBe(`audit/${replica}/000000.jsonl.gz`);
  // One that cannot be read whole does not count.
  writeFileSync(`${path}.gz`, gzipSync(whole).subarray(0, -9));
  expect(names()[0]).toBe(`audit/${replica}/000000.jsonl`);
});
