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
  type PackId,
  type RecordHash,
  type RecordNotes,
  type SpaceId,
  STATE_FIELDS,
  type StateField,
} from "@cambium/core";
import { contentKeyOf, contentKeyToBytes } from "../embedding/content-key.js";
import { type PlaceInSource, placeInSource } from "../recall/place-in-source.js";
import { Authors } from "./authors.js";
import {
  type About,
  aboutFromText,
  aboutText,
  hashesIn,
  partsFromBytes,
  partsToBytes,
} from "./form-columns.js";
import { applyDelta, deltaOf, type TextDelta } from "./form-text.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";

export type FormId = number;

interface StoredForm {
  readonly memory: MemoryId;
  /** Empty for merged forms: they name their record themselves. */
  readonly record: RecordHash | "";
  readonly about: About;
  /** Empty until it is asked for where it has to be put together. */
  content: string | undefined;
  readonly delta: { readonly base: FormId; readonly text: TextDelta } | undefined;
}

/** In characters; about two bytes each, with what stands beside them. */
const MAX_CACHED_CHARACTERS = 48_000_000;
const CHARACTERS_BESIDE_TEXT = 600;
/** A text is put together from at most so many rows and the base. */
const MAX_HOPS = 8;
const NOTES = ["derivedFrom", "source", "summary", "reason"] as const satisfies (keyof RecordNotes)[];

export class FormStore {
  readonly #space: SpaceId;
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  readonly #authors: Authors;
  readonly #cache = new Map<FormId, StoredForm>();
  #cachedCharacters = 0;
  #added = new Set<FormId>();

  constructor(space: SpaceId, index: IndexDatabase, memories: MemoryNumbers) {
    this.#space = space;
    this.#index = index;
    this.#memories = memories;
    this.#authors = new Authors(index);
  }

  idOf(record: RecordHash): FormId | undefined {
    const row = this.#index.prepare("SELECT id FROM forms WHERE hash = ?").get(bytesFromHex(record));
    return row === undefined ? undefined : Number((row as unknown as [number])[0]);
  }

