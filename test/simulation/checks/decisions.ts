/**
 * No winner is silent: what a memory shows of a field is held against who decided it, told by its versions alone.
 *
 * @module
 */
import type { Memory, Version } from "@cambium/client";
import { canonicalJson } from "./digest.ts";

/** Fields whose values are never joined, so that two of them are a conflict. */
const WHOLE_FIELDS = ["category", "area", "importance", "confidence"] as const;
/** Going back on purpose is not joined either. */
const GOING_BACK: ReadonlySet<string> = new Set(["restore", "rollback"]);

/** @returns what is wrong, a sentence each */
export function checkDecisions(memory: Memory, versions: readonly Version[]): readonly string[] {
  const graph = new Descent(versions);
  return [
    ...WHOLE_FIELDS.flatMap((field) => checkField(memory, field, graph)),
    ...checkContent(memory, graph),
    ...checkWordsKept(memory, graph),
    ...checkShown(memory, graph),
    ...checkForgetting(memory, graph),
  ];
}

function checkField(memory: Memory, field: (typeof WHOLE_FIELDS)[number], graph: Descent): readonly string[] {
  const standing = graph.standing(field);
  const shown = canonicalJson(memory[field] ?? null);
  const values = new Set(standing.map((version) => canonicalJson(version[field] ?? null)));
  if (!values.has(shown))
    return [`${field} of ${memory.id} is ${shown}, and stands as ${[...values].join(" or ")}`];
  if (memory.conflicts.some((conflict) => conflict.field === field)) return [];
  // An undo steps aside for what others decided.
  const silent = standing.filter(
    (version) => version.type !== "undo" && canonicalJson(version[field] ?? null) !== shown,
  );
  return silent.map(
    ({ record }) =>
      `${field} of ${memory.id} is ${shown} without a conflict, although ${record} decided otherwise`,
  );
}

/** Texts are joined by words, but not with one that was gone back to. */
function checkContent(memory: Memory, graph: Descent): readonly string[] {
  const standing = graph.standing("content");
  const [only, second] = standing;
  if (only !== undefined && second === undefined && only.content !== memory.content)
    return [`the content of ${memory.id} is not that of ${only.record}, which alone decided it`];
  if (memory.conflicts.some(({ field }) => field === "content")) return [];
  const different = standing.filter(({ type }) => type !== "undo");
  if (new Set(different.map(({ content }) => content)).size < 2) return [];
  return different
    .filter(({ type }) => GOING_BACK.has(type))
    .map(({ record }) => `the content of ${memory.id} was joined with what ${record} went back to`);
}

/** A word of one side that no other side has ever seen was removed by nobody: it stands in the joined text. */
function checkWordsKept(memory: Memory, graph: Descent): readonly string[] {
  if (memory.conflicts.some(({ field }) => field === "content")) return [];
  const shown = wordsOf(memory);
  const standing = graph.standing("content");
  return standing.flatMap((side) => {
    const others = standing.filter((other) => other !== side);
    const seen = new Set(others.flatMap((other) => [other, ...graph.ancestors(other)].flatMap(listOfWords)));
    const lost = listOfWords(side).filter((word) => !seen.has(word) && !shown.has(word));
    return lost.length === 0
      ? []
      : [`the content of ${memory.id} lacks ${lost.join(" ")} of ${side.record}, without a conflict`];
  });
}

const listOfWords = ({ content }: Pick<Version, "content">): readonly string[] => content.split(/\s+/);

const wordsOf = (version: Pick<Version, "content">): ReadonlySet<string> => new Set(listOfWords(version));

/** Of versions that nobody wrote upon, the one that was written last is shown. */
function checkShown({ id, record }: Memory, { versions }: Descent): readonly string[] {
  const followed = new Set(versions.flatMap(({ parents }) => parents));
  const newest = versions.filter((version) => !followed.has(version.record));
  const shown = newest.find((version) => version.record === record);
  if (shown === undefined) return [`${id} shows ${record}, upon which others were written`];
  const later = newest.find(({ at }) => at > shown.at);
  return later === undefined ? [] : [`${id} shows ${record}, although ${later.record} was written later`];
}

/** A forget hides a memory only where it answers every edit. */
function checkForgetting(memory: Memory, graph: Descent): readonly string[] {
  const standing = graph.standing("deleted");
  const forgets = standing.filter(({ deleted }) => deleted);
  const isListed = memory.conflicts.some(({ field }) => field === "deleted");
  if (isListed) return memory.deleted ? [`${memory.id} is hidden, although that is in conflict`] : [];
  if (forgets.length === 0) return memory.deleted ? [`${memory.id} is hidden, and nobody forgot it`] : [];
  const answered = new Set(standing.flatMap((version) => [version, ...graph.ancestors(version)]));
  const isUnseen = (edit: Version): boolean =>
    !answered.has(edit) && forgets.some((forget) => !graph.descendants(forget).has(edit));
  const edits = graph.versions.filter((version) => version.changed.length > 0 && !version.deleted);
  const isHidden = forgets.length === standing.length && !edits.some(isUnseen);
  if (isHidden === memory.deleted) return [];
  return memory.deleted
    ? [`${memory.id} is hidden, although an edit of it stands`]
    : [`${memory.id} is shown, although it was forgotten`];
}

/** Who builds on whom. */
class Descent {
  readonly versions: readonly Version[];
  readonly #byRecord: ReadonlyMap<string, Version>;

  constructor(versions: readonly Version[]) {
    this.versions = versions;
    this.#byRecord = new Map(versions.map((version) => [version.record, version]));
  }

  ancestors(version: Version): ReadonlySet<Version> {
    return this.#reached(version, ({ parents }) =>
      parents.flatMap((parent) => this.#byRecord.get(parent) ?? []),
    );
  }

  descendants(version: Version): ReadonlySet<Version> {
    return this.#reached(version, ({ record }) =>
      this.versions.filter(({ parents }) => parents.includes(record)),
    );
  }

  /** Decisions about a field that no other one builds on. A first version decides all. */
  standing(field: Version["changed"][number]): readonly Version[] {
    const deciding = this.versions.filter(
      ({ parents, changed }) => parents.length === 0 || changed.includes(field),
    );
    return deciding.filter((version) => !deciding.some((other) => this.ancestors(other).has(version)));
  }

  #reached(from: Version, next: (version: Version) => readonly Version[]): ReadonlySet<Version> {
    const reached = new Set<Version>();
    const open = [...next(from)];
    for (let version = open.pop(); version !== undefined; version = open.pop()) {
      if (reached.has(version)) continue;
      reached.add(version);
      open.push(...next(version));
    }
    return reached;
  }
}
