/**
 * The merge is part of the format: two replicas that read the same records must show the same memory.
 * Word splitting, text merging and every rule in this folder change only together with this number,
 * which each space keeps in its catalog.
 *
 * @module
 */
export const MERGE_VERSION = 1;
