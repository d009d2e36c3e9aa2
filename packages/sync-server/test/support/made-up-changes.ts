/**
 * Changes for stores, which look at headers only: thousands of them, in less time than Automerge needs to write some.
 *
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import type { LogChange } from "../../src/log/space-log.js";
import { rawChange } from "../attacks/hostile-client.js";
import { logChange } from "./change-maker.js";

/** Writes a document's history as it is told to. Each change has one operation, and its hash as its bytes. */
export class MadeUpHistory {
  readonly #document: string;
  readonly #lastByActor = new Map<string, LogChange>();
  readonly byHash = new Map<string, LogChange>();

  constructor(document: string) {
    this.#document = document;
  }

  /** @param deps - beside the actor's own last change */
  change(actor: string, deps: readonly string[] = [], objects: readonly string[] = []): LogChange {
    const last = this.#lastByActor.get(actor);
    const all = [...new Set([...deps, ...(last === undefined ? [] : [last.hash])])];
    const startOp = 1 + Math.max(0, ...all.map((dep) => this.byHash.get(dep)?.maxOp ?? 0));
    const seq = (last?.seq ?? 0) + 1;
    const hash = createHash("sha256").update(`${this.#document} ${actor} ${seq}`).digest("hex");
    const change: LogChange = {
      ...{ kind: "change", document: this.#document, hash, deps: all, actor: actor.repeat(16), seq },
      ...{ startOp, maxOp: startOp, objects, bytes: Buffer.from(hash, "hex") },
    };
    this.#lastByActor.set(actor, change);
    this.byHash.set(hash, change);
    return change;
  }

  /** These changes, and all that they follow. */
  upTo(hashes: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const left = [...hashes]; left.length > 0; ) {
      const hash = left.pop() as string;
      if (found.has(hash)) continue;
      found.add(hash);
      left.push(...(this.byHash.get(hash)?.deps ?? []));
    }
    return found;
  }
}

/**
 * A document of one actor that Automerge loads, each change after the one before. They are packed: their hashes are those
 * of their bytes.
 *
 * @param bytes - of noise in each
 */
export function realHistory(document: string, count: number, bytes: number): readonly LogChange[] {
  let deps: readonly string[] = [];
  return Array.from({ length: count }, (_, at) => {
    const op = {
      action: "set",
      obj: "_root",
      key: "k",
      value: randomBytes(bytes).toString("base64"),
      pred: [],
    };
    const change = { actor: "aa".repeat(16), seq: at + 1, startOp: at + 1, deps, ops: [op] };
    const { chunk, hash } = rawChange(change);
    deps = [hash];
    return logChange(document, chunk);
  });
}
