/**
 * What a memory's source says about the memories it stands next to: the turns before and after it, the
 * other mails of its thread, the sections around it in a file.
 *
 * @module
 */
import type { Source } from "@cambium/core";

/** A place in a conversation, a thread or a file. */
export interface PlaceInSource {
  /** The whole it is a part of: a conversation, a thread, a file. Without one it has no neighbours. */
  readonly group: string;
  /** The part of the group it belongs to; neighbours are of one session. Empty where there are none. */
  readonly session: string;
  /** Order within the session; equal places are ordered by memory id. */
  readonly place: number;
}

/** What names the whole, in sources of any kind; the first that is there counts. */
const GROUP_KEYS = ["conversation", "thread", "file", "path", "url", "document", "issue", "channel", "run"];
const PLACE_KEYS = ["turn", "message", "step", "index", "position", "section", "page", "line", "offset"];
const SPEAKER_KEYS = ["speaker", "from", "sender", "author"];
/** Of these kinds, sources without a name of the whole are parts of one. */
const UNNAMED_WHOLES: ReadonlySet<string> = new Set(["conversation"]);
const LAST_NUMBER = /(\d+)\D*$/;

/** What is known about where a memory comes from. */
export interface PlacedMemory {
  /** As it was given with the memory. Without one, there is no place. */
  readonly source: Source | undefined;
  /** Of the record's author; stands in where the source does not name its conversation. */
  readonly conversation?: string | undefined;
  /** Milliseconds since 1970, like `at`. */
  readonly occurredAt?: number | undefined;
  /** When it was written. The place of last resort, after the source's own number and `occurredAt`. */
  readonly at: number;
}

/** Returns where a memory stands among others of the same source, or undefined if its source does not say. */
export function placeInSource({
  source,
  conversation,
  occurredAt,
  at,
}: PlacedMemory): PlaceInSource | undefined {
  if (source === undefined) return undefined;
  const key = GROUP_KEYS.find((candidate) => source[candidate] !== undefined);
  const unnamed = UNNAMED_WHOLES.has(source.kind) ? (conversation ?? "") : undefined;
  const name = key === undefined ? unnamed : String(source[key]);
  if (name === undefined) return undefined;
  return {
    group: JSON.stringify([source.kind, name]),
    session: String(source.session ?? ""),
    place: placeOf(source) ?? occurredAt ?? at,
  };
}

/** Who said or wrote it, where the source tells. */
export function speakerOf(source: Source | undefined): string | undefined {
  const key = SPEAKER_KEYS.find((candidate) => typeof source?.[candidate] === "string");
  return key === undefined ? undefined : String(source?.[key]);
}

/** Turns are numbered, or named so that their number stands last, as in "D3:12". */
function placeOf(source: Source): number | undefined {
  const value = PLACE_KEYS.map((key) => source[key]).find((candidate) => candidate !== undefined);
  if (typeof value !== "string") return value;
  const number = LAST_NUMBER.exec(value)?.[1];
  return number === undefined ? undefined : Number(number);
}
