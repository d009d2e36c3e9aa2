/**
 * Sealed parts that other devices have erased and this one keeps: as long as a person here has not agreed to an erasure,
 * or because they refused it. They lie in a file of their own and never leave the device.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import type { PackId, PartHash, Sealed } from "@cambium/core";
import {
  checkedText,
  checkedValue,
  readCheckedJson,
  removePrivateFile,
  writeCheckedJson,
} from "../platform/private-files.js";

type Parts = Map<PartHash, Sealed>;

export class KeptParts {
  readonly #path: string;
  #parts: Map<PackId, Parts> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The file, where it is whole. */
  static textIn(path: string): string | undefined {
    try {
      const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
      return text !== undefined && checkedValue(text) !== undefined ? text : undefined;
    } catch {
      return undefined; // it cannot be read
    }
  }

  part(pack: PackId, hash: PartHash): Sealed | undefined {
    return this.#read().get(pack)?.get(hash);
  }

  /** As the content of one more document of the pack; undefined when there is none. */
  partsOf(pack: PackId): Readonly<Record<string, Sealed>> | undefined {
    const parts = this.#read().get(pack);
    return parts && Object.fromEntries(parts);
  }

  /** As the file has them. @param packs - undefined: of all. @returns undefined when there are none */
  textOf(packs: ReadonlySet<PackId> | undefined): string | undefined {
    const chosen = [...this.#read()].filter(([pack]) => packs?.has(pack) ?? true);
    return chosen.length === 0 ? undefined : checkedText(storedOf(chosen));
  }

  /** Durable when it returns. */
  keep(pack: PackId, parts: readonly (readonly [PartHash, Sealed])[]): void {
    const all = this.#read();
    const kept = all.get(pack) ?? new Map();
    const added = parts.filter(([hash]) => !kept.has(hash));
    if (added.length === 0) return;
    all.set(pack, new Map([...kept, ...added]));
    this.#write(all);
  }

  /** Durable when it returns. @returns whether there were any */
  destroy(erased: ReadonlySet<PartHash>): boolean {
    const all = this.#read();
    const left = [...all].map(([pack, parts]): [PackId, Parts] => [
      pack,
      new Map([...parts].filter(([hash]) => !erased.has(hash))),
    ]);
    if (left.every(([pack, { size }]) => size === all.get(pack)?.size)) return false;
    this.#write(new Map(left.filter(([, { size }]) => size > 0)));
    return true;
  }

  #read(): Map<PackId, Parts> {
    this.#parts ??= existsSync(this.#path) ? keptIn(readCheckedJson(this.#path, "")) : new Map();
    return this.#parts;
  }

  #write(all: Map<PackId, Parts>): void {
    this.#parts = all;
    if (all.size === 0) {
      removePrivateFile(this.#path);
      return;
    }
    writeCheckedJson(this.#path, storedOf([...all]));
  }
}

const storedOf = (all: readonly (readonly [PackId, Parts])[]): object => ({
  v: 1,
  parts: Object.fromEntries(
    all.map(([pack, kept]) => [
      pack,
      Object.fromEntries([...kept].map(([hash, sealed]) => [hash, Buffer.from(sealed).toString("base64")])),
    ]),
  ),
});

/** Name of the file, in the folder of a space. */
export const KEPT_PARTS_FILE = "kept-parts.json";

/** @param value - of the file, as it was read */
export function keptIn(value: unknown): Map<PackId, Parts> {
  const { parts = {} } = (value ?? {}) as { readonly parts?: Record<string, Record<string, string>> };
  return new Map(
    Object.entries(parts).map(([pack, kept]) => [
      pack as PackId,
      new Map(
        Object.entries(kept).map(([hash, text]) => [
          hash as PartHash,
          new Uint8Array(Buffer.from(text, "base64")) as Sealed,
        ]),
      ),
    ]),
  );
}
