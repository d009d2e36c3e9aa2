/**
 * Memories that stay although they may say what is erased: that contain the text or nearly say it, share a part of it
 * that tells, or were made from it.
 *
 * @module
 */
import type { Coverage, MemoryId, RecordHash } from "@cambium/core";
import type { RepeatingMemory } from "../api.js";
import { type PartKind, type Parts, partsOf, sharedParts } from "./distinctive-parts.js";
import { everyVersion } from "./every-version.js";
import type { ErasureServices } from "./services.js";

type Kept = Omit<RepeatingMemory, "how" | "parts">;

const MAX_REPEATED = 100;
/** So many texts are looked for in what stays; the longest say most. */
const MAX_COMPARED = 20;
/** A text of a few words stands in many others by chance. */
const MIN_QUOTED = 12;
/** A line that others repeat by no chance. */
const [LEAST_LINE, LEAST_LINE_WORDS, MAX_LINES] = [20, 4, 60];
const MAX_PARTS = 5;

interface Sought {
  readonly texts: readonly string[];
  /** What else was written beside them. */
  readonly asides: readonly string[];
  /** Concealed memories that are as if absent. */
  readonly hidden: ReadonlySet<MemoryId>;
  /** Pruned texts that can be put together again. */
  readonly rebuilt: ReadonlyMap<RecordHash, string>;
}

/**
 * Returns versions of other memories, on any branch, the surest first.
 *
 * @param erased - memories of which something is
 */
export async function repeatedIn(
  { index, duplicateFinder }: Pick<ErasureServices, "index" | "duplicateFinder">,
  { records }: Coverage,
  erased: ReadonlySet<MemoryId>,
  { texts, asides, hidden, rebuilt }: Sought,
): Promise<readonly RepeatingMemory[]> {
  const found = new Map<RepeatingMemory["how"], Map<MemoryId, RepeatingMemory>>(
    HOW.map((how) => [how, new Map()]),
  );
  const note = (
    how: RepeatingMemory["how"],
    { id, record, content, field }: Kept,
    parts?: readonly string[],
  ) => {
    const all = found.get(how) as Map<MemoryId, RepeatingMemory>;
    if (all.has(id)) return;
    const more = { ...(field === undefined ? {} : { field }), ...(parts === undefined ? {} : { parts }) };
    all.set(id, { id, record, content, how, ...more });
  };
  const wanted = wantedOf(texts);
  const lines = linesOf(texts);
  const sharing = new Sharing([...texts, ...asides]);
  for (const version of everyVersion(index, rebuilt)) {
    const extent = records.get(version.record);
    const isGone = extent !== undefined && (extent !== "pruned" || !rebuilt.has(version.record));
    if (isGone || hidden.has(version.id)) continue;
    const { id, record, content, derivedFrom, fields } = version;
    sharing.countMemory(id);
    for (const [field, text] of fields) {
      const kept = { id, record, content, ...(field === "content" ? {} : { field }) };
      const compared = plain(text);
      if (wanted.some((one) => compared.includes(one))) note("repeats", kept);
      else {
        const line = lines.find((one) => compared.includes(one)) ?? within(wanted, compared);
        if (line !== undefined) note("line", kept, [line]);
      }
      sharing.take(kept, text);
    }
    if (derivedFrom.some((source) => erased.has(source))) note("derived", { id, record, content });
  }
  for (const text of texts.slice(0, MAX_COMPARED)) {
    for (const one of await duplicateFinder.alike(text))
      if (one.likeness === "text" && !records.has(one.record as RecordHash))
        note("similar", { id: one.id, record: one.record as RecordHash, content: one.content });
  }
  for (const { kept, parts } of sharing.found()) note("part", kept, parts);
  const repeated = new Map<MemoryId, RepeatingMemory>();
  for (const how of HOW)
    for (const [id, one] of found.get(how) ?? []) if (!repeated.has(id)) repeated.set(id, one);
  return [...repeated.values()].slice(0, MAX_REPEATED);
}

/** The surest first. */
const HOW = ["repeats", "line", "similar", "derived", "part"] as const;

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ").trim();

const wantedOf = (texts: readonly string[]): readonly string[] =>
  texts
    .map(plain)
    .filter((text) => text.length >= MIN_QUOTED)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_COMPARED);

/** Beginnings that Markdown sets before what is said. */
const MARKUP = /^[\s#>*+|-]+/;

const isLine = (text: string): boolean =>
  text.length >= LEAST_LINE && text.split(" ").length >= LEAST_LINE_WORDS;

/** Of texts of several lines: whoever repeats one repeats what is erased, whatever stood above and below it. */
const linesOf = (texts: readonly string[]): readonly string[] =>
  [
    ...new Set(
      texts
        .filter((text) => text.includes("\n"))
        .flatMap((text) => text.split("\n"))
        .map((line) => plain(line.replace(MARKUP, ""))),
    ),
  ]
    .filter(isLine)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_LINES);

/** A text that is a piece of an erased one. */
const within = (wanted: readonly string[], compared: string): string | undefined =>
  isLine(compared) && wanted.some((one) => one.includes(compared)) ? compared : undefined;

/** Fields that say what many memories are about. */
const SUBJECTS: ReadonlySet<string | undefined> = new Set(["category", "area"]);

/** Which versions share parts with erased texts. Whether a part is rare is known once all are counted. */
class Sharing {
  readonly #wanted: Parts;
  readonly #memories = new Set<MemoryId>();
  readonly #holders = new Map<string, Set<MemoryId>>();
  readonly #found: { readonly kept: Kept; readonly shared: Parts }[] = [];

  constructor(texts: readonly string[]) {
    this.#wanted = new Map(texts.flatMap((text) => [...partsOf(text)]));
  }

  countMemory(id: MemoryId): void {
    this.#memories.add(id);
  }

  take(kept: Kept, text: string): void {
    const shared = new Map<string, PartKind>();
    const isSubject = SUBJECTS.has(kept.field);
    for (const part of partsOf(text).keys()) {
      const kind = this.#wanted.get(part);
      if (kind === undefined) continue;
      shared.set(part, isSubject && kind !== "code" ? "heading" : kind);
      const holders = this.#holders.get(part);
      if (holders === undefined) this.#holders.set(part, new Set([kept.id]));
      else holders.add(kept.id);
    }
    if (shared.size > 0) this.#found.push({ kept, shared });
  }

  *found(): Iterable<{ readonly kept: Kept; readonly parts: readonly string[] }> {
    const held = new Map([...this.#holders].map(([part, { size }]) => [part, size]));
    const counts = { held, memories: this.#memories.size };
    for (const { kept, shared } of this.#found) {
      const parts = sharedParts(shared, counts);
      if (parts.length > 0) yield { kept, parts: parts.slice(0, MAX_PARTS) };
    }
  }
}
