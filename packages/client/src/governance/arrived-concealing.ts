/**
 * What the owner has concealed or revealed on another device settles what was asked for on this one.
 *
 * @module
 */
import { type Catalog, concealmentKey, concealmentsIn, type MemoryId, type ReplicaId } from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";

export interface ArrivedConcealingOptions {
  readonly catalog: Pick<CatalogKeeper, "current" | "onChange">;
  readonly replica: () => ReplicaId;
  /** Approves requests of this device for just that. */
  readonly settle: (method: "conceal" | "reveal", memories: readonly MemoryId[]) => Promise<void>;
  /** Likewise, what an earlier session has not come to: it was cut short, or its device was. */
  readonly settleLeft: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export class ArrivedConcealing {
  readonly #options: ArrivedConcealingOptions;
  #concealed: ReadonlySet<MemoryId> = new Set();
  #settling: Promise<void> = Promise.resolve();

  constructor(options: ArrivedConcealingOptions) {
    this.#options = options;
  }

  /** From now on. What was concealed before tells nobody who asks for it that it is. */
  open(): void {
    const { catalog, settleLeft, onFailure } = this.#options;
    this.#settling = settleLeft().catch(onFailure);
    this.#concealed = new Set(concealmentsIn(catalog.current.settings).keys());
    catalog.onChange((current) => this.#follow(current));
  }

  /** Resolves when what has come is settled. */
  close(): Promise<void> {
    return this.#settling;
  }

  #follow({ settings }: Catalog): void {
    const before = this.#concealed;
    const concealments = concealmentsIn(settings);
    if (before.size === 0 && concealments.size === 0) return;
    this.#concealed = new Set(concealments.keys());
    const own = this.#options.replica();
    const isElsewhere = (id: MemoryId): boolean => writerOf(settings, id) !== own;
    const concealed = [...this.#concealed].filter((id) => !before.has(id) && isElsewhere(id));
    const revealed = [...before].filter((id) => !this.#concealed.has(id) && isElsewhere(id));
    if (concealed.length > 0) this.#settle("conceal", concealed);
    if (revealed.length > 0) this.#settle("reveal", revealed);
  }

  #settle(method: "conceal" | "reveal", memories: readonly MemoryId[]): void {
    const { settle, onFailure } = this.#options;
    this.#settling = this.#settling.then(() => settle(method, memories)).catch(onFailure);
  }
}

/** On which device the last word about a memory was said. */
function writerOf(settings: Catalog["settings"], id: MemoryId): unknown {
  const value = settings.get(concealmentKey(id))?.value.value;
  return typeof value === "object" && value !== null && "by" in value ? value.by : undefined;
}
