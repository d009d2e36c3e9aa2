/**
 * A replica: the spaces of one device.
 *
 * @module
 */
import type { CambiumError, ReplicaId, SpaceId } from "@cambium/core";
import {
  abortSignal,
  anything,
  callable,
  flag,
  naming,
  object,
  oneOf,
  optional,
  options,
  type Shape,
  text,
} from "../arguments/shapes.js";
import { newName, RELAY, type SignaturesOf, taking } from "../arguments/signature.js";
import archiveSignatures, { type ImportArchiveOptions, type ImportedArchive } from "./archive.js";
import type { Embedder } from "./embedder.js";
import type { Space } from "./space.js";
import type { Summarizer } from "./summarizer.js";
import type { RelayAccess, Role } from "./sync.js";
import type { SourceFetcher } from "./versions.js";

/** A space as `Replica.spaces` lists it. */
export interface SpaceInfo {
  /** Names the space on every device. */
  readonly id: SpaceId;
  /** As its maker named it. */
  readonly name: string;
  /** Address of its relay, or null. */
  readonly relay: string | null;
  /** What this replica's token allows. */
  readonly role: Role;
  /** Marks the access to the relay: another one when this device joins again. It opens nothing. Absent without a relay. */
  readonly access?: string;
  /** When that access ends, in milliseconds since 1970. Absent: never, or not known. */
  readonly accessUntil?: number;
  /** When it was erased as a whole, in milliseconds since 1970: nothing can be written to it. Otherwise absent. */
  readonly erasedAt?: number;
  /** A call that names no space means this one. */
  readonly isDefault: boolean;
}

