/**
 * The devices of a space, and who may reach it through the relay.
 *
 * @module
 */
import {
  type Author,
  CambiumError,
  compareText,
  parseActorId,
  type ReplicaId,
  type SpaceId,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import { SIGNATURES } from "../api/signatures.js";
import type { Device, Member, Members, Role, StandingInvitation } from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import { deviceNames } from "../documents/device-names.js";
import type { Identity } from "../documents/identity.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { Caller } from "../governance/caller.js";
import type { PolicyCheck } from "../governance/policy-check.js";
import {
  accessMark,
  type InvitationNote,
  invitationNote,
  notedTokens,
  noteKey,
  noteValue,
} from "../sync/invitation-notes.js";
import type { MadeInvitation } from "./invite.js";
import type { SpaceParts } from "./space-parts.js";

export interface MemberServices {
  readonly parts: Pick<SpaceParts, "catalog" | "documents" | "index" | "clock">;
  readonly identity: Pick<Identity, "id" | "name">;
  readonly config: () => SpaceConfig;
  readonly caller: Caller;
  readonly policyCheck: PolicyCheck;
  readonly audit: AuditLog;
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
    const catalog = parts.catalog.current;
    const last = this.#lastChanges();
    const notes = new Map(
      notedTokens(catalog).flatMap((id) => {
        const note = invitationNote(catalog, id);
        return note === undefined ? [] : [[textOf(note.mark), { id, note }] as const];
      }),
    );
    return (await this.devices()).map((device): Member => {
      const access = catalog.replicas.get(device.replica)?.value.access;
      const { id: invitation, note } = (access && notes.get(textOf(access))) ?? {};
      const role = device.isThis ? (config().role as Role) : note?.role;
      const { expiresAt, revokedAt } = note ?? {};
      const came = { invitation, invitedBy: note && authorOf(note), expiresAt, revokedAt };
      return { ...device, ...omitUndefined({ lastChangeAt: last.get(device.replica), role, ...came }) };
    });
  }

  async invitations(): Promise<readonly StandingInvitation[]> {
    const { listRelayTokens } = await import("../sync/relay-http.js");
    const { catalog } = this.#services.parts;
    const members = await this.list();
    return (await listRelayTokens(this.#relay(), this.#space)).map(({ tokenId: id, expiresAt, ...token }) => {
      const note = invitationNote(catalog.current, id);
      const by = note && authorOf(note);
      const devices = members.filter(({ invitation }) => invitation === id).map(({ name }) => name);
      return {
        ...{ id, role: token.role, createdAt: token.createdAt, devices },
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(by === undefined ? {} : { by }),
      };
    });
  }

  async revoke(text: string): Promise<StandingInvitation> {
    const { audit, policyCheck, caller, identity } = this.#services;
    await audit.open();
    await policyCheck.check({
      operation: "invite",
      call: { method: "members.revoke", args: [text] },
      preview: () => ({ counts: {}, ids: [], plan: ["revoke", text] }),
    });
    const all = await this.invitations();
    const found = all.find(({ id }) => id === text) ?? all.find(({ devices }) => devices.includes(text));
    if (found === undefined) {
      throw new CambiumError("BAD_INPUT", `No invitation that stands has this id or device: ${text}.`, {
        hint: "List them with `cambium invites`.",
      });
    }
    const own = (await this.list()).find(({ replica }) => replica === identity.id)?.invitation;
    if (found.id === own)
      throw new CambiumError("BAD_INPUT", "This device has its own access by that invitation.", {
        hint: "Revoke it on another device.",
      });
    const { revokeRelayToken } = await import("../sync/relay-http.js");
    await revokeRelayToken(this.#relay(), { space: this.#space, tokenId: found.id });
    const { catalog, clock } = this.#services.parts;
    const note = invitationNote(catalog.current, found.id);
    if (note !== undefined) await this.#note(found.id, { ...note, revokedAt: clock.now() });
    audit.note(caller, { operation: "invite", details: { revoked: found.id } });
    return found;
  }

  /** For whoever lists them later, on any device. */
  async noteInvitation({ tokenId, token, ...made }: MadeInvitation): Promise<void> {
    const { parts, identity } = this.#services;
    const mark = accessMark(token);
    await this.#note(tokenId, { replica: identity.id, at: parts.clock.now(), mark, ...made });
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

const authorOf = ({ replica, agent }: InvitationNote): Partial<Author> => ({
  replica,
  ...(agent === undefined ? {} : { agent }),
});

const textOf = (mark: Uint8Array | undefined): string =>
  mark === undefined ? "" : Buffer.from(mark).toString("hex");

checkCallsOf(MemberOperations, SIGNATURES.members);
