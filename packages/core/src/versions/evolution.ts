/**
 * Evolution: how the understanding of something changed, as a story. Each step is one record and says in a
 * sentence what it did, what it took the place of, and why.
 *
 * @module
 */
import type { MemoryId, RecordHash } from "../format/ids.js";
import { type Author, fieldValue, type RecordType, type StateField } from "../format/record.js";
import type { Version } from "../memory/memory.js";
import { sameField } from "../memory/operations.js";
import { shorten } from "./plain-words.js";
import { type Superseding, supersedingsOf } from "./superseding.js";
import { describeVersion, previousOf } from "./version-chain.js";

/** A memory with all its versions at a state, oldest first. */
export interface EvolvingMemory {
  /** The memory. */
  readonly id: MemoryId;
  /** Oldest first. */
  readonly versions: readonly Version[];
}

/** A sentence about a change, and whose it is. */
export interface ChangeNote {
  /** A sentence for people without date and author, such as `category work`. */
  readonly summary: string;
  /** `rules`, or the model that wrote it. */
  readonly summaryBy: string;
}

/** What a step took the place of. */
export interface SupersededThing {
  /** The memory that said it: the same one after a correction, another after a merge of two. */
  readonly memory: MemoryId;
  /** The version that said it. */
  readonly record: RecordHash;
  /** What happened to it. */
  readonly how: Superseding["how"] | "corrected" | "taken back" | "decided against" | "forgotten";
  /** What it said. */
  readonly content: string;
}

/** One step in the story of a topic. */
export interface EvolutionStep extends ChangeNote {
  /** The memory that got a version. */
  readonly memory: MemoryId;
  /** Names that version on every device. */
  readonly record: RecordHash;
  /** Its number. */
  readonly version: number;
  /** What its writer did, such as `create` or `correct`. */
  readonly type: RecordType;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** Who wrote it. */
  readonly by: Author;
  /** The step in words for people, without the date and the reason. */
  readonly text: string;
  /** As the writer gave it. Absent if none was given. */
  readonly reason?: string;
  /** The records that say so: this one first, then those it was written after and those it took the place of. */
  readonly records: readonly RecordHash[];
  /** What the step took the place of. Empty for most steps. */
  readonly superseded: readonly SupersededThing[];
}

/** Which steps to return, and who writes their sentences. */
export interface EvolutionRequest {
  /** Only steps written from then on, and until then; milliseconds since 1970, both inclusive. */
  readonly from?: number | undefined;
  /** See `from`. */
  readonly to?: number | undefined;
  /** The sentence about a version. Default: the rules'. */
  readonly tell?: ((version: Version, previous: Version | undefined) => ChangeNote) | undefined;
}

/** @returns steps in the order in which they were written */
export function evolutionOf(
  memories: readonly EvolvingMemory[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, tell = byRules }: EvolutionRequest = {},
): readonly EvolutionStep[] {
  const story: Story = { memoryById: new Map(memories.map((memory) => [memory.id, memory])), tell };
  const folded = foldedForgets(memories);
  return memories
    .flatMap((memory) =>
      memory.versions
        .filter(({ at, record, type }) => at >= from && at <= to && type !== "name" && !folded.has(record))
        .map((version) => stepOf(memory, version, story)),
    )
    .sort((a, b) => a.at - b.at || a.version - b.version || (a.record < b.record ? -1 : 1));
}

/** The sentence about a version that needs no model. */
export const byRules = (version: Version, previous: Version | undefined): ChangeNote => ({
  summary: describeVersion(version, previous),
  summaryBy: "rules",
});

interface Story {
  readonly memoryById: ReadonlyMap<MemoryId, EvolvingMemory>;
  readonly tell: (version: Version, previous: Version | undefined) => ChangeNote;
}

/** Combining and splitting forget what they were made from: that is one step, not several. */
function foldedForgets(memories: readonly EvolvingMemory[]): ReadonlySet<RecordHash> {
  const made = new Map<MemoryId, Set<number>>();
  for (const { at, derivedFrom, parents } of memories.flatMap(({ versions }) => versions)) {
    if (parents.length > 0) continue;
    for (const source of derivedFrom ?? []) made.set(source, (made.get(source) ?? new Set()).add(at));
  }
  return new Set(
    memories.flatMap(({ id, versions }) =>
      versions
        .filter(({ type, at }) => type === "forget" && made.get(id)?.has(at) === true)
        .map(({ record }) => record),
    ),
  );
}

function stepOf({ id, versions }: EvolvingMemory, version: Version, story: Story): EvolutionStep {
  const previous = previousOf(version, versions);
  const note = story.tell(version, previous);
  const superseded = [
    ...supersededVersions(id, version, previous, versions),
    ...supersededMemories(id, version, previous, story),
  ];
  const { record, type, at, by, reason } = version;
  const sentences = { ...note, text: textOf(version, previous, note, superseded), superseded };
  return {
    ...{ memory: id, record, version: version.version, type, at, by, ...sentences },
    records: [...new Set([record, ...version.parents, ...superseded.map((thing) => thing.record)])],
    ...(reason === undefined ? {} : { reason }),
  };
}

const HOW_BY_TYPE: Partial<Record<RecordType, SupersededThing["how"]>> = {
  correct: "corrected",
  restore: "taken back",
  undo: "taken back",
  rollback: "taken back",
  forget: "forgotten",
};

