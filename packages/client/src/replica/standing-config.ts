/**
 * The settings of an open space on this device, as they stand, and on disk.
 *
 * @module
 */
import type { SpaceConfig, SpaceConfigs } from "../documents/space-config.js";

/** What changes while a space is open. */
type Changing = Pick<
  SpaceConfig,
  | "name"
  | "relay"
  | "role"
  | "accessUntil"
  | "lastReceiptAt"
  | "acceptedRestore"
  | "isUnheard"
  | "invited"
  | "keyCheck"
  | "epochs"
  | "cameWith"
  | "cameWithKit"
  | "isPruned"
  | "erasedAt"
  | "isRekeying"
  | "isKitUnknown"
>;

export class StandingConfig {
  readonly #configs: SpaceConfigs;
  #current: SpaceConfig;

  constructor(configs: SpaceConfigs, current: SpaceConfig) {
    this.#configs = configs;
    this.#current = current;
  }

  get current(): SpaceConfig {
    return this.#current;
  }

  /**
   * Writes what differs, durably. If that fails, everything stands as it did.
   *
   * @throws {CambiumError} STORE_FAILED
   */
  save(changed: Partial<Changing>): void {
    const config = { ...this.#current, ...changed };
    const keys = Object.keys(changed) as (keyof Changing)[];
    if (keys.every((key) => config[key] === this.#current[key])) return;
    this.#configs.save(config);
    this.#current = config;
  }
}
