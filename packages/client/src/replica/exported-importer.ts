/**
 * Taking exports back: versions as they were written, each once, and files that people have edited.
 *
 * @module
 */
import {
  differingFields,
  EMPTY_SETS,
  type ErasedExtent,
  type IsConcealed,
  isCambiumError,
  keepingLinks,
  type MemoryFields,
  type MemoryId,
  type MemoryReading,
  type PlannedWrite,
  parseFields,
  planCreate,
  planRevise,
  type RecordHash,
  type RecordNotes,
  type Reference,
  readingAt,
  type WriteContext,
  withoutLinksTo,
} from "@cambium/core";
import { withoutErased } from "../import/erased-versions.js";
import type { EditedMemory, ExportedMemory, ExportedVersion } from "../import/import-draft.js";

/** A memory as it is here. */
export interface FoundMemory {
  readonly reading: MemoryReading | undefined;
  /** Everything that its branch says of it. */
  readonly references: readonly Reference[];
}

/** What remains to be written of one memory, one version with each change. */
export class ExportedVersions {
  readonly id: MemoryId;
  /** As the export has them; once it is known what is here, without those that were erased and are not. */
  #versions: readonly ExportedVersion[];
  #areLooked = false;
  /** Whether the export has a text that was erased for good here. */
  hasErased = false;
  /** What they are called here, by what they are called in the export. */
  readonly #here = new Map<RecordHash, RecordHash>();
  #planned: RecordHash | undefined;
  #wasKnown: boolean | undefined;
  #hasNew = false;

  constructor({ id, versions }: ExportedMemory) {
    this.id = id;
    this.#versions = versions;
  }

