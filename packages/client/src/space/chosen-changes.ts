/**
 * What of a log somebody asked for: by who did it, by what was done, and by the labels of what was written.
 *
 * @module
 */
import {
  FILTER_LABELS,
  type LabelSelection,
  type LogEntry,
  labelTest,
  type RecordLoader,
  valuesOf,
} from "@cambium/core";
import type { LogEvent, LogOptions } from "../api.js";
import type { LogQueries, LogRequest } from "../index-store/log-queries.js";
import type { IndexedState } from "../index-store/state-queries.js";
import { withNotes } from "./change-notes.js";

interface LogSource {
  readonly log: LogQueries;
  readonly state: IndexedState;
  readonly load: RecordLoader;
}

export interface ChosenChanges {
  pageOf(source: LogSource, request: LogRequest): Promise<readonly LogEntry[]>;
  hasEvent(event: LogEvent): boolean;
}

/** How many are read at once where some may not be meant. */
const READ_AT_ONCE = 500;

const ofMemories = ({ agent: _agent, ...labels }: LabelSelection): LabelSelection => labels;

export function chosenChanges(options: LogOptions): ChosenChanges {
  const types = [options.type ?? []].flat();
  const labels = { ...ofMemories(options), not: ofMemories(options.not ?? {}) };
  const byLabels = [labels, labels.not].some((one) =>
    FILTER_LABELS.some((label) => valuesOf(one, label).length > 0),
  );
  const wrote = byLabels ? labelTest(labels) : undefined;
  const isBy = labelTest({ agent: options.agent, not: { agent: options.not?.agent } });
  const isAny = [types, valuesOf(options, "agent"), valuesOf(options.not, "agent")].every(
    ({ length }) => length === 0,
  );
  const isChosen = ({ type, by: { agent } }: LogEntry | LogEvent): boolean =>
    (types.length === 0 || types.includes(type)) &&
    isBy({ tags: [], ...(agent === undefined ? {} : { by: { agent } }) });
  return {
    pageOf: async ({ log, state, load }, { limit, ...request }) => {
      const page: LogEntry[] = [];
      let { after } = request;
      for (;;) {
        const wanted = isAny ? limit : Math.max(limit, READ_AT_ONCE);
        const entries = log.entries(state, { ...request, limit: wanted, after, wrote });
        page.push(...(await withNotes(entries, load)).filter(isChosen));
        after = entries.at(-1)?.hash;
        if (page.length >= limit || entries.length < wanted) return page.slice(0, limit);
      }
    },
    // An event wrote no memory that could have a label.
    hasEvent: (event) => wrote === undefined && isChosen(event),
  };
}
