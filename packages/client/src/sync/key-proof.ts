/**
 * Whether the key that is kept for a space is the right one. A key with one altered bit opens nothing, and what is
 * sealed under it nobody can read: so nothing is shown or written before it is known. Every member signs its changes of
 * the catalog under that key; a catalog in which it signed none is another key's.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  CambiumError,
  type Change,
  catalogDocumentId,
  deriveSpaceKeys,
  isCambiumError,
  parseActorId,
  type ReplicaId,
  type SpaceId,
  spaceKeyCheck,
} from "@cambium/core";
import * as A from "../documents/automerge.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { Invitation } from "./invitation.js";

export interface KeyProofOptions {
  readonly catalog: CatalogKeeper;
  readonly documents: Documents;
  readonly replica: ReplicaId;
  readonly config: () => SpaceConfig;
  /** Told once, with the code to keep. */
  readonly onProven: (keyCheck: string) => void;
  readonly onNotice: (message: string) => void;
}

export class KeyProof {
  readonly #options: KeyProofOptions;
  #isOpen = true;

  constructor(options: KeyProofOptions) {
    this.#options = options;
    options.documents.onHeads(({ document }) => {
      if (document === options.catalog.document && this.#isOpen) this.#judge();
    });
  }

  /**
   * Has to be awaited once the catalog is open, and before anything else. Loads nothing where the key is known.
   *
   * @throws {CambiumError} WRONG_KEY
   */
  async open(): Promise<void> {
    const { catalog, config } = this.#options;
    const { keyCheck } = config();
    if (typeof keyCheck === "string") {
      if (keyCheck !== checkOf(config())) throw wrongKey(config());
      this.#isOpen = false;
      return;
    }
    await catalog.load();
    this.#judge();
    catalog.refuseWrongKey();
  }

  #judge(): void {
    const { catalog, config, replica, onProven, onNotice } = this.#options;
    // Who joined may have signed with a wrong key itself; a file from before this check is its writer's own.
    const except = config().keyCheck === null ? replica : undefined;
    const isRight = isSignedUnder(catalog.changes, except);
    if (isRight === undefined) return;
    const error = isRight ? undefined : wrongKey(config());
    catalog.setWrongKey(error);
    if (error !== undefined) onNotice(`${error.message} ${error.hint}`);
    if (!isRight) return;
    this.#isOpen = false;
    onProven(checkOf(config()));
  }
}

/**
 * Asks the relay whether the key of an invitation is that of the space.
 *
 * @returns undefined when nobody can tell yet
 */
export async function isRightKey({ relay, token, space, key }: Invitation): Promise<boolean | undefined> {
  const { fetchDocument } = await import("./fetch-document.js");
  try {
    const fetched = await fetchDocument({ url: relay, token, space, document: catalogDocumentId(space) });
    await A.loadAutomerge();
    const { changes } = deriveSpaceKeys(space, key);
    return isSignedUnder(fetched.map((bytes) => A.readChange("catalog", changes, bytes)));
  } catch (error) {
    if (isCambiumError(error, "TOKEN_REFUSED")) throw error;
    return undefined; // what the catalog says when it comes decides
  }
}

/**
 * Whether members have signed under the key with which the changes were read.
 *
 * @returns undefined when nobody, but for a replica that does not count, has changed it yet
 */
export function isSignedUnder(changes: readonly Change[], except?: ReplicaId): boolean | undefined {
  const counted = changes.filter(
    ({ actor, deps }) => deps.length > 0 && (except === undefined || parseActorId(actor)?.replica !== except),
  );
  return counted.length === 0 ? undefined : counted.some(({ statement }) => statement !== undefined);
}

const checkOf = ({ id, key }: SpaceConfig): string => spaceKeyCheck(id as SpaceId, bytesFromBase64Url(key));

const wrongKey = ({ name, id }: SpaceConfig): CambiumError =>
  new CambiumError("WRONG_KEY", `The key that is kept for the space ${name} does not open what is in it.`, {
    hint: `Restore spaces/${id}/space.json from a backup, or join again with an invitation of another member; what is stored here stays.`,
    details: { space: id },
  });