/** A space whose settings are missing or cannot be read, so that not even its name is known. */
export interface DamagedSpace {
  /** Null where the directory of all spaces cannot be read. */
  readonly id: SpaceId | null;
  /** What is missing or cannot be read, as a sentence. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

/** A full copy of the spaces of one device. One process at a time has it open. */
export interface Replica extends AsyncDisposable {
  /** Names this replica. It is another one after the directory was copied. */
  readonly id: ReplicaId;
  /** What this device is called: others read it beside what was written here. */
  readonly name: string;
  /** Where everything is stored. */
  readonly dir: string;
  /**
   * Calls this device otherwise. Others see it after the next sync of a space; one that is closed says it when it is
   * opened.
   *
   * @throws {CambiumError} BAD_INPUT
   * @example
   * await replica.rename("laptop");
   * expect(replica.name).toBe("laptop");
   */
  rename(name: string): Promise<void>;
  /**
   * Lists the spaces that can be opened. `damagedSpaces` has the others.
   *
   * @example
   * expect((await replica.spaces()).map(({ name }) => name)).toEqual(["shared"]);
   */
  spaces(): Promise<readonly SpaceInfo[]>;
  /**
   * Lists the spaces whose settings cannot be read. `openSpace` needs a name where the default is one of them, or is
   * not known.
   *
   * @example
   * expect(await replica.damagedSpaces()).toEqual([]);
   */
  damagedSpaces(): Promise<readonly DamagedSpace[]>;
  /**
   * Creates a space, on a relay if one is given, and opens it.
   *
   * @throws {CambiumError} SPACE_EXISTS, RELAY_UNREACHABLE, TOKEN_REFUSED
   * @example
   * const notes = await replica.createSpace({ name: "notes" });
   * expect(notes.role).toBe("admin");
   */
  createSpace(options: { readonly name: string; readonly relay?: RelayAccess | undefined }): Promise<Space>;
  /**
   * Joins the space of an invitation and opens it. Its contents arrive with the next sync.
   *
   * @throws {CambiumError} BAD_INVITATION, RELAY_UNREACHABLE, SPACE_EXISTS
   * @example
   * const joined = await other.joinSpace(await space.invite({ role: "write" }));
   * await space.sync.whenSynced();
   * await joined.sync.whenSynced();
   * expect(joined.role).toBe("write");
   */
  joinSpace(invitation: string): Promise<Space>;
  /**
   * Comes into a space with its recovery kit, with the role admin. The kit stays as it is. Without the relay, use
   * `importArchive` with the kit.
   *
   * @param kit - the fifteen words, or the page that they were printed on
   * @param options.relay - where the space is. Default: as the page says
   * @throws {CambiumError} BAD_INPUT for words that are none of a kit; TOKEN_REFUSED for a kit that was revoked;
   *   RELAY_UNREACHABLE
   * @example
   * const kit = await space.members.recoveryKit();
   * const again = await other.recoverSpace(kit.page);
   * expect(again.id).toBe(space.id);
   */
  recoverSpace(kit: string, options?: { readonly relay?: string }): Promise<Space>;
  /**
   * Joins a space by the code that another device shows (`members.pair`), or by its link.
   *
   * @param options.relay - where the space is. Default: as the link says
   * @throws {CambiumError} BAD_INPUT for what is no code; TOKEN_REFUSED for one that has ended; RELAY_UNREACHABLE
   * @example
   * const pairing = await space.members.pair();
   * const paired = await other.pairSpace(pairing.link);
   * expect(paired.id).toBe(space.id);
   */
  pairSpace(code: string, options?: { readonly relay?: string }): Promise<Space>;
  /**
   * Chooses the space that a call means that names none. Until then it is the first one of this replica.
   *
   * @throws {CambiumError} SPACE_NOT_FOUND
   * @example
   * await replica.createSpace({ name: "notes" });
   * await replica.setDefaultSpace("notes");
   * expect((await replica.openSpace()).name).toBe("notes");
   */
  setDefaultSpace(space: string): Promise<void>;
  /**
   * Gives a space another name on this replica. Other devices keep theirs.
   *
   * @throws {CambiumError} SPACE_NOT_FOUND, SPACE_EXISTS
   * @example
   * await replica.renameSpace("shared", "family");
   * expect(space.name).toBe("family");
   */
  renameSpace(space: string, name: string): Promise<void>;
  /**
   * Removes the copy of a space from this replica. The relay and other devices keep theirs.
   *
   * @param options.discardUnsent - also removes what is nowhere else
   * @throws {CambiumError} SPACE_NOT_FOUND, UNSENT_CHANGES; BAD_INPUT for the default while several others are here
   * @example
   * const notes = await replica.createSpace({ name: "notes" });
   * await notes.as({ agent: "claude-code" }).remember({ content: "Only here" });
   * await expect(replica.removeSpace("notes")).rejects.toHaveProperty("code", "UNSENT_CHANGES");
   * await replica.removeSpace("notes", { discardUnsent: true });
   */
  removeSpace(space: string, options?: { readonly discardUnsent?: boolean }): Promise<void>;
  /**
   * Opens a space by name or id. Default: the one that `setDefaultSpace` chose, or the first one here.
   * With `connect: false`, it does not connect to its relay until `sync.start()`.
   *
   * @throws {CambiumError} SPACE_NOT_FOUND, AMBIGUOUS_SPACE
   * @example
   * expect((await replica.openSpace("shared")).id).toBe(space.id);
   */
  openSpace(space?: string, options?: { readonly connect?: boolean }): Promise<Space>;
  /**
   * Takes in an archive: this replica gets the space with all of its history, as if it had joined it. Where the space is
   * here, what is new in the archive joins it: `preview` says what, and `undo` takes it back.
   *
   * @throws {CambiumError} ARCHIVE_DAMAGED, WRONG_PASSPHRASE, SCHEMA_TOO_NEW; SPACE_EXISTS when the name is taken;
   *   BAD_INPUT when there is no such file, a passphrase is needed, or an earlier archive; ABORTED
   * @example
   * await space.archive(`${dir}/kept.cambium`, { passphrase: "three tall pines" });
   * const kept = await other.importArchive(`${dir}/kept.cambium`, { passphrase: "three tall pines" });
   * expect(kept.space.id).toBe(space.id);
   */
  importArchive(path: string, options?: ImportArchiveOptions): Promise<ImportedArchive>;
  /**
   * Closes all spaces, after everything is stored. Waits for writes that have begun, at most 30 seconds, and answers
   * them.
   *
   * @example
   * await replica.close();
   * await expect(replica.createSpace({ name: "late" })).rejects.toHaveProperty("code", "REPLICA_CLOSED");
   */
  close(): Promise<void>;
}

/** How `openReplica` opens a replica. */
export interface OpenReplicaOptions {
  /** Where everything is stored. Created if it does not exist. */
  readonly dir: string;
  /** Where tokens are kept by which a copied or restored directory is recognized. Outside of `dir`. */
  readonly stateDir?: string;
  /** Default: `sqlite`. */
  readonly storage?: "sqlite" | "fs";
  /** Where `createSpace` makes spaces. Default: on this device only. */
  readonly relay?: RelayAccess;
  /** What this device is called when its directory is made. Default: `CAMBIUM_DEVICE`, else the name of the machine. */
  readonly name?: string;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Returns random bytes. Default: those of the system. */
  readonly random?: (length: number) => Uint8Array;
  /** Ends the waiting for another process that has the replica open. */
  readonly signal?: AbortSignal;
  /** Called after a second of that waiting, with the id of the process if it is known. Default: a warning of Node. */
  readonly onWait?: (holder: { readonly pid?: number }) => void;
  /** Lets recall find memories by meaning, too. Without one, nothing leaves the device for it. */
  readonly embedder?: Embedder;
  /** Writes the sentences about changes in place of the rules, in the background. Without one nothing leaves the device for it. */
  readonly summarizer?: Summarizer;
  /**
   * What reads texts again where they came from, by the kind of source, such as `email`. Asked only where
   * `TextOptions.sources` names the kind. Default: files of this device (`file`) and the web (`url`).
   */
  readonly sourceFetchers?: Readonly<Record<string, SourceFetcher>>;
  /** Whether spaces connect to their relay when opened. Default: true. */
  readonly connect?: boolean;
  /**
   * Called once for a space that could not write to its disk. From then on, nothing of it is stored until the replica
   * is opened again; reads may show more than was stored.
   */
  readonly onStoreFailed?: (failure: CambiumError) => void;
}

/** What `connectReplica` takes. */
const connecting: Shape = options({
  ...{ dir: text, start: flag, signal: abortSignal, env: object({}) },
});

/** What `openReplica` takes. */
const opening: Shape = (value, at) => {
  object({ dir: text })(value, at);
  options({
    ...{ stateDir: text, storage: oneOf("sqlite", "fs"), relay: RELAY, name: anything, signal: abortSignal },
    ...{ clock: callable, random: callable, connect: flag, onStoreFailed: callable, onWait: callable },
    ...{ embedder: object({}), summarizer: object({}), sourceFetchers: object({}) },
  })(value, at);
};

const replica = {
  rename: [["name", anything]], // checkName says more
  spaces: [],
  damagedSpaces: [],
  createSpace: [["options", object({ name: anything, relay: optional(RELAY) })]],
  joinSpace: [["invitation", text]],
  recoverSpace: [["kit", text], taking({ relay: text })],
  pairSpace: [["code", text], taking({ relay: text })],
  setDefaultSpace: [["space", naming]],
  renameSpace: [["space", naming], newName],
  removeSpace: [["space", naming], taking({ discardUnsent: flag })],
  openSpace: [
    ["space", optional(naming)],
    ["options", options({ connect: flag })],
  ],
  importArchive: archiveSignatures.importArchive,
  close: [],
} satisfies SignaturesOf<Replica>;

export default { replica, opening, connecting };
