/**
 * How far the audit log had come, as the store has it. The log's own files can be removed together; with this, what
 * they held is missed. Never ahead of what a power loss leaves of the log.
 *
 * @module
 */
import {
  type AuditAnchor,
  decodeCanonical,
  type Encodable,
  encodeCanonical,
  type ReplicaId,
} from "@cambium/core";
import { isNumber, isText, readShape } from "../platform/plain-shape.js";
import type { ReplicaStore } from "../storage/store.js";

/** No document has this id. */
const KEY = ["audit-end"];

export class AuditEnd {
  readonly #store: Pick<ReplicaStore, "load" | "save">;
  readonly #replica: ReplicaId;
  #anchor: AuditAnchor | undefined;
  #reading: Promise<void> | undefined;

  constructor(store: Pick<ReplicaStore, "load" | "save">, replica: ReplicaId) {
    this.#store = store;
    this.#replica = replica;
  }

  /** Reads what earlier sessions noted. Costs nothing the second time. */
  read(): Promise<void> {
    // What cannot be read says nothing: nobody is kept from writing by it.
    this.#reading ??= this.#readOnce().catch(() => undefined);
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const bytes = await this.#store.load(KEY);
    const noted = bytes && readShape<Noted>(decodeCanonical(bytes), NOTED);
    // Of a home that was copied and became another device, the log is another as well.
    if (noted?.replica === this.#replica) this.#anchor ??= { seq: noted.seq, mac: noted.mac };
  }

  get anchor(): AuditAnchor | undefined {
    return this.#anchor;
  }

  /** On disk with what the store writes next. A failing store shows at the next write. */
  note(anchor: AuditAnchor): void {
    this.#anchor = anchor;
    const noted: Noted = { replica: this.#replica, ...anchor };
    void this.#store.save(KEY, encodeCanonical(noted as unknown as Encodable));
  }
}

interface Noted extends AuditAnchor {
  readonly replica: string;
}

const NOTED = { replica: isText, seq: isNumber, mac: isText };