  /** Keeps a record, unless it is here. */
  addRecord(record: MemoryRecord): FormId {
    const known = this.idOf(record.hash);
    if (known !== undefined) return known;
    const { content, ...fields } = record.fields;
    const about = { ...fields, ...record.notes, type: record.type, at: record.at, by: record.author };
    const [parent] = record.parents;
    const form = this.#insert(record.memory, about, content, parent && this.idOf(parent), {
      hash: bytesFromHex(record.hash),
      pack: bytesFromHex(record.pack),
      parents: bytesFromHex(record.parents.join("")),
      parts: partsToBytes(record),
      decides: record.decides.join(),
    });
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
  }

  /** The record itself, as its pack has it. */
  record(hash: RecordHash): MemoryRecord | undefined {
    const row = this.#index
      .prepare("SELECT id, pack, parents, parts, decides FROM forms WHERE hash = ?")
      .get(bytesFromHex(hash)) as unknown as [number, Uint8Array, Uint8Array, Uint8Array, string] | undefined;
    if (row === undefined) return undefined;
    const [id, pack, parents, parts, decides] = row;
    const { memory, about } = this.#stored(id);
    const content = this.content(id);
    const { type, at, by, ...rest } = about;
    const notes = Object.fromEntries(NOTES.filter((name) => name in rest).map((name) => [name, rest[name]]));
    const fields = Object.fromEntries(
      STATE_FIELDS.filter((name) => name in rest).map((name) => [name, rest[name]]),
    );
    return {
      ...{ hash, space: this.#space, pack: bytesToHex(pack) as PackId, memory, type, at, author: by },
      parents: hashesIn(parents),
      decides: (decides === "" ? [] : decides.split(",")) as readonly StateField[],
      fields: { ...(fields as unknown as MemoryFields), content },
      notes,
      parts: partsFromBytes(parts, bytesToHex(pack) as PackId),
    };
  }

  /** The memory as this form shows it. */
  memory(form: FormId, version: number, versions: number): Memory {
    const { memory, record, about } = this.#stored(form);
    const content = this.content(form);
    if (record === "") return { id: memory, content, ...about } as Memory;
    return { id: memory, ...about, content, version, versions, record, conflicts: [] };
  }

  /** What a form shows, without its text. */
  about(form: FormId): { readonly memory: MemoryId } & About {
    const { memory, about } = this.#stored(form);
    return { memory, ...about };
  }

  content(form: FormId): string {
    const stored = this.#stored(form);
    if (stored.content === undefined && stored.delta !== undefined) {
      stored.content = applyDelta(this.content(stored.delta.base), stored.delta.text);
      this.#cachedCharacters += stored.content.length;
    }
    return stored.content ?? "";
  }

  /** Reads many at once, which costs a third of reading them alone. */
  load(forms: readonly FormId[], options: { readonly texts: boolean }): void {
    let wanted = this.#fetch(forms);
    while (options.texts && wanted.length > 0) wanted = this.#fetch(wanted);
  }

  /** @returns the forms that the texts of these are made from */
  #fetch(forms: readonly FormId[]): readonly FormId[] {
    const missing = forms.filter((form) => !this.#cache.has(form));
    if (missing.length > 1) {
      const rows = this.#index
        .prepare(`${SELECT_FORM} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(missing)) as unknown as FormRow[];
      for (const row of rows) if (!this.#cache.has(row[0])) this.#take(row);
    }
    const bases = new Set<FormId>();
    for (const form of forms) {
      const { content, delta } = this.#stored(form);
      if (content === undefined && delta !== undefined) bases.add(delta.base);
    }
    return [...bases];
  }

  /** Lets go of everything kept in memory. */
  clear(): void {
    this.#added.clear();
    this.#authors.clear();
    this.#cache.clear();
    this.#cachedCharacters = 0;
  }

  #stored(form: FormId): StoredForm {
    const known = this.#cache.get(form);
    if (known !== undefined) {
      this.#cache.delete(form); // and to the end, so that the first is the one least used
      this.#cache.set(form, known);
      return known;
    }
    const row = this.#index.prepare(`${SELECT_FORM} WHERE id = ?`).get(form) as unknown as FormRow;
    return this.#take(row);
  }

  #take([id, number, hash, author, about, text, base, prefix, suffix]: FormRow): StoredForm {
    const form: StoredForm = {
      memory: this.#memories.idOf(number),
      record: hash === null ? "" : (bytesToHex(hash) as RecordHash),
      about: aboutFromText(about, this.#authors.authorOf(author)),
      content: base === null ? text : undefined,
      delta:
        base === null
          ? undefined
          : { base, text: { prefix: prefix ?? 0, suffix: suffix ?? 0, middle: text } },
    };
    this.#cache.set(id, form);
    this.#cachedCharacters += text.length + CHARACTERS_BESIDE_TEXT;
    for (const oldest of this.#cache.keys()) {
      if (this.#cachedCharacters <= MAX_CACHED_CHARACTERS || oldest === id) break;
      this.#forget(oldest);
    }
    return form;
  }

  #forget(form: FormId): void {
    const known = this.#cache.get(form);
    if (known === undefined) return;
    const { content, delta } = known;
    this.#cachedCharacters -=
      CHARACTERS_BESIDE_TEXT + (delta?.text.middle.length ?? 0) + (content?.length ?? 0);
    this.#cache.delete(form);
  }

  #insert(
    memory: MemoryId,
    about: About,
    content: string,
    parent: FormId | undefined,
    record: RecordColumns | undefined,
  ): FormId {
    const base = parent === undefined ? undefined : this.#baseFor(parent, content);
    const place = placeInSource({ ...about, source: about.source, conversation: about.by.conversation });
    const { lastInsertRowid } = this.#index
      .prepare(INSERT_FORM)
      .run(
        this.#memories.numberOf(memory),
        record?.hash ?? null,
        record?.pack ?? null,
        record?.parents ?? null,
        record?.parts ?? null,
        record?.decides ?? null,
        this.#authors.numberOf(about.by),
        aboutText(about),
        base?.delta.middle ?? content,
        base?.form ?? null,
        base?.delta.prefix ?? null,
        base?.delta.suffix ?? null,
        base?.hops ?? 0,
        contentKeyToBytes(contentKeyOf(content)),
        place === undefined ? null : sessionKey(place),
        place?.place ?? null,
      );
    return Number(lastInsertRowid);
  }

  #baseFor(form: FormId, content: string) {
    const [hops] = this.#index.prepare("SELECT hops FROM forms WHERE id = ?").get(form) as unknown as [
      number,
    ];
    const delta = hops >= MAX_HOPS ? undefined : deltaOf(this.content(form), content);
    return delta && { form, delta, hops: hops + 1 };
  }
}

type FormRow = [
  id: number,
  memory: number,
  hash: Uint8Array | null,
  author: number,
  about: string,
  text: string,
  base: number | null,
  prefix: number | null,
  suffix: number | null,
];

interface RecordColumns {
  readonly hash: Uint8Array;
  readonly pack: Uint8Array;
  readonly parents: Uint8Array;
  readonly parts: Uint8Array;
  readonly decides: string;
}

const SELECT_FORM = "SELECT id, memory, hash, author, about, text, base, prefix, suffix FROM forms";
const INSERT_FORM = `INSERT INTO forms
  (memory, hash, pack, parents, parts, decides, author, about, text, base, prefix, suffix, hops, listed,
   content_key, session, place)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`;

/** Names one session of one source. */
export const sessionKey = ({ group, session }: PlaceInSource): string => JSON.stringify([group, session]);
