/**
 * What memories say of others, without those that are concealed: links, what they were made from, and sources that are
 * versions. What is stored and merged has all of it: it is left out of what is shown, and of exports.
 *
 * @module
 */
import type { FieldInput } from "../format/fields.js";
import { isUuid, type MemoryId } from "../format/ids.js";
import type { Link } from "../format/state-fields.js";

/** Whether a memory is concealed. */
export type IsConcealed = (id: MemoryId) => boolean;

/** Returns the same value where nothing in it names a concealed memory so; otherwise a copy. What is concealed stays. */
export const withoutLinksTo = <Value>(isConcealed: IsConcealed, value: Value): Value =>
  shown(value, isConcealed) as Value;

function shown(value: unknown, isConcealed: IsConcealed): unknown {
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  if ("id" in value && isConcealed(value.id as MemoryId)) return value; // whoever is given it may see it
  return Array.isArray(value) ? shownList(value, isConcealed) : shownObject(value, isConcealed);
}

function shownObject(value: object, isConcealed: IsConcealed): object {
  let parts: PropertyDescriptorMap | undefined;
  for (const name in value) {
    const held = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof held !== "object" || held === null) continue;
    const next = shownPart(name, held, isConcealed);
    if (next === held) continue;
    parts ??= Object.getOwnPropertyDescriptors<object>(value);
    replacePart(parts, name, next);
  }
  return parts === undefined ? value : Object.defineProperties({}, parts);
}

/** A list may say something of itself beside its items. */
function shownList(list: readonly unknown[], isConcealed: IsConcealed): readonly unknown[] {
  const items = list.map((item) => shown(item, isConcealed));
  if (items.every((item, place) => item === list[place])) return list;
  const { length: _length, ...parts } = Object.getOwnPropertyDescriptors<object>(
    list,
  ) as PropertyDescriptorMap;
  for (const [place, item] of items.entries()) replacePart(parts, String(place), item);
  return Object.defineProperties([], parts);
}

/** What was taken from may be frozen. */
function replacePart(parts: PropertyDescriptorMap, name: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(parts, name);
  else parts[name] = { value, writable: true, enumerable: true, configurable: true };
}

function shownPart(name: string, held: object, isConcealed: IsConcealed): unknown {
  if (!Array.isArray(held)) return isVersionOf(held, isConcealed) ? undefined : shown(held, isConcealed);
  if (name === "derivedFrom") return madeFrom(held, isConcealed);
  return shown(
    withoutItems(held, (item) => isLinkTo(item, isConcealed)),
    isConcealed,
  );
}

/** Undefined where none is left, as if there had never been one. */
function madeFrom(ids: readonly MemoryId[], isConcealed: IsConcealed): readonly MemoryId[] | undefined {
  const left = withoutItems(ids, isConcealed);
  return left.length === 0 && ids.length > 0 ? undefined : left;
}

function isLinkTo(item: unknown, isConcealed: IsConcealed): boolean {
  const { rel, to } = (item ?? {}) as { readonly rel?: unknown; readonly to?: unknown };
  return typeof rel === "string" && typeof to === "string" && names(to, isConcealed);
}

function isVersionOf(source: unknown, isConcealed: IsConcealed): boolean {
  const { kind, memory } = (source ?? {}) as { readonly kind?: unknown; readonly memory?: unknown };
  return kind === "version" && typeof memory === "string" && names(memory, isConcealed);
}

function names(text: string, isConcealed: IsConcealed): boolean {
  const id = text.toLowerCase();
  return isUuid(id) && isConcealed(id as MemoryId);
}

const withoutItems = <Item>(items: readonly Item[], goes: (item: Item) => boolean): readonly Item[] =>
  items.some(goes) ? items.filter((item) => !goes(item)) : items;

/** Whoever sets links has not seen those to concealed memories: they stay, as everything about those does. */
export function keepingLinks(
  isConcealed: IsConcealed,
  input: FieldInput,
  known: readonly { readonly links: readonly Link[] }[],
): FieldInput {
  const links: unknown = input.links === null ? [] : input.links;
  if (!Array.isArray(links)) return input;
  const kept = known.flatMap((fields) => fields.links.filter((link) => isLinkTo(link, isConcealed)));
  return kept.length === 0 ? input : { ...input, links: [...links, ...kept] };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
