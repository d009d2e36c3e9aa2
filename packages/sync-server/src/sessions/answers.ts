/**
 * Answers to questions that do not follow the log: which heads documents have, and what one document holds.
 *
 * @module
 */
import {
  type AskHeadsFrame,
  type EntryItem,
  encodeItems,
  encodeRelayFrame,
  type FetchFrame,
  LOG_KINDS,
} from "@cambium/core/wire";
import type { DocumentState, SpaceLog } from "../log/space-log.js";
import { packItems } from "./space-feed.js";

/** Each frame is made in one step, of a millisecond or so. */
const MAX_LISTED = 64;
/** A document may have as many heads as others have changes: they are counted, too. The last document exceeds it. */
const MOST_HEADS = 2_048;
const PIECE_BYTES = 128 * 1024;
const PIECE_CHANGES = 64;

export type Question = AskHeadsFrame | FetchFrame;

/** The frames of an answer; the last one says that it is. */
export async function* answersTo(
  log: Pick<SpaceLog, "documents" | "describe" | "changes">,
  space: string,
  question: Question,
): AsyncGenerator<Uint8Array> {
  if (question.type === "heads") yield* headsOf(log, space, question);
  else yield* fetched(log, space, question);
}

async function* headsOf(
  log: Pick<SpaceLog, "documents" | "describe">,
  space: string,
  { ask, of }: AskHeadsFrame,
): AsyncGenerator<Uint8Array> {
  const frame = (documents: readonly DocumentState[], complete: boolean): Uint8Array =>
    encodeRelayFrame({ type: "heads", ask, complete, documents });
  if ("documents" in of) {
    const wanted = [...new Set(of.documents)];
    do {
      const asked = wanted.slice(0, MAX_LISTED);
      const documents = await log.describe(space, asked, MOST_HEADS);
      const last = hasTooMany(documents) ? documents.at(-1)?.document : undefined;
      wanted.splice(0, last === undefined ? MAX_LISTED : asked.indexOf(last) + 1);
      yield frame(
        documents.toSorted((a, b) => a.position - b.position),
        wanted.length === 0,
      );
    } while (wanted.length > 0);
    return;
  }
  for (let { after } = of; ; ) {
    const documents = await log.documents({ space, after, limit: MAX_LISTED, mostHeads: MOST_HEADS });
    const isLast = documents.length < MAX_LISTED && !hasTooMany(documents);
    yield frame(documents, isLast);
    if (isLast) return;
    after = documents.at(-1)?.position ?? after;
  }
}

/** Then there may be more behind the last of them. */
const hasTooMany = (documents: readonly DocumentState[]): boolean =>
  documents.reduce((sum, { heads }) => sum + heads.length, 0) > MOST_HEADS;

async function* fetched(
  log: Pick<SpaceLog, "changes">,
  space: string,
  { ask, document, have }: FetchFrame,
): AsyncGenerator<Uint8Array> {
  const frame = (items: readonly EntryItem[], complete: boolean): Uint8Array =>
    encodeRelayFrame({ type: "fetched", ask, complete, items: packItems(encodeItems(items)) });
  let items: EntryItem[] = [];
  let bytes = 0;
  for await (const change of log.changes({ space, document, without: have })) {
    if (bytes >= PIECE_BYTES || items.length === PIECE_CHANGES) {
      yield frame(items, false);
      items = [];
      bytes = 0;
    }
    items.push({ kind: "other", of: LOG_KINDS.change, document, bytes: change.bytes });
    bytes += change.bytes.length;
  }
  yield frame(items, true);
}
