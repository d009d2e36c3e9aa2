/**
 * What became of the fields beside the text, in short phrases: "category work → home", "tag draft dropped".
 *
 * @module
 */
import { isUuid } from "../format/ids.js";
import type { GitPin, Link, MemoryFields, StateField } from "../format/record.js";
import type { Phrase } from "./content-phrases.js";
import { shorten } from "./plain-words.js";

const VALUE_LENGTH = 32;
const SHORT_ID = 13;
const SHORT_COMMIT = 10;
const LABELS: Partial<Record<StateField, string>> = {
  occurredAt: "happened",
  validFrom: "valid from",
  validUntil: "valid until",
  git: "commit",
};

/** @param field - any but the content */
export function fieldPhrases(
  field: StateField,
  before: MemoryFields,
  after: MemoryFields,
): readonly Phrase[] {
  switch (field) {
    case "content":
      return [];
    case "deleted":
      return [{ text: after.deleted ? "forgotten" : "brought back", weight: 4 }];
    case "tags":
    case "pins":
    case "links":
      return listPhrases(field, itemsOf(before[field]), itemsOf(after[field]));
    default:
      return [{ text: valuePhrase(field, before[field], after[field]), weight: 1.5 }];
  }
}

type Single = Exclude<StateField, "content" | "deleted" | "tags" | "pins" | "links">;

function valuePhrase(field: Single, before: unknown, after: unknown): string {
  const label = LABELS[field] ?? field;
  if (after === undefined) return `${label} dropped`;
  if (before === undefined) return `${label} ${valueText(field, after)}`;
  return `${label} ${valueText(field, before)} → ${valueText(field, after)}`;
}

function valueText(field: Single, value: unknown): string {
  if (field === "git") return (value as GitPin).commit.slice(0, SHORT_COMMIT);
  const isTime = field === "occurredAt" || field === "validFrom" || field === "validUntil";
  return isTime ? timeText(Number(value)) : shorten(String(value), VALUE_LENGTH);
}

/** In UTC, so that every device says the same; without the time of day where it says nothing. */
function timeText(at: number): string {
  const [date = "", time = ""] = new Date(at).toISOString().split("T");
  return time.startsWith("00:00:00.000") ? date : `${date} ${time.slice(0, 5)}`;
}

const NOUNS = { tags: ["tag", "tags"], pins: ["pin", "pins"], links: ["link", "links"] } as const;

function listPhrases(
  field: keyof typeof NOUNS,
  before: readonly string[],
  after: readonly string[],
): readonly Phrase[] {
  const [had, has] = [new Set(before), new Set(after)];
  const phrase = (items: readonly string[], verb: string): readonly Phrase[] => {
    const noun = NOUNS[field][items.length === 1 ? 0 : 1];
    const text = `${noun} ${shorten(items.join(", "), 2 * VALUE_LENGTH)} ${verb}`;
    return items.length === 0 ? [] : [{ text, weight: field === "links" ? 2 : 1 }];
  };
  return [
    ...phrase(
      after.filter((item) => !had.has(item)),
      "added",
    ),
    ...phrase(
      before.filter((item) => !has.has(item)),
      "dropped",
    ),
  ];
}

const itemsOf = (items: readonly (string | Link)[]): readonly string[] =>
  items.map((item) => (typeof item === "string" ? item : `${item.rel} ${shortTarget(item.to)}`));

const shortTarget = (to: string): string => (isUuid(to) ? to.slice(0, SHORT_ID) : shorten(to, VALUE_LENGTH));
