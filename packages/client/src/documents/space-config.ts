/**
 * What a replica keeps about a space outside its documents: its key, its relay, its token. Private.
 *
 * @module
 */
import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  CambiumError,
  type ChangeHash,
  type DocumentId,
  isCambiumError,
  isUuid,
  type SpaceId,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { DamagedSpace, RelayAccess, Role, SpaceInfo } from "../api.js";
import {
  isAbsentOr,
  isNullOr,
  isNumber,
  isOne,
  isOneOf,
  isText,
  isTrue,
  readShape,
} from "../platform/plain-shape.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { damagedFile, readCheckedJson, syncDirectory, writeCheckedJson } from "../platform/private-files.js";
import { accessMark } from "./access-mark.js";
import { chooseSpace, chosenSpace } from "./default-space.js";

/** The last changes of some documents, as whoever made an invitation had them. */
export interface SeenAtInvitation {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A few; none where the relay had given nothing. */
  readonly heads: readonly { readonly document: DocumentId; readonly hash: ChangeHash }[];
}

/** What `space.json` holds. It contains secrets: only the owner of the home may read it. */
export interface SpaceConfig {
  readonly v: 1;
  /** A UUID, the same on every device. */
  readonly id: string;
  /** As its maker named it. */
  readonly name: string;
  /** base64url, 32 bytes. */
  readonly key: string;
  /** The keys that followed it, and which of them is written under. Absent in the first epoch. */
  readonly epochs?: KeptEpochs | undefined;
  /** base64url: what the link held by which this device came, for a key that was sealed for whoever comes by it. */
  readonly cameWith?: string | undefined;
  /** That is of a recovery kit, and kept no longer than it is needed. */
  readonly cameWithKit?: true | undefined;
  /** A code of the key, once it is known to be the right one. Null: joined, and not known yet. Absent in older files. */
  readonly keyCheck?: string | null | undefined;
  /** Null for a space that is on this device only. */
  readonly relay: RelayAccess | null;
  /** What the token allows; `admin` without a relay. */
  readonly role: Role;
  /** When the access ends, in milliseconds since 1970. Absent: never, or not known. */
  readonly accessUntil?: number | undefined;
  /** Joined, and not yet heard from the relay what the space holds. */
  readonly isUnheard?: true | undefined;
  /** What whoever invited this device had seen of the space, until all of it is here. */
  readonly invited?: SeenAtInvitation | undefined;
  /** Its settings let old texts go, as far as this device has heard: asked before the space is opened for that. */
  readonly isPruned?: true | undefined;
  /** When it was erased as a whole, in milliseconds since 1970, as far as this device has heard and agreed. */
  readonly erasedAt?: number | undefined;
  /** Sealing anew was begun and has not come to its end, as far as this device has done it. */
  readonly isRekeying?: true | undefined;
  /** The space came to its relay, which has not been told yet of recovery kits that stand. */
  readonly isKitUnknown?: true | undefined;
  /** Milliseconds since 1970. */
  readonly lastReceiptAt?: number | undefined;
  /** The epoch of the last restored copy whose loss the owner accepted, or before which there was no space. */
  readonly acceptedRestore?: number | undefined;
}

/** The keys of later epochs, as they are kept. */
export interface KeptEpochs {
  /** The id of the epoch that is written under. */
  readonly current: string;
  /** Each with its number and its secret, base64url. */
  readonly known: readonly { readonly id: string; readonly epoch: number; readonly secret: string }[];
}

const isEpochs = (value: unknown): value is KeptEpochs =>
  readShape<KeptEpochs>(value, {
    current: isText,
    known: (known): known is KeptEpochs["known"] =>
      Array.isArray(known) &&
      known.every((one) => readShape(one, { id: isText, epoch: isNumber, secret: isText }) !== undefined),
  }) !== undefined;

const isRelay = (value: unknown): value is RelayAccess =>
  readShape<RelayAccess>(value, { url: isText, token: isText }) !== undefined;

