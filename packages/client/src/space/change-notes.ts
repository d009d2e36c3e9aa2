/**
 * Who made a change that wrote no record, and why: a record that the change names and no branch lists. The relay reads
 * what a change says, so no name stands there itself.
 *
 * @module
 */
import {
  type BranchId,
  bytesFromBase64Url,
  bytesToBase64Url,
  changeNoteId,
  decodeReferences,
  encodeReferences,
  type LogEntry,
  planCreate,
  type RecordLoader,
  type Reference,
  type WriteContext,
} from "@cambium/core";
import type { Packs } from "../documents/packs.js";
import type { NotedEntry } from "../index-store/log-queries.js";

/** @returns what the change says of it; durable with the change */
export async function writeNote(
  packs: Packs,
  source: BranchId,
  reason: string | undefined,
  context: WriteContext,
): Promise<string> {
  const { draft } = planCreate(changeNoteId(source), { content: "merge", reason }, context, { type: "name" });
  const sealed = await packs.seal(draft);
  packs.put([sealed]);
  return bytesToBase64Url(encodeReferences([{ record: sealed.record.hash, pack: sealed.record.pack }]));
}

/** With what the notes of entries say, as far as they have arrived. */
export async function withNotes(
  entries: readonly NotedEntry[],
  load: RecordLoader,
): Promise<readonly LogEntry[]> {
  const signed: LogEntry[] = [];
  for (const { note, ...entry } of entries) {
    const reference = note === undefined ? undefined : referenceOf(note);
    const reading = reference && entry.from && (await load(reference, changeNoteId(entry.from)));
    const record = reading && reading.status === "here" ? reading.record : undefined;
    // A note says only what its own device did.
    if (record === undefined || record.author.replica !== entry.by.replica) signed.push(entry);
    else {
      const { reason } = record.notes;
      signed.push({ ...entry, by: record.author, ...(reason === undefined ? {} : { reason }) });
    }
  }
  return signed;
}

/** Undefined for what another version means by it. */
function referenceOf(note: string): Reference | undefined {
  try {
    return decodeReferences(bytesFromBase64Url(note))?.[0];
  } catch {
    return undefined;
  }
}
