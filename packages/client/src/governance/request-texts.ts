/**
 * The words of requests and decisions: records of their own, which no branch lists, so that they can be
 * erased and the catalog holds ids only.
 *
 * @module
 */
import {
  type MemoryId,
  planCreate,
  type RecordLoader,
  type Reference,
  type WriteContext,
} from "@cambium/core";
import type { GuardedCall } from "../api.js";
import type { Packs } from "../documents/packs.js";
import { parseCall } from "./replay.js";

/** @param id - of the request: the record is one of a memory that has it */
export async function writeText(
  packs: Packs,
  id: MemoryId,
  { content, reason }: { readonly content: string; readonly reason?: string | undefined },
  context: WriteContext,
): Promise<Reference> {
  const { draft } = planCreate(id, { content, reason }, context, { type: "name" });
  const sealed = await packs.seal(draft);
  packs.put([sealed]);
  return { record: sealed.record.hash, pack: sealed.record.pack };
}

export interface RequestText {
  /** Undefined when it has not arrived, was erased, or is of a later version. */
  readonly call?: GuardedCall | undefined;
  readonly reason?: string | undefined;
}

export async function readText(
  load: RecordLoader,
  id: MemoryId,
  text: Reference | undefined,
): Promise<RequestText> {
  const reading = text && (await load(text, id));
  if (reading?.status !== "here") return {};
  const { fields, notes } = reading.record;
  return { call: parseCall(fields.content), reason: notes.reason };
}