  get outcome(): "created" | "changed" | "unchanged" {
    if (!this.#hasNew) return "unchanged";
    return this.#wasKnown === true ? "changed" : "created";
  }

  /** @returns the next version that is not here, or undefined when all are */
  plan({ reading, references }: FoundMemory): PlannedWrite | undefined {
    this.#planned = undefined;
    this.#wasKnown ??= references.length > 0;
    if (reading !== undefined) this.#match(reading);
    this.#passErased(reading);
    const next = this.#versions.find(({ record }) => !this.#here.has(record));
    if (next === undefined) return undefined;
    this.#planned = next.record;
    this.#hasNew = true;
    const { parents, at, type, by, decides, fields } = next;
    const mapped = parents.map((parent) => this.#here.get(parent) as RecordHash).sort();
    const notes = this.#notesHere(next.notes);
    return {
      memory: this.id,
      draft: { memory: this.id, parents: mapped, at, type, author: by, decides, fields, notes },
      carried: beside(mapped, { reading, references }),
    };
  }

  /** What was planned last is durable. */
  written(record: RecordHash): void {
    if (this.#planned !== undefined) this.#here.set(this.#planned, record);
  }

  /** What is erased in the export and not known here cannot be written: what follows it stands without it. */
  #passErased(reading: MemoryReading | undefined): void {
    if (this.#areLooked) return;
    this.#areLooked = true;
    const isPassed = ({ record, erased }: ExportedVersion) => erased !== undefined && !this.#here.has(record);
    if (!this.#versions.some(isPassed)) return;
    this.#versions = withoutErased(this.#versions, isPassed);
    if (reading !== undefined) this.#match(reading);
  }

  /**
   * A version that is here already, from an earlier import or because it never left, says the same in every respect;
   * but an export does not name what was concealed when it was made, and of what was erased or pruned, here or there,
   * only what is left can be compared.
   */
  #match(reading: MemoryReading): void {
    const byHeader = Map.groupBy(reading.records.values(), (record) =>
      headerOf({ ...record, by: record.author }),
    );
    for (const version of this.#versions) {
      const { record, parents } = version;
      if (this.#here.has(record) || !parents.every((parent) => this.#here.has(parent))) continue;
      const mapped = parents.map((parent) => this.#here.get(parent) as RecordHash);
      const there = { ...version, notes: this.#notesHere(version.notes) };
      const alike = byHeader.get(headerOf({ ...version, parents: mapped })) ?? [];
      const named = namedIn(version.fields, there.notes);
      const candidates = alike.filter(
        (one) =>
          isAlike(one, there) && (one.erased === "whole" || isSubset(named, namedIn(one.fields, one.notes))),
      );
      const same = candidates.find((one) => isSubset(namedIn(one.fields, one.notes), named));
      const found = candidates.find(({ hash }) => hash === record) ?? same ?? candidates[0];
      if (found === undefined) continue;
      this.#here.set(record, found.hash);
      const isGone = found.erased !== undefined && found.erased !== "pruned";
      if (isGone && version.erased === undefined) this.hasErased = true;
    }
  }

  /** A source that names a version of this memory names it as it is called here. */
  #notesHere(notes: RecordNotes): RecordNotes {
    const { source } = notes;
    if (source?.kind !== "version" || source.memory !== this.id) return notes;
    const record = this.#here.get(source.record as RecordHash);
    return record === undefined ? notes : { ...notes, source: { ...source, record } };
  }
}

/** What a version says of other memories. */
function namedIn(
  { links }: Pick<MemoryFields, "links">,
  { derivedFrom = [], source }: RecordNotes,
): readonly string[] {
  const of = source?.kind === "version" ? [source] : [];
  return [...links, ...derivedFrom, ...of].map((one) => JSON.stringify(sorted(one)));
}

const isSubset = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((one) => all.includes(one));

type Header = Pick<ExportedVersion, "at" | "type" | "by" | "decides" | "parents">;

/** What stays of a version, whatever of it is erased. */
function headerOf({ at, type, by, decides, parents }: Header): string {
  const { agent, replica, session, conversation, trigger } = by;
  const author = [agent, replica, session, conversation, trigger];
  return JSON.stringify([at, type, author, [...decides].sort(), [...parents].sort()]);
}

type Body = Pick<ExportedVersion, "fields" | "notes"> & { readonly erased?: ErasedExtent | undefined };

/** As far as both are kept, and apart from what they say of other memories. */
function isAlike(one: Body, other: Body): boolean {
  const extents = [one.erased, other.erased];
  if (extents.includes("whole")) return true;
  const isKept = extents.every((extent) => extent === undefined);
  return textOf(one, isKept) === textOf(other, isKept);
}

function textOf({ fields, notes }: Body, isKept: boolean): string {
  const { links: _links, content, ...others } = fields;
  const { derivedFrom: _derivedFrom, source, ...noted } = notes;
  return JSON.stringify([
    isKept ? content : "",
    sorted(others),
    sorted({ ...noted, source: source?.kind === "version" ? undefined : source }),
  ]);
}

/** With keys in order, since the same object may have been made in another one. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
};

/** The references that stay beside a record with these parents: those that are none of its ancestors. */
function beside(parents: readonly RecordHash[], { reading, references }: FoundMemory): readonly Reference[] {
  const before = new Set<RecordHash>();
  const open = [...parents];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (before.has(next)) continue;
    before.add(next);
    open.push(...(reading?.records.get(next)?.parents ?? []));
  }
  return references.filter(({ record }) => !before.has(record));
}

/** Whether an earlier import has written just that. */
const isTaken = ({ records }: MemoryReading, wanted: MemoryFields): boolean =>
  [...records.values()].some(
    ({ type, fields }) =>
      type === "import" && differingFields({ ...fields, deleted: false }, wanted).length === 0,
  );

export interface EditedOutcome {
  readonly outcome: "created" | "changed" | "unchanged";
  readonly write?: PlannedWrite;
  /** Why it was not taken over. */
  readonly open?: string;
}

/**
 * What a file says is a change of what was exported. Where the memory has moved on since, both stand
 * beside each other, as if they had been written at the same time.
 */
export function planEdited(
  { id, versions, fields }: EditedMemory,
  found: FoundMemory,
  { context, isConcealed }: { readonly context: WriteContext; readonly isConcealed: IsConcealed },
): EditedOutcome {
  const { reading, references } = found;
  if (reading === undefined) {
    const options = { type: "import", carried: references } as const;
    return { outcome: "created", write: planCreate(id, fields, context, options) };
  }
  const wanted = { ...EMPTY_SETS, deleted: false, ...parseFields(fields).fields } as MemoryFields;
  const base = readingAt(reading, versions);
  const edited = (from: MemoryReading) =>
    differingFields(withoutLinksTo(isConcealed, from.resolved.fields), wanted).filter(
      (field) => field !== "deleted",
    );
  const differing = edited(base ?? reading);
  const isKnown = differing.length === 0 || edited(reading).length === 0 || isTaken(reading, wanted);
  if (isKnown) return { outcome: "unchanged" };
  if (base === undefined)
    return {
      outcome: "unchanged",
      open: "It was exported from a version that is not here, and differs from what is.",
    };
  try {
    const revision = Object.fromEntries(differing.map((field) => [field, wanted[field] ?? null]));
    const kept = keepingLinks(isConcealed, revision, [base.resolved.fields]);
    const write = planRevise(base, kept, context, "import");
    return { outcome: "changed", write: { ...write, carried: beside(base.shownTips, found) } };
  } catch (error) {
    if (!isCambiumError(error)) throw error;
    return { outcome: "unchanged", open: error.message };
  }
}
