import type { EvolutionStep } from "@cambium/core";
import { CambiumError } from "@cambium/core/errors";
import { counted } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { dataOf, fitting, type Shown, skipOf, textsOf, tokenOf } from "../pages.js";
import { cursor, limit, maxBytes, place } from "../schemas.js";
import { DATA_NOTE, one, shortRecord, shownAuthor, shownTime, shownValue } from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

/** How the understanding of something came to be. */
export const evolution = defineTool({
  name: "evolution",
  title: "Evolution",
  description:
    "Tell how the understanding of something came to be, step by step: what was learned, corrected, superseded, by whom and why. Give a query, an id or a category. Reads only.",
  annotations: READS,
  input: () =>
    z.strictObject({
      ...operationFields("evolution", { query: null, id: null, category: null, from: "Date", to: "Date" }),
      ...place,
      limit: limit(20, 100),
      maxBytes,
      cursor,
    }),
  run: async (call, { query, id, category, from, to, limit, maxBytes, cursor }) => {
    const { branch } = call;
    const topics = [
      query,
      id === undefined ? undefined : { id },
      category === undefined ? undefined : { category },
    ];
    const [topic, ...others] = topics.filter((one) => one !== undefined);
    if (topic === undefined || others.length > 0)
      throw new CambiumError("BAD_INPUT", "evolution takes a query, an id or a category: one of them.");
    const found = await call.space.evolution(topic, { branch, from, to, limit });
    const skip = skipOf(cursor);
    const rest = found.steps.slice(skip);
    const shown = fitting(rest, maxBytes, shownStep);
    const left = rest.length - shown.length;
    const next = left > 0 ? tokenOf(skip + shown.length) : undefined;
    const lines = [
      `${counted(found.steps.length, "step")} in ${counted(found.memories.length, "memory", "memories")} on ${branch}, in the order in which they were written.`,
      ...(shown.length === 0 ? [] : [DATA_NOTE]),
      ...textsOf(shown),
      ...(found.more === undefined
        ? []
        : [`${found.more} memories more were found; a larger limit takes them in.`]),
      ...(next === undefined ? [] : [`${left} later steps: call again with cursor: ${next}`]),
    ];
    return {
      text: lines.join("\n"),
      data: { branch, steps: dataOf(shown), left, ...(next === undefined ? {} : { cursor: next }) },
    };
  },
});

interface ShownStep {
  readonly id: string;
  readonly version: number;
  readonly record: string;
  readonly at: string;
  readonly by: string;
  readonly text: string;
  readonly reason?: string;
}

function shownStep({ memory, version, record, at, by, text, reason }: EvolutionStep): Shown<ShownStep> {
  const data: ShownStep = {
    ...{ id: memory, version, record: shortRecord(record), at: shownTime(at), by: shownAuthor(by) },
    text: shownValue(text, 600),
    ...(reason === undefined ? {} : { reason: shownValue(reason, 200) }),
  };
  const why = data.reason === undefined ? "" : `, because ${one(data.reason)}`;
  return { data, text: `- ${data.at} ${data.by}, ${memory}: ${one(data.text)}${why}` };
}
