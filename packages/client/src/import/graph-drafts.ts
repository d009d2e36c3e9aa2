/**
 * A knowledge graph as drafts of memories: one for each entity, each observation and each relation. What is imported
 * from a file and what is written by an agent's tools becomes the same memories, under the same ids.
 *
 * - an entity: `Ada_Lovelace (person)`, keyed by its name, so that a new type is a change of one memory;
 * - an observation: keyed by entity and text, so that one text about two entities is two memories;
 * - a relation: `Ada_Lovelace works_with Charles_Babbage`, keyed by its three parts.
 *
 * Each statement is a memory of its own and says of whom it speaks, in its text (search finds it by the
 * entity's name) and in an `about` link. Entities carry no links of their relations: a fact that stood
 * in two places would survive being forgotten in one.
 *
 * @module
 */
import { GRAPH_FORMAT, MAX_SHORT_TEXT } from "@cambium/core";
import type { GraphRelation } from "../api.js";
import { keyOf, partsOfKey, sayable, wordOf } from "../index-store/graph-words.js";
import { type ImportDraft, type ImportLink, toSourceKey } from "./import-draft.js";

/** Where in the graph something stands: of which file or tool, and after what. */
export interface GraphPlace {
  /** Name of the source, part of every key. */
  readonly source: string;
  /** Grows with the order in which things were written down. */
  readonly position: number;
}

export interface NamedEntity {
  readonly name: string;
  /** Usually one. A file written by two processes may name one entity twice, with different types. */
  readonly types: readonly string[];
}

const entityKey = (source: string, name: string): string => toSourceKey(GRAPH_FORMAT, source, "entity", name);

export function entityDraft(entity: NamedEntity, { source, position }: GraphPlace): ImportDraft {
  const { name, types } = entity;
  return {
    sourceKey: entityKey(source, name),
    content: entityContent(name, types),
    kind: "entity",
    ...categoryOf(entity),
    source: { kind: "import", format: GRAPH_FORMAT, name: source, heading: wordOf(name), position },
  };
}

export function observationDraft(
  entity: NamedEntity,
  observation: string,
  { source, position }: GraphPlace,
): ImportDraft {
  const { name } = entity;
  const content = observationContent(name, observation);
  const isPlain = plainObservation(name, content) === observation;
  return {
    sourceKey: toSourceKey(GRAPH_FORMAT, source, "observation", name, observation),
    content,
    kind: "observation",
    ...categoryOf(entity),
    links: [{ rel: "about", to: entityKey(source, name) }],
    source: {
      ...{ kind: "import", format: GRAPH_FORMAT, name: source, heading: wordOf(name), position },
      ...(isPlain ? {} : { key: keyOf(observation) }),
    },
  };
}

/** A relation may name entities that do not exist; such an end stays in the text and gets no link. */
export function relationDraft(
  { from, relationType, to }: GraphRelation,
  place: GraphPlace,
  isKnown: (name: string) => boolean,
): ImportDraft {
  const { source, position } = place;
  const linkTo = (rel: string, name: string): ImportLink[] =>
    isKnown(name) && isShort(rel) ? [{ rel, to: entityKey(source, name) }] : [];
  return {
    sourceKey: toSourceKey(GRAPH_FORMAT, source, "relation", from, relationType, to),
    content: [from, relationType, to].map(sayable).join(" "),
    kind: "relation",
    links: [...linkTo("about", from), ...linkTo(relationType, to)],
    source: {
      ...{ kind: "import", format: GRAPH_FORMAT, name: source, heading: wordOf(from), position },
      key: keyOf(from, relationType, to),
    },
  };
}

const entityContent = (name: string, types: readonly string[]): string =>
  types.length === 0 ? wordOf(name) : `${wordOf(name)} (${types.map(wordOf).join(", ")})`;

/** The type as an entity's text says it; undefined where somebody has rewritten that. */
export function typeWordsIn(content: string, name: string): string | undefined {
  const before = wordOf(name);
  if (content === before) return "";
  return content.startsWith(`${before} (`) && content.endsWith(")")
    ? content.slice(before.length + 2, -1)
    : undefined;
}

function observationContent(name: string, observation: string): string {
  const stated = sayable(observation);
  return speaksOf(stated, name) ? stated : `${wordOf(name)}: ${stated}`;
}

/** What an observation's text says of its entity, where nothing else does. */
function plainObservation(name: string, content: string): string {
  const before = `${wordOf(name)}: `;
  return content.startsWith(before) ? content.slice(before.length) : content;
}

/** The observation as it was written, unless somebody has rewritten the memory since. */
export function observationIn(content: string, name: string, key: unknown): string {
  const [written] = partsOfKey(key) ?? [];
  return written !== undefined && observationContent(name, written) === content
    ? written
    : plainObservation(name, content);
}

function categoryOf({ types }: NamedEntity): { readonly category?: string } {
  const [category] = types;
  return category === undefined || !isShort(category) ? {} : { category };
}

const isShort = (text: string): boolean =>
  text.trim() !== "" && text.isWellFormed() && text.trim().length <= MAX_SHORT_TEXT;

/** Compares by words, so that `John_Smith` is found in "John Smith's desk" and `Al` is not found in "also". */
function speaksOf(observation: string, name: string): boolean {
  const wordsOf = (text: string): string =>
    (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");
  const words = wordsOf(name);
  return words !== "" && ` ${wordsOf(observation)} `.includes(` ${words} `);
}