const isInvited = (value: unknown): value is SeenAtInvitation => {
  const read = readShape<SeenAtInvitation>(value, {
    at: isNumber,
    heads: (heads): heads is SeenAtInvitation["heads"] =>
      Array.isArray(heads) &&
      heads.every((head) => readShape(head, { document: isText, hash: isText }) !== undefined),
  });
  return read !== undefined;
};

/** @returns undefined of what are no settings of a space */
export const parseConfig = (stored: unknown): SpaceConfig | undefined =>
  readShape<SpaceConfig>(stored, {
    ...{ v: isOne, id: isUuidText, name: isText, key: isText, relay: isNullOr(isRelay) },
    ...{ role: isOneOf("read", "write", "admin"), lastReceiptAt: isAbsentOr(isNumber) },
    ...{ accessUntil: isAbsentOr(isNumber), epochs: isAbsentOr(isEpochs), cameWith: isAbsentOr(isText) },
    ...{ cameWithKit: isAbsentOr(isTrue), isPruned: isAbsentOr(isTrue) },
    ...{ isRekeying: isAbsentOr(isTrue), isKitUnknown: isAbsentOr(isTrue) },
    ...{ acceptedRestore: isAbsentOr(isNumber), erasedAt: isAbsentOr(isNumber) },
    invited: isAbsentOr(isInvited),
    ...{ isUnheard: isAbsentOr(isTrue), keyCheck: isAbsentOr(isNullOr(isText)) },
  });

const isUuidText = (value: unknown): value is string => isText(value) && isUuid(value);

const REMEDY =
  "Without a backup, ask another member for an invitation and join again: what is stored here stays.";

/** What stands in the directory of a space that was being made when the process died. */
const UNFINISHED: ReadonlySet<string> = new Set(["space.json.new"]);

/** What the directory of a space is called while it is made ready by an import, and while it is deleted. */
const [IMPORTING, REMOVED] = [".importing", ".removed"];

/** What a folder is called in which the files of a damaged space are kept, up to when they were put aside. */
const DAMAGED = ".damaged-";

/** The files of a damaged space that another copy took the place of. */
export interface SetAsideSpace {
  /** The space that they were of. */
  readonly id: SpaceId;
  /** The folder. */
  readonly path: string;
}

/** What is kept of the spaces here, by name, then id; and the settings that are missing or cannot be read. */
interface Survey {
  readonly configs: readonly SpaceConfig[];
  readonly damage: ReadonlyMap<SpaceId | null, CambiumError>;
}

/** The settings of all spaces of a replica, read from disk at each call. */
export class SpaceConfigs {
  readonly #dir: string;

  constructor(replicaDir: string) {
    this.#dir = join(replicaDir, "spaces");
  }

  /** Returns the directory of a space, whether or not it exists. */
  directoryOf(id: SpaceId): string {
    return join(this.#dir, id);
  }

  /** Those that can be read: by name, then id. */
  readable(): readonly SpaceConfig[] {
    return this.#survey().configs;
  }

  /** The spaces whose settings are missing or cannot be read. */
  damaged(): readonly DamagedSpace[] {
    const { damage } = this.#survey();
    return [...damage].map(([id, { message, hint = REMEDY }]) => ({ id, message, hint }));
  }

  #survey(): Survey {
    const configs: SpaceConfig[] = [];
    const damage = new Map<SpaceId | null, CambiumError>();
    for (const id of this.#ids(damage)) {
      try {
        const config = this.#read(id);
        if (config !== undefined) configs.push(config);
      } catch (error) {
        damage.set(id, isCambiumError(error) ? error : damagedFile(this.#path(id), REMEDY, error));
      }
    }
    configs.sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1));
    return { configs, damage };
  }

