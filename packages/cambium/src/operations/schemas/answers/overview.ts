/**
 * A space at a glance.
 *
 * @module
 */
import * as z from "zod";
import { component, described } from "../describe.js";
import { cursor, memoryId, time } from "../parts.js";
import { author, changeHash, deviceName, replicaId } from "../shown.js";
import { branchShape } from "./branches.js";

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

const differences = {
  created: count("Memories that it shows and its parent did not when it was made, and does not by now."),
  changed: count("Likewise, memories that both show, and otherwise."),
  hidden: count("Likewise, memories that were hidden on the branch."),
  onBothSides: count("How many of these its parent has changed since, too."),
};

export const branchSummary = component(
  "BranchSummary",
  z
    .strictObject({
      ...{ id: branchShape.id, name: branchShape.name, status: branchShape.status, isHere: z.boolean() },
      ...{ parent: branchShape.parent, forkedAt: branchShape.forkedAt, startsAt: branchShape.startsAt },
      merged: described(z.number().optional(), "When it last went into its parent."),
      last: described(
        z.strictObject({ at: time, by: author.partial(), device: z.string().optional() }).optional(),
        "Its newest change.",
      ),
      notice: z.string().optional(),
    })
    .extend(
      z
        .strictObject({ ...differences, conflicts: count("Open ones, in memories that were written on it.") })
        .partial().shape,
    ),
);

const facet = component("Facet", z.strictObject({ value: z.string(), count: z.number() }));

const facetList = z.array(facet);

export const facets = z.strictObject({
  total: count("Memories that match."),
  forgotten: count("Forgotten ones that would match."),
  conflicts: count("Memories of the state with open conflicts, whatever is asked for."),
  ...{ category: facetList, tag: facetList, kind: facetList, area: facetList, agent: facetList },
  device: described(z.array(facet), "By the ids of replicas."),
});

export const foundBefore = z.strictObject({
  at: described(z.number(), "The last moment of it. `recall` finds the same with `at`."),
  until: described(z.number(), "When that changed."),
  count: count("Memories that it found: 1,000 at most."),
});
