/**
 * Who this replica is, and under which epoch it writes. Two writers under one Automerge actor break a
 * document for ever, so an epoch is never used again once its last change may be lost:
 *
 * - after a stop that was not clean (the marker of the writing session is still there): next epoch;
 * - when the directory is older than what this place saw last (restored from a backup): next epoch
 *   after the last one used here;
 * - when the directory was opened in another place before (copied, cloned): a new replica.
 *
 * What this place saw last is kept outside the directory, so that it does not travel with a copy.
 *
 * @module
 */
import { createHash, createHmac, generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { actorId, isUuid, newUuid, type Platform, type ReplicaId } from "@cambium/core";
import { NOTHING_TO_DO } from "@cambium/core/text";
import { isAbsentOr, isNumber, isOne, isText, isWholeUpTo, readShape } from "../platform/plain-shape.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import {
  damagedFile,
  readCheckedJson,
  readPrivateJson,
  removePrivateFile,
  writeCheckedJson,
  writePrivateFile,
} from "../platform/private-files.js";

/** Whatever was acknowledged is there, and nothing is written again under that session's name. */
const RECOVERED = `The last session did not end cleanly. Recovered. ${NOTHING_TO_DO}`;
const MAX_EPOCH = 0xffff;
const REMEDY =
  "Without a backup, remove it: this home then goes on as a replica of its own, with all it holds.";

const STATE_REMEDY =
  "It tells a copied home from the original: make it writable for you, or set XDG_STATE_HOME (in a program: stateDir) to another place.";

interface IdentityFile {
  readonly v: 1;
  readonly id: ReplicaId;
  readonly name: string;
  readonly epoch: number;
  /** Counts the sessions that wrote. */
  readonly sessions: number;
  readonly publicKey: string;
  readonly privateKey: string;
  /** Added to the machine's clock, in milliseconds; learnt from the relay. */
  readonly clockOffsetMs: number;
  /** When the last session that wrote began. Absent in older files. */
  readonly writingSince?: number | undefined;
  /** The home is an earlier copy that was put back. */
  readonly restored?: Restored | undefined;
}

export interface Restored {
  /** The first that was used after it: nothing under it was lost. */
  readonly epoch: number;
  /** When the last session that the copy knows of began to write; unknown for older copies. */
  readonly writingSince?: number | undefined;
}

const isRestored = (value: unknown): value is Restored =>
  readShape<Restored>(value, { epoch: isWholeUpTo(MAX_EPOCH), writingSince: isAbsentOr(isNumber) }) !==
  undefined;

const isReplicaId = (value: unknown): value is ReplicaId => isText(value) && isUuid(value);
const isCount = isWholeUpTo(Number.MAX_SAFE_INTEGER);

const parseIdentity = (stored: unknown): IdentityFile | undefined =>
  readShape<IdentityFile>(
    { clockOffsetMs: 0, ...(stored as object) },
    {
      ...{ v: isOne, id: isReplicaId, name: isText, epoch: isWholeUpTo(MAX_EPOCH), sessions: isCount },
      ...{ publicKey: isText, privateKey: isText, clockOffsetMs: isNumber },
      ...{ writingSince: isAbsentOr(isNumber), restored: isAbsentOr(isRestored) },
    },
  );

interface PlaceFile {
  readonly v: 1;
  readonly replica: ReplicaId;
  readonly epoch: number;
  readonly sessions: number;
  /** The last session that ended cleanly, counted like `sessions`. */
  readonly ended?: number | undefined;
  /** When the marker's file of the session under way came into being, in milliseconds since 1970. */
  readonly marker?: number | undefined;
}

const parsePlace = (stored: unknown): PlaceFile | undefined =>
  readShape<PlaceFile>(stored, {
    ...{ v: isOne, replica: isReplicaId, epoch: isNumber, sessions: isNumber },
    ...{ ended: isAbsentOr(isNumber), marker: isAbsentOr(isNumber) },
  });

