/**
 * What a replica has on its disk: packs of records, a branch that names records, and the catalog, which says which packs
 * are retired and which records are erased.
 *
 * @module
 */
import { readChangeHeader } from "@cambium/core";
import type { Draw } from "../../../core/test/support/random-documents.js";
import { chunkTools } from "../../src/chunk-tools.js";
import { ChangeMaker, documentHex, PackMaker, recordName } from "../support/change-maker.js";

export interface Change {
  readonly document: string;
  readonly chunk: Uint8Array;
}

/** What changes say, by their keys. The relay cannot read it, and whoever judges in the end can. */
export class Said {
  /** Which record a branch change names. */
  readonly names = new Map<string, string>();
  /** Which records a change of a pack has. */
  readonly puts = new Map<string, readonly string[]>();
  /** Which records a change of the catalog erases. */
  readonly erases = new Map<string, string>();
  /** Which document a change of the catalog retires. */
  readonly retires = new Map<string, string>();
  #made = 0;

  newDocument(): string {
    this.#made += 1;
    return documentHex(this.#made + 16);
  }

  newRecord(): string {
    this.#made += 1;
    return recordName(`${this.#made}`);
  }
}

export const [CATALOG, BRANCH] = [documentHex(1), documentHex(2)] as const;
export const changeKey = (document: string, hash: string): string => `${document} ${hash}`;

/** Rules that whoever erases can be told to forget. */
export type ForgottenByEraser = "what is valid is carried before it is dropped";

export class ModelDisk {
  /** Every change it has, each after what it depends on. */
  readonly changes = new Map<string, Change>();
  /** Which records of each pack were ever heard of here. */
  readonly #records = new Map<string, Set<string>>();
  readonly #said: Said;
  readonly #draw: Draw;
  readonly #actor: string;
  readonly #catalog: ChangeMaker;
  readonly #branch: ChangeMaker;
  readonly #forgets: ForgottenByEraser | undefined;
  #pack: { readonly document: string; readonly maker: PackMaker } | undefined;
  readonly retired = new Set<string>();
  readonly #erased = new Set<string>();

  constructor(name: string, said: Said, draw: Draw, forgets?: ForgottenByEraser) {
    this.#said = said;
    this.#draw = draw;
    this.#forgets = forgets;
    this.#actor = `a${name}`;
    this.#catalog = new ChangeMaker(`c${name}`);
    this.#branch = new ChangeMaker(`b${name}`);
  }

  /** A record into the pack, and a change of the branch that names it. */
  write(): void {
    const record = this.#said.newRecord();
    this.#put(record);
    this.#said.names.set(this.#keep(BRANCH, this.#branch.write(`${this.#draw(4)}`, record)), record);
  }

  /** Erases a record: its pack is given up, and the others are carried. */
  erase(): void {
    const packs = [...this.#records].filter(([document]) => !this.retired.has(document));
    const [document, records] = packs[this.#draw(packs.length)] ?? [];
    const record = [...(records ?? [])][this.#draw(records?.size ?? 0)];
    if (document === undefined || record === undefined) return;
    this.#erased.add(record);
    this.#said.erases.set(this.#keep(CATALOG, this.#catalog.write(record, "erased")), record);
    this.tend();
  }

  /** Does what the catalog asks for: what is valid in a pack that is retired goes into a live one, then it is dropped. */
  tend(): void {
    for (const [document, records] of this.#records)
      if (!this.retired.has(document) && [...records].some((record) => this.#erased.has(record))) {
        this.retired.add(document);
        this.#said.retires.set(this.#keep(CATALOG, this.#catalog.write(document, "retired")), document);
      }
    if (this.#forgets !== "what is valid is carried before it is dropped") this.#carry();
    for (const [key, { document }] of this.changes) if (this.retired.has(document)) this.changes.delete(key);
  }

  #carry(): void {
    const live = new Set(this.#live().flatMap(([, records]) => [...records]));
    for (const document of this.retired)
      for (const record of this.recordsOf(document)) {
        if (live.has(record) || this.#erased.has(record)) continue;
        live.add(record);
        this.#put(record);
      }
  }

  #live(): readonly (readonly [string, ReadonlySet<string>])[] {
    return [...this.#records].filter(([document]) => !this.retired.has(document));
  }

  recordsOf(document: string): ReadonlySet<string> {
    return this.#records.get(document) ?? new Set();
  }

  /** What a relay is told that is to give a document up. */
  retirement(document: string) {
    const records = this.recordsOf(document);
    const carriedIn = this.#live().flatMap(([id, others]) => (records.isDisjointFrom(others) ? [] : [id]));
    const erased = [...records].filter((record) => this.#erased.has(record));
    return { kind: "retire", document, carriedIn, erased } as const;
  }

  #put(record: string): void {
    if (this.#pack === undefined || this.retired.has(this.#pack.document))
      this.#pack = { document: this.#said.newDocument(), maker: new PackMaker(this.#actor) };
    const { document, maker } = this.#pack;
    for (const chunk of maker.write(record)) {
      const key = this.#keep(document, chunk);
      this.#said.puts.set(key, hasNoDeps(chunk) ? [] : [record]);
    }
    this.#hear(document, [record]);
  }

  #hear(document: string, records: readonly string[]): void {
    const known = this.#records.get(document) ?? new Set();
    this.#records.set(document, known.union(new Set(records)));
  }

  #keep(document: string, chunk: Uint8Array): string {
    const key = changeKey(document, readChangeHeader(chunk, chunkTools).hash);
    this.changes.set(key, { document, chunk: new Uint8Array(chunk) });
    return key;
  }

  has(document: string, hash: string): boolean {
    return this.changes.has(changeKey(document, hash));
  }

  /** What came from the log. @returns false when something is missing that it follows */
  take(document: string, chunk: Uint8Array): boolean {
    const { hash, deps } = readChangeHeader(chunk, chunkTools);
    const key = changeKey(document, hash);
    if (this.changes.has(key)) return true;
    if (document === CATALOG || document === BRANCH) {
      (document === CATALOG ? this.#catalog : this.#branch).take([chunk]);
      const [retired, erased] = [this.#said.retires.get(key), this.#said.erases.get(key)];
      if (retired !== undefined) this.retired.add(retired);
      if (erased !== undefined) this.#erased.add(erased);
    } else this.#hear(document, this.#said.puts.get(key) ?? []);
    if (this.retired.has(document)) return true;
    if (!deps.every((dep) => this.has(document, dep))) return false;
    this.#keep(document, chunk);
    return true;
  }
}

const hasNoDeps = (chunk: Uint8Array): boolean => readChangeHeader(chunk, chunkTools).deps.length === 0;
