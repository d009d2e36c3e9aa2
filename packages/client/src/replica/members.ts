/**
 * The devices of a space, and who may reach it through the relay.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  CambiumError,
  compareText,
  isCambiumError,
  type Platform,
  parseActorId,
  type ReplicaId,
  type SpaceId,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import { SIGNATURES } from "../api/signatures.js";
import type {
  ChangedRole,
  Device,
  Member,
  Members,
  NewKey,
  Pairing,
  RecoveryKit,
  RevokedAccess,
  Role,
  StandingInvitation,
} from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { accessMark } from "../documents/access-mark.js";
import { deviceNames } from "../documents/device-names.js";
import type { Identity } from "../documents/identity.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { Caller } from "../governance/caller.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import type { Recipient } from "../keys/epoch-entry.js";
import type { EpochUpkeep } from "../keys/epoch-upkeep.js";
import { invitationRecipient } from "../keys/key-recipients.js";
import { notedKits } from "../keys/recovery-kit.js";
import {
  type InvitationNote,
  invitationNote,
  NO_MARK,
  noteKey,
  noteValue,
} from "../sync/invitation-notes.js";
import type { EndedAgain } from "./ended-access.js";
import type { MadeInvitation } from "./invite.js";
import type { PairingServices } from "./pairing.js";
import type { Ending } from "./revoke-access.js";
import type { SpaceParts } from "./space-parts.js";

/** Longer than any answer takes; who lists members does not wait for a relay that is away. */
const ASK_TIMEOUT_MS = 3_000;
/** Only the relay knows the invitations: it may be slow, but nobody waits long for one that is away. */
const LIST_TIMEOUT_MS = 10_000;

export interface MemberServices {
  readonly parts: Pick<SpaceParts, "catalog" | "documents" | "index" | "clock" | "codec" | "epochs">;
  readonly identity: Pick<Identity, "id" | "name">;
  readonly config: () => SpaceConfig;
  readonly keys: Pick<EpochUpkeep, "begin" | "preview">;
  readonly caller: Caller;
  readonly policyCheck: PolicyCheck;
  readonly audit: AuditLog;
  readonly platform: Platform;
  /** Makes an invitation, and says which it is. */
  readonly invite: PairingServices["invite"];
}

export class MemberOperations implements Members {
  readonly #services: MemberServices;

  constructor(services: MemberServices) {
    this.#services = services;
  }

  /** A reader cannot enter itself in the catalog, and is a device all the same. */
  async devices(): Promise<readonly Device[]> {
    const { parts, identity } = this.#services;
    const names = deviceNames(parts.catalog.current);
    const all = names.has(identity.id) ? names : new Map([...names, [identity.id, identity.name] as const]);
    return [...all]
      .map(([replica, name]) => ({ replica, name, isThis: replica === identity.id }))
      .sort((a, b) => Number(b.isThis) - Number(a.isThis) || compareText(a.name, b.name));
  }

