/**
 * What differs between two states, or would after a merge or rollback: one item for each memory, bounded.
 *
 * @module
 */
import type { ChangedMemory, Memory } from "@cambium/core";
import { fitting, type Shown } from "./pages.js";
import { one, shownValue } from "./shown-memory.js";

export interface ShownChange {
  readonly what: "created" | "changed" | "deleted" | "brought back";
  readonly id: string;
  /** As it is after; before, of what was deleted. */
  readonly content?: string;
  /** Each field that differs, before and after. */
  readonly fields?: Readonly<Record<string, readonly [before: string, after: string]>>;
}

export interface Changes {
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  readonly broughtBack?: readonly Memory[];
}

const CONTENT_BYTES = 400;
const LEAST_VALUE_BYTES = 40;
const ENTRY_BYTES = 200;
const LEAST_FIELD_BYTES = 150;

type Change = (room: number) => Shown<ShownChange>;

/** How many of each, without those there are none of. */
export function countsOf({ created, changed, deleted, broughtBack = [] }: Changes): Record<string, number> {
  return {
    created: created.length,
    changed: changed.length,
    deleted: deleted.length,
    ...(broughtBack.length === 0 ? {} : { broughtBack: broughtBack.length }),
  };
}

/** In the order of the counts; those from `skip` on that fit. */
export function shownChanges(
  { created, changed, deleted, broughtBack = [] }: Changes,
  {
    maxBytes,
    skip = 0,
    atLeast = 1,
  }: { readonly maxBytes: number; readonly skip?: number; readonly atLeast?: 0 | 1 },
): { readonly items: readonly Shown<ShownChange>[]; readonly left: number } {
  const all: readonly Change[] = [
    ...created.map((memory) => whole("created", memory)),
    ...changed.map(difference),
    ...deleted.map((memory) => whole("deleted", memory)),
    ...broughtBack.map((memory) => whole("brought back", memory)),
  ].slice(skip);
  const items = fitting(all, maxBytes, (show, room) => show(room), atLeast);
  return { items, left: all.length - items.length };
}

const SIGNS = { created: "+", changed: "~", deleted: "-", "brought back": "^" } as const;

const whole =
  (what: Exclude<ShownChange["what"], "changed">, memory: Memory): Change =>
  () => {
    const content = shownValue(memory.content, CONTENT_BYTES);
    return {
      data: { what, id: memory.id, content },
      text: `${SIGNS[what]} ${what === "deleted" ? "forgotten" : what} ${memory.id}: ${one(content)}`,
    };
  };

const difference =
  ({ id, before, after, fields }: ChangedMemory): Change =>
  (room) => {
    // Of very many fields the first; the whole memory is a recall by id away.
    const named = fields.slice(0, Math.max(1, Math.floor((room - ENTRY_BYTES) / LEAST_FIELD_BYTES)));
    const more = fields.length - named.length;
    const valueBytes = Math.floor((room - ENTRY_BYTES) / (2 * named.length)) - 30;
    const size = Math.max(LEAST_VALUE_BYTES, Math.min(CONTENT_BYTES, valueBytes));
    const values = named.map((field): [string, readonly [string, string]] => [
      field,
      [shownValue(before[field], size), shownValue(after[field], size)],
    ]);
    const summary = values.map(([field, [was, now]]) => `${field} was ${one(was)}, now ${one(now)}`);
    if (more > 0) summary.push(`and ${more} more fields`);
    return {
      data: { what: "changed", id, fields: Object.fromEntries(values) },
      text: `${SIGNS.changed} changed ${id}: ${summary.join("; ")}`,
    };
  };
