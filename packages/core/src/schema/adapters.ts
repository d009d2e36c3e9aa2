/**
 * Reading what an older Cambium wrote. Stored bytes stay as they are, and so do their hashes: each reading
 * takes the plain values from the version they were written under to ours, one version at a time.
 *
 * A meta part says its version itself, since a later record may name a part that an earlier one wrote.
 *
 * @module
 */
import { adaptImportSource } from "./import-sources.js";
import type { Plain } from "./plain.js";
import { readableSchema, SCHEMA_VERSION } from "./schema-version.js";

/** The way from one version to the next. What it does not name stays as it is. */
interface SchemaStep {
  /** The meta part of a record: all fields and notes but the content. */
  readonly meta?: (meta: Plain) => Plain;
  /** Entries of the catalog, by map. */
  readonly entries?: Readonly<Record<string, (entry: Plain) => Plain>>;
}

/** The first leads from 1 to 2. */
const STEPS: readonly SchemaStep[] = [{ meta: adaptImportSource }];

/** Entries and parts of version 1 do not say so. */
const FIRST = 1;

/** @throws {CambiumError} SCHEMA_TOO_NEW, STORE_DAMAGED */
export const adaptedMeta = ({ v = FIRST, ...meta }: Plain): Plain =>
  stepsFrom(v).reduce((plain, step) => step.meta?.(plain) ?? plain, meta);

/** @throws {CambiumError} SCHEMA_TOO_NEW, STORE_DAMAGED */
export const adaptedEntry = (map: string, { v = FIRST, ...entry }: Plain): Plain =>
  stepsFrom(v).reduce((plain, step) => step.entries?.[map]?.(plain) ?? plain, entry);

const stepsFrom = (version: unknown): readonly SchemaStep[] => STEPS.slice(readableSchema(version) - FIRST);

/** Says under which version it is written. */
export const withSchema = <Value extends object>(value: Value): Value & { readonly v: number } => ({
  ...value,
  v: SCHEMA_VERSION,
});
