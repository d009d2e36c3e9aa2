/**
 * A space at a glance.
 *
 * @module
 */
import * as z from "zod";
import { component, described } from "../describe.js";
import { cursor, memoryId, time } from "../parts.js";
import { author, changeHash, deviceName, replicaId } from "../shown.js";

const count = (description: string) => described(z.number(), description, { type: "integer" });

const actCounts = {
  added: count("Memories shown for the first time."),
  changed: count("Memories shown otherwise than before."),
  hidden: count("Memories hidden: forgotten, or taken back."),
  restored: count("Memories shown again."),
};

const day = described(z.string(), "Its first day.", { examples: ["2026-03-03"] });

export const activity = z.strictObject({
  branch: z.string(),
  timeZone: z.string(),
  periods: described(
    z.array(
      component(
        "ActivityPeriod",
        z.strictObject({
          day,
          from: time,
          until: time,
          ...actCounts,
          merges: z.number(),
          checkpoints: described(
            z.array(z.strictObject({ name: z.string(), at: time })),
            "Those that somebody made.",
          ),
          by: described(
            z.array(
              z.strictObject({
                agent: z.string().optional(),
                replica: replicaId,
                device: deviceName,
                count: z.number(),
              }),
            ),
            "Who did so much of it, most first.",
          ),
        }),
      ),
    ),
    "Oldest first, only those in which something happened.",
  ),
});

export const episodePage = z.strictObject({
  episodes: described(
    z.array(
      component(
        "Episode",
        z.strictObject({
          kind: z.enum(["write", "import", "undo", "rollback", "merge", "checkpoint"]),
          day,
          from: time,
          until: time,
          branch: described(z.string(), "This one, or one that it was made from later."),
          by: author.partial(),
          ...actCounts,
          categories: described(
            z.array(z.strictObject({ name: z.string(), count: z.number() })),
            "Of its newest memories, most first: five at most.",
          ),
          memories: described(
            z.array(z.strictObject({ id: memoryId, text: z.string() })),
            "Its newest memories, as it left them: three at most.",
          ),
          change: described(changeHash.optional(), "Of a merge."),
          source: described(z.string().optional(), "Of a merge: the branch that was merged."),
          name: described(z.string().optional(), "Of a checkpoint."),
        }),
      ),
    ),
    "Newest first.",
  ),
  cursor: cursor.answered,
});
