/**
 * What a preview hands out, and what is applied only if it still holds: the heads of the branches it looked at.
 *
 * @module
 */
import { badToken, fromToken, tokenOf } from "./pages.js";

export const expectationOf = (...heads: readonly (readonly string[])[]): string => tokenOf(heads);

/** @throws {CambiumError} BAD_INPUT when no preview of this kind gave it */
export function headsExpected(token: string, branches: number): readonly (readonly string[])[] {
  const heads = fromToken(token, "expect");
  const isHeads = (one: unknown): boolean =>
    Array.isArray(one) && one.every((head) => typeof head === "string");
  if (!Array.isArray(heads) || heads.length !== branches || !heads.every(isHeads)) throw badToken("expect");
  return heads as readonly (readonly string[])[];
}
