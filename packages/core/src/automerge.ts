/**
 * The second entry point of `@cambium/core`: what makes and reads Automerge documents, and therefore loads
 * Automerge, 40 ms that a process which only reads never spends.
 *
 * @module
 */
import "./supported-node.js";

export { genesis, mapIds, mapPaths, newDocument } from "./format/genesis.js";
export { readChange } from "./history/change.js";
