/**
 * Memories with all of their versions as JSON lines: the form in which nothing is lost but signatures. `import` reads
 * it back (`import/history-lines.ts`); docs/export.md describes it to others.
 *
 * @module
 */
import {
  type Author,
  MEMORY_FIELDS,
  type MemoryId,
  NOTE_NAMES,
  STATE_FIELDS,
  type StateField,
  type Version,
} from "@cambium/core";

/** Says what the lines are. Grows when a reader of the version before would misunderstand them. */
export const HISTORY_FORMAT = "cambium-history";
export const HISTORY_VERSION = 1;

/** Of which state the lines tell. */
export interface HistoryOrigin {
  readonly space: string;
  readonly branch: string;
  readonly heads: readonly string[];
  /** Milliseconds since 1970. */
  readonly exportedAt: number;
  readonly memories: number;
}

export function historyHeader({ exportedAt, ...origin }: HistoryOrigin): string {
  const kind = { type: "export", format: HISTORY_FORMAT, version: HISTORY_VERSION };
  return line({ ...kind, ...origin, exportedAt: isoTime(exportedAt) });
}

/** @param versions - parents before their children */
export const historyLine = (id: MemoryId, versions: readonly Version[]): string =>
  line({ type: "memory", id, versions: versions.map(writtenVersion) });

function writtenVersion(version: Version): Readonly<Record<string, unknown>> {
  const { record, parents, at, type, by, changed, erased } = version;
  return {
    ...{ record, parents, at: isoTime(at), type, by: writtenAuthor(by), changed, erased },
    ...writtenFields(version),
    ...Object.fromEntries(NOTE_NAMES.map((note) => [note, version[note]])),
  };
}

/** What the device is called is no part of a version. */
const writtenAuthor = ({ device: _device, ...author }: Author): Author => author;

/** All fields that say something: times as ISO 8601, empty sets and `deleted: false` left out. */
export function writtenFields(
  fields: Readonly<Partial<Record<StateField, unknown>>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    STATE_FIELDS.flatMap((field): [string, unknown][] => {
      const value = fields[field];
      if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return [];
      return [[field, MEMORY_FIELDS[field].type === "time" ? isoTime(value as number) : value]];
    }),
  );
}

const isoTime = (time: number): string => new Date(time).toISOString();

const line = (value: object): string => `${JSON.stringify(value)}\n`;