function supersededVersions(
  id: MemoryId,
  version: Version,
  previous: Version | undefined,
  versions: readonly Version[],
): readonly SupersededThing[] {
  if (version.type === "resolve" || version.type === "merge") return decidedAgainst(id, version, versions);
  const how = HOW_BY_TYPE[version.type];
  if (how === undefined || previous === undefined || previous.deleted) return [];
  return [{ memory: id, record: previous.record, how, content: previous.content }];
}

/** The versions whose values a decision did not keep. A merge may also have put both together: then none was given up. */
function decidedAgainst(
  id: MemoryId,
  version: Version,
  versions: readonly Version[],
): readonly SupersededThing[] {
  const parents = versions.filter(({ record }) => version.parents.includes(record));
  const isChosen = (field: StateField): boolean =>
    version.type === "resolve" || parents.some((parent) => sameField(parent, version, field));
  const decided = version.changed.filter(isChosen);
  return parents.flatMap((parent) => {
    const lost = decided.filter((field) => !sameField(parent, version, field));
    if (lost.length === 0) return [];
    const content = lost.map((field) => valueText(parent, field)).join("; ");
    return [{ memory: id, record: parent.record, how: "decided against", content }] as const;
  });
}

function valueText(version: Version, field: StateField): string {
  const value = fieldValue(version, field);
  if (field === "content") return version.content;
  return `${field} ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Other memories that this version took the place of and the one before it did not. */
function supersededMemories(
  id: MemoryId,
  version: Version,
  previous: Version | undefined,
  { memoryById }: Story,
): readonly SupersededThing[] {
  const isMadeOf = (how: string): boolean => how === "combined" || how === "split";
  const nameOf = ({ older, how }: Superseding): string => `${isMadeOf(how) ? "made of" : how} ${older}`;
  const earlier = new Set((previous === undefined ? [] : supersedingsOf(id, previous)).map(nameOf));
  return supersedingsOf(id, version)
    .filter((one) => one.newer === id && !earlier.has(nameOf(one)))
    .flatMap(({ older, how }) => {
      const versions = memoryById.get(older)?.versions ?? [];
      const shown = versions.findLast((one) => one.at <= version.at && !one.deleted) ?? versions[0];
      return shown === undefined
        ? []
        : [{ memory: older, record: shown.record, how, content: shown.content }];
    });
}

const QUOTE_LENGTH = 60;
const quote = (content: string): string => `“${shorten(content, QUOTE_LENGTH)}”`;

const LINKED_TEXT: Partial<Record<SupersededThing["how"], string>> = {
  supersedes: "superseding",
  replaces: "replacing",
  corrects: "correcting",
  obsoletes: "making obsolete",
  contradicts: "contradicting",
};

function textOf(
  version: Version,
  previous: Version | undefined,
  { summary }: ChangeNote,
  superseded: readonly SupersededThing[],
): string {
  const linked = superseded.flatMap(({ how, content }) => {
    const verb = LINKED_TEXT[how];
    return verb === undefined ? [] : [`, ${verb} ${quote(content)}`];
  });
  return actionOf(version, previous, summary, superseded) + linked.join("");
}

function actionOf(
  version: Version,
  previous: Version | undefined,
  summary: string,
  superseded: readonly SupersededThing[],
): string {
  const now = quote(version.content);
  if (previous === undefined) return beginning(version, superseded, now);
  const was = quote(previous.content);
  const against = superseded.filter(({ how }) => how === "decided against");
  if (against.length > 0) return decision(version, against);
  switch (version.type) {
    case "forget":
      return `forgot ${was}`;
    case "restore":
      return previous.deleted ? `brought back ${now}` : `went back to ${now}: ${summary}`;
    case "undo":
    case "rollback":
      return `${version.type === "undo" ? "took back a change of" : "rolled back"} ${was}: ${summary}`;
    case "resolve":
      return `decided between ${version.parents.length} versions of ${now}: ${summary}`;
    default:
      return `${VERBS[version.type] ?? "revised"} ${was}: ${summary}`;
  }
}

function decision(version: Version, against: readonly SupersededThing[]): string {
  const isContent = version.changed.length === 1 && version.changed[0] === "content";
  const about = isContent ? "" : ` about ${quote(version.content)}`;
  const kept = quote(version.changed.map((field) => valueText(version, field)).join("; "));
  const lost = [...new Set(against.map(({ content }) => quote(content)))].join(" and ");
  return `${version.type === "merge" ? "merged and decided" : "decided"}${about}: kept ${kept}, gave up ${lost}`;
}

const VERBS: Partial<Record<RecordType, string>> = {
  enrich: "added to",
  correct: "corrected",
  move: "moved",
  tag: "tagged",
  merge: "merged",
  import: "imported anew",
};

function beginning({ type }: Version, superseded: readonly SupersededThing[], now: string): string {
  const sources = superseded.filter(({ how }) => how === "combined" || how === "split");
  const [first] = sources;
  if (type === "split" && first !== undefined) return `split ${now} off ${quote(first.content)}`;
  if (type === "combine" && sources.length > 0)
    return `put ${now} together from ${sources.map(({ content }) => quote(content)).join(" and ")}`;
  return `${type === "import" ? "imported" : "noted"} ${now}`;
}
