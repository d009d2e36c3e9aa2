/**
 * Forms: each wording a memory has had, as it is shown. Most are records; where records merged without
 * anybody having written the result down, the result is a form of its own.
 *
 * @module
 */
import {
  bytesFromHex,
  bytesToHex,
  type Memory,
  type MemoryFields,
  type MemoryId,
  type MemoryRecord,
  ORDINARY_IMPORTANCE,
  type PackId,
  type PartHash,
  type RecordHash,
  type RecordNotes,
  type SpaceId,
  STATE_FIELDS,
  type StateField,
} from "@cambium/core";
import { graphEndsOf } from "../knowledge-graph/graph-words.js";
import { type PlaceInSource, placeInSource } from "../recall/place-in-source.js";
import { Authors } from "./authors.js";
import { type About, hashesIn, type Plain, plainFromText, plainText, saysDeleted } from "./form-columns.js";
import { applyDelta, deltaOf, type StoredText, storedText, type TextDelta, textOf } from "./form-text.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import { metaHash, partColumns, partsFromColumns } from "./part-columns.js";
import { hasHash } from "./schema.js";
import { ValueNumbers } from "./value-numbers.js";

export type FormId = number;

interface StoredForm {
  readonly memory: MemoryId;
  /** Empty for merged forms: they name their record themselves. */
  readonly record: RecordHash | "";
  /** The form that holds what stands beside the text. */
  readonly holder: FormId;
  /** As JSON, where this form holds it. */
  readonly plainText: string | undefined;
  plain: Plain | undefined;
  readonly own: Pick<About, "by" | "type" | "at">;
  /** Both together with the id, once they were asked for: a list asks ten thousand forms. */
  about: (Pick<Memory, "id"> & About) | undefined;
  /** As the row holds it: the whole, or what lies between beginning and end of the base's. Empty once it was read. */
  text: StoredText;
  readonly delta: (Omit<TextDelta, "middle"> & { readonly base: FormId }) | undefined;
  /** Undefined until it is asked for. */
  content: string | undefined;
  /** Since it came, or was last spared when room was made. */
  isUsed: boolean;
}

/** In characters, of one or two bytes each, with what stands beside them: enough for 10,000 memories and what they were written on. */
const MAX_CACHED_CHARACTERS = 72_000_000;
const CHARACTERS_BESIDE_TEXT = 600;
/** A text is put together from at most so many rows and the base. */
const MAX_HOPS = 8;
const NOTES = ["derivedFrom", "source", "summary", "reason"] as const satisfies (keyof RecordNotes)[];

export class FormStore {
  readonly #space: SpaceId;
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  readonly #authors: Authors;
  readonly #packs: ValueNumbers;
  readonly #sessions: ValueNumbers;
  readonly #cache = new Map<FormId, StoredForm>();
  #cachedCharacters = 0;
  #added = new Set<FormId>();

  constructor(space: SpaceId, index: IndexDatabase, memories: MemoryNumbers) {
    this.#space = space;
    this.#index = index;
    this.#memories = memories;
    this.#authors = new Authors(index);
    this.#packs = new ValueNumbers(index, "packs");
    this.#sessions = new ValueNumbers(index, "sessions");
  }

  idOf(record: RecordHash): FormId | undefined {
    const row = this.#index.prepare(`SELECT id FROM forms ${WHERE_HASH}`).get(bytesFromHex(record));
    return row === undefined ? undefined : Number((row as unknown as [number])[0]);
  }

  /** Keeps a record, unless it is here. */
  addRecord(record: MemoryRecord): FormId {
    const known = this.idOf(record.hash);
    if (known !== undefined) return known;
    const { content, ...fields } = record.fields;
    const about = { ...fields, ...record.notes, type: record.type, at: record.at, by: record.author };
    const [parent] = record.parents;
    const form = this.#insert(record.memory, about, content, parent && this.idOf(parent), record);
    this.#added.add(form);
    return form;
  }

