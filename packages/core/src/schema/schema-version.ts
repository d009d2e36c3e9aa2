/**
 * The version of what is stored: of the fields and notes of a record, and of the entries of the catalog.
 * Raise it when the shape of one changes, and add the way from the version before to `adapters.ts`.
 *
 * @module
 */

export const SCHEMA_VERSION = 1;
