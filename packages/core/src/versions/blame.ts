/**
 * Blame: which version, and whose, last set each field of a memory and each phrase of its text.
 *
 * Plan: go through the records from the first to the last. A text takes over from those it was written after,
 * from all of them, whatever stayed; the rest is its own. What several tips say together takes over from each.
 *
 * @module
 */
import type { Encodable } from "../format/encoding.js";
import type { MemoryId, RecordHash } from "../format/ids.js";
import {
  type Author,
  type MemoryRecord,
  type RecordType,
  STATE_FIELDS,
  type StateField,
} from "../format/record.js";
import type { Version } from "../memory/memory.js";
import { type MemoryReading, versionsOf } from "../memory/read-memory.js";
import { exactWordChanges } from "./word-changes.js";

/** The version that set something. */
export interface SetBy {
  /** Names the version on every device. */
  readonly record: RecordHash;
  /** Its number. */
  readonly version: number;
  /** What its writer did, such as `create` or `correct`. */
  readonly type: RecordType;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who wrote it. */
  readonly by: Author;
}

/** A stretch of the text that one version wrote. */
export interface BlamedPhrase {
  /** As it is in the content. */
  readonly text: string;
  /** [start, end) in UTF-16 units. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The version that first has the phrase as it is now. */
  readonly setBy: SetBy;
}

/** A field, and who last set it. */
export interface BlamedField {
  /** Any field of the state, `content` included. */
  readonly field: StateField;
  /** As it is now; null if it was emptied. */
  readonly value: Encodable;
  /** Several where sides that did not know of each other set it, to the same value or not. */
  readonly setBy: readonly SetBy[];
}

/** Who last set each part of a memory. */
export interface Blame {
  /** The memory. */
  readonly id: MemoryId;
  /** Put together they are the content. */
  readonly content: readonly BlamedPhrase[];
  /** Fields with a value, and those from which a later version took it. */
  readonly fields: readonly BlamedField[];
}

/** Returns which version last set each field, and each phrase of the content. */
export function blameOf(reading: MemoryReading): Blame {
  const versions = versionsOf(reading);
  const setBy = new Map(versions.map((version) => [version.record, setByOf(version)]));
  const known = (record: RecordHash): readonly SetBy[] =>
    [setBy.get(record)].filter((by) => by !== undefined);
  const { resolved } = reading;
  return {
    id: reading.id,
    content: phrasesOf(contentRuns(reading, versions)).flatMap(({ record, ...phrase }) =>
      known(record).map((by) => ({ ...phrase, setBy: by })),
    ),
    fields: STATE_FIELDS.flatMap((field): readonly BlamedField[] => {
      const setters = resolved.decidedBy[field].flatMap(known);
      const value = (resolved.fields[field] ?? null) as Encodable;
      return isDescribed(value) || setters.some(({ version }) => version > 1)
        ? [{ field, value, setBy: setters }]
        : [];
    }),
  };
}

const setByOf = ({ record, version, type, at, by }: Version): SetBy => ({ record, version, type, at, by });

const isDescribed = (value: Encodable): boolean =>
  value !== null && value !== false && !(Array.isArray(value) && value.length === 0);

/** A text, and for each of its UTF-16 units the number of the version that wrote it. */
interface OwnedText {
  readonly text: string;
  readonly owners: Int32Array;
}

interface OwnedRuns extends OwnedText {
  readonly records: readonly RecordHash[];
}

/** Versions are numbered in their order, so that of two owners the lesser wrote first. */
function contentRuns(
  { records, resolved, shownTips }: MemoryReading,
  versions: readonly Version[],
): OwnedRuns {
  const order = versions.map(({ record }) => record);
  const numberByRecord = new Map(order.map((record, index) => [record, index]));
  const numberOf = (record: RecordHash): number => numberByRecord.get(record) ?? 0;
  const owned = new Map<RecordHash, OwnedText>();
  const lastUse = lastUses(order, records, shownTips);
  for (const [index, record] of order.entries()) {
    const { fields, parents } = records.get(record) as MemoryRecord;
    owned.set(record, takeOver(fields.content, texts(owned, parents), index));
    for (const used of lastUse.get(record) ?? []) owned.delete(used); // long histories would fill the memory
  }
  const tips = texts(owned, shownTips);
  const whole = takeOver(resolved.fields.content, tips, numberOf(resolved.shown));
  return { ...whole, records: order };
}

const texts = (
  owned: ReadonlyMap<RecordHash, OwnedText>,
  records: readonly RecordHash[],
): readonly OwnedText[] => records.flatMap((record) => owned.get(record) ?? []);

/** For each record those whose texts nobody asks about after it. */
function lastUses(
  order: readonly RecordHash[],
  records: ReadonlyMap<RecordHash, MemoryRecord>,
  kept: readonly RecordHash[],
): ReadonlyMap<RecordHash, readonly RecordHash[]> {
  const seen = new Set(kept);
  const result = new Map<RecordHash, readonly RecordHash[]>();
  for (const record of order.toReversed()) {
    const last = (records.get(record)?.parents ?? []).filter((parent) => !seen.has(parent));
    for (const parent of last) seen.add(parent);
    result.set(record, last);
  }
  return result;
}

const NOBODY = -1;

function takeOver(text: string, sources: readonly OwnedText[], own: number): OwnedText {
  const same = sources.find((source) => source.text === text);
  if (same !== undefined && sources.length === 1) return same;
  const owners = new Int32Array(text.length).fill(NOBODY);
  for (const source of sources) copyOwners(source, text, owners);
  for (const [index, owner] of owners.entries()) if (owner === NOBODY) owners[index] = own;
  giveSpaces(text, owners);
  return { text, owners };
}

/** What two sources both have was written by the earlier owner. */
function copyOwners(source: OwnedText, text: string, owners: Int32Array): void {
  let [from, to] = [0, 0];
  for (const { op, text: stretch } of exactWordChanges(source.text, text)) {
    if (op === "same") {
      for (let offset = 0; offset < stretch.length; offset += 1) {
        const owner = source.owners[from + offset] as number;
        const known = owners[to + offset] as number;
        if (known === NOBODY || owner < known) owners[to + offset] = owner;
      }
    }
    if (op !== "added") from += stretch.length;
    if (op !== "removed") to += stretch.length;
  }
}

/** Space belongs to the word before it, so that it makes no phrases of its own. */
function giveSpaces(text: string, owners: Int32Array): void {
  for (const { index, 0: space } of text.matchAll(/\s+/gu)) {
    const owner = owners[index === 0 ? space.length : index - 1];
    if (owner !== undefined) owners.fill(owner, index, index + space.length);
  }
}

function phrasesOf({ text, owners, records }: OwnedRuns) {
  const phrases: { text: string; start: number; end: number; record: RecordHash }[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    while (end < text.length && owners[end] === owners[start]) end += 1;
    const record = records[owners[start] as number] as RecordHash;
    phrases.push({ text: text.slice(start, end), start, end, record });
  }
  return phrases;
}
