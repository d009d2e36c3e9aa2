/**
 * Saying in the catalog who this replica is, once and whenever it is renamed, and by which version it merges.
 * Readers cannot; a new space begins with main.
 *
 * @module
 */
import { type Catalog, catalogKey, MERGE_VERSION, mergeVersionOf } from "@cambium/core";
import type { Role } from "../api.js";
import { accessMark } from "../documents/access-mark.js";
import type { CatalogKeeper, CatalogWrite } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { Identity } from "../documents/identity.js";
import type { KeyEpochs } from "../keys/key-epochs.js";
import { invitationNote, noteKey, noteValue } from "../sync/invitation-notes.js";

interface IntroducedParts {
  readonly catalog: CatalogKeeper;
  readonly documents: Documents;
  readonly clock: { readonly now: () => number };
  readonly epochs: Pick<KeyEpochs, "ownProof" | "hasShown">;
}

/** A token of this replica's own, as the relay lists it. */
export interface NewAccess {
  readonly tokenId: string;
  readonly role: Role;
  /** The invitation that it was traded for. Absent where this replica made its own access. */
  readonly cameBy?: string;
  /** When it ends, in milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number | undefined;
}

export async function introduce(
  { catalog, documents, epochs, clock: { now } }: IntroducedParts,
  { id, name, publicKey }: Identity,
  token: string | undefined,
  made?: NewAccess,
): Promise<void> {
  const access = token === undefined ? undefined : accessMark(token);
  const introduction = (current: Catalog): readonly CatalogWrite[] => {
    const writes: CatalogWrite[] = [];
    const known = current.replicas.get(id)?.value;
    const own = { id, key: publicKey };
    const isKeyKnown = known !== undefined && Buffer.compare(known.publicKey, publicKey) === 0;
    const isSame = isKeyKnown && known.name === name && isSameAccess(known.access, access);
    if (!isSame || !epochs.hasShown(own, known.keyProof)) {
      const keyProof = epochs.ownProof(own, known?.keyProof);
      const entry = {
        ...{ ...known, name, publicKey },
        ...(access === undefined ? {} : { access }),
        ...(keyProof === undefined ? {} : { keyProof }),
      };
      writes.push({ map: "replicas", key: id, entry });
    }
    if (made !== undefined && access !== undefined && invitationNote(current, made.tokenId) === undefined) {
      const { tokenId, ...is } = made;
      const value = noteValue({ replica: id, at: now(), mark: access, ...is });
      writes.push({ map: "settings", key: noteKey(tokenId), entry: { value } });
    }
    if (isOutdated(current)) {
      writes.push({ map: "settings", key: "mergeVersion", entry: { value: MERGE_VERSION } });
    }
    return writes;
  };
  if (introduction(catalog.current).length === 0) return; // the document is not loaded for it
  await catalog.put(introduction);
  await documents.flush();
}

const isSameAccess = (known: Uint8Array | undefined, own: Uint8Array | undefined): boolean =>
  own === undefined || (known !== undefined && Buffer.compare(known, own) === 0);

/** What a newer Cambium has said is not read here, and stands. */
function isOutdated(catalog: Catalog): boolean {
  const key = catalogKey("settings", "mergeVersion");
  return mergeVersionOf(catalog) < MERGE_VERSION && !catalog.ignored.some((entry) => entry.key === key);
}
