/**
 * The difference of two versions as RFC 6902 JSON Patch. It speaks of the fields of state alone, which
 * stand at the root of a memory and of a version: `/content`, `/tags/0`, `/category`.
 *
 * @module
 */
import { type MemoryFields, STATE_FIELDS } from "../format/record.js";

/** One operation of a patch. Paths are JSON Pointers. */
export type PatchOperation =
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "add"; readonly path: string; readonly value: unknown }
  | { readonly op: "replace"; readonly path: string; readonly value: unknown };

/** A patch of RFC 6902, as plain data. */
export type JsonPatch = readonly PatchOperation[];

/**
 * Returns what has to be done to `from` so that its fields become those of `to`. It may be applied to the
 * bare fields, or to a version or memory that has them: what else stands there is not touched.
 */
export async function patchBetween(from: MemoryFields, to: MemoryFields): Promise<JsonPatch> {
  const { createPatch } = await import("rfc6902"); // few programs ask, and every start would load it
  return createPatch(documentOf(from), documentOf(to), (input, output, pointer) =>
    Array.isArray(input) && Array.isArray(output) ? patchList(input, output, pointer.toString()) : undefined,
  ) as JsonPatch;
}

/** Only what has a value, as JSON has it. */
function documentOf(fields: MemoryFields): Record<string, unknown> {
  const present = STATE_FIELDS.filter((field) => fields[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, fields[field]]));
}

/**
 * Lists here are sorted sets of up to a thousand items; the library compares each with each, and for those
 * takes seconds. Removing from the end and adding from the beginning keeps every index right.
 */
function patchList(input: readonly unknown[], output: readonly unknown[], path: string): PatchOperation[] {
  const keys = { input: input.map(keyOf), output: output.map(keyOf) };
  const [had, has] = [new Set(keys.input), new Set(keys.output)];
  const kept = keys.input.filter((key) => has.has(key));
  const stays = keys.output.filter((key) => had.has(key));
  const isInOrder = kept.length === stays.length && kept.every((key, index) => key === stays[index]);
  if (!isInOrder) return [{ op: "replace", path, value: output }];
  const removed = keys.input.flatMap((key, index) => (has.has(key) ? [] : [index])).reverse();
  const added = keys.output.flatMap((key, index) => (had.has(key) ? [] : [index]));
  return [
    ...removed.map((index): PatchOperation => ({ op: "remove", path: `${path}/${index}` })),
    ...added.map((index): PatchOperation => ({ op: "add", path: `${path}/${index}`, value: output[index] })),
  ];
}

const keyOf = (item: unknown): string => JSON.stringify(item);
