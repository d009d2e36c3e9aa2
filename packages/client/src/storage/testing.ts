/**
 * Test twins of the stores, and the contract that every store keeps.
 *
 * @module
 */
import "@cambium/core/supported-node";

export { type FaultyMedium, withFaults } from "./faulty-medium.js";
export { guardMedium } from "./guard.js";
export type { Medium, MediumState, StoredChunk, WriteOperation } from "./medium.js";
export { MemoryDisk, openMemoryMedium, openMemoryStore } from "./memory-store.js";
export { storeContract } from "./store-contract.js";
export type { ContractRule, StoreHarness } from "./store-contract-places.js";
