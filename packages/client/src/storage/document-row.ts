/**
 * Document rows as text, with a checksum of their own. A damaged row is worth less than none: it could call
 * something receipted that is not. Without a row, the replica reads the heads again and asks the relay.
 *
 * @module
 */
import { hash } from "../platform/newer-node.js";
import { isAbsentOr, isText, isTextList, readShape } from "../platform/plain-shape.js";
import type { DocumentRow } from "./store.js";

export interface RowText {
  readonly text: string;
  readonly sha256: string;
}

export function rowToText({ documentId, localHeads, receiptedHeads, generation }: DocumentRow): RowText {
  const text = JSON.stringify({ documentId, localHeads, receiptedHeads, generation });
  return { text, sha256: hash("sha256", text, "hex") };
}

/** Returns undefined for a row that is not as it was written. */
export function textToRow({ text, sha256 }: RowText): DocumentRow | undefined {
  if (hash("sha256", text, "hex") !== sha256) return undefined;
  const row = readShape<Omit<DocumentRow, "generation"> & { readonly generation?: string | undefined }>(
    JSON.parse(text),
    {
      documentId: isText,
      localHeads: isTextList,
      receiptedHeads: isTextList,
      generation: isAbsentOr(isText),
    },
  );
  return row && { ...row, generation: row.generation };
}
