/**
 * What a space that cannot be opened had erased, as far as its files still tell: what takes its place erases that again.
 * They are read in copies, so that nothing in them changes.
 *
 * @module
 */
import { copyFileSync, cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Catalog, catalogDocumentId, type ErasureEntry, type KeyRing } from "@cambium/core";
import { catalogOfChunks } from "../archive/verify-archive.js";
import { CARRIED, type Noted, storedNote } from "../documents/erasure-note.js";
import { keptCatalogIn } from "../index-store/catalog-table.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { openStore } from "./space-files.js";

type Rules = Catalog["erasures"];

export interface DamagedSpaceFiles {
  /** Where they are. */
  readonly dir: string;
  /** A folder for the copies, which is made and goes. */
  readonly scratch: string;
  readonly storage: "sqlite" | "fs";
  readonly ring: KeyRing;
  /** Rules that the archive has: those need no saving. */
  readonly archived: Rules;
}

export interface ErasedInDamaged {
  /** Rules that the archive lacks. */
  readonly rules: Rules;
  /** What the device had decided about each erasure. */
  readonly noted: Partial<Pick<Noted, "takenIn" | "held" | "refused">>;
  /** How many erasures are known by name alone, and are lost. Undefined: nothing says whether there were any. */
  readonly lost: number | undefined;
  /** When the last of those that are kept was made. */
  readonly lastAt: number | undefined;
}

export async function erasedInDamaged(files: DamagedSpaceFiles): Promise<ErasedInDamaged> {
  const note = storedNote(join(files.dir, "erasures.json"));
  makePrivateDirectory(files.scratch);
  try {
    const kept = keptCatalog(files);
    const isEnough = note !== undefined && kept !== undefined && unknownIn(note, kept, files.archived) === 0;
    const stored = isEnough ? undefined : await storedCatalog(files);
    const all: Rules = new Map([...(kept ?? []), ...(stored ?? [])]);
    return found(all, note, files, stored !== undefined);
  } finally {
    rmSync(files.scratch, { recursive: true, force: true });
  }
}

function found(
  all: Rules,
  note: Noted | undefined,
  files: DamagedSpaceFiles,
  isWhole: boolean,
): ErasedInDamaged {
  const rules: Rules = new Map([...all].filter(([id]) => !files.archived.has(id)));
  const times = [...rules.values()].flatMap(({ value }) => (isAsked(value) ? [value.at] : []));
  const unknown = note && unknownIn(note, all, files.archived);
  return {
    rules,
    noted: notedOf(rules, note),
    lost: isWhole ? 0 : unknown,
    lastAt: times.length === 0 ? undefined : Math.max(...times),
  };
}

const isAsked = ({ cause }: ErasureEntry): boolean => cause === undefined;

/** Without what retention prunes, which it does again, and what follows from other rules. */
function unknownIn({ done, takenIn, held, refused }: Noted, ...known: readonly Rules[]): number {
  const ids = new Set([...done, ...takenIn.keys(), ...held.keys(), ...refused]);
  const isLost = (id: string): boolean => ERASURE.test(id) && !known.some((rules) => rules.has(id));
  return [...ids].filter(isLost).length;
}

/** The id of an erasure that somebody asked for. */
const ERASURE = /^[0-9a-f]{32}$/;

/** What was carried out there is agreed to. Where the device cannot say any more, all of it is. */
function notedOf(rules: Rules, note: Noted | undefined): ErasedInDamaged["noted"] {
  const agreed = [...rules].flatMap(([id, { value }]) => {
    const of = value.of ?? id;
    const isAgreed = note === undefined || note.done.has(id) || note.takenIn.has(of);
    return isAgreed && !id.startsWith(CARRIED) ? [[of, { at: value.at, memories: 0 }] as const] : [];
  });
  const takenIn = new Map([...(note?.takenIn ?? []), ...agreed]);
  return note === undefined ? { takenIn } : { takenIn, held: note.held, refused: note.refused };
}

/** The catalog as the index keeps it: a file of its own, which what has damaged the store may have left alone. */
function keptCatalog({ dir, scratch }: DamagedSpaceFiles): Rules | undefined {
  const copy = join(scratch, "index.sqlite");
  copySqlite(join(dir, "index.sqlite"), copy);
  return existsSync(copy) ? keptCatalogIn(copy)?.erasures : undefined;
}

const KINDS = ["snapshot", "incremental"] as const;

async function storedCatalog({ dir, scratch, storage, ring }: DamagedSpaceFiles): Promise<Rules | undefined> {
  try {
    if (storage === "sqlite") copySqlite(join(dir, "store.sqlite"), join(scratch, "store.sqlite"));
    else cpSync(join(dir, "store"), join(scratch, "store"), { recursive: true });
    await using store = await openStore(storage, scratch);
    const all = await store.loadRange([catalogDocumentId(ring.space)]);
    const chunks = KINDS.flatMap((kind) => all.filter(({ key }) => key[1] === kind));
    const bytes = chunks.flatMap(({ data }) => (data === undefined ? [] : [data]));
    if (bytes.length === 0 || bytes.length < chunks.length) return undefined;
    return (await catalogOfChunks(ring, bytes)).erasures;
  } catch {
    return undefined; // it is damaged: that is why it is replaced
  }
}

/** With what is in its log alone. */
function copySqlite(from: string, to: string): void {
  for (const suffix of ["", "-wal"]) {
    try {
      if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
    } catch {
      // what cannot be read is not there
    }
  }
}
