/**
 * The attack on an erasure: whoever knows a text, has all files and the space's key, looks for it everywhere. Texts are
 * searched raw, in UTF-16, base64, hexadecimal and as JSON; whatever can be inflated is; databases are read by row and
 * as bytes, free pages and logs included; every sealed entry of every Automerge document is opened.
 *
 * @module
 */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as zlib from "node:zlib";
import { type Codec, open, type PackId } from "@cambium/core";
import type { FoundTrace } from "../api.js";
import * as A from "../documents/automerge.js";
import { KEPT_PARTS_FILE, keptIn } from "../documents/kept-parts.js";
import { type PackWrite, packWritesOf } from "../documents/pack-writes.js";
import { DatabaseSync } from "../platform/sqlite.js";
import { DIFFERENCES_FILE } from "../versions/difference-store.js";
import { FileReader } from "./file-reader.js";
import { FoundDifferences } from "./find-differences.js";

export interface TraceSearch {
  /** Files, and folders with everything below. */
  readonly paths: readonly string[];
  /** The texts and fragments of them. Case makes no difference in what is not encoded. */
  readonly texts: readonly string[];
  /** To open what is sealed. */
  readonly codec?: Codec | undefined;
  /** Packs that the space has. */
  readonly packs?: readonly PackId[] | undefined;
}

interface Needle {
  readonly text: string;
  readonly lowerForm: Buffer;
  readonly forms: readonly Buffer[];
}

interface Attack {
  readonly needles: readonly Needle[];
  readonly codec: Codec | undefined;
  /** The one that opened something last comes last. */
  readonly packs: PackId[];
  readonly found: FoundTrace[];
  readonly differences: FoundDifferences;
}

const SQLITE_HEAD = Buffer.from("SQLite format 3\0");
const AUTOMERGE_HEAD = Buffer.from([0x85, 0x6f, 0x4a, 0x83]);
const MAX_INFLATED = 64 * 1024 * 1024;
/** Inside something that was inflated there may be something to inflate. */
const MAX_DEPTH = 3;

/** Returns where the texts are. Of each place, each text once. */
export async function findTraces({
  paths,
  texts,
  codec,
  packs = [],
}: TraceSearch): Promise<readonly FoundTrace[]> {
  await A.loadAutomerge();
  const attack: Attack = {
    needles: texts.map(needleOf),
    codec,
    packs: [...packs],
    found: [],
    differences: new FoundDifferences(),
  };
  await using files = new FileReader();
  const isOfDifferences = (path: string): boolean => basename(path).startsWith(DIFFERENCES_FILE);
  // First: they say which whole texts to look out for.
  const all = paths.flatMap(filesBelow);
  for (const path of [...all].sort((a, b) => Number(isOfDifferences(b)) - Number(isOfDifferences(a)))) {
    const bytes = await files.read(path);
    if (bytes === undefined) continue; // gone since it was listed
    look(attack, path, "bytes", bytes);
    lookInStreams(attack, path, bytes);
    if (bytes.subarray(0, SQLITE_HEAD.length).equals(SQLITE_HEAD))
      await lookInRows(attack, path, bytes, await files.read(`${path}-wal`));
    await lookInDocuments(attack, path, "bytes", bytes);
    if (basename(path) === KEPT_PARTS_FILE) await lookInKept(attack, path, bytes);
  }
  for await (const { path, text } of attack.differences.texts()) look(attack, path, "rebuilt text", text);
  return attack.found;
}

function filesBelow(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (!stats.isDirectory() && !stats.isFile())) return [];
  return stats.isFile() ? [path] : readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

