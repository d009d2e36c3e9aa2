/**
 * What the definitions build their requests of.
 *
 * @module
 */
export { CALLER_ROLES, OPERATION_NAMES, RISK_CLASSES } from "@cambium/core";
export * from "./asked.js";
export * from "./both.js";
export * from "./describe.js";
export * from "./parts.js";
export { z } from "./zod.js";
