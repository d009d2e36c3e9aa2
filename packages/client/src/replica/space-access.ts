/**
 * How this device is in a space: by which key it reads and writes, by which token it reaches the relay, and what the
 * other devices are told of it.
 *
 * @module
 */
import { bytesFromBase64Url, bytesToBase64Url, type Platform, type SpaceId } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import type { RelayAccess, Role } from "../api.js";
import type { Identity } from "../documents/identity.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { EpochUpkeep } from "../keys/epoch-upkeep.js";
import { confirmedEnds } from "../keys/key-recipients.js";
import { standingKits } from "../keys/recovery-kit.js";
import type { Invitation } from "../sync/invitation.js";
import { KeyProof } from "../sync/key-proof.js";
import type { SpaceSync } from "../sync/space-sync.js";
import { EndedAccess, type EndedAccessOptions } from "./ended-access.js";
import { enter } from "./enter.js";
import { introduce, type NewAccess } from "./introduce.js";
import { KitUpkeep } from "./kit-upkeep.js";
import { remakeIndex } from "./remake-index.js";
import { rekeyingNotice } from "./space-notices.js";
import type { SpaceParts } from "./space-parts.js";
import type { StandingConfig } from "./standing-config.js";

export interface SpaceAccessOptions {
  readonly parts: SpaceParts;
  readonly config: StandingConfig;
  readonly identity: Identity;
  readonly platform: Platform;
  /** Whether a line to the relay is wanted. */
  readonly connect: boolean;
  readonly sync: () => SpaceSync;
  readonly isClosing: () => boolean;
  /** Tells the relay of the kits that it does not know. @returns how many of them it still does not know */
  readonly registerKits: () => Promise<number>;
  /** Ends at the relay what had ended and it takes again. */
  readonly endAgain: EndedAccessOptions["endAgain"];
  readonly onNotice: (message: string) => void;
}

export class SpaceAccess {
  readonly keys: EpochUpkeep;
  readonly kits: KitUpkeep;
  readonly ended: EndedAccess;
  readonly #options: SpaceAccessOptions;
  readonly #proof: KeyProof;

  constructor(options: SpaceAccessOptions) {
    const { parts, config, identity, registerKits, endAgain, onNotice } = options;
    this.#options = options;
    this.#proof = new KeyProof({
      ...{ ...parts, replica: identity.id, config: () => config.current, onNotice },
      onProven: (keyCheck) => config.save({ keyCheck }),
    });
    this.keys = new EpochUpkeep({
      ...{ ...parts, identity, role: () => config.current.role, introduce: () => this.introduce() },
      hasHeard: () => config.current.isUnheard === undefined && typeof config.current.keyCheck === "string",
      judgeAgain: () => this.#judgeAgain(),
      onFailure: (error) => onNotice(`The new key could not be taken up yet: ${messageOf(error)}`),
    });
    this.kits = new KitUpkeep({
      config: () => config.current,
      note: (isKitUnknown) => config.save({ isKitUnknown }),
      standing: () => standingKits(parts.catalog.current, parts.epochs.members(parts.catalog.current)).length,
      register: registerKits,
    });
    this.ended = new EndedAccess({
      ...{ config: () => config.current, endAgain, onNotice },
      ended: () => confirmedEnds(parts.catalog.current, parts.epochs.removed),
    });
  }

  /** Before anything of the space is shown or written. */
  async open(): Promise<void> {
    await this.#proof.open();
    await this.keys.open();
    this.#options.parts.catalog.onChange(() => this.ended.follow());
  }

  /** In the background nothing of it goes on after. */
  async close(): Promise<void> {
    await this.ended.close();
    await this.kits.close();
    await this.keys.close();
  }

  /** Says in the catalog what this device is called; readers cannot. */
  async introduce(made?: NewAccess): Promise<void> {
    const { parts, config, identity } = this.#options;
    const { role, relay } = config.current;
    if (role !== "read") await introduce(parts, identity, relay?.token, made);
  }

  /** The relay has accepted this replica. */
  welcome(role: Role): void {
    const { config, onNotice } = this.#options;
    const mayWriteNow = config.current.role === "read" && role !== "read";
    config.save({ role });
    this.kits.follow();
    this.ended.welcome();
    if (mayWriteNow)
      this.introduce().catch((error: unknown) =>
        onNotice(`This device could not say its name in the space yet: ${messageOf(error)}`),
      );
  }

  /** Takes in what an invitation holds, by which this device has come again. */
  takeKeys(
    { seed, epoch }: Pick<Invitation, "seed" | "epoch">,
    { cameWithKit }: Pick<SpaceConfig, "cameWithKit"> = {},
  ): void {
    const { parts, config } = this.#options;
    if (seed !== undefined) config.save({ cameWith: bytesToBase64Url(seed), cameWithKit });
    if (epoch !== undefined) parts.epochs.take(epoch);
    this.keys.follow();
  }

  /** The kit is needed until this device has a part in each key itself. Nobody is to find it here later. */
  async forgetKit(): Promise<void> {
    const { parts, config, identity, sync, isClosing } = this.#options;
    const { epochs, catalog } = parts;
    if (!config.current.cameWithKit) return;
    const own = catalog.current.replicas.get(identity.id)?.value;
    const isMember =
      own !== undefined && epochs.hasShown({ id: identity.id, key: own.publicKey }, own.keyProof);
    if (config.current.isUnheard || !isMember || epochs.lacking.length > 0) return;
    if ((await sync().status()).relay.state !== "synced" || isClosing()) return;
    config.save({ cameWith: undefined, cameWithKit: undefined });
  }

  /** Makes a token of this device's own from one that others may know, too. */
  async trade({ url, token }: RelayAccess): Promise<RelayAccess> {
    const { parts, config } = this.#options;
    const { id, key } = config.current;
    const { relay, role, made } = await enter(
      { relay: url, space: id as SpaceId, token, key: bytesFromBase64Url(key), epoch: parts.epochs.later },
      this.#options,
    );
    config.save({ relay, role, accessUntil: made?.expiresAt });
    await this.introduce(made);
    return relay;
  }

  /** Turns to a relay that has accepted a token of this space. */
  async moveTo(relay: RelayAccess, role: Role, made?: NewAccess): Promise<void> {
    const { config, connect, sync } = this.#options;
    await sync().changeRelay(() =>
      config.save({ relay, role, accessUntil: made?.expiresAt, lastReceiptAt: undefined }),
    );
    await this.introduce(made);
    if (connect) sync().start();
  }

  notices(): readonly string[] {
    return [...this.keys.notices(), ...this.standing()];
  }

  /** Those that are about what is left to do elsewhere: nothing is hidden for it. */
  standing(): readonly string[] {
    return [...rekeyingNotice(this.#options.config.current), ...this.kits.notices()];
  }

  /** What was read before a key was known under which some of it was written. */
  async #judgeAgain(): Promise<void> {
    const { parts } = this.#options;
    const foreign = [...parts.views.foreignChanges().values()];
    if (foreign.some((count) => count > 0)) await remakeIndex(parts);
  }
}
