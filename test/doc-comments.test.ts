/** The check that everything a package shows has a doc comment. */
import { expect, test } from "vitest";
import { undocumentedIn } from "../scripts/doc-comments.ts";

const undocumented = (source: string) => undocumentedIn(source, new Set(["Bird", "fly", "MEMORY_FIELDS"]));

test("[DO13] names and members without a doc comment are found", () => {
  expect(
    undocumented(`/** Of the file. @module */
export interface Bird { /** In metres. */ readonly span: number; readonly name: string; sing(): void }
/** Flies. */
export declare function fly(bird: { readonly speed: number }): void;
export declare function land(): void;`),
  ).toEqual(["Bird", "Bird.name", "Bird.sing"]);
  expect(
    undocumented(`/** A bird. */
export declare class Bird { #nest; private egg; readonly wings: 2; constructor(name: string); get age(): number }
// Not a doc comment.
export declare function fly(): void;`),
  ).toEqual(["Bird.age", "fly"]);
});

test("[DO13] types within types are looked into, unless they are small", () => {
  expect(
    undocumented(`/** A bird. */
export type Bird =
  | { readonly kind: "known"; readonly name: string; readonly latin: string; readonly seen: number }
  | { readonly kind: "unknown"; readonly seen: number };`),
  ).toEqual(["Bird.name", "Bird.latin", "Bird.seen"]);
  expect(
    undocumented(`/** A bird. */
export interface Bird {
  /** Where it lives. */
  readonly home: { readonly lat: number; readonly lon: number; readonly height: number; readonly tree: string };
  /** Its young. */
  readonly young: readonly { readonly name: string; readonly age: number }[];
}`),
  ).toEqual(["Bird.home.lat", "Bird.home.lon", "Bird.home.height", "Bird.home.tree"]);
});

test("[DO13] the tables that types are made of need a comment for each field", () => {
  expect(
    undocumented(`/** The fields. */
export declare const MEMORY_FIELDS: { /** The text. */ readonly content: { readonly type: "text" }; readonly tags: {} };`),
  ).toEqual(["MEMORY_FIELDS.tags"]);
});
