/**
 * Document rows as text, with a checksum of their own. A damaged row is worth less than none: it could call
 * something receipted that is not. Without a row, the replica reads the heads again and asks the relay.
 *
 * @module
 */
import { hash } from "../platform/newer-node.js";
import { isAbsentOr, isNumber, isText, isTextList, readShape } from "../platform/plain-shape.js";
import type { DocumentRow } from "./store.js";

export interface RowText {
  readonly text: string;
  readonly sha256: string;
}

export function rowToText({ documentId, localHeads, receiptedHeads, receiptedAt }: DocumentRow): RowText {
  const text = JSON.stringify({ documentId, localHeads, receiptedHeads, receiptedAt });
  return { text, sha256: hash("sha256", text, "hex") };
}

/** Returns undefined for a row that is not as it was written. */
export function textToRow({ text, sha256 }: RowText): DocumentRow | undefined {
  if (hash("sha256", text, "hex") !== sha256) return undefined;
  const row = readShape<ReadRow>(JSON.parse(text), {
    documentId: isText,
    localHeads: isTextList,
    receiptedHeads: isTextList,
    receiptedAt: isAbsentOr(isNumber),
  });
  return row && withPosition(row);
}

type ReadRow = Omit<DocumentRow, "receiptedAt"> & Partial<Pick<DocumentRow, "receiptedAt">>;

/** Earlier versions kept no position with what a relay had said: it counts until a relay is heard again. */
export function withPosition(row: ReadRow): DocumentRow {
  const unknown = row.receiptedHeads.length === 0 ? undefined : Number.MAX_SAFE_INTEGER;
  return { ...row, receiptedAt: row.receiptedAt ?? unknown };
}
