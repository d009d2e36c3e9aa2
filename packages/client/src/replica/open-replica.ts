/**
 * Opening a replica: takes its lock, knows who it is, and opens its spaces.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import {
  bytesToBase64Url,
  CambiumError,
  checkName,
  deviceNameOf,
  isCambiumError,
  newUuid,
  type Platform,
  type ReplicaId,
  SPACE_KEY_BYTES,
  type SpaceId,
  spaceKeyCheck,
} from "@cambium/core";
import { OPTIONS, SIGNATURES } from "../api/signatures.js";
import type {
  DamagedSpace,
  ImportArchiveOptions,
  ImportedArchive,
  OpenReplicaOptions,
  RelayAccess,
  Replica,
  Role,
  Space,
  SpaceInfo,
} from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { Identity } from "../documents/identity.js";
import { infoOf, type SpaceConfig, SpaceConfigs } from "../documents/space-config.js";
import { acquireLock, holderName, type Lock, type LockHolder } from "../platform/lock.js";
import { checkedClock, nodePlatform } from "../platform/node-platform.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import { Turns } from "../platform/turns.js";
import { type Invitation, parseInvitation } from "../sync/invitation.js";
import { isRightKey } from "../sync/key-proof.js";
import { openedWithCodes } from "./coded-errors.js";
import { type EnteringDevice, type Entry, enter, offeredRole } from "./enter.js";
import type { NewAccess } from "./introduce.js";
import { refuseDefault, refuseUnsent } from "./remove-space.js";
import { OpenSpace } from "./space.js";

/** Longer than any command keeps it; a queue of them is waited for as long as it moves. */
const LOCK_WAIT_MS = 10_000;

/**
 * Opens the replica in `dir`, making it if need be. Waits for another process that holds it.
 *
 * @throws {CambiumError} REPLICA_LOCKED, STORE_DAMAGED, SCHEMA_TOO_NEW, STORE_FAILED, BAD_INPUT, ABORTED
 */
export async function openReplica(options: OpenReplicaOptions): Promise<Replica> {
  OPTIONS.opening(options, "options");
  return await openedWithCodes<OpenReplicaOptions, Replica>(options, open);
}

async function open(options: OpenReplicaOptions): Promise<Replica> {
  const dir = resolve(options.dir);
  makePrivateDirectory(dir);
  const { signal, onWait = warnOf(dir) } = options;
  const lock = await acquireLock(join(dir, "lock"), { waitMs: LOCK_WAIT_MS, signal, onWait });
  try {
    const platform = nodePlatform({
      ...(options.clock === undefined ? {} : { now: checkedClock(options.clock) }),
      ...(options.random === undefined ? {} : { random: options.random }),
    });
    const stateDir = options.stateDir ?? defaultStateDir();
    const name = options.name === undefined ? defaultName(platform) : checkName("device", options.name);
    const identity = Identity.open({ dir, stateDir, name, platform });
    return new OpenedReplica(dir, options, lock, identity, platform);
  } catch (error) {
    lock.release();
    throw error;
  }
}

const warnOf =
  (dir: string) =>
  (holder: LockHolder): void =>
    process.emitWarning(`Cambium waits for ${holderName(holder)}, which has ${dir} open.`, {
      code: "CAMBIUM_WAITS",
    });

class OpenedReplica implements Replica {
  readonly dir: string;
  readonly #options: OpenReplicaOptions;
  readonly #lock: Lock;
  readonly #identity: Identity;
  readonly #platform: Platform;
  readonly #configs: SpaceConfigs;
  readonly #open = new Map<string, Promise<OpenSpace>>();
  /** A name, or a place in a space, has to be free still when it is taken. */
  readonly #entering = new Turns();
  #isClosed = false;

  constructor(dir: string, options: OpenReplicaOptions, lock: Lock, identity: Identity, platform: Platform) {
    this.dir = dir;
    this.#options = options;
    this.#lock = lock;
    this.#identity = identity;
    this.#platform = platform;
    this.#configs = new SpaceConfigs(dir);
    this.#configs.sweep();
  }

