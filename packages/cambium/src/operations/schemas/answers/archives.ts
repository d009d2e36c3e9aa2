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
  leftOut: described(z.array(z.string()).optional(), "Branches that are not in it, where it is of some."),
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
  as: described(
    z.enum(["replica", "merge", "space"]),
    "A replica of its space, part of the space that is here, or a new space.",
  ),
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
  erasedSince: described(
    z
      .strictObject({
        memories: described(
          z.number().optional(),
          "Of how many memories something is left out. Absent in a preview.",
        ),
        lastAt: time.optional(),
      })
      .optional(),
    "What its space has erased since is left out. Absent: that space is not on this device.",
  ),
  notKept: described(
    z
      .strictObject({
        hasRelay: described(z.boolean(), "What that has of what was written since comes with a sync."),
        erasures: described(
          z.number().optional(),
          "How many erasures since then cannot be read, and do not hold. Absent: nothing says whether there were any.",
        ),
      })
      .optional(),
    "With `setAside`: what of the damaged space does not come with the archive.",
  ),
  setAside: described(
    z.string().optional(),
    "With `replaceDamaged`, where the space could not be opened: the folder that its files are in.",
  ),
});

export const download = z.strictObject({
  url: described(z.string(), "Works once."),
  name: described(z.string(), "What the file is called."),
  sizeBytes: z.number(),
  memories: described(z.number().optional(), "Of an export: how many are in it."),
  expiresAt: time,
});

export const shownBackups = z.strictObject({
  state: described(
    z.enum(["off", "fine", "late", "failed"]),
    "`off`: none are set. `late`: there is none of twice the time within which one is made.",
  ),
  plan: z
    .strictObject({
      dir: z.string(),
      everyMs: z.number(),
      keep: described(z.number(), "How many of the newest stay."),
      isSealed: described(z.boolean(), "With a passphrase."),
      nextAt: described(time, "When the next is due. The daemon makes it while it runs."),
    })
    .optional(),
  backups: described(
    z.array(z.strictObject({ path: z.string(), at: time })),
    "Newest first, as the folder has them now.",
  ),
  failure: described(
    z.strictObject({ at: time, message: z.string() }).optional(),
    "Why the last one could not be made. Absent when it could.",
  ),
});