export interface IdentityOptions {
  readonly dir: string;
  readonly stateDir: string;
  readonly name: string;
  readonly platform: Platform;
}

export class Identity {
  readonly #dir: string;
  readonly #placePath: string;
  readonly #platform: Platform;
  #file: IdentityFile;
  #isWriting = false;
  /** What tells a copy from the midst of the last session. */
  #lastSession: Pick<PlaceFile, "ended" | "marker"> = {};
  readonly notices: string[] = [];

  private constructor(dir: string, placePath: string, platform: Platform, file: IdentityFile) {
    this.#dir = dir;
    this.#placePath = placePath;
    this.#platform = platform;
    this.#file = file;
  }

  static open({ dir, stateDir, name, platform }: IdentityOptions): Identity {
    makePrivateDirectory(stateDir, STATE_REMEDY);
    const place = createHash("sha256").update(realpathSync(dir)).digest("hex").slice(0, 32);
    const placePath = join(stateDir, `${place}.json`);
    const path = join(dir, "replica.json");
    const stored = readCheckedJson(path, REMEDY);
    if (stored === undefined) {
      const identity = new Identity(dir, placePath, platform, newIdentity(name, platform));
      identity.#save();
      return identity;
    }
    const file = parseIdentity(stored);
    if (file === undefined) throw damagedFile(path, REMEDY);
    const identity = new Identity(dir, placePath, platform, file);
    identity.#compareWithPlace();
    return identity;
  }

  get id(): ReplicaId {
    return this.#file.id;
  }

  get name(): string {
    return this.#file.name;
  }

  rename(name: string): void {
    if (name === this.name) return;
    this.#file = { ...this.#file, name };
    this.#save();
  }

  get epoch(): number {
    return this.#file.epoch;
  }

  /** How the ids of all actors end under which this session writes. */
  get actorSuffix(): string {
    return actorId({ document: "", replica: this.id, epoch: this.epoch });
  }

