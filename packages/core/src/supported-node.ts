/**
 * Importing this module refuses a Node that is too old. Every entry point imports it first, so that nothing that an
 * older Node lacks is asked for before. Does nothing where there is no Node, as in a browser.
 *
 * @module
 */
import { refuseOldNode } from "./node-version.js";

const version: unknown = Reflect.get(globalThis, "process")?.versions?.node;
if (typeof version === "string") refuseOldNode(version);
