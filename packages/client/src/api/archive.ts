/**
 * Archives: all of a space in one file.
 *
 * @module
 */
import type { BranchId, ChangeHash, MemoryId, ReplicaId, SpaceId } from "@cambium/core";
import { anyString, filePath, flag, list, text } from "../arguments/shapes.js";
import { PROGRESS, taking } from "../arguments/signature.js";
import type { ProgressOptions } from "./upkeep.js";

/** How an archive is opened, or made: sealed with a passphrase, or in the clear. */
export interface ArchiveKey {
  /** Seals the archive, or opens it. Whoever has the file and this reads everything. */
  readonly passphrase?: string | undefined;
}

/** What opens an archive that is sealed. */
export interface OpeningArchive extends ArchiveKey {
  /** A recovery kit of the space that stood when the archive was made, in place of the passphrase. */
  readonly kit?: string | undefined;
}

/** What `Space.archive` takes. One of `passphrase` and `clear` is needed. */
export interface ArchiveOptions extends ArchiveKey, ProgressOptions {
  /** Writes it in the clear: whoever has the file reads everything. */
  readonly clear?: boolean | undefined;
  /**
   * Only these branches, by name or id, with what is needed to read them. Packs are taken as they are stored, so versions
   * of other branches may be among them. Default: all.
   */
  readonly branches?: readonly string[] | undefined;
  /** An earlier archive of the space: only what is new since is written. Both are needed to take it back. */
  readonly since?: string | undefined;
  /** Writes over a file that is there. */
  readonly overwrite?: boolean | undefined;
}

/** What is in an archive, as it was read and checked. */
export interface ArchiveContents {
  /** The file. */
  readonly path: string;
  /** Names this archive. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Whether it is sealed with a passphrase. */
  readonly isSealed: boolean;
  /** The space it is of. */
  readonly space: {
    /** The same on every device. */
    readonly id: SpaceId;
    /** As it was called on the device that made the archive. */
    readonly name: string;
  };
  /** The device that made it. */
  readonly by: {
    /** Its id. */
    readonly replica: ReplicaId;
    /** Its name. */
    readonly device: string;
  };
  /** The branches, with the number of memories that each shows. */
  readonly branches: readonly ArchivedBranch[];
  /** Branches that are not in it, by name. Absent where it was made of all. */
  readonly leftOut?: readonly string[] | undefined;
  /** How many checkpoints there are. */
  readonly checkpoints: number;
  /** How many devices the space knows. */
  readonly devices: number;
  /** How many documents hold it all. */
  readonly documents: number;
  /** Of the file. */
  readonly sizeBytes: number;
  /** Stored chunks that were damaged when it was made, and are not in it. Absent: none. */
  readonly damaged?: number | undefined;
  /** The earlier archives that it needs, oldest first. Absent: none. */
  readonly since?: readonly string[] | undefined;
}

/** A branch in an archive. */
export interface ArchivedBranch {
  /** The same on every device. */
  readonly id: BranchId;
  /** Its name. */
  readonly name: string;
  /** How many memories it shows. Absent while the branch is not whole on the device that made the archive. */
  readonly memories?: number | undefined;
}

/** How an archive is read. */
export interface ReadArchiveOptions extends OpeningArchive, ProgressOptions {
  /** Where the earlier archives are that it needs. Default: beside it, under the names that they had. */
  readonly since?: readonly string[] | undefined;
}

/** What `Replica.importArchive` takes. */
export interface ImportArchiveOptions extends ReadArchiveOptions {
  /** Only says what it would bring. */
  readonly preview?: boolean | undefined;
  /** What a space that is not here yet is to be called. Default: as in the archive. */
  readonly name?: string | undefined;
  /**
   * Makes a new space of it, of this name, also where the space of the archive is here: with an id and a key of its own,
   * so that the two never sync.
   */
  readonly asSpace?: string | undefined;
  /** Connects to the relay with the access that the archive holds. Default: the space stays on this device. */
  readonly link?: boolean | undefined;
  /**
   * Where the space is here and damaged so that it cannot be opened: puts what is here aside, and takes the archive in
   * its place, with the name and the access to the relay that the space has. Nothing is deleted. Default: such a space is
   * refused with STORE_DAMAGED.
   */
  readonly replaceDamaged?: boolean | undefined;
}

/** What came, or would come, of an archive. */
export interface ImportedArchive {
  /** `preview` when nothing was written. */
  readonly status: "imported" | "preview";
  /** What the archive becomes here: a replica of its space, part of the space that is here, or a new space. */
  readonly as: "replica" | "merge" | "space";
  /** The space here. */
  readonly space: {
    /** The same on every device. In a preview of a new space, that of the space in the archive. */
    readonly id: SpaceId;
    /** As it is called here. */
    readonly name: string;
  };
  /** The archive. */
  readonly archive: ArchiveContents;
  /** With `merge`: the branches that get something, and what. Empty: everything is here already. */
  readonly branches?: readonly BroughtBranch[] | undefined;
  /**
   * Where the space of the archive is on this device, too, and with `setAside`: what it has erased since is left out.
   * Absent: only what was erased when the archive was made is left out.
   */
  readonly erasedSince?: ErasedSince | undefined;
  /**
   * With `replaceDamaged`, where the space here cannot be opened: the folder that its files were put into. In a preview,
   * the folder that they are in.
   */
  readonly setAside?: string | undefined;
  /** With `setAside`: what of the space that could not be opened does not come with the archive. */
  readonly notKept?: NotKept | undefined;
}

/** What is lost where an archive takes the place of a damaged space. */
export interface NotKept {
  /** Whether the space has a relay: what that has of what was written after the archive was made comes with a sync. */
  readonly hasRelay: boolean;
  /**
   * How many erasures since then cannot be read: what they erased is there again, unless the relay knows of them. Absent:
   * nothing says whether there were any.
   */
  readonly erasures?: number | undefined;
}

/** What is left out because the space of the archive has erased it since. */
export interface ErasedSince {
  /** Of how many memories something is left out. Absent in a preview. */
  readonly memories?: number | undefined;
  /** When the last of it was erased, in milliseconds since 1970. */
  readonly lastAt?: number | undefined;
}

/** What an archive brings to a branch. */
export interface BroughtBranch {
  /** Its name. */
  readonly branch: string;
  /** Whether it comes with the archive. */
  readonly isNew: boolean;
  /** How many changes come. */
  readonly changes: number;
  /** Memories that were not here. */
  readonly created: readonly BroughtMemory[];
  /** Memories that show something else from then on. */
  readonly changed: readonly BroughtMemory[];
  /** Memories that are forgotten from then on. */
  readonly deleted: readonly BroughtMemory[];
  /** How many memories get into conflict, or more of it. */
  readonly conflicts: number;
  /** The change that `undo` takes back, once it is imported. Absent for a branch that comes with the archive. */
  readonly change?: ChangeHash | undefined;
}

/** A memory that an archive brings. */
export interface BroughtMemory {
  /** Its id. */
  readonly id: MemoryId;
  /** As it is then; of one that is forgotten, as it was. */
  readonly content: string;
}

const READING = { ...PROGRESS, passphrase: anyString, since: list(filePath) };

/** What `Space.archive` and `Replica.importArchive` take. */
export default {
  archive: [
    ["path", filePath],
    taking({
      ...PROGRESS,
      passphrase: anyString,
      clear: flag,
      since: filePath,
      overwrite: flag,
      branches: list(text),
    }),
  ],
  importArchive: [
    ["path", filePath],
    taking({ ...READING, preview: flag, name: text, asSpace: text, link: flag, replaceDamaged: flag }),
  ],
} as const;
