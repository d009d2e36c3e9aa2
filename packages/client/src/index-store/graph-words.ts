/**
 * How the names and texts of a knowledge graph stand in memories. A graph takes any text; a memory takes none that
 * is blank or cut in the middle of a character, so that such texts stand there in quotes, as JSON has them.
 *
 * @module
 */
import { GRAPH_FORMAT, type Source } from "@cambium/core";

/** What a memory says of whom, and how it is found by that name. */
export type GraphRole = "entity" | "observation" | "from" | "to";

export interface GraphEnd {
  readonly role: GraphRole;
  /** As `wordOf` gives it. */
  readonly name: string;
}

/** Different texts give different words, and every word is text that a memory can hold. */
export const wordOf = (text: string): string => (isQuoted(text) ? JSON.stringify(text) : sayable(text));

/** The same, less strict: a text that stands in quotes already is left as it is. */
export const sayable = (text: string): string =>
  text.trim() !== "" && text.isWellFormed() && !text.includes("\0") ? text : JSON.stringify(text);

export function textOfWord(word: string): string {
  return isQuoted(word) ? (JSON.parse(word) as string) : word;
}

/** As the subject, the type and the object of a sentence stand in its source: exactly, whatever its text became. */
export const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** @returns undefined when it is no list of texts */
export function partsOfKey(key: unknown): readonly string[] | undefined {
  if (typeof key !== "string" || !key.startsWith("[")) return undefined;
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : undefined;
  } catch {
    return undefined; // written by something else that calls itself this format
  }
}

/** The three parts of a relation; undefined when the key belongs to something else. */
export function relationOfKey(key: unknown): readonly [from: string, type: string, to: string] | undefined {
  const [from, type, to, ...more] = partsOfKey(key) ?? [];
  return from === undefined || type === undefined || to === undefined || more.length > 0
    ? undefined
    : [from, type, to];
}

/** Whom a memory speaks of, by its source: an entity by its name, a relation by both ends. Of other memories nothing. */
export function graphEndsOf(source: Source | undefined, kind: string | undefined): readonly GraphEnd[] {
  if (source?.format !== GRAPH_FORMAT) return [];
  const relation = relationOfKey(source.key);
  if (relation !== undefined) {
    const [from, , to] = relation;
    return [
      { role: "from", name: wordOf(from) },
      { role: "to", name: wordOf(to) },
    ];
  }
  if (typeof source.heading !== "string") return [];
  return [{ role: kind === "entity" ? "entity" : "observation", name: source.heading }];
}

function isQuoted(text: string): boolean {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return false;
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false; // it merely begins and ends like that
  }
}
