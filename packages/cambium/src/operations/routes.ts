/**
 * Where each operation stands: method, path and kind.
 *
 * @module
 */
import type { Route } from "./definition.js";
import { DEFINITIONS, type OperationName } from "./definitions/table.js";

export { ONLY_SPACE, type Route } from "./definition.js";
export type { OperationName } from "./definitions/table.js";

export const ROUTES: Readonly<Record<OperationName, Route>> = DEFINITIONS;
