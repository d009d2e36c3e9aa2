/**
 * All planted faults.
 *
 * @module
 */
import type { Fault } from "./fault.ts";
import { INDEXING_FAULTS } from "./faults/indexing.ts";
import { MERGING_FAULTS } from "./faults/merging.ts";
import { SYNCING_FAULTS } from "./faults/syncing.ts";
import { WRITING_FAULTS } from "./faults/writing.ts";

export const FAULTS: readonly Fault[] = [
  ...WRITING_FAULTS,
  ...MERGING_FAULTS,
  ...INDEXING_FAULTS,
  ...SYNCING_FAULTS,
];