  get id(): ReplicaId {
    return this.#identity.id;
  }

  get name(): string {
    return this.#identity.name;
  }

  async rename(name: string): Promise<void> {
    this.#refuseClosed();
    this.#identity.rename(checkName("device", name));
    for (const space of await Promise.allSettled(this.#open.values()))
      if (space.status === "fulfilled") await space.value.access.introduce();
  }

  async spaces(): Promise<readonly SpaceInfo[]> {
    const { defaultId } = this.#configs;
    return this.#configs.readable().map((config) => infoOf(config, config.id === defaultId));
  }

  async damagedSpaces(): Promise<readonly DamagedSpace[]> {
    return this.#configs.damaged();
  }

  async createSpace({
    name,
    relay = this.#options.relay,
  }: {
    readonly name: string;
    readonly relay?: RelayAccess | undefined;
  }): Promise<Space> {
    this.#refuseClosed();
    const checked = checkName("space", name);
    return this.#entering.take(() => this.#createSpace(checked, relay));
  }

  async #createSpace(checked: string, relay: RelayAccess | undefined): Promise<Space> {
    this.#refuseTaken(checked);
    const id = newUuid<SpaceId>(this.#platform);
    const created = relay === undefined ? undefined : await (await relayHttp()).createRelaySpace(relay, id);
    const config: SpaceConfig = {
      v: 1,
      id,
      name: checked,
      ...keyFields(id, this.#platform.random(SPACE_KEY_BYTES)),
      relay: relay === undefined || created === undefined ? null : { url: relay.url, token: created.token },
      role: "admin",
      acceptedRestore: this.#identity.restored?.epoch,
    };
    this.#configs.enter(config);
    return this.#openOnce(config, this.#options.connect ?? true, created);
  }

  /** Enters a space, also while its relay is away: then writing is allowed until the relay says otherwise. */
  async joinSpace(invitation: string): Promise<Space> {
    this.#refuseClosed();
    const parsed = parseInvitation(invitation);
    return this.#entering.take(() => this.#joinSpace(parsed));
  }

  async recoverSpace(kit: string, { relay }: { readonly relay?: string } = {}): Promise<Space> {
    this.#refuseClosed();
    const { invitationOfKit } = await import("./recover.js");
    const invitation = await invitationOfKit(kit, relay, this.#platform.now());
    return this.#entering.take(() => this.#joinSpace(invitation, { cameWithKit: true }));
  }

  async pairSpace(code: string, { relay }: { readonly relay?: string } = {}): Promise<Space> {
    this.#refuseClosed();
    const { invitationOfCode } = await import("./pairing.js");
    const invitation = await invitationOfCode(code, relay);
    return this.#entering.take(() => this.#joinSpace(invitation));
  }

  async #joinSpace(invitation: Invitation, how: Pick<SpaceConfig, "cameWithKit"> = {}): Promise<Space> {
    const { space, key, name } = invitation;
    const known = this.#configs.readable().find(({ id }) => id === space);
    const isSameKey = known?.key === bytesToBase64Url(key);
    if (known !== undefined && isSameKey) return this.#joinAgain(known, invitation, how);
    // One that is damaged, or whose key may be wrong, is entered again: what it has stored stays.
    if (typeof known?.keyCheck === "string") throw wrongKey();
    const entry = await this.#enterUnlessAway(invitation);
    const { relay, role = "write", made } = entry;
    const isRight =
      entry.role === undefined ? undefined : await isRightKey({ ...invitation, token: relay.token });
    if (isRight === false) throw wrongKey();
    await (await this.#open.get(space)?.catch(() => undefined))?.close();
    // Derived, and perhaps with another key.
    for (const suffix of ["", "-wal", "-shm"])
      rmSync(join(this.#configs.directoryOf(space), `index.sqlite${suffix}`), { force: true });
    const config: SpaceConfig = {
      v: 1,
      id: space,
      name: known?.name ?? this.#freeName(name ?? space.slice(0, 8)),
      ...keyFields(space, key),
      ...(isRight === true ? {} : { keyCheck: null }),
      ...{ ...invitedKeys(invitation), ...how },
      ...{ relay, role, accessUntil: made?.expiresAt },
      isUnheard: true,
      ...(invitation.seen === undefined ? {} : { invited: invitation.seen }),
      acceptedRestore: known?.acceptedRestore ?? this.#identity.restored?.epoch,
    };
    this.#configs.enter(config);
    return this.#openOnce(config, this.#options.connect ?? true, made);
  }

  /** Without a role while the relay is away: then the invitation is traded at the first connection. */
  async #enterUnlessAway(invitation: Invitation): Promise<Partial<Entry> & Pick<Entry, "relay">> {
    try {
      return await enter(invitation, this.#device);
    } catch (error) {
      if (!isCambiumError(error, "RELAY_UNREACHABLE")) throw error;
      return { relay: { url: invitation.relay, token: invitation.token } };
    }
  }

  /** Changes to the relay of the invitation, or to what it gives, unless the access that is here is as good. */
  async #joinAgain(
    known: SpaceConfig,
    invitation: Invitation,
    how: Pick<SpaceConfig, "cameWithKit">,
  ): Promise<Space> {
    const { relaySpaceOf } = await relayHttp();
    const offered = await offeredRole(invitation);
    const held =
      known.relay?.url === invitation.relay
        ? await relaySpaceOf(known.relay).catch(() => undefined)
        : undefined;
    const isAsGood = held !== undefined && STRENGTH[held.role] >= STRENGTH[offered];
    const entry = isAsGood ? undefined : await enter(invitation, this.#device);
    const space = await this.#openOnce(known, this.#options.connect ?? true);
    space.access.takeKeys(invitation, how);
    if (entry !== undefined) await space.access.moveTo(entry.relay, entry.role, entry.made);
    return space;
  }

  get #device(): EnteringDevice {
    return { identity: this.#identity, platform: this.#platform };
  }

  async openSpace(
    space?: string,
    { connect = this.#options.connect ?? true }: { readonly connect?: boolean } = {},
  ): Promise<Space> {
    this.#refuseClosed();
    return this.#openOnce(this.#configs.find(space), connect);
  }

  async setDefaultSpace(space: string): Promise<void> {
    this.#refuseClosed();
    this.#configs.defaultId = this.#configs.find(space).id as SpaceId;
  }

  async renameSpace(space: string, name: string): Promise<void> {
    this.#refuseClosed();
    const checked = checkName("space", name);
    await this.#entering.take(async () => {
      const config = this.#configs.find(space);
      if (config.name === checked) return;
      this.#refuseTaken(checked);
      const open = this.#open.get(config.id);
      if (open === undefined) this.#configs.save({ ...config, name: checked });
      else (await open).rename(checked);
    });
  }

  async importArchive(path: string, options: ImportArchiveOptions = {}): Promise<ImportedArchive> {
    this.#refuseClosed();
    const { importArchive } = await import("./import-archive.js");
    return this.#entering.take(() =>
      importArchive(path, options, {
        ...{ configs: this.#configs, identity: this.#identity, platform: this.#platform },
        storage: this.#options.storage ?? "sqlite",
        freeName: (name) => this.#freeName(name),
        refuseTaken: (name) => this.#refuseTaken(name),
        open: async (config) => await this.#openOnce(config, this.#options.connect ?? true),
      }),
    );
  }

  async removeSpace(
    space: string,
    { discardUnsent = false }: { readonly discardUnsent?: boolean } = {},
  ): Promise<void> {
    this.#refuseClosed();
    await this.#entering.take(async () => {
      const id = this.#configs.idOf(space);
      refuseDefault(id, this.#configs);
      if (!discardUnsent) {
        const config = this.#configs.find(id);
        await refuseUnsent(await this.#openOnce(config, this.#options.connect ?? true));
      }
      await (await this.#open.get(id)?.catch(() => undefined))?.close();
      this.#configs.remove(id);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const spaces = await Promise.allSettled(this.#open.values());
    const closed = await Promise.allSettled(
      spaces.map((space) => (space.status === "fulfilled" ? space.value.close() : undefined)),
    );
    const failed = closed.find((result) => result.status === "rejected");
    try {
      // Without everything on disk, the stop was not clean: the marker stays, and the next session takes a new epoch.
      if (failed !== undefined) throw failed.reason;
      this.#identity.endWriting();
    } catch (error) {
      throw isCambiumError(error) ? error : unclosed(this.dir, error);
    } finally {
      this.#lock.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #openOnce(config: SpaceConfig, connect: boolean, made?: NewAccess): Promise<OpenSpace> {
    const known = this.#open.get(config.id);
    if (known !== undefined) return known;
    const opening = OpenSpace.open({
      config,
      configs: this.#configs,
      storage: this.#options.storage ?? "sqlite",
      identity: this.#identity,
      platform: this.#platform,
      connect,
      made,
      embedder: this.#options.embedder,
      summarizer: this.#options.summarizer,
      sourceFetchers: this.#options.sourceFetchers,
      onStoreFailed: this.#options.onStoreFailed,
      onClose: () => this.#open.delete(config.id),
    });
    this.#open.set(config.id, opening);
    opening.catch(() => this.#open.delete(config.id));
    return opening;
  }

  #refuseTaken(name: string): void {
    if (!this.#configs.readable().some((config) => config.name === name)) return;
    throw new CambiumError("SPACE_EXISTS", `A space named ${name} is here already.`, {
      hint: "Open that one, or choose another name.",
    });
  }

  #freeName(name: string): string {
    const taken = new Set(this.#configs.readable().map((config) => config.name));
    if (!taken.has(name)) return name;
    for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  }

  #refuseClosed(): void {
    if (this.#isClosed)
      throw new CambiumError("REPLICA_CLOSED", "The replica has been closed; open it again.");
  }
}

const unclosed = (dir: string, cause: unknown): CambiumError =>
  new CambiumError(
    "STORE_FAILED",
    `The replica in ${dir} could not be closed as it should: ${cause instanceof Error ? cause.message : String(cause)}`,
    { hint: "What was acknowledged is written; see that the directory is there and can be written.", cause },
  );

const keyFields = (space: SpaceId, key: Uint8Array): Pick<SpaceConfig, "key" | "keyCheck"> => ({
  key: bytesToBase64Url(key),
  keyCheck: spaceKeyCheck(space, key),
});

/** What the link holds beside the first key. */
const invitedKeys = ({ seed, epoch }: Invitation): Pick<SpaceConfig, "epochs" | "cameWith"> => ({
  ...(seed === undefined ? {} : { cameWith: bytesToBase64Url(seed) }),
  ...(epoch === undefined
    ? {}
    : { epochs: { current: epoch.id, known: [{ ...epoch, secret: bytesToBase64Url(epoch.secret) }] } }),
});

/** Loaded by those who talk to a relay: most processes that read never do. */
const relayHttp = () => import("../sync/relay-http.js");

const STRENGTH: Readonly<Record<Role, number>> = { read: 0, write: 1, admin: 2 };

const wrongKey = (): CambiumError =>
  new CambiumError("BAD_INVITATION", "The key in the invitation is not that of the space.", {
    hint: "Copy it again, as a whole, or ask for a new one.",
  });

function defaultStateDir(): string {
  const base = process.env.CAMBIUM_STATE ?? process.env.XDG_STATE_HOME;
  return base === undefined || base === ""
    ? join(homedir(), ".local", "state", "cambium")
    : join(base, "cambium");
}

/** Sealed in the catalog: the members of a space read it, the relay does not. */
function defaultName(platform: Platform): string {
  const stated = process.env.CAMBIUM_DEVICE;
  if (stated !== undefined && stated.trim() !== "") return checkName("device", stated);
  return deviceNameOf(hostname()) ?? `device-${Buffer.from(platform.random(3)).toString("hex")}`;
}

checkCallsOf(OpenedReplica, SIGNATURES.replica);
