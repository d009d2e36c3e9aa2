/**
 * What became of the fields beside the text, in short phrases: "category work → home", "tag draft dropped".
 *
 * @module
 */
import { isUuid } from "../format/ids.js";
import {
  type FieldOf,
  type GitPin,
  type Link,
  MEMORY_FIELDS,
  type MemoryFields,
  type SetField,
  type StateField,
} from "../format/state-fields.js";
import type { Phrase } from "./content-phrases.js";
import { shorten } from "./plain-words.js";

const VALUE_LENGTH = 32;
const SHORT_ID = 13;
const SHORT_COMMIT = 10;

/** How much a phrase says: where there is no room for all, the lightest go first. */
const WEIGHTS = { flag: 4, links: 2, value: 1.5, labels: 1 } as const;

/** @param field - any but the content */
export function fieldPhrases(
  field: StateField,
  before: MemoryFields,
  after: MemoryFields,
): readonly Phrase[] {
  const { type } = MEMORY_FIELDS[field];
  switch (type) {
    case "text":
      return [];
    case "flag":
      return [{ text: after[field as FieldOf<"flag">] ? "forgotten" : "brought back", weight: WEIGHTS.flag }];
    case "labels":
    case "links":
      return listPhrases(field as SetField, before, after, WEIGHTS[type]);
    default:
      return [{ text: valuePhrase(field, before[field], after[field]), weight: WEIGHTS.value }];
  }
}

function valuePhrase(field: StateField, before: unknown, after: unknown): string {
  const { label } = MEMORY_FIELDS[field];
  if (after === undefined) return `${label} dropped`;
  if (before === undefined) return `${label} ${valueText(field, after)}`;
  return `${label} ${valueText(field, before)} → ${valueText(field, after)}`;
}

function valueText(field: StateField, value: unknown): string {
  const { type } = MEMORY_FIELDS[field];
  if (type === "git") return (value as GitPin).commit.slice(0, SHORT_COMMIT);
  return type === "time" ? timeText(Number(value)) : shorten(String(value), VALUE_LENGTH);
}

/** In UTC, so that every device says the same; without the time of day where it says nothing. */
function timeText(at: number): string {
  const [date = "", time = ""] = new Date(at).toISOString().split("T");
  return time.startsWith("00:00:00.000") ? date : `${date} ${time.slice(0, 5)}`;
}

function listPhrases(
  field: SetField,
  before: MemoryFields,
  after: MemoryFields,
  weight: number,
): readonly Phrase[] {
  const [had, has] = [itemsOf(before[field]), itemsOf(after[field])];
  const phrase = (items: readonly string[], verb: string): readonly Phrase[] => {
    const noun = items.length === 1 ? MEMORY_FIELDS[field].label : field;
    const text = `${noun} ${shorten(items.join(", "), 2 * VALUE_LENGTH)} ${verb}`;
    return items.length === 0 ? [] : [{ text, weight }];
  };
  return [...phrase(without(has, had), "added"), ...phrase(without(had, has), "dropped")];
}

function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return items.filter((item) => !known.has(item));
}

const itemsOf = (items: readonly (string | Link)[]): readonly string[] =>
  items.map((item) => (typeof item === "string" ? item : `${item.rel} ${shortTarget(item.to)}`));

const shortTarget = (to: string): string => (isUuid(to) ? to.slice(0, SHORT_ID) : shorten(to, VALUE_LENGTH));
