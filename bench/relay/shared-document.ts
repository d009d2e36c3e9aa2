/**
 * A document as the writers of one process know it: changes are made without a copy of the document, from the hashes of
 * what they follow.
 *
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { encodeChange } from "@automerge/automerge";
import { type ChunkTools, plainChange } from "@cambium/core";

export interface MadeChange {
  readonly chunk: Uint8Array;
  readonly hash: string;
  readonly deps: readonly string[];
  readonly maxOp: number;
}

export const chunkTools: ChunkTools = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  inflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};

/** Milliseconds on a clock that all processes of a machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const CHECKSUM_OFFSET = 4;
const TYPE_OFFSET = 8;

/** A change's checksum, which is how its hash begins: enough to tell some thousand changes apart. */
export const keyOf = (chunk: Uint8Array): number =>
  new DataView(chunk.buffer, chunk.byteOffset).getUint32(CHECKSUM_OFFSET);

export const hashOf = (chunk: Uint8Array): string =>
  createHash("sha256").update(chunk.subarray(TYPE_OFFSET)).digest("hex");

export class SharedDocument {
  readonly #made = new Map<number, MadeChange>();
  readonly #byHash = new Map<string, MadeChange>();

  /** One more change of an actor, after these heads. */
  make(actor: string, seq: number, deps: readonly string[], text: string): MadeChange {
    const maxOp = 1 + Math.max(0, ...deps.map((dep) => this.#byHash.get(dep)?.maxOp ?? 0));
    const ops = [{ action: "set", obj: "_root", key: `${actor.slice(0, 6)}-${seq}`, value: text, pred: [] }];
    const change = { actor, seq, startOp: maxOp, time: 1, message: null, deps: [...deps], ops };
    // Its types ask for what encoding does not need.
    const chunk = plainChange(encodeChange(change as never), chunkTools);
    const made = { chunk, hash: hashOf(chunk), deps, maxOp };
    const key = keyOf(chunk);
    if (this.#made.has(key)) return this.make(actor, seq, deps, `${text}.`);
    this.#made.set(key, made);
    this.#byHash.set(made.hash, made);
    return made;
  }

  /** A change that was made here, by its bytes. */
  find(chunk: Uint8Array): MadeChange | undefined {
    return this.#made.get(keyOf(chunk));
  }

  byHash(hash: string): MadeChange | undefined {
    return this.#byHash.get(hash);
  }
}

export const newActor = (): string => randomBytes(16).toString("hex");