function needleOf(text: string): Needle {
  const utf8 = Buffer.from(text);
  // In base64, three bytes are four characters: what stands before shifts the text by none, one or two of them.
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), utf8]).toString("base64url");
    return Buffer.from(encoded.slice(shift === 0 ? 0 : shift + 1, -2));
  });
  const standard = shifted.map((form) =>
    Buffer.from(form.toString().replaceAll("-", "+").replaceAll("_", "/")),
  );
  return {
    text,
    lowerForm: inLowerCase(utf8),
    forms: [
      ...[Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()],
      ...[Buffer.from(utf8.toString("hex")), Buffer.from(JSON.stringify(text).slice(1, -1))],
      ...shifted.filter((form) => form.length > 7),
      ...standard.filter((form) => form.length > 7),
    ],
  };
}

const [UPPER_A, UPPER_Z, TO_LOWER] = [0x41, 0x5a, 0x20];
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= UPPER_A && byte <= UPPER_Z ? byte + TO_LOWER : byte,
);

/** Of ASCII alone: whole characters of UTF-8 stay as they are. */
function inLowerCase(bytes: Uint8Array): Buffer {
  const lower = Buffer.allocUnsafe(bytes.length);
  // By place: a callback for each byte takes ten times as long.
  for (let place = 0; place < bytes.length; place += 1)
    lower[place] = LOWER[bytes[place] as number] as number;
  return lower;
}

function look({ needles, found }: Attack, path: string, where: string, bytes: Buffer): void {
  const lower = inLowerCase(bytes);
  for (const { text, forms, lowerForm } of needles) {
    if (!lower.includes(lowerForm) && !forms.some((form) => bytes.includes(form))) continue;
    if (!found.some((one) => one.path === path && one.where === where && one.text === text))
      found.push({ path, where, text });
  }
}

/** What a zlib, gzip or zstd stream begins with. */
const STREAMS = [
  {
    name: "zlib",
    heads: [
      [0x78, 0x01],
      [0x78, 0x5e],
      [0x78, 0x9c],
      [0x78, 0xda],
    ],
    inflate: zlib.inflateSync,
  },
  { name: "gzip", heads: [[0x1f, 0x8b, 0x08]], inflate: zlib.gunzipSync },
  { name: "zstd", heads: [[0x28, 0xb5, 0x2f, 0xfd]], inflate: zlib.zstdDecompressSync },
] as const;

/** As far as a stream can be inflated: the rest of it may have been overwritten. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: MAX_INFLATED };

function lookInStreams(attack: Attack, path: string, bytes: Buffer, where = "bytes", depth = 0): void {
  for (const { name, heads, inflate } of STREAMS) {
    for (const head of heads.map((one) => Buffer.from(one))) {
      for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1)) {
        const inflated = attempt(() =>
          inflate(bytes.subarray(at), name === "zstd" ? { maxOutputLength: MAX_INFLATED } : LENIENT),
        );
        if (inflated === undefined || inflated.length === 0) continue;
        look(attack, path, `${where}, ${name}`, inflated);
        if (depth < MAX_DEPTH) lookInStreams(attack, path, inflated, `${where}, ${name}`, depth + 1);
      }
    }
  }
}

/** On a copy, with its log: opening it may change it. */
async function lookInRows(attack: Attack, path: string, bytes: Buffer, log: Buffer | undefined) {
  const dir = mkdtempSync(join(tmpdir(), "cambium-traces-"));
  try {
    writeFileSync(join(dir, "copy"), bytes);
    if (log !== undefined) writeFileSync(join(dir, "copy-wal"), log);
    const database = new DatabaseSync(join(dir, "copy"));
    try {
      for (const table of tablesOf(database)) {
        if (table === "differences" && attack.codec !== undefined)
          await attack.differences.read(path, database, attack.codec);
        await lookInTable(attack, path, database, table);
      }
    } finally {
      database.close();
    }
  } catch {
    // No database that SQLite reads: its bytes were searched.
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const tablesOf = (database: DatabaseSync): readonly string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

async function lookInTable(attack: Attack, path: string, database: DatabaseSync, table: string) {
  const rows = attempt(() => database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}"`).all()) ?? [];
  for (const row of rows) {
    for (const value of Object.values(row)) {
      const where = `row of ${table}`;
      if (typeof value === "string") look(attack, path, where, Buffer.from(value));
      if (!(value instanceof Uint8Array)) continue;
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      look(attack, path, where, bytes);
      const inflated = attempt(() => zlib.inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED }));
      if (inflated !== undefined) look(attack, path, `${where}, inflated`, inflated);
      lookInStreams(attack, path, bytes, where);
      await lookInDocuments(attack, path, where, bytes);
    }
  }
}

