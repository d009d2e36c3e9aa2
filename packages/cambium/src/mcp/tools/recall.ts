import type { Recalled } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { CambiumError } from "@cambium/core/errors";
import { counted, safeText } from "@cambium/core/text";
import { z } from "zod";
import { cutText, jsonBytes } from "../bytes.js";
import { badCursor, dataOf, fitting, fromToken, type Shown, skipOf, textsOf, tokenOf } from "../pages.js";
import { periodNote } from "../period-note.js";
import { at, cursor, filters, label, limit, maxBytes, memoryId, place } from "../schemas.js";
import { DATA_NOTE, memoryBlock, type ShownMemory, shownMemory } from "../shown-memory.js";
import { defineTool, READS, type Reply, type ToolContext } from "../tool.js";

const MAX_RECALLED = 50;
/** Of a memory that was searched for; `get` with its id returns all of it. */
const CONTENT_BYTES = 1_600;
const MAX_IDS = 50;

const input = () =>
  z.strictObject({
    query: label.optional(),
    ids: z.array(memoryId).max(MAX_IDS).describe("Read these in full").optional(),
    ...filters,
    ...place,
    at,
    limit: limit(10, MAX_RECALLED),
    maxBytes,
    cursor,
  });

/** Searches a state, or reads memories of it in full. */
export const recall = defineTool({
  name: "recall",
  title: "Recall",
  description: `Search memory by words, now or as of any past state (at); filters alone list. Call before work that earlier conversations may have touched, and before saying that something is unknown. ${DATA_NOTE}`,
  annotations: READS,
  input,
  run: (call, args) => {
    const { query, ids } = args;
    if (query !== undefined && ids !== undefined)
      throw new CambiumError("BAD_INPUT", "recall takes either a query or ids.", {
        hint: "Give what to search for as query, or the ids of memories to read in full.",
      });
    return ids === undefined ? search(call, query, args) : read(call, ids, args);
  },
});

type Args = z.output<ReturnType<typeof input>>;

async function search(call: ToolContext, query: string | undefined, args: Args): Promise<Reply> {
  const { limit, maxBytes, cursor, ids: _ids, query: _query, space: _space, ...options } = args;
  const skip = skipOf(cursor);
  // One more than is shown tells whether there are others.
  const found = await call.space.recall(query, {
    ...options,
    branch: call.branch,
    limit: skip + limit + 1,
  });
  const rest = found.slice(skip);
  const shown = fitting(rest.slice(0, limit), maxBytes, (memory, room) => {
    const whole = shownMemory(memory, Math.min(CONTENT_BYTES, room - jsonBytes(shownMemory(memory, 0))));
    const data = whole.cut === undefined ? whole : { ...whole, matches: safeText(memory.snippet) };
    return { data, text: blockOf(data) };
  });
  const next = rest.length > shown.length ? tokenOf(skip + shown.length) : undefined;
  const note = await periodNote(args, call.now);
  const { certainty, advice } = found;
  const what = query === undefined ? "chosen by the filters" : `for ${quote(query)}`;
  return replyOf(call, shown, { what, next, note, certainty, advice });
}

function blockOf(memory: ShownMemory & { readonly matches?: string }): string {
  const { matches, ...plain } = memory;
  const block = memoryBlock(plain);
  return matches === undefined
    ? block
    : `${block}\nIt goes on. The part that matches best: ${quote(matches)}`;
}

/** Where in which memory the next answer begins. */
type ReadPlace = readonly [index: number, offset: number];

async function read(
  call: ToolContext,
  ids: readonly string[],
  { maxBytes, cursor, at }: Args,
): Promise<Reply> {
  const [first, offset] = cursor === undefined ? [0, 0] : readPlaceOf(cursor, ids.length);
  const memories: Memory[] = [];
  for (const id of ids.slice(first)) memories.push(await call.space.get(id, { branch: call.branch, at }));
  /** Where what was cut goes on. */
  const ends = new Map<ShownMemory, ReadPlace>();
  const shown = fitting(memories, maxBytes, (memory, room) => {
    const index = first + memories.indexOf(memory);
    const from = index === first ? offset : 0;
    // Cut from what is shown, which may be longer than what is kept.
    const rest = { ...memory, content: safeText(memory.content).slice(from) };
    const content = Math.max(200, room - jsonBytes(shownMemory({ ...rest, content: "" }, 0)) - 150);
    const data = shownMemory(rest, content);
    const next = data.cut && cutText(rest.content, content).next;
    if (next !== undefined) ends.set(data, [index, from + next]);
    return { data, text: memoryBlock(data) };
  });
  const last = shown.at(-1)?.data;
  const rest = shown.length < memories.length ? ([first + shown.length, 0] as const) : undefined;
  const place = (last && ends.get(last)) ?? rest;
  return replyOf(call, shown, { what: "by id", next: place && tokenOf(place), note: [] });
}

function readPlaceOf(cursor: string, count: number): ReadPlace {
  const place = fromToken(cursor);
  const isPlace =
    Array.isArray(place) && place.length === 2 && place.every((one) => Number.isInteger(one) && one >= 0);
  if (!isPlace || (place[0] as number) >= count) throw badCursor();
  return place as unknown as ReadPlace;
}

interface ReplyNotes extends Partial<Pick<Recalled, "certainty" | "advice">> {
  readonly what: string;
  readonly next: string | undefined;
  readonly note: readonly string[];
}

function replyOf(
  { branch }: ToolContext,
  shown: readonly Shown<ShownMemory>[],
  { what, next, note: period, certainty, advice = [] }: ReplyNotes,
): Reply {
  const count = `${counted(shown.length, "memory", "memories")} ${what} on ${branch}`;
  const more = next === undefined ? [] : [`There is more: call again with cursor: ${next}`];
  const note = shown.length === 0 ? [] : [DATA_NOTE];
  const sure = certainty === "weak" ? " Perhaps none of them answers it." : "";
  const advised = advice.map((one) => safeText(one));
  return {
    text: [`${count}.${sure}`, ...period, ...advised, ...note, ...textsOf(shown), ...more].join("\n"),
    data: {
      ...{ branch, memories: dataOf(shown) },
      ...(certainty === undefined ? {} : { certainty, advice: advised }),
      ...(next === undefined ? {} : { cursor: next }),
    },
  };
}

const quote = (text: string): string => `“${safeText(text).replace(/\s+/g, " ").slice(0, 200)}”`;
