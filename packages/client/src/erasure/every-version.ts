/**
 * Every version of every memory that the index knows, with what people and agents wrote in it.
 *
 * @module
 */
import type { RecordHash } from "@cambium/core";
import type { ErasureServices } from "./services.js";

/** So many are read from the index at once. */
const READ_AT_ONCE = 512;

/** Newest first, with each text that they hold by the name of its field. */
export function* everyVersion(
  { tables }: ErasureServices["index"],
  rebuilt: ReadonlyMap<RecordHash, string>,
) {
  const rows = tables.index
    .prepare("SELECT id, lower(hex(hash)) FROM forms WHERE hash IS NOT NULL ORDER BY id DESC")
    .all() as unknown as [number, RecordHash][];
  for (let start = 0; start < rows.length; start += READ_AT_ONCE) {
    const some = rows.slice(start, start + READ_AT_ONCE);
    const ids = some.map(([id]) => id);
    const [metadata, contents] = [tables.snapshots.metadataOf(ids), tables.snapshots.contents(ids)];
    for (const [place, [, record]] of some.entries()) {
      const { id, derivedFrom = [], type, ...other } = metadata[place] as (typeof metadata)[number];
      if (type === "name") continue;
      const content = rebuilt.get(record) ?? (contents[place] as string);
      yield { id, record, content, derivedFrom, fields: textsIn({ ...other, content }) };
    }
  }
}

/** Fields in which people and agents write; a source and a link may quote as well. */
const TEXT_FIELDS = [
  ...["content", "summary", "reason", "category", "area", "tags", "aliases", "links", "pins", "source"],
];

function textsIn(fields: object): readonly (readonly [field: string, text: string])[] {
  const values = fields as Readonly<Record<string, unknown>>;
  return TEXT_FIELDS.flatMap((field) => {
    const text = textOf(values[field]);
    return text === "" ? [] : [[field, text] as const];
  });
}

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "object" && value !== null
      ? Object.values(value).map(textOf).filter(Boolean).join("\n")
      : "";
