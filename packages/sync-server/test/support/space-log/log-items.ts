/** What is put into logs, and how they are asked, by all parts of the contract. */
import * as A from "@automerge/automerge";
import { markedEntry } from "@cambium/core/wire";
import { chunkTools } from "../../../src/chunk-tools.js";
import {
  all,
  type BatchOutcome,
  type LogBatch,
  type LogEntry,
  type LogFork,
  type LogItem,
  type LogRetire,
  type SpaceLog,
} from "../../../src/log/space-log.js";
import { documentHex } from "../change-maker.js";

/** Somewhere a log can be opened, closed, and opened again. */
export interface SpaceLogPlace extends AsyncDisposable {
  open(): Promise<SpaceLog & { close(): Promise<void> }>;
}

export type WithLog = (run: (log: SpaceLog, place: SpaceLogPlace) => Promise<void>) => () => Promise<void>;

export const [DOCUMENT, OTHER, FORK] = [documentHex(1), documentHex(2), documentHex(3)] as const;
export const batch = (...items: readonly LogItem[]): LogBatch => ({ space: "space-a", items });

export async function only(log: SpaceLog, ...items: readonly LogItem[]): Promise<BatchOutcome> {
  return (await log.append([batch(...items)]))[0] as BatchOutcome;
}

export function fork(document: string, from: string, heads: readonly string[]): LogFork {
  const { hash } = markedEntry({ kind: "fork", document, from, heads }, chunkTools);
  return { kind: "fork", document, from, heads, hash };
}

export function retire(document: string, carriedIn: readonly string[], erased: readonly string[]): LogRetire {
  const { hash } = markedEntry({ kind: "retire", document, carriedIn, erased }, chunkTools);
  return { kind: "retire", document, carriedIn, erased, hash };
}

export const entriesOf = (log: SpaceLog, space = "space-a"): Promise<readonly LogEntry[]> =>
  log.read({ space, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });

export async function documentOf(
  log: SpaceLog,
  document: string,
  without: readonly string[] = [],
): Promise<A.Doc<unknown>> {
  const changes = await all(log.changes({ space: "space-a", document, without }));
  return A.applyChanges(
    A.init<unknown>(),
    changes.map(({ bytes }) => bytes),
  )[0];
}
