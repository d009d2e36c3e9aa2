/**
 * Node's HTTP, taken without its module: importing that reads all its exports, among them `fetch` and its like,
 * which are loaded only then and take longer than a whole call.
 *
 * @module
 */
import type * as NodeHttp from "node:http";

export const nodeHttp = (): typeof NodeHttp => process.getBuiltinModule("node:http");