  /** Records that came since the last call. */
  takeAdded(): ReadonlySet<FormId> {
    const added = this.#added;
    this.#added = new Set();
    return added;
  }

  /** Keeps what several records say together. */
  addMerged(memory: Memory): FormId {
    const { id, content, ...about } = memory;
    return this.#insert(id, about, content, this.idOf(memory.record), undefined);
  }

  /** Removes a merged form that no state shows any more. */
  removeMerged(form: FormId): void {
    this.#forget(form);
    this.#index.prepare("DELETE FROM forms WHERE id = ? AND hash IS NULL").run(form);
    this.#index.prepare("DELETE FROM text_keys WHERE form = ?").run(form);
    this.#index.prepare("DELETE FROM important WHERE form = ?").run(form);
  }

  /** The record itself, as its pack has it. */
  record(hash: RecordHash): MemoryRecord | undefined {
    const row = this.#index.prepare(`${SELECT_RECORD} ${WHERE_HASH}`).get(bytesFromHex(hash)) as unknown as
      | RecordRow
      | undefined;
    if (row === undefined) return undefined;
    const [id, packNumber, parent, parents, parts, contentPack, metaPack, decides] = row;
    const pack = this.#packs.valueOf(packNumber) as PackId;
    const stored = this.#stored(id);
    const { type, at, by, ...rest } = this.#aboutOf(stored);
    const notes = Object.fromEntries(NOTES.filter((name) => name in rest).map((name) => [name, rest[name]]));
    const fields = Object.fromEntries(
      STATE_FIELDS.filter((name) => name in rest).map((name) => [name, rest[name]]),
    );
    return {
      ...{ hash, space: this.#space, pack, memory: stored.memory, type, at, author: by },
      parents: parents === null ? this.#recordsOf(parent) : hashesIn(parents),
      decides: (decides === "" ? [] : decides.split(",")) as readonly StateField[],
      fields: { ...(fields as unknown as MemoryFields), content: this.content(id) },
      notes,
      parts: partsFromColumns(
        { parts, contentPack, metaPack },
        { pack, packs: this.#packs, heldParts: () => this.#partsOf(stored.holder) },
      ),
    };
  }

  #recordsOf(parent: FormId | null): readonly RecordHash[] {
    const record = parent === null ? "" : this.#stored(parent).record;
    return record === "" ? [] : [record];
  }

  #partsOf(form: FormId): Uint8Array {
    const row = this.#index.prepare("SELECT parts FROM forms WHERE id = ?").get(form);
    return (row as unknown as [Uint8Array])[0];
  }

  /** The memory as this form shows it. */
  memory(form: FormId, version: number, versions: number): Memory {
    const stored = this.#stored(form);
    const { record } = stored;
    const [about, content] = [this.#aboutOf(stored), stored.content ?? this.content(form)];
    if (record === "") return { ...about, content } as Memory;
    // An object that begins with another is copied in a third of the time of one that has it in its middle.
    return { ...about, content, version, versions, record, conflicts: [] };
  }

  /** What a form shows, without its text. */
  about(form: FormId): { readonly memory: MemoryId } & About {
    const stored = this.#stored(form);
    return { memory: stored.memory, ...this.#aboutOf(stored) };
  }

  #aboutOf(stored: StoredForm): Pick<Memory, "id"> & About {
    if (stored.about === undefined) {
      stored.plain ??= this.#plainOf(stored);
      stored.about = { id: stored.memory, ...stored.plain, ...stored.own };
    }
    return stored.about;
  }

  #plainOf({ holder, plainText: text }: StoredForm): Plain {
    if (text !== undefined) return plainFromText(text);
    const held = this.#stored(holder);
    held.plain ??= plainFromText(held.plainText ?? "{}");
    return held.plain;
  }

