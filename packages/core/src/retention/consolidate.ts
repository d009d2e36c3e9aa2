/**
 * Proposals to make one memory of several that say the same. Nothing is combined by itself: a proposal
 * says what the combined memory would hold, and asks for a second look wherever the memories differ.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import {
  type Link,
  MEMORY_FIELDS,
  type MemoryFields,
  type StateField,
  WRITABLE_FIELDS,
  type WritableField,
} from "../format/state-fields.js";
import type { Memory } from "../memory/memory.js";
import { sameField } from "../memory/operations.js";
import { canonicalSet } from "../merge/set-merge.js";
import { splitTokens } from "../merge/text-tokens.js";
import {
  type ComparedMemory,
  type DuplicateGroup,
  type DuplicateOptions,
  findNearDuplicates,
} from "./near-duplicates.js";

/** A memory, with what tells that it cannot be combined now. */
export type ConsolidationCandidate = ComparedMemory &
  MemoryFields &
  Partial<Pick<Memory, "conflicts" | "incomplete">>;

/** What to give to `combine`. */
export interface CombinedDraft extends Omit<MemoryFields, "deleted"> {}

/** Memories that might become one. */
export interface ConsolidationProposal {
  /** Newest first; the text of the first one leads. */
  readonly ids: readonly MemoryId[];
  /** The least share of neighbouring words that one of them has in common with the newest: 0.6 to 1. */
  readonly similarity: number;
  /** The memory that they would become. */
  readonly combined: CombinedDraft;
  /** They differ in more than spacing and case, so somebody should read `combined` first. */
  readonly needsReview: boolean;
  /** Fields in which `combined` holds the value of one and not of another. */
  readonly differing: readonly StateField[];
  /** One sentence for people. */
  readonly why: string;
}

/**
 * Returns what might be combined, the largest groups first. Forgotten memories are left out, and those
 * with open conflicts or records that have not arrived: nobody knows yet what they say.
 *
 * @throws {CambiumError} BAD_INPUT when the threshold is out of its range
 */
export function proposeConsolidation(
  memories: Iterable<ConsolidationCandidate>,
  options: DuplicateOptions = {},
): readonly ConsolidationProposal[] {
  const candidates = [...memories].filter(
    ({ deleted, conflicts = [], incomplete = [] }) => !deleted && conflicts.length + incomplete.length === 0,
  );
  return findNearDuplicates(candidates, options).map(proposalFor);
}

function proposalFor({
  head,
  others,
  similarity,
}: DuplicateGroup<ConsolidationCandidate>): ConsolidationProposal {
  const all = [head, ...others];
  const added = sentencesBeyond(head.content, others);
  const differing = WRITABLE_FIELDS.filter((field) => isDiffering(all, field));
  return {
    ids: all.map(({ id }) => id),
    similarity,
    combined: combinedDraft(all, added),
    needsReview: added.length > 0 || differing.length > 0,
    differing,
    why: reasonFor(all.length, similarity, added.length, differing),
  };
}

function combinedDraft(all: readonly ConsolidationCandidate[], added: readonly string[]): CombinedDraft {
  const [head] = all as readonly [ConsolidationCandidate];
  const ids = new Set<string>(all.map(({ id }) => id));
  const combined = Object.fromEntries(
    WRITABLE_FIELDS.map((field) => [field, combinedValue(field, all)]),
  ) as unknown as CombinedDraft;
  return {
    ...combined,
    content: added.length === 0 ? head.content : `${head.content.trimEnd()}\n\n${added.join("\n")}`,
    // What links one of them to another says nothing once they are one.
    links: combined.links.filter(({ to }) => !ids.has(to)),
  };
}

function combinedValue(field: WritableField, all: readonly ConsolidationCandidate[]): unknown {
  switch (MEMORY_FIELDS[field].combine) {
    case "newest":
      return all[0]?.[field];
    case "first":
      return all.find((memory) => memory[field] !== undefined)?.[field];
    case "greatest":
      return greatest(all.map((memory) => memory[field] as number | undefined));
    case "all":
      return canonicalSet(all.flatMap((memory) => memory[field] as readonly (string | Link)[]));
  }
}

/**
 * Whether the combined memory holds the value of one and not of another. Of what has to be the newest one's, such as
 * the bounds of its truth, no value is a value, too: true without a beginning, or without an end.
 */
function isDiffering(all: readonly ConsolidationCandidate[], field: WritableField): boolean {
  const { combine, merge } = MEMORY_FIELDS[field];
  if (merge !== "choose" || combine === "greatest") return false;
  const present = combine === "newest" ? all : all.filter((memory) => memory[field] !== undefined);
  return present.some((memory) => !sameField(memory, present[0] as MemoryFields, field));
}

/** Sentences and lines of the others that the text does not have, but for spacing and case. */
function sentencesBeyond(text: string, others: readonly ComparedMemory[]): readonly string[] {
  const known = new Set(sentencesOf(text).map(plain));
  const added: string[] = [];
  for (const sentence of others.flatMap(({ content }) => sentencesOf(content))) {
    if (known.has(plain(sentence))) continue;
    known.add(plain(sentence));
    added.push(sentence.trimEnd());
  }
  return added;
}

const sentencesOf = (text: string): readonly string[] =>
  splitTokens(text, "lines")
    .flatMap((line) => splitTokens(line, "sentences"))
    .filter((sentence) => sentence.trim() !== "");

const plain = (sentence: string): string => sentence.trim().replaceAll(/\s+/g, " ").toLowerCase();

function greatest(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : Math.max(...present);
}

function reasonFor(
  count: number,
  similarity: number,
  addedCount: number,
  differing: readonly StateField[],
): string {
  const share = Math.floor(similarity * 100);
  const what =
    similarity === 1
      ? `${count} memories say the same`
      : `${count} memories share at least ${share} % of their wording`;
  const sentences = addedCount === 1 ? "1 sentence" : `${addedCount} sentences`;
  const added = addedCount === 0 ? [] : [`${sentences} of the older ones would be added`];
  const differ = differing.length === 0 ? [] : [`they differ in ${differing.join(", ")}`];
  return `${[what, ...added, ...differ].join("; ")}.`;
}
