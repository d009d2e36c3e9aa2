import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AuditAnchor,
  AuditChecker,
  type AuditEntry,
  type AuditFinding,
  auditLine,
  bytesToHex,
  deriveSpaceKeys,
  parseAuditLine,
  type SpaceId,
} from "../../src/index.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const key = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7)).audit;

interface Log {
  readonly lines: readonly string[];
  readonly anchor: AuditAnchor;
}

function logOf(entries: readonly Omit<AuditEntry, "seq">[], signedWith = key): Log {
  const lines: string[] = [];
  let mac = "";
  for (const [seq, entry] of entries.entries()) {
    const next = auditLine(signedWith, mac, { seq, ...entry });
    lines.push(next.line);
    mac = next.mac;
  }
  return { lines, anchor: { seq: entries.length - 1, mac } };
}

function check(lines: readonly string[], anchors: readonly AuditAnchor[] = []): readonly AuditFinding[] {
  const checker = new AuditChecker(key, anchors);
  for (const line of lines) checker.take(line);
  return checker.finish();
}

const entry = fc.record({
  at: fc.nat(),
  operation: fc.constantFrom("remember", "approve", "sign-in"),
  agent: fc.option(fc.string(), { nil: undefined }),
  details: fc.option(fc.record({ note: fc.string() }), { nil: undefined }),
});
const someLog = fc.array(entry, { minLength: 3, maxLength: 12 }).map((entries) => logOf(entries));
const at = fc.nat();

describe("a whole log", () => {
  test("[AU1] is found whole, and says what was put into it", () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
        const { lines, anchor } = logOf(entries);
        expect(
          check(lines, [anchor, { seq: 0, mac: parseAuditLine(lines[0] as string)?.mac ?? "" }]),
        ).toEqual([]);
        const read = lines.map((line) => parseAuditLine(line)?.entry);
        expect(read).toEqual(entries.map((made, seq) => JSON.parse(JSON.stringify({ seq, ...made }))));
        expect(lines.every((line) => !line.includes("\n"))).toBe(true);
      }),
    );
  });

  test("[AU1] bytes and key are pinned: logs stand on disks for years", () => {
    const { lines } = logOf([
      { at: 1_000, operation: "log", of: "begin" },
      { at: 2_000, operation: "remember", role: "agent", agent: "ä" },
    ]);
    const digest = bytesToHex(sha256(new TextEncoder().encode(lines.join("\n"))));
    expect(digest).toBe("0e105fc94c2bc1befa8d98aea7108606416dc64ee96339177033cd904be45d61");
  });
});

describe("a log that someone without the key worked on", () => {
  test("[AU2] any edited byte is found", () => {
    fc.assert(
      fc.property(someLog, at, at, fc.integer({ min: 1, max: 127 }), ({ lines }, where, byte, by) => {
        const index = where % lines.length;
        const line = lines[index] as string;
        const place = byte % line.length;
        const other = String.fromCharCode((line.charCodeAt(place) + by) % 128 || 1);
        fc.pre(other !== line[place]);
        const edited = lines.with(index, line.slice(0, place) + other + line.slice(place + 1));
        expect(check(edited)).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("[AU2] any removal but that of the end is found, and said where", () => {
    fc.assert(
      fc.property(someLog, at, at, ({ lines }, from, length) => {
        const start = from % (lines.length - 1);
        const count = 1 + (length % (lines.length - 1 - start));
        const [finding] = check(lines.toSpliced(start, count));
        expect(finding).toMatchObject({ kind: "missing", seq: start });
      }),
    );
  });

  test("[AU2] any two lines that changed places, and any that stands twice, are found", () => {
    fc.assert(
      fc.property(someLog, at, at, ({ lines }, one, other) => {
        const [i, j] = [one % lines.length, other % lines.length];
        const copied = lines.toSpliced(j, 0, lines[i] as string);
        expect(check(copied)).not.toEqual([]);
        fc.pre(i !== j);
        const swapped = lines.with(i, lines[j] as string).with(j, lines[i] as string);
        expect(check(swapped)).not.toEqual([]);
      }),
    );
  });

  test("[AU2] a line that another key signed is found, wherever it stands", () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 3, maxLength: 8 }), at, (entries, where) => {
        const foreign = logOf(entries, new Uint8Array(32).fill(1));
        const own = logOf(entries);
        const index = where % entries.length;
        expect(check(own.lines.with(index, foreign.lines[index] as string))).not.toEqual([]);
        expect(check(foreign.lines)).not.toEqual([]);
      }),
    );
  });
});

describe("a log whose end was cut off", () => {
  test("[AU3] is found by what was anchored, and so is one that was cut and written on", () => {
    fc.assert(
      fc.property(someLog, entry, at, ({ lines, anchor }, later, length) => {
        const kept = length % lines.length;
        const cut = lines.slice(0, kept);
        expect(check(cut, [anchor]).map(({ kind }) => kind)).toContain("truncated");
        let mac = kept === 0 ? "" : (parseAuditLine(cut.at(-1) as string)?.mac ?? "");
        const forged = [...cut];
        for (let seq = kept; seq <= anchor.seq; seq += 1) {
          const next = auditLine(key, mac, { seq, ...later, operation: "forged" });
          forged.push(next.line);
          mac = next.mac;
        }
        expect(check(forged, [anchor]).map(({ kind }) => kind)).toContain("truncated");
      }),
    );
  });

  test("[AU3] within its last line is torn", () => {
    fc.assert(
      fc.property(someLog, ({ lines, anchor }) => {
        const checker = new AuditChecker(key);
        for (const line of lines.slice(0, -1)) checker.take(line);
        expect(checker.finish((lines.at(-1) as string).slice(0, 9))).toEqual([
          expect.objectContaining({ kind: "torn", seq: anchor.seq }),
        ]);
      }),
    );
  });

  test("[AU2] what is no line of ours is never taken for one", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(check([line])).toEqual([expect.objectContaining({ kind: "edited", seq: 0 })]);
      }),
    );
  });
});
