/**
 * What a form says, as a number that is kept beside it: bytes that changed while the index was open are noticed when
 * the form is read, and get into no answer and no record.
 *
 * @module
 */
import { crc32 } from "../platform/newer-node.js";

/** With a sign, they take four bytes of a row. */
export const textSum = (content: string): number => crc32(content) | 0;

/** Everything else that is shown of a form. */
interface SummedMetadata {
  readonly memory: string;
  /** Empty where several records merged. */
  readonly record: string;
  /** As its table holds it. */
  readonly author: string;
  readonly type: string;
  readonly at: number;
  /** As the row of its holder has it. */
  readonly metadata: string;
}

export const metadataSum = ({ memory, record, author, type, at, metadata }: SummedMetadata): number =>
  crc32(`${memory} ${record} ${type} ${at} ${author} ${metadata}`) | 0;