  content(form: FormId): string {
    const stored = this.#stored(form);
    if (stored.content !== undefined) return stored.content;
    const { text, delta } = stored;
    const content =
      delta === undefined
        ? textOf(text)
        : applyDelta(this.content(delta.base), { ...delta, middle: textOf(text) });
    stored.content = content;
    // It may have been dropped for its base.
    if (this.#cache.get(form) === stored) this.#cachedCharacters += content.length - text.length;
    stored.text = "";
    return content;
  }

  /** Reads many at once, which costs a third of reading them alone. */
  load(forms: readonly FormId[], options: { readonly texts: boolean }): void {
    let wanted = forms;
    while (wanted.length > 0) wanted = this.#fetch(wanted, options.texts);
  }

  /** @returns the forms that these are put together from */
  #fetch(forms: readonly FormId[], texts: boolean): readonly FormId[] {
    const missing = forms.filter((form) => !this.#cache.has(form));
    if (missing.length > 1) {
      const rows = this.#index
        .prepare(`${SELECT_FORM} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(missing)) as unknown as FormRow[];
      for (const row of rows) if (!this.#cache.has(row[0])) this.#take(row);
    }
    const further = new Set<FormId>();
    for (const form of forms) {
      const { content, delta, plain, holder } = this.#cache.get(form) ?? this.#stored(form);
      if (texts && content === undefined && delta !== undefined) further.add(delta.base);
      if (plain === undefined && holder !== form) further.add(holder);
    }
    return [...further];
  }

  /** Lets go of everything kept in memory. */
  clear(): void {
    this.#added.clear();
    this.#authors.clear();
    this.#packs.clear();
    this.#sessions.clear();
    this.#cache.clear();
    this.#cachedCharacters = 0;
  }

  #stored(form: FormId): StoredForm {
    const known = this.#cache.get(form);
    if (known !== undefined) {
      known.isUsed = true;
      return known;
    }
    const row = this.#index.prepare(`${SELECT_FORM} WHERE id = ?`).get(form) as unknown as FormRow;
    return this.#take(row);
  }

  #take(row: FormRow): StoredForm {
    const [id, number, hash, author, type, at, plainText, holder, text, parent, prefix, suffix] = row;
    const form: StoredForm = {
      memory: this.#memories.idOf(number),
      record: hash === null ? "" : (bytesToHex(hash) as RecordHash),
      holder: holder ?? id,
      ...{ plainText: plainText ?? undefined, plain: undefined, about: undefined },
      own: { by: this.#authors.authorOf(author), type, at },
      text,
      delta: parent === null || prefix === null ? undefined : { base: parent, prefix, suffix: suffix ?? 0 },
      content: undefined,
      isUsed: false,
    };
    this.#cache.set(id, form);
    this.#cachedCharacters += text.length + CHARACTERS_BESIDE_TEXT;
    this.#makeRoom(id);
    return form;
  }

  /** The first goes, unless it was used since it came or was last spared. */
  #makeRoom(newest: FormId): void {
    if (this.#cachedCharacters <= MAX_CACHED_CHARACTERS) return;
    for (const [oldest, form] of this.#cache) {
      if (this.#cachedCharacters <= MAX_CACHED_CHARACTERS || oldest === newest) break;
      if (form.isUsed) {
        form.isUsed = false;
        this.#cache.delete(oldest);
        this.#cache.set(oldest, form);
      } else this.#forget(oldest);
    }
  }

  #forget(form: FormId): void {
    const known = this.#cache.get(form);
    if (known === undefined) return;
    const { text, content } = known;
    this.#cachedCharacters -= CHARACTERS_BESIDE_TEXT + text.length + (content?.length ?? 0);
    this.#cache.delete(form);
  }

  #insert(
    memory: MemoryId,
    about: About,
    content: string,
    parent: FormId | undefined,
    record: MemoryRecord | undefined,
  ): FormId {
    const relation = this.#relationTo(parent, content, about, record);
    const { delta, holder, hops } = relation;
    const isOnlyParent = parent !== undefined && record?.parents.length === 1;
    const parts = record && partColumns(record, relation.meta, this.#packs);
    const place = placeInSource({ ...about, source: about.source, conversation: about.by.conversation });
    const number = this.#memories.numberOf(memory);
    for (const end of graphEndsOf(about.source, about.kind)) {
      this.#index
        .prepare("INSERT OR IGNORE INTO graph_ends VALUES (?, ?, ?)")
        .run(end.name, end.role, number);
    }
    const { lastInsertRowid } = this.#index
      .prepare(INSERT_FORM)
      .run(
        number,
        record === undefined ? null : bytesFromHex(record.hash),
        record === undefined ? null : this.#packs.numberOf(record.pack),
        parent ?? null,
        record === undefined || isOnlyParent ? null : bytesFromHex(record.parents.join("")),
        parts?.parts ?? null,
        parts?.contentPack ?? null,
        parts?.metaPack ?? null,
        record?.decides.join() ?? null,
        this.#authors.numberOf(about.by),
        about.type,
        about.at,
        holder === undefined ? plainText(about) : null,
        holder ?? null,
        place === undefined ? null : this.#sessions.numberOf(sessionKey(place)),
        place?.place ?? null,
        hops,
        delta?.prefix ?? null,
        delta?.suffix ?? null,
        storedText(delta?.middle ?? content),
      );
    if ((about.importance ?? 0) > ORDINARY_IMPORTANCE)
      this.#index.prepare("INSERT INTO important VALUES (?, ?)").run(lastInsertRowid, about.importance ?? 0);
    return Number(lastInsertRowid);
  }

  /** What a new form has in common with the one it was written on. */
  #relationTo(
    parent: FormId | undefined,
    content: string,
    about: About,
    record: MemoryRecord | undefined,
  ): Relation {
    if (parent === undefined) return { hops: 0 };
    const [hops, holder, held, parts] = this.#index
      .prepare(
        `SELECT f.hops, h.id, h.about, h.parts FROM forms f CROSS JOIN forms h ON h.id = ifnull(f.about_of, f.id)
         WHERE f.id = ?`,
      )
      .get(parent) as unknown as [number, FormId, string, Uint8Array];
    const delta = hops >= MAX_HOPS ? undefined : deltaOf(this.content(parent), content);
    const meta = metaHash(parts);
    const isHeld =
      record === undefined
        ? held === plainText(about)
        : meta === record.parts.meta.hash && about.deleted === saysDeleted(held);
    return {
      ...(delta === undefined ? { hops: 0 } : { delta, hops: hops + 1 }),
      ...(isHeld ? { holder, meta } : {}),
    };
  }
}

interface Relation {
  readonly hops: number;
  readonly delta?: TextDelta;
  /** The form that holds what stands beside the text, and the hash of the part it came in. */
  readonly holder?: FormId;
  readonly meta?: PartHash | undefined;
}

type FormRow = [
  id: number,
  memory: number,
  hash: Uint8Array | null,
  author: number,
  type: Memory["type"],
  at: number,
  about: string | null,
  holder: number | null,
  text: StoredText,
  parent: number | null,
  prefix: number | null,
  suffix: number | null,
];

type RecordRow = [
  id: number,
  pack: number,
  parent: number | null,
  parents: Uint8Array | null,
  parts: Uint8Array,
  contentPack: number | null,
  metaPack: number | null,
  decides: string,
];

const SELECT_FORM =
  "SELECT id, memory, hash, author, type, at, about, about_of, text, parent, prefix, suffix FROM forms";
const SELECT_RECORD = "SELECT id, pack, parent, parents, parts, content_pack, meta_pack, decides FROM forms";
const WHERE_HASH = `WHERE ${hasHash("hash", "?1")}`;
const INSERT_FORM = `INSERT INTO forms
  (memory, listed, hash, pack, parent, parents, parts, content_pack, meta_pack, decides, author, type, at, about,
   about_of, session, place, hops, prefix, suffix, text)
  VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Names one session of one source. */
export const sessionKey = ({ group, session }: PlaceInSource): string => JSON.stringify([group, session]);