  /** X25519, raw. */
  get publicKey(): Uint8Array {
    return new Uint8Array(Buffer.from(this.#file.publicKey, "base64url"));
  }

  /** X25519, raw. */
  get privateKey(): Uint8Array {
    return new Uint8Array(Buffer.from(this.#file.privateKey, "base64url"));
  }

  /** A secret of this replica for one purpose, always the same. It gives nothing of the key away. */
  secretFor(purpose: string): Uint8Array {
    return new Uint8Array(createHmac("sha256", this.#file.privateKey).update(purpose).digest());
  }

  /** Whether, at any time, this home was put back from an earlier copy; the last time counts. */
  get restored(): Restored | undefined {
    return this.#file.restored;
  }

  get clockOffsetMs(): number {
    return this.#file.clockOffsetMs;
  }

  setClockOffset(clockOffsetMs: number): void {
    this.#file = { ...this.#file, clockOffsetMs };
    this.#save();
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Has to be called before the first change of a session; cheap afterwards. Durable when it returns. */
  beginWriting(): void {
    if (this.#isWriting) return;
    if (existsSync(this.#markerPath)) this.#nextEpoch(RECOVERED);
    // The marker first: a copy of the home taken between the two has it, or counts a session less.
    writePrivateFile(this.#markerPath, `${process.pid}\n`);
    this.#lastSession = { marker: bornAt(this.#markerPath) };
    const sessions = this.#file.sessions + 1;
    this.#file = { ...this.#file, sessions, writingSince: this.#platform.now() };
    this.#save();
    this.#isWriting = true;
  }

  /** Has to be called once everything written is on disk. */
  endWriting(): void {
    if (!this.#isWriting) return;
    // Another one's means another home, which was made where ours was removed: that session is not over.
    if (markedBy(this.#markerPath) === process.pid) {
      removePrivateFile(this.#markerPath);
      this.#lastSession = { ended: this.#file.sessions };
      this.#savePlace();
    }
    this.#isWriting = false;
  }

  /** For when changes under this epoch exist, or may exist, that are not here. */
  abandonEpoch(lastSeenEpoch: number, why: string): void {
    this.#file = { ...this.#file, epoch: Math.max(this.#file.epoch, lastSeenEpoch) };
    this.#nextEpoch(why);
    this.#save();
  }

  get #markerPath(): string {
    return join(this.#dir, "writing");
  }

  #compareWithPlace(): void {
    const place = parsePlace(readPrivateJson(this.#placePath));
    const { id, sessions } = this.#file;
    if (place?.replica !== id) {
      // A fresh id costs a line in `peers`; sharing one with the original would cost the document.
      this.notices.push(
        `This home was copied or moved here, or HOME or XDG_STATE_HOME is another one than before: ${dirname(this.#placePath)} does not know it. It goes on as a replica of its own. If it is no copy, end the one before: find it with \`cambium members\`, then \`cambium invites revoke <device>\`.`,
      );
      this.#file = {
        ...newIdentity(this.#file.name, this.#platform),
        clockOffsetMs: this.#file.clockOffsetMs,
      };
    } else if (place.sessions !== sessions || place.epoch > this.#file.epoch || this.#isCopied(place)) {
      // The epoch alone: a session went on under another one after the copy was taken in the midst of it.
      const epoch = Math.max(this.#file.epoch, place.epoch);
      this.#file = { ...this.#file, epoch, sessions: Math.max(place.sessions, sessions) };
      this.#nextEpoch("This home was restored from an earlier copy");
      // Kept with the epoch: those who open it later see it, too.
      const { writingSince } = this.#file;
      this.#file = { ...this.#file, restored: { epoch: this.#file.epoch, writingSince } };
    } else {
      const { ended, marker } = place;
      this.#lastSession = { ended, marker };
      return;
    }
    this.#save();
    removePrivateFile(this.#markerPath); // only now: it may be all that tells the copy
  }

  /**
   * Whether this is a copy from the midst of the last session: that session has ended cleanly, so its marker would be
   * gone; or the marker's file is younger than the one that it wrote.
   */
  #isCopied({ ended, marker }: PlaceFile): boolean {
    const born = bornAt(this.#markerPath);
    return born !== undefined && (ended === this.#file.sessions || (marker ?? born) !== born);
  }

  #nextEpoch(why: string): void {
    if (this.#file.epoch >= MAX_EPOCH) {
      this.#file = { ...newIdentity(this.#file.name, this.#platform), sessions: this.#file.sessions };
      return;
    }
    this.#file = { ...this.#file, epoch: this.#file.epoch + 1 };
    this.notices.push(
      why === RECOVERED ? RECOVERED : `${why}; this replica now writes under epoch ${this.#file.epoch}.`,
    );
  }

  /** The place is written first: a crash between the two looks like a restored directory, which is safe. */
  #save(): void {
    this.#savePlace();
    writeCheckedJson(join(this.#dir, "replica.json"), this.#file);
  }

  #savePlace(): void {
    const { id, epoch, sessions } = this.#file;
    const place: PlaceFile = { v: 1, replica: id, epoch, sessions, ...this.#lastSession };
    writePrivateFile(this.#placePath, JSON.stringify(place));
  }
}

/** A copy keeps every date of a file but this one. The number of the file would do less: some file systems give another. */
const bornAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.birthtimeMs;

/** The process that wrote the marker; undefined when there is none. */
function markedBy(path: string): number | undefined {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function newIdentity(name: string, platform: Platform): IdentityFile {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const exported = privateKey.export({ format: "jwk" }) as { readonly d: string };
  return {
    v: 1,
    id: newUuid<ReplicaId>(platform),
    name,
    epoch: 0,
    sessions: 0,
    publicKey: (publicKey.export({ format: "jwk" }) as { readonly x: string }).x,
    privateKey: exported.d,
    clockOffsetMs: 0,
  };
}
