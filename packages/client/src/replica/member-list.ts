/**
 * Who belongs to a space, from what its catalog says of devices and invitations, and from what the relay says of
 * tokens. A device that only reads is known to the relay alone.
 *
 * @module
 */
import {
  type Author,
  type Catalog,
  compareText,
  type Platform,
  type ReplicaId,
  type SpaceKeys,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { Device, Member, Role } from "../api.js";
import { type InvitationNote, invitationNote, notedTokens } from "../sync/invitation-notes.js";
import type { ListedMember } from "../sync/relay-invitations.js";
import { type OpenedDevice, openDevice } from "../sync/sealed-device.js";

/** A token as the relay lists it, and who says to have it. */
interface HeldToken extends ListedMember {
  readonly stated?: OpenedDevice | undefined;
}

/** Whom a token of the relay belongs to, as they say themselves. */
export async function heldTokens(
  listed: readonly ListedMember[],
  platform: Platform,
  keys: SpaceKeys,
): Promise<readonly HeldToken[]> {
  return await Promise.all(
    listed.map(async (token) => ({
      ...token,
      stated: token.device === undefined ? undefined : await openDevice(platform, keys, token.device),
    })),
  );
}

export interface MemberSources {
  readonly catalog: Catalog;
  /** As the catalog has them, and this one. */
  readonly devices: readonly Device[];
  readonly lastChanges: ReadonlyMap<ReplicaId, number>;
  readonly ownRole: Role;
  /** Of the token that this device holds. Undefined without a relay. */
  readonly ownMark: Uint8Array | undefined;
  /** Undefined where the relay was not asked, or did not answer. */
  readonly held: readonly HeldToken[] | undefined;
}

export function memberList({
  catalog,
  devices,
  lastChanges,
  ownRole,
  ownMark,
  held,
}: MemberSources): readonly Member[] {
  const notes = new Notes(catalog);
  const tokens = new Map(held?.map((token) => [token.tokenId, token]));
  const notedOf = ({ replica, isThis }: Device) =>
    notes.ofDevice(isThis ? ownMark : catalog.replicas.get(replica)?.value.access);
  const noted = new Set(devices.map((device) => notedOf(device)?.id));
  const known = devices.map((device): Member => {
    const last = notedOf(device);
    const own = device.isThis ? held?.find(({ isYou }) => isYou) : undefined;
    const token = own ?? (last && tokens.get(last.id)) ?? cameAgain(device, held, noted);
    // Whoever came again to read cannot say so in the catalog.
    const current = token === undefined || token.tokenId === last?.id ? last : undefined;
    const role = device.isThis ? ownRole : (token?.role ?? last?.note.role);
    const expiresAt = token?.expiresAt ?? current?.note.expiresAt;
    // A relay that was set back may take it again.
    const revokedAt = token === undefined ? current?.note.revokedAt : undefined;
    const lastChangeAt = lastChanges.get(device.replica);
    const came = notes.cameBy(token?.cameBy ?? last?.note.cameBy ?? last?.id);
    const access = token?.tokenId ?? last?.id;
    return {
      ...device,
      ...omitUndefined({ lastChangeAt, role, expiresAt, revokedAt, access, ...came }),
      ...useOf(token),
    };
  });
  const taken = new Set(known.map(({ access }) => access));
  // Whoever has a token of an invitation has joined, whatever they say or leave out of themselves.
  const others = (held ?? []).filter(
    ({ tokenId, cameBy }) => cameBy !== undefined && !taken.has(tokenId) && !notes.isOfNoDevice(tokenId),
  );
  const readers = others.map((token) => notes.unknownDevice(token));
  const here = new Set([...known, ...readers].map(({ replica }) => replica));
  const more = [...readers, ...notes.revokedReaders(taken, here), ...notes.kits(tokens)];
  const ofCatalog = new Set(known);
  return named([...known, ...more], (member) => ofCatalog.has(member));
}

/** A token by which a device says to have come, and which no other device has noted as its own. */
const cameAgain = (
  { replica }: Device,
  held: readonly HeldToken[] | undefined,
  noted: ReadonlySet<string | undefined>,
): HeldToken | undefined =>
  held?.find(
    ({ tokenId, cameBy, stated }) =>
      cameBy !== undefined && stated?.replica === replica && !noted.has(tokenId),
  );

class Notes {
  readonly #all: readonly (readonly [id: string, note: InvitationNote])[];
  readonly #byMark: ReadonlyMap<string, { readonly id: string; readonly note: InvitationNote }>;
  readonly #byId: ReadonlyMap<string, InvitationNote>;

  constructor(catalog: Catalog) {
    this.#all = notedTokens(catalog).flatMap((id) => {
      const note = invitationNote(catalog, id);
      return note === undefined ? [] : [[id, note] as const];
    });
    this.#byMark = new Map(this.#all.map(([id, note]) => [textOf(note.mark), { id, note }]));
    this.#byId = new Map(this.#all);
  }

  ofDevice(mark: Uint8Array | undefined) {
    return mark === undefined ? undefined : this.#byMark.get(textOf(mark));
  }

  cameBy(invitation: string | undefined) {
    const note = invitation === undefined ? undefined : this.#byId.get(invitation);
    return { invitation, invitedBy: note && authorOf(note) };
  }

  isOfNoDevice(tokenId: string): boolean {
    const { kit, isCarrier } = this.#byId.get(tokenId) ?? {};
    return kit !== undefined || isCarrier === true;
  }

  /** One that is known at several relays is one. */
  kits(tokens: ReadonlyMap<string, HeldToken>): readonly Member[] {
    const kits = this.#all.filter(([, { kit, key }]) => kit !== undefined && key !== undefined);
    const byKey = Map.groupBy(kits, ([, { key = NOTHING }]) => textOf(key));
    return [...byKey.values()].flatMap((same) => {
      const found = same.find(([id]) => tokens.has(id)) ?? same.toSorted(([, a], [, b]) => b.at - a.at)[0];
      if (found === undefined) return [];
      const [access, note] = found;
      const { role, revokedAt } = note;
      return {
        ...{ name: "recovery kit", isThis: false, isRecoveryKit: true, access, invitedBy: authorOf(note) },
        ...omitUndefined({ role, revokedAt }),
        ...useOf(tokens.get(access)),
      };
    });
  }

  unknownDevice(token: HeldToken): Member {
    const { tokenId: access, role, expiresAt, cameBy, stated } = token;
    return {
      ...{ name: stated?.name.slice(0, LONGEST_NAME) ?? "a device without a name", isThis: false },
      ...omitUndefined({ replica: stated?.replica, role, expiresAt, access, ...this.cameBy(cameBy) }),
      ...useOf(token),
    };
  }

  /** Nothing but the note of their end is left of them, unless they came again. */
  revokedReaders(
    known: ReadonlySet<string | undefined>,
    here: ReadonlySet<ReplicaId | undefined>,
  ): readonly Member[] {
    return this.#all.flatMap(([access, { name, role, revokedAt, cameBy, device }]) =>
      name === undefined ||
      revokedAt === undefined ||
      known.has(access) ||
      (device !== undefined && here.has(device))
        ? []
        : [{ name, isThis: false, revokedAt, access, ...omitUndefined({ role, ...this.cameBy(cameBy) }) }],
    );
  }
}

const NOTHING = new Uint8Array();
const LONGEST_NAME = 200;

const useOf = (token: HeldToken | undefined): Pick<Member, "lastUsedAt" | "isConnected"> =>
  token === undefined ? {} : omitUndefined({ lastUsedAt: token.lastUsedAt, isConnected: token.sessions > 0 });

/** This one first. Names of the catalog stay; of the others, one that is taken gets digits of its access. */
function named(members: readonly Member[], isKnown: (member: Member) => boolean): readonly Member[] {
  const counts = new Map<string, number>();
  for (const { name } of members) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const isAlone = ({ name }: Member): boolean => counts.get(name.toLowerCase()) === 1;
  return members
    .map((one) =>
      isKnown(one) || isAlone(one) ? one : { ...one, name: `${one.name} (${one.access?.slice(0, 4)})` },
    )
    .sort((a, b) => Number(b.isThis) - Number(a.isThis) || compareText(a.name, b.name));
}

export const authorOf = ({ replica, agent }: InvitationNote): Partial<Author> => ({
  replica,
  ...(agent === undefined ? {} : { agent }),
});

const textOf = (mark: Uint8Array): string => Buffer.from(mark).toString("hex");
