/**
 * Archives.
 *
 * @module
 */

import * as z from "zod";
import { described } from "../describe.js";
import { memoryId, time } from "../parts.js";
import { replicaId } from "../shown.js";

const archivedSpace = z.strictObject({ id: z.string(), name: z.string() });

export const archiveContents = z.strictObject({
  path: z.string(),
  id: described(z.string(), "Names this archive."),
  madeAt: time,
  isSealed: described(z.boolean(), "With a passphrase."),
  space: archivedSpace,
  by: described(z.strictObject({ replica: replicaId, device: z.string() }), "The device that made it."),
  branches: z.array(z.strictObject({ id: z.string(), name: z.string(), memories: z.number().optional() })),
  checkpoints: z.number(),
  devices: z.number(),
  documents: z.number(),
  sizeBytes: z.number(),
  damaged: described(z.number().optional(), "Stored chunks that were damaged when it was made."),
  since: described(z.array(z.string()).optional(), "The earlier archives that it needs, oldest first."),
});

const brought = z.array(z.strictObject({ id: memoryId, content: z.string() }));

export const importedArchive = z.strictObject({
  status: z.enum(["imported", "preview"]),
  as: described(z.enum(["replica", "merge"]), "A replica of its space, or part of the space that is here."),
  space: archivedSpace,
  archive: archiveContents,
  branches: described(
    z
      .array(
        z.strictObject({
          branch: z.string(),
          isNew: z.boolean(),
          changes: z.number(),
          ...{ created: brought, changed: brought, deleted: brought, conflicts: z.number() },
          change: described(z.string().optional(), "`undo` takes it back."),
        }),
      )
      .optional(),
    "With `merge`: what each branch gets.",
  ),
});