  async list(): Promise<readonly Member[]> {
    const { parts, config } = this.#services;
    const { relay, role } = config();
    const [{ memberList }, held] = await Promise.all([import("./member-list.js"), this.#held()]);
    return memberList({
      ...{ catalog: parts.catalog.current, devices: await this.devices(), held },
      ...{ lastChanges: this.#lastChanges(), ownRole: role as Role },
      ownMark: relay === null ? undefined : accessMark(relay.token),
    });
  }

  /** @returns undefined where the relay does not say: it is away, or this device is no admin */
  async #held() {
    const { config, platform, parts } = this.#services;
    const { relay, role } = config();
    if (relay === null || role !== "admin") return undefined;
    const [{ listRelayMembers }, { heldTokens }] = await Promise.all([
      import("../sync/relay-invitations.js"),
      import("./member-list.js"),
    ]);
    try {
      const listed = await listRelayMembers({ ...relay, timeoutMs: ASK_TIMEOUT_MS }, this.#space);
      return await heldTokens(listed, platform, parts.codec.keys);
    } catch (error) {
      if (isCambiumError(error)) return undefined;
      throw error;
    }
  }

  async invitations(): Promise<readonly StandingInvitation[]> {
    return await this.#invitations(this.list());
  }

  async #invitations(listed: Promise<readonly Member[]>): Promise<readonly StandingInvitation[]> {
    const relay = { ...this.#relay(), timeoutMs: LIST_TIMEOUT_MS };
    const [{ listRelayTokens }, { listRelayInvitations }, { authorOf }] = await Promise.all([
      import("../sync/relay-http.js"),
      import("../sync/relay-invitations.js"),
      import("./member-list.js"),
    ]);
    const [members, tokens, traded] = await Promise.all([
      listed,
      listRelayTokens(relay, this.#space),
      listRelayInvitations(relay, this.#space),
    ]);
    const { current } = this.#services.parts.catalog;
    const described = (id: string) => {
      const note = invitationNote(current, id);
      const came = members.filter((one) => one.invitation === id && one.revokedAt === undefined);
      return { devices: came.map(({ name }) => name), ...(note === undefined ? {} : { by: authorOf(note) }) };
    };
    const own = new Set(members.filter(isOfItself).map(({ access }) => access));
    const shared = tokens.filter(({ tokenId, cameBy }) => cameBy === undefined && !own.has(tokenId));
    return [
      ...traded.map(({ invitationId: id, role, createdAt, expiresAt, accessUntil, mostUses, uses }) => ({
        ...{ id, role, createdAt, usesLeft: mostUses - uses, ...described(id) },
        ...omitUndefined({ expiresAt, accessUntil }),
      })),
      ...shared.map(({ tokenId: id, role, createdAt, expiresAt }) => ({
        ...{ id, role, createdAt, ...described(id), ...omitUndefined({ expiresAt }) },
      })),
    ];
  }

  async recoveryKit(): Promise<RecoveryKit> {
    const { audit, policyCheck, caller, identity, parts, config, platform } = this.#services;
    await audit.open();
    await policyCheck.check({
      operation: "invite",
      call: { method: "members.recoveryKit", args: [] },
      preview: () => ({ counts: {}, ids: [], plan: ["recovery kit"] }),
    });
    const { makeKit } = await import("./recovery-kits.js");
    const kit = await makeKit({
      ...{ parts, config, random: platform.random, device: identity.name },
      note: (tokenId, note) => this.#noteKey(tokenId, { agent: caller.agent, ...note }),
    });
    audit.note(caller, { operation: "recovery-kit", details: { kit: kit.id } });
    return kit;
  }

  async pair({ role = "write" }: { readonly role?: Role } = {}): Promise<Pairing> {
    const { parts, platform, invite } = this.#services;
    const relay = this.#relay();
    const { beginPairing } = await import("./pairing.js");
    const { now } = parts.clock;
    const services = { relay, space: this.#space, now, random: platform.random, invite };
    const noteCarrier = (tokenId: string, expiresAt: number, cameBy: string) =>
      this.#noteKey(tokenId, { mark: NO_MARK, role: "read", expiresAt, isCarrier: true, cameBy });
    return await beginPairing({ ...services, noteCarrier }, role);
  }

  async paired({ invitation }: Pick<Pairing, "invitation">): Promise<Member | undefined> {
    const { hasPaired } = await import("./pairing.js");
    if (!(await hasPaired({ relay: this.#relay(), space: this.#space }, { invitation }))) return undefined;
    return (await this.list()).find((member) => member.invitation === invitation);
  }

  async endPairing(pairing: Pick<Pairing, "invitation" | "access">): Promise<void> {
    const { endPairing } = await import("./pairing.js");
    await endPairing({ relay: this.#relay(), space: this.#space }, pairing);
    await this.#noteEnd(pairing.invitation);
  }

  /** Ends at the relay what had ended, where it takes that again. */
  async endAgain(ids: readonly string[]): Promise<EndedAgain | undefined> {
    const { audit, caller } = this.#services;
    const { endAgain } = await import("./end-access-again.js");
    const relay = { ...this.#relay(), timeoutMs: ASK_TIMEOUT_MS };
    const { found, names } = await endAgain(relay, this.#space, ids, () => this.list());
    if (found.length === 0) return undefined;
    await audit.open();
    audit.note(caller, { operation: "revoke", details: { forgotten: found } });
    return { count: found.length, names };
  }

  /** Makes the kits that stand known at the relay that the space has come to. */
  async registerKits(): Promise<number> {
    const { parts, config } = this.#services;
    if (notedKits(parts.catalog.current).length === 0) return 0;
    const { registerKits } = await import("./recovery-kits.js");
    return await registerKits({ parts, config, note: (tokenId, note) => this.#noteKey(tokenId, note) });
  }

  async revoke(
    of: string,
    options: { readonly devices?: boolean; readonly preview?: boolean } = {},
  ): Promise<RevokedAccess> {
    const { audit, policyCheck, caller } = this.#services;
    if (options.preview === true) return await this.#revoke(of, options);
    await audit.open();
    await policyCheck.check({
      operation: "invite",
      call: { method: "members.revoke", args: [of, options] },
      preview: () => ({ counts: {}, ids: [], plan: ["revoke", of] }),
    });
    const revoked = await this.#revoke(of, options);
    audit.note(caller, { operation: "revoke", details: { revoked: revoked.id } });
    return revoked;
  }

  async changeRole(
    of: string,
    options: { readonly role: Role; readonly preview?: boolean },
  ): Promise<ChangedRole> {
    const { audit, policyCheck, caller } = this.#services;
    if (options.preview === true) return await this.#changeRole(of, options);
    await audit.open();
    await policyCheck.check({
      operation: "invite",
      call: { method: "members.changeRole", args: [of, options] },
      preview: () => ({ counts: {}, ids: [], plan: ["role", of, options.role] }),
    });
    const changed = await this.#changeRole(of, options);
    const { id, role } = changed;
    audit.note(caller, { operation: "change-role", details: { access: id, role } });
    return changed;
  }

  async #changeRole(
    of: string,
    options: { readonly role: Role; readonly preview?: boolean },
  ): Promise<ChangedRole> {
    const relay = this.#relay();
    const members = await this.list();
    const { changeRole } = await import("./change-role.js");
    const services = {
      ...{ relay, space: this.#space, members },
      invitations: await this.#invitations(Promise.resolve(members)),
      noteEnd: (id: string) => this.#noteEnd(id),
      noteRole: (id: string, role: Role) => this.#noteRole(id, role),
    };
    return await changeRole(services, of, options);
  }

  /** Of a device that only read until now, the catalog knows nothing. */
  async #noteRole(id: string, role: Role): Promise<void> {
    const known = invitationNote(this.#services.parts.catalog.current, id);
    if (known !== undefined && known.role !== role) await this.#note(id, { ...known, role });
  }

  async #revoke(
    of: string,
    options: { readonly devices?: boolean; readonly preview?: boolean },
  ): Promise<RevokedAccess> {
    const members = await this.list();
    const { revokeAccess } = await import("./revoke-access.js");
    const services = {
      ...(await this.#revocable(members)),
      ...{ space: this.#space, members },
      noteEnd: (id: string, member?: Member) => this.#noteEnd(id, member),
      newKey: (ending: Ending, isPreview: boolean) => this.#newKey(members, ending, isPreview),
    };
    return await revokeAccess(services, of, options);
  }

  /** Without a relay there are kits at most. */
  async #revocable(members: readonly Member[]) {
    const isLocal = this.#services.config().relay === null && members.some(isKit);
    const invitations = isLocal ? [] : await this.#invitations(Promise.resolve(members));
    const { linksOfMembers } = await import("./links-of-members.js");
    const linksOf = (gone: readonly Member[], also: string | undefined) =>
      linksOfMembers(this.#services.parts.catalog.current, invitations, gone, also);
    return { relay: isLocal ? undefined : this.#relay(), invitations, linksOf };
  }

  /** @returns undefined where the relay will refuse to end anything */
  async #newKey(members: readonly Member[], ending: Ending, isPreview: boolean): Promise<NewKey | undefined> {
    const { config, keys, parts } = this.#services;
    if (config().role !== "admin") return undefined;
    const { epochChange } = await import("./epoch-change.js");
    const readers = await this.#readers();
    const change = { ...epochChange(parts.catalog.current, members, ending), readers };
    return isPreview ? keys.preview(change) : await keys.begin(change);
  }

  /** What a device says of itself counts if it had the key of the space when it said so. */
  async #readers(): Promise<readonly Recipient[]> {
    const held = (await this.#held()) ?? [];
    const { epoch } = this.#services.parts.codec.keys;
    return held.flatMap(({ stated }) =>
      stated?.key === undefined || stated.epoch !== epoch
        ? []
        : [{ id: stated.replica, key: bytesFromBase64Url(stated.key) }],
    );
  }

  /** Of a device that only reads, the catalog knows nothing but this. */
  async #noteEnd(id: string, member?: Member): Promise<void> {
    const { catalog, clock } = this.#services.parts;
    const revokedAt = clock.now();
    const known = invitationNote(catalog.current, id);
    if (known !== undefined) await this.#note(id, { ...known, revokedAt });
    for (const { tokenId, ...kit } of known?.kit === undefined ? [] : notedKits(catalog.current))
      if (tokenId !== id && sameBytes(kit.key, known?.key)) await this.#note(tokenId, { ...kit, revokedAt });
    if (known !== undefined || member === undefined) return;
    const { name, role, invitation: cameBy, replica: device } = member;
    const [replica, at, mark] = [this.#services.identity.id, revokedAt, NO_MARK];
    await this.#note(id, { replica, at, mark, revokedAt, name, role, cameBy, device });
  }

  /** For whoever lists them later, on any device. */
  async noteInvitation({ tokenId, token, ...made }: MadeInvitation): Promise<void> {
    await this.#noteKey(tokenId, { mark: accessMark(token), ...made });
  }

  async #noteKey(tokenId: string, note: Omit<InvitationNote, "replica" | "at">): Promise<void> {
    const { parts, identity } = this.#services;
    const { key } = note;
    const keyProof = key && parts.epochs.ownProof({ id: invitationRecipient(key), key });
    await this.#note(tokenId, { replica: identity.id, at: parts.clock.now(), ...note, keyProof });
  }

  async #note(tokenId: string, note: InvitationNote): Promise<void> {
    const { parts } = this.#services;
    const value = noteValue(note);
    await parts.catalog.put(() => [{ map: "settings", key: noteKey(tokenId), entry: { value } }]);
    await parts.documents.flush();
  }

  #lastChanges(): ReadonlyMap<ReplicaId, number> {
    const rows = this.#services.parts.index.tables.index
      .prepare(
        `SELECT a.actor, max(c.time) FROM changes c CROSS JOIN actors a ON a.id = c.actor
         WHERE c.statement IS NOT NULL GROUP BY a.id`,
      )
      .all() as unknown as [string, number][];
    const last = new Map<ReplicaId, number>();
    for (const [actor, time] of rows) {
      const replica = parseActorId(actor)?.replica;
      if (replica !== undefined) last.set(replica, Math.max(last.get(replica) ?? 0, time));
    }
    return last;
  }

  get #space(): SpaceId {
    return this.#services.config().id as SpaceId;
  }

  #relay() {
    const { relay } = this.#services.config();
    if (relay !== null) return relay;
    throw new CambiumError("BAD_INPUT", "This space has no relay, so it has no invitations.", {
      hint: "Give it one: cambium link <url of the relay> --token <admin token of the relay>",
    });
  }
}

/** Whether it has a token of its own making, as who made the space or linked it: nobody can join with that. */
const isOfItself = ({ replica, invitedBy }: Member): boolean =>
  invitedBy !== undefined && invitedBy.replica === replica;

const isKit = ({ isRecoveryKit, revokedAt }: Member): boolean =>
  isRecoveryKit === true && revokedAt === undefined;

const sameBytes = (a: Uint8Array, b: Uint8Array | undefined): boolean =>
  b !== undefined && Buffer.compare(a, b) === 0;

checkCallsOf(MemberOperations, SIGNATURES.members);
