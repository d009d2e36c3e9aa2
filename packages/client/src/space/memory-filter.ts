/**
 * Filters of lists and recalls: what they let through, and what of them could not be meant as it was written.
 *
 * @module
 */
import { type Labelled, labelTest, type Memory } from "@cambium/core";
import type { MemoryFilter } from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import type { StateQueries } from "../index-store/state-queries.js";
import { areUsed, checkLabels, isDoubtful } from "./label-check.js";
import type { FoundState } from "./state-finder.js";

/** What filters ask about. */
export type Judged = Labelled &
  Pick<Memory, "at" | "occurredAt" | "validFrom" | "validUntil"> &
  Partial<Pick<Memory, "source">> & {
    readonly by?: Partial<Pick<Memory["by"], "replica" | "conversation" | "session">>;
  };

export type Passes = (memory: Judged) => boolean;

export interface FilteredBy {
  readonly states: StateQueries;
  readonly found: FoundState;
  readonly now: number;
}

export interface Filtered<Answer> {
  readonly answer: Answer;
  /** Sentences. */
  readonly advice: readonly string[];
}

/**
 * Answers through a filter; again through what was meant, where the filter names a label that nobody uses.
 *
 * @throws {CambiumError} BAD_INPUT, BAD_REF when a date is none
 */
export async function filtered<Answer extends { readonly length: number }>(
  filter: MemoryFilter,
  { states, found, now }: FilteredBy,
  answerBy: (passes: Passes) => Answer | Promise<Answer>,
): Promise<Filtered<Answer>> {
  const answer = await answerBy(await passesOf(filter, now));
  if (!isDoubtful(filter, answer.length === 0)) return { answer, advice: [] };
  const { filter: asRead, advice } = checkLabels(
    filter,
    states.labelsUsed(found.state, (used) => areUsed(filter, used)),
  );
  if (asRead === filter) return { answer, advice };
  return { answer: await answerBy(await passesOf(asRead, now)), advice };
}

export async function passesOf(filter: MemoryFilter, now: number): Promise<Passes> {
  const validAt = await endOf(filter.validAt, now);
  const since = (await startOf(filter.since, now)) ?? Number.NEGATIVE_INFINITY;
  const until = (await endOf(filter.until, now)) ?? Number.POSITIVE_INFINITY;
  const passesLabels = labelTest(filter);
  const devices: readonly (string | undefined)[] = [filter.device ?? []].flat();
  const conversations: readonly (string | undefined)[] = [filter.conversation ?? []].flat();
  return (memory) => {
    const happened = memory.occurredAt ?? memory.at;
    return (
      passesLabels(memory) &&
      (devices.length === 0 || devices.includes(memory.by?.replica)) &&
      (conversations.length === 0 || conversationsOf(memory).some((name) => conversations.includes(name))) &&
      happened >= since &&
      happened <= until &&
      (validAt === undefined || isValid(memory, validAt))
    );
  };
}

/** A chat may be known by its title alone. */
function conversationsOf({ by, source }: Judged): readonly string[] {
  const named = [by?.conversation, by?.session, source?.conversation, source?.session];
  if (source?.kind === "chat") named.push(source.title);
  return named.flatMap((name) => (name === undefined ? [] : [String(name)]));
}

const isValid = ({ validFrom, validUntil }: Judged, at: number): boolean =>
  (validFrom ?? Number.NEGATIVE_INFINITY) <= at && at < (validUntil ?? Number.POSITIVE_INFINITY);