  /** Of the spaces that have a directory here. */
  #ids(damage: Map<SpaceId | null, CambiumError>): readonly SpaceId[] {
    // A link that leads nowhere is there: only a home without one has no space.
    if (lstatSync(this.#dir, { throwIfNoEntry: false }) === undefined) return [];
    try {
      return readdirSync(this.#dir).filter((name): name is SpaceId => isUuid(name));
    } catch (cause) {
      const hint =
        "Put the directory back, from where it was moved to or from a backup: it holds all spaces.";
      const error = new CambiumError("STORE_DAMAGED", `The directory ${this.#dir} cannot be read.`, {
        hint,
        cause,
      });
      damage.set(null, error);
      return [];
    }
  }

  #read(id: SpaceId): SpaceConfig | undefined {
    const stored = readCheckedJson(this.#path(id), REMEDY);
    if (stored === undefined) {
      // They are written before anything else of a space: without them there is nothing, or they went away.
      if (readdirSync(this.directoryOf(id)).every((name) => UNFINISHED.has(name))) return undefined;
      throw new CambiumError(
        "STORE_DAMAGED",
        `The file ${this.#path(id)} is missing, and what the space holds is there; restore it from a backup.`,
        { hint: REMEDY },
      );
    }
    const config = parseConfig(stored);
    if (config !== undefined) return config;
    throw damagedFile(this.#path(id), REMEDY);
  }

  /** What a call means that names no space: the space that was chosen, else the only one. */
  get defaultId(): SpaceId | undefined {
    const { configs, damage } = this.#survey();
    const chosen = this.#chosen({ configs, damage });
    if (chosen !== undefined || configs.length !== 1 || damage.size > 0) return chosen;
    return configs[0]?.id as SpaceId | undefined;
  }

  set defaultId(id: SpaceId) {
    chooseSpace(this.#dir, id);
  }

  /** Undefined when nothing was chosen, or what was is gone. */
  #chosen({ configs, damage }: Survey): SpaceId | undefined {
    const chosen = chosenSpace(this.#dir);
    const isHere = (id: SpaceId) => damage.has(id) || configs.some((config) => config.id === id);
    return chosen !== undefined && isHere(chosen) ? chosen : undefined;
  }

  /** Saves the settings of a space that may be new: what a call without a name means stays what it was. */
  enter(config: SpaceConfig): void {
    const before = this.defaultId;
    if (before !== undefined && before !== config.id) this.defaultId = before;
    this.save(config);
  }

  /** As `find`; one that is damaged can be named by its id. */
  idOf(text: string): SpaceId {
    const isDamaged = this.#survey().damage.has(text as SpaceId);
    return (isDamaged ? text : this.find(text).id) as SpaceId;
  }

  /** Where a space is made ready that nobody sees before `adopt`. */
  stagingOf(id: SpaceId): string {
    return `${this.directoryOf(id)}${IMPORTING}`;
  }

  /**
   * Deletes what a process left that died while it imported or removed a space: it holds texts, and nothing else would
   * ever look at it. For whoever has the lock of the home, before anything is imported or removed.
   */
  sweep(): void {
    for (const name of namesIn(this.#dir)) {
      const suffix = [IMPORTING, REMOVED].find((one) => name.endsWith(one));
      if (suffix !== undefined && isUuid(name.slice(0, -suffix.length)))
        rmSync(join(this.#dir, name), { recursive: true, force: true });
    }
  }

  /** As `enter`, for a space that was made ready: it is there at once, and whole. */
  adopt(config: SpaceConfig, staging = this.stagingOf(config.id as SpaceId)): void {
    const before = this.defaultId;
    if (before !== undefined) this.defaultId = before;
    writeCheckedJson(join(staging, "space.json"), config);
    renameSync(staging, this.directoryOf(config.id as SpaceId));
    syncDirectory(this.#dir);
  }

  /**
   * As `adopt`, in place of a space that is damaged, whose files are kept beside it. Nobody may have it open.
   *
   * @returns the folder that they are in
   */
  adoptInPlace(config: SpaceConfig, now: number): string {
    const before = this.defaultId;
    const damaged = this.directoryOf(config.id as SpaceId);
    const aside = `${damaged}${DAMAGED}${new Date(now).toISOString().replaceAll(":", "-")}`;
    renameSync(damaged, aside);
    this.adopt(config);
    if (before !== undefined) this.defaultId = before;
    return aside;
  }

  /** Of spaces that are here and of some that were removed, the oldest first. */
  setAside(): readonly SetAsideSpace[] {
    return namesIn(this.#dir).flatMap((name) => {
      const [id = "", time] = name.split(DAMAGED);
      return time !== undefined && isUuid(id) ? [{ id: id as SpaceId, path: join(this.#dir, name) }] : [];
    });
  }

  /** Deletes all that is stored of a space, what was put aside of it as well; nobody may have it open. */
  remove(id: SpaceId): void {
    // First: as long as the space is here, its removal can be asked for again.
    for (const one of this.setAside()) if (one.id === id) rmSync(one.path, { recursive: true, force: true });
    // At once, so that a process that dies on the way leaves no half of it.
    const gone = `${this.directoryOf(id)}${REMOVED}`;
    rmSync(gone, { recursive: true, force: true });
    renameSync(this.directoryOf(id), gone);
    rmSync(gone, { recursive: true, force: true });
  }

  /**
   * Writes the settings of a space durably, and makes its directory.
   *
   * @throws {CambiumError} STORE_FAILED
   */
  save(config: SpaceConfig): void {
    makePrivateDirectory(this.directoryOf(config.id as SpaceId));
    writeCheckedJson(this.#path(config.id as SpaceId), config);
  }

  #path(id: SpaceId): string {
    return join(this.directoryOf(id), "space.json");
  }

  /**
   * @param text - name, id or a unique beginning of an id; left out, the default is meant
   * @throws {CambiumError} SPACE_NOT_FOUND, AMBIGUOUS_SPACE; STORE_DAMAGED where one that is damaged may be meant
   */
  find(text: string | undefined): SpaceConfig {
    const survey = this.#survey();
    const { configs: all, damage } = survey;
    const chosen = text === undefined ? this.#chosen(survey) : undefined;
    const broken = chosen === undefined ? undefined : damage.get(chosen);
    if (broken !== undefined) throw broken;
    const matching =
      text === undefined
        ? all.filter(({ id }) => chosen === undefined || id === chosen)
        : all.filter(
            ({ id, name }) => id === text || name === text || (text.length >= 8 && id.startsWith(text)),
          );
    const [found, second] = matching;
    const names = all.map(({ name, id }) => `${name} (${id})`).join(", ");
    if (second !== undefined) {
      throw new CambiumError(
        "AMBIGUOUS_SPACE",
        text === undefined
          ? "There are several spaces here, and none is the default."
          : `Several spaces are named ${text}.`,
        {
          hint:
            text === undefined
              ? `Choose one for good: cambium spaces --default <name>. Or name one: --space <name>, CAMBIUM_SPACE, or "space" in .cambium.json. Spaces here: ${names}`
              : `Name one by its id: ${names}`,
        },
      );
    }
    // A space that is named is opened whatever became of others; unnamed, the damaged one may be meant.
    const isIntended = (id: SpaceId | null) => text !== undefined && id?.startsWith(text) === true;
    const damaged = [...damage].find(([id]) => isIntended(id)) ?? [...damage][0];
    const isGuess = text === undefined && chosen === undefined;
    if (damaged !== undefined && (found === undefined || isGuess)) throw damaged[1];
    if (found !== undefined) return found;
    throw new CambiumError(
      "SPACE_NOT_FOUND",
      text === undefined ? "There are no spaces here yet." : `There is no space named "${text}" here.`,
      {
        hint:
          all.length === 0
            ? "Make one with `cambium init <name>`, or bring one here: `cambium join <invitation>`, `cambium pair <code>` or `cambium recover <kit>`."
            : `Spaces here: ${names}`,
      },
    );
  }
}

export const infoOf = (
  { id, name, relay, role, accessUntil, erasedAt }: SpaceConfig,
  isDefault: boolean,
): SpaceInfo => ({
  id: id as SpaceId,
  name,
  relay: relay?.url ?? null,
  role: role as Role,
  ...(relay === null ? {} : { access: Buffer.from(accessMark(relay.token)).toString("hex") }),
  ...omitUndefined({ accessUntil, erasedAt }),
  isDefault,
});

/** None where there is no such directory, or it cannot be read: whoever needs it says so. */
function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
