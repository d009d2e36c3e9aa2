/**
 * Memories as they are shown, found and proposed.
 *
 * @module
 */

import * as z from "zod";
import { component, described } from "../describe.js";
import { memoryId, time } from "../parts.js";
import { author, changeHash, memory } from "../shown.js";

const briefPart = <Item extends z.ZodType>(item: Item, description: string) =>
  described(z.strictObject({ total: z.number(), items: z.array(item) }), description);

export const brief = component(
  "Brief",
  z.strictObject({
    branch: z.string(),
    agent: z.string().optional(),
    at: described(z.string(), "The state it tells of, as a ref."),
    since: described(z.string().optional(), "From when on all is new, as a ref; absent the first time."),
    news: briefPart(
      z.strictObject({
        id: memoryId,
        what: z.enum(["created", "changed", "forgotten"]),
        text: z.string(),
        by: author,
        at: time,
      }),
      "Written by others since, newest first.",
    ),
    conflicts: briefPart(
      z.strictObject({ id: memoryId, fields: z.array(z.string()), text: z.string() }),
      "Open ones on the branch.",
    ),
    requests: briefPart(
      z.strictObject({
        ...{ id: z.string(), operation: z.string(), branch: z.string().optional() },
        ...{ by: z.string(), at: time },
      }),
      "Those that wait for the owner.",
    ),
    notices: briefPart(z.string(), "What a person should know."),
    matters: briefPart(
      z.strictObject({
        id: memoryId,
        text: z.string(),
        category: z.string().optional(),
        at: time,
        strength: z.number(),
      }),
      "The strongest memories that are not among the news.",
    ),
    heads: z.array(changeHash),
    text: described(z.string(), "All of this for a person or model to read, within `maxBytes`."),
  }),
  "What an agent should know before it begins. Of each part the foremost, and how many there are.",
);

export const recalled = component(
  "RecalledMemory",
  memory.extend({
    score: described(z.number(), "Comparable within one answer only."),
    snippet: described(z.string(), "The part of the content that says most of the query."),
    highlights: described(
      z.array(z.tuple([z.number(), z.number()])),
      "What matched, as [start, end) in UTF-16 units of the snippet.",
    ),
    matched: described(z.array(z.string()), "Words of the query, as they were read, that the memory says."),
    alike: described(z.array(memoryId).optional(), "Memories that say the same and are therefore left out."),
  }),
  "A memory that was found, and why.",
);

export const certainty = described(
  z.enum(["strong", "weak", "none"]),
  "`strong`: the best memory says most of what the query asks for. `weak`: something of it was found. `none`: nothing was.",
);

export const advice = described(
  z.array(z.string()),
  "Sentences: what to try next, and which words and filters were read otherwise than they were written.",
);

export const concealedMemory = component(
  "ConcealedMemory",
  z.strictObject({
    id: memoryId,
    at: described(time, "When it was concealed."),
    by: author,
    memory: described(
      memory.optional(),
      "As the branch has it, or else another one. Absent while nothing of it is here.",
    ),
  }),
);

export const alikeMemory = component(
  "SimilarMemory",
  memory.extend({
    similarity: described(z.number(), "Up to 1."),
    likeness: described(
      z.enum(["text", "subject"]),
      "`text`: it says nearly the same. `subject`: it is about the same.",
    ),
  }),
);
