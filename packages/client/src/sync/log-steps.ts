/**
 * In which order entries of the log are taken in: what came of one document together, and what others rest on first.
 *
 * @module
 */
import { type DocumentId, documentIdFromHex } from "@cambium/core";
import { type EntryItem, LOG_KINDS } from "@cambium/core/wire";

export interface LogEntry {
  readonly item: EntryItem;
  readonly hash: string;
  readonly position: number;
}

export interface LogStep {
  /** Changes of the document, an own entry, or a fork. */
  readonly kind: "group" | "own" | "fork";
  readonly document: DocumentId;
  readonly entries: readonly [LogEntry, ...LogEntry[]];
}

export interface DocumentRanks {
  readonly catalog: DocumentId;
  /** As far as the catalog says so by now. */
  isPack(document: DocumentId): boolean;
}

/**
 * Each step is made when it is asked for: the catalog, which comes first, says what the others are. A branch comes after
 * the packs, so that nobody who looks at it meanwhile finds records missing that have come.
 */
export function* stepsOf(entries: readonly LogEntry[], ranks: DocumentRanks): Generator<LogStep, undefined> {
  let groups = new Map<DocumentId, [LogEntry, ...LogEntry[]]>();
  for (const entry of entries) {
    const document = documentIdFromHex(entry.item.document);
    const { kind } = entry.item;
    if (kind === "own") yield { kind, document, entries: [entry] };
    else if (kind === "change" || kind === "gone") {
      const group = groups.get(document);
      if (group === undefined) groups.set(document, [entry]);
      else group.push(entry);
    } else if (kind === "fork") {
      yield* groupSteps(groups, ranks); // a fork begins with what they hold
      groups = new Map();
      yield { kind, document, entries: [entry] };
    }
  }
  yield* groupSteps(groups, ranks);
}

function* groupSteps(
  groups: ReadonlyMap<DocumentId, LogStep["entries"]>,
  ranks: DocumentRanks,
): Generator<LogStep, undefined> {
  const stepOf = (document: DocumentId): LogStep[] => {
    const entries = groups.get(document);
    return entries === undefined ? [] : [{ kind: "group", document, entries }];
  };
  yield* stepOf(ranks.catalog);
  const others = [...groups.keys()].filter((document) => document !== ranks.catalog);
  const packs = new Set(others.filter((document) => ranks.isPack(document)));
  for (const document of packs) yield* stepOf(document);
  for (const document of others) if (!packs.has(document)) yield* stepOf(document);
}

/** Forks have no bytes that anybody could erase. */
export const isFork = (item: EntryItem): boolean => "of" in item && item.of === LOG_KINDS.fork;

export const chunksOf = (group: readonly LogEntry[]): readonly Uint8Array[] =>
  group.flatMap(({ item }) => (item.kind === "change" ? [item.chunk] : []));
