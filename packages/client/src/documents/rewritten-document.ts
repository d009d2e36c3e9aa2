/**
 * Making the document that takes the place of a pack's when something in it is erased.
 *
 * @module
 */
import {
  type ChangeHash,
  type ChangeKey,
  type DocumentId,
  type PackEntries,
  type PackId,
  rewrittenPack,
} from "@cambium/core";
import { ShortTurns } from "../platform/short-turns.js";
import * as A from "./automerge.js";
import { loadInPieces } from "./in-pieces.js";
import { makeSignedChange, withActor } from "./signed-change.js";

/** At the same time on every device, so that all make the same changes. */
const NO_TIME = 0;

export interface RewrittenDocument {
  readonly document: DocumentId;
  readonly bytes: Uint8Array;
  readonly heads: readonly string[];
}

/** @param changeKey - of a document that every device makes alike, the space's key for those */
export async function rewrittenDocument(
  pack: PackId,
  entries: PackEntries,
  changeKey: ChangeKey,
): Promise<RewrittenDocument> {
  const { document, actor, changes } = rewrittenPack(pack, entries);
  let doc = withActor(loadInPieces([A.genesis("pack")]), actor);
  let last: { readonly seq: number; readonly hash: ChangeHash | undefined } = { seq: 0, hash: undefined };
  const turns = new ShortTurns({ pieces: 1 });
  for (const writes of changes) {
    await turns.piece();
    const statement = { type: "pack", memories: 0 } as const;
    doc = makeSignedChange(doc, changeKey, { actor, last, statement, writes, time: NO_TIME });
    last = { seq: last.seq + 1, hash: A.getHeads(doc)[0] as ChangeHash };
  }
  await turns.piece();
  const [bytes, heads] = [A.save(doc), A.getHeads(doc)];
  A.free(doc);
  await turns.piece();
  return { document, bytes, heads };
}
