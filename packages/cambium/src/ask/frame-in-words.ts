/**
 * Where a memory is kept and as what, in words.
 *
 * @module
 */
import { oneLine } from "@cambium/core/text";
import type { NamedFields, ParsedBranch } from "./intent.js";
import { dayText } from "./period-used.js";

interface InWords {
  readonly branch?: ParsedBranch;
  readonly fields: NamedFields;
}

/** @returns such as "branch kitchen, category money, tags garden and spring"; empty where nothing is said */
export const frameInWords = ({ branch, fields }: InWords): string =>
  [...(branch === undefined ? [] : [`branch ${oneLine(branch.said)}`]), ...fieldsInWords(fields)].join(", ");

/** One part for each field. */
export function fieldsInWords(fields: NamedFields): readonly string[] {
  const { tags = [], importance } = fields;
  const texts = ["category", "kind", "area"] as const;
  return [
    ...texts.flatMap((name) => (fields[name] === undefined ? [] : [`${name} ${oneLine(fields[name])}`])),
    ...(tags.length === 0
      ? []
      : [`${tags.length === 1 ? "tag" : "tags"} ${tags.map((tag) => oneLine(tag)).join(" and ")}`]),
    ...(importance === undefined ? [] : [`importance ${importance}`]),
    ...TIMES.flatMap(([name, words]) => {
      const at = fields[name];
      return at === undefined ? [] : [`${words} ${dayText(Date.parse(at), isWholeDay(Date.parse(at)))}`];
    }),
  ];
}

const TIMES = [
  ["occurredAt", "happened"],
  ["validFrom", "valid from"],
  ["validUntil", "valid until"],
] as const;

/** Its beginning or its end. */
function isWholeDay(at: number): boolean {
  const date = new Date(at);
  return [0, 23 * 60 + 59].includes(date.getHours() * 60 + date.getMinutes());
}
