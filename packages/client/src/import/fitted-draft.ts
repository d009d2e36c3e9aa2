/**
 * What of a draft a memory can hold. Sources know no limits: a note may link to two thousand others, and one address
 * may be longer than any link. Neither costs the note, nor what stands beside it in the source.
 *
 * @module
 */
import { isCambiumError, MAX_SET_SIZE, MAX_SHORT_TEXT, parseFields } from "@cambium/core";
import { draftFields, type ImportDraft, type SkippedPart } from "./import-draft.js";

export interface FittedDraft {
  readonly sourceKey: string;
  readonly fields: Record<string, unknown>;
  readonly where: string;
}

/**
 * Returns drafts as they can be written, and what had to be left out.
 *
 * @param idOf - the memory that a link leads to, or its address
 */
export function fittedDrafts(
  drafts: readonly ImportDraft[],
  idOf: (sourceKeyOrUrl: string) => string,
): { readonly fitted: readonly FittedDraft[]; readonly skipped: readonly SkippedPart[] } {
  const skipped: SkippedPart[] = [];
  const fitted = drafts.flatMap((draft): readonly FittedDraft[] => {
    const where = whereOf(draft);
    const fields = withoutTooLong(draftFields(draft, idOf), (reason) => skipped.push({ where, reason }));
    try {
      parseFields(fields);
      return [{ sourceKey: draft.sourceKey, fields, where }];
    } catch (error) {
      if (!isCambiumError(error, "BAD_INPUT")) throw error;
      skipped.push({ where, reason: error.message });
      return [];
    }
  });
  return { fitted, skipped };
}

/** Of these, each item is one label, or a link. */
const SETS = ["tags", "aliases", "links"] as const;
const LABELS = ["kind", "area", "category"] as const;

function withoutTooLong(
  fields: Record<string, unknown>,
  leave: (reason: string) => void,
): Record<string, unknown> {
  const fitting = { ...fields };
  for (const name of LABELS) {
    if (isShort(fields[name])) continue;
    delete fitting[name];
    leave(`Its ${name} has more than ${MAX_SHORT_TEXT} characters and was left out.`);
  }
  for (const name of SETS) {
    const all = fields[name];
    if (!Array.isArray(all)) continue;
    const short = all.filter((item: unknown) => Object.values(partsOf(item)).every(isShort));
    fitting[name] = short.slice(0, MAX_SET_SIZE);
    const long = all.length - short.length;
    if (long > 0)
      leave(`${long} of its ${name} have more than ${MAX_SHORT_TEXT} characters and were left out.`);
    if (short.length > MAX_SET_SIZE)
      leave(
        `It has ${short.length} ${name}; the first ${MAX_SET_SIZE} were taken, the most one memory can hold.`,
      );
  }
  return fitting;
}

const partsOf = (item: unknown): object => (typeof item === "object" && item !== null ? item : { item });

const isShort = (value: unknown): boolean =>
  typeof value !== "string" || value.trim().length <= MAX_SHORT_TEXT;

const MOST_SHOWN = 80;

/** Where in the source it stands, as far as that is known. */
function whereOf({ source }: ImportDraft): string {
  const { file, name, title, conversation, heading, key, turn } = source as Readonly<Record<string, unknown>>;
  const within = heading ?? key ?? (typeof turn === "number" ? `message ${turn + 1}` : undefined);
  const parts = [file ?? name ?? title ?? conversation, within];
  return parts
    .flatMap((part) => (part === undefined || part === "" ? [] : [String(part).slice(0, MOST_SHOWN)]))
    .join(", ");
}
