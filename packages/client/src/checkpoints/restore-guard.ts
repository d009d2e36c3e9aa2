/**
 * What has to hold before a state that a checkpoint names is brought back.
 *
 * @module
 */
import { bytesEqual, bytesToHex, CambiumError, SCHEMA_VERSION } from "@cambium/core";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { BranchViews } from "../space/branch-views.js";
import type { KnownCheckpoint } from "../space/checkpoint-directory.js";
import { headsNotHere } from "../space/heads-not-here.js";

/**
 * @returns the area that is brought back; undefined: everything
 * @throws {CambiumError} SCHEMA_TOO_NEW when a newer Cambium made it, HEADS_NOT_HERE while its changes have not
 * arrived, CHECKPOINT_MISMATCH when what its heads name is not what they named then, CONTENT_NOT_HERE while nobody can say which area it is of
 */
export async function guardCheckpoint(
  checkpoint: KnownCheckpoint,
  { views, index }: { readonly views: BranchViews; readonly index: SpaceIndex },
): Promise<string | undefined> {
  const { name, id, entry } = checkpoint;
  const { schemaVersion, heads, digest } = entry;
  if (schemaVersion > SCHEMA_VERSION) {
    throw new CambiumError(
      "SCHEMA_TOO_NEW",
      `The checkpoint ${name} was made by a newer Cambium (schema ${schemaVersion}; this one knows ${SCHEMA_VERSION}).`,
      { hint: "Update Cambium on this device.", details: { checkpoint: id, schemaVersion } },
    );
  }
  const { row } = await views.look(entry.branch);
  const missing = heads.filter((head) => index.tables.changes.placeOf(row, head) === undefined);
  if (missing.length > 0) throw headsNotHere(checkpoint, missing);
  const found = index.digestAt(row, heads);
  if (bytesEqual(found, digest)) return areaOf(checkpoint);
  throw new CambiumError(
    "CHECKPOINT_MISMATCH",
    `The state that the checkpoint ${name} names is not what it was when it was made.`,
    {
      hint: "Run `cambium verify` to see what is damaged. `cambium reindex` rebuilds the index.",
      details: { checkpoint: id, expected: bytesToHex(digest), found: bytesToHex(found) },
    },
  );
}

function areaOf({ name, entry, text }: KnownCheckpoint): string | undefined {
  if (entry.scope === "full" || text.area !== undefined) return text.area;
  throw new CambiumError(
    "CONTENT_NOT_HERE",
    `The checkpoint ${name} is of one area only, and which one has not arrived here yet.`,
    { hint: "Run `cambium sync`." },
  );
}
