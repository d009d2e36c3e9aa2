/**
 * The version of what is stored: of the fields and notes of a record, and of the entries of the catalog.
 * Raise it when the shape of one changes, and add the way from the version before to `adapters.ts`.
 *
 * @module
 */
import { CambiumError } from "../errors.js";

/** The newest version that this Cambium reads, and the one that it writes. */
export const SCHEMA_VERSION = 2;

/**
 * Checks what something stored says it was written under.
 *
 * @throws {CambiumError} SCHEMA_TOO_NEW; STORE_DAMAGED when it is no version
 */
export function readableSchema(version: unknown): number {
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1)
    throw new CambiumError("STORE_DAMAGED", "It does not name the schema it was written with.");
  if (version <= SCHEMA_VERSION) return version;
  throw new CambiumError(
    "SCHEMA_TOO_NEW",
    `It was written by a newer Cambium (schema ${version}; this one reads up to ${SCHEMA_VERSION}).`,
    { hint: "Update Cambium on this device.", details: { schema: version } },
  );
}
