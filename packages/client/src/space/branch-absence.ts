/**
 * Branches that are known here and not held: the catalog lists them, or somebody who was here before began them, and
 * their document has not come. Nobody can tell what they hold, so nothing may say that they are empty.
 *
 * @module
 */
import {
  type BranchEntry,
  type BranchId,
  CambiumError,
  type ChangeHash,
  type DocumentId,
} from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { BranchRow } from "../index-store/branch-rows.js";
import type { SpaceIndex } from "../index-store/space-index.js";

/** What is known of a branch that is not here. */
export interface BranchAbsence {
  readonly branch: BranchId;
  /** Changes that it began with and that are not here; none when there is nothing of it at all. */
  readonly missing: readonly ChangeHash[];
  /** The name of the replica that made it; nobody made main. */
  readonly madeBy: string | undefined;
}

export interface BranchAbsencesOptions {
  readonly main: BranchId;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly index: SpaceIndex;
  /** Whether this device has joined the space and has not yet heard what main holds. */
  readonly isUnheard: () => boolean;
}

export class BranchAbsences {
  readonly #options: BranchAbsencesOptions;
  /** Found to be here. What a document has it keeps; one that is put in another's place gets another row. */
  readonly #held = new WeakSet<BranchRow>();

  constructor(options: BranchAbsencesOptions) {
    this.#options = options;
  }

  /**
   * Main needs no beginning: a space that was made here begins empty. Every other branch says what it began with.
   *
   * @param row - in step with the document
   * @returns undefined when the branch is here
   */
  of(branch: BranchId, document: DocumentId, row: BranchRow): BranchAbsence | undefined {
    if (this.#held.has(row)) return undefined;
    const { main, documents, catalog, index, isUnheard } = this.#options;
    const entry = catalog.current.branches.get(branch)?.value;
    const { changes } = index.tables;
    const isBegun = documents.headsOf(document).length > 0;
    const missing = (entry?.forkHeads ?? []).filter((head) => changes.placeOf(row, head) === undefined);
    if (isBegun && missing.length === 0) {
      this.#held.add(row);
      return undefined;
    }
    if (branch === main && !isUnheard()) return undefined;
    // What damage took is reported as damage, and the rest stays readable.
    if (isBegun && documents.isInDoubt(document)) return undefined;
    return { branch, missing: isBegun ? missing : [], madeBy: this.#makerOf(entry) };
  }

  /** Told without following the branch: most are found here so. */
  isSurelyHere(branch: BranchId, document: DocumentId): boolean {
    const { documents, catalog, index } = this.#options;
    const row = index.row(branch);
    if (row !== undefined && this.#held.has(row)) return true;
    const heads = documents.headsOf(document);
    const forkHeads = catalog.current.branches.get(branch)?.value.forkHeads ?? [];
    return heads.length > 0 && forkHeads.every((head) => heads.includes(head));
  }

  #makerOf(entry: BranchEntry | undefined): string | undefined {
    const replica = entry?.createdBy;
    if (replica === undefined) return undefined;
    return this.#options.catalog.current.replicas.get(replica)?.value.name ?? replica;
  }
}

/** @param name - of the branch, as it is shown */
export function branchNotHere(name: string, { branch, missing, madeBy }: BranchAbsence): CambiumError {
  const details = { branch, name, missing, ...(madeBy === undefined ? {} : { madeBy }) };
  if (madeBy === undefined) {
    return new CambiumError(
      "HEADS_NOT_HERE",
      `Nobody can tell yet what ${name} holds: this device has joined the space and has not synced since.`,
      { hint: "Run `cambium sync`. New memories can be written meanwhile, and join what comes.", details },
    );
  }
  const what = missing.length === 0 ? "has not arrived here yet" : "has arrived here only in part";
  return new CambiumError("HEADS_NOT_HERE", `The branch ${name} ${what}; it was made on ${madeBy}.`, {
    hint: `Run \`cambium sync\`. If it stays away, sync ${madeBy}, too: it has not sent all of it.`,
    details,
  });
}