/** Every entry that a change of these documents ever wrote, opened if it is sealed. */
async function lookInDocuments(attack: Attack, path: string, where: string, bytes: Buffer): Promise<void> {
  for (let at = bytes.indexOf(AUTOMERGE_HEAD); at >= 0; at = bytes.indexOf(AUTOMERGE_HEAD, at + 1)) {
    for (const { map, key, value, actor } of writesIn(bytes.subarray(at))) {
      look(attack, path, `${where}, document`, Buffer.from(value));
      const opened = await opening(attack, `${map}/${key}`, value, actor);
      if (opened === undefined) continue;
      look(attack, path, `${where}, document, sealed ${map}`, opened);
      if (map === "parts") attack.differences.note(opened);
    }
  }
}

/** Parts that other devices have erased and this one keeps. */
async function lookInKept(attack: Attack, path: string, bytes: Buffer): Promise<void> {
  for (const [pack, parts] of keptIn(attempt(() => JSON.parse(bytes.toString())))) {
    for (const [hash, sealed] of parts) {
      const opened = await opening(attack, `parts/${hash}`, sealed, pack);
      if (opened === undefined) continue;
      look(attack, path, "sealed parts", opened);
      attack.differences.note(opened);
    }
  }
}

function writesIn(chunk: Uint8Array): readonly PackWrite[] {
  const bytes = oneChunk(chunk);
  // One chunk of a change, or a whole document; what follows it is met by its own beginning.
  const isChange = chunk[8] === 1 || chunk[8] === 2;
  const writes = isChange ? attempt(() => packWritesOf(bytes)) : undefined;
  return writes ?? attempt(() => writesOfDocument(bytes)) ?? [];
}

function writesOfDocument(bytes: Uint8Array): readonly PackWrite[] {
  const doc = A.init();
  try {
    A.getBackend(doc).loadIncremental(bytes);
    return A.getAllChanges(doc).flatMap(packWritesOf);
  } finally {
    A.free(doc);
  }
}

/** Magic[4] ‖ checksum[4] ‖ type[1] ‖ length (LEB128) ‖ body. */
function oneChunk(chunk: Uint8Array): Uint8Array {
  let [length, shift, at] = [0, 0, 9];
  for (let byte = 0x80; byte & 0x80; shift += 7, at += 1) {
    byte = chunk[at] ?? 0;
    length += (byte & 0x7f) * 2 ** shift;
  }
  return chunk.subarray(0, at + length);
}

/** Of which pack a document is says the catalog, or the actor of its first change; tried last is what opened last. */
async function opening(
  attack: Attack,
  key: string,
  value: Uint8Array,
  actor: string,
): Promise<Buffer | undefined> {
  const { codec, packs } = attack;
  if (codec === undefined) return undefined;
  const own = actor.slice(0, PACK_DIGITS) as PackId;
  for (const pack of new Set([own, ...packs.toReversed()])) {
    const place = {
      space: codec.keys.space,
      place: `pack/${pack}/${key}`,
      key: (epoch: number) => codec.keys.opening(`pack/${pack}`, epoch),
    };
    try {
      const opened = Buffer.from(await open(codec.platform, place, value, MAX_INFLATED));
      if (packs.at(-1) !== pack)
        packs.push(...packs.splice(packs.indexOf(pack), packs.includes(pack) ? 1 : 0));
      if (!packs.includes(pack)) packs.push(pack);
      return opened;
    } catch {
      // Of another pack.
    }
  }
  return undefined;
}

const PACK_DIGITS = 32;

const attempt = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
