/**
 * What a replica keeps about a space outside its documents: its key, its relay, its token. Private.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CambiumError, isUuid, type SpaceId } from "@cambium/core";
import type { RelayAccess, Role, SpaceInfo } from "../api.js";
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
import { damagedFile, readCheckedJson, writeCheckedJson } from "../platform/private-files.js";

export interface SpaceConfig {
  readonly v: 1;
  readonly id: string;
  readonly name: string;
  /** base64url, 32 bytes. */
  readonly key: string;
  /** A code of the key, once it is known to be the right one. Null: joined, and not known yet. Absent in older files. */
  readonly keyCheck?: string | null | undefined;
  readonly relay: RelayAccess | null;
  readonly role: Role;
  /** Joined, and not yet told by the relay what the space holds. */
  readonly isUnheard?: true | undefined;
  /** Milliseconds since 1970. */
  readonly lastReceiptAt?: number | undefined;
}

const isRelay = (value: unknown): value is RelayAccess =>
  readShape<RelayAccess>(value, { url: isText, token: isText }) !== undefined;

const parseConfig = (stored: unknown): SpaceConfig | undefined =>
  readShape<SpaceConfig>(stored, {
    ...{ v: isOne, id: isUuidText, name: isText, key: isText, relay: isNullOr(isRelay) },
    ...{ role: isOneOf("read", "write", "admin"), lastReceiptAt: isAbsentOr(isNumber) },
    ...{ isUnheard: isAbsentOr(isTrue), keyCheck: isAbsentOr(isNullOr(isText)) },
  });

const isUuidText = (value: unknown): value is string => isText(value) && isUuid(value);

const REMEDY =
  "Without a backup, ask another member for an invitation and join again: what is stored here stays.";

export class SpaceConfigs {
  readonly #dir: string;

  constructor(replicaDir: string) {
    this.#dir = join(replicaDir, "spaces");
  }

  directoryOf(id: SpaceId): string {
    return join(this.#dir, id);
  }

  /**
   * By name, then id.
   *
   * @throws {CambiumError} STORE_DAMAGED when one cannot be read
   */
  all(): readonly SpaceConfig[] {
    const { configs, damage } = this.#survey();
    if (damage !== undefined) throw damage;
    return configs;
  }

  /** Those that can be read. */
  readable(): readonly SpaceConfig[] {
    return this.#survey().configs;
  }

  #survey(): { readonly configs: readonly SpaceConfig[]; readonly damage?: unknown } {
    if (!existsSync(this.#dir)) return { configs: [] };
    const configs: SpaceConfig[] = [];
    let damage: unknown;
    for (const name of readdirSync(this.#dir)) {
      if (!isUuid(name)) continue;
      try {
        const config = this.#read(name as SpaceId);
        if (config !== undefined) configs.push(config);
      } catch (error) {
        damage ??= error;
      }
    }
    configs.sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1));
    return { configs, damage };
  }

  #read(id: SpaceId): SpaceConfig | undefined {
    const stored = readCheckedJson(this.#path(id), REMEDY);
    if (stored === undefined) return undefined; // a space that was being made when the process died
    const config = parseConfig(stored);
    if (config !== undefined) return config;
    throw damagedFile(this.#path(id), REMEDY);
  }

  save(config: SpaceConfig): void {
    makePrivateDirectory(this.directoryOf(config.id as SpaceId));
    writeCheckedJson(this.#path(config.id as SpaceId), config);
  }

  #path(id: SpaceId): string {
    return join(this.directoryOf(id), "space.json");
  }

  /**
   * @param text - name, id or a unique beginning of an id; may be left out when there is one space
   * @throws {CambiumError} SPACE_NOT_FOUND, AMBIGUOUS_SPACE
   */
  find(text: string | undefined): SpaceConfig {
    const { configs: all, damage } = this.#survey();
    const matching =
      text === undefined
        ? all
        : all.filter(
            ({ id, name }) => id === text || name === text || (text.length >= 8 && id.startsWith(text)),
          );
    const [found, second] = matching;
    const names = all.map(({ name, id }) => `${name} (${id})`).join(", ");
    if (second !== undefined) {
      throw new CambiumError(
        "AMBIGUOUS_SPACE",
        text === undefined ? "Several spaces are here; say which one." : `Several spaces are named ${text}.`,
        {
          hint: `Name one by its id: ${names}`,
        },
      );
    }
    // A space that is named is opened whatever became of others.
    if (damage !== undefined && (found === undefined || text === undefined)) throw damage;
    if (found !== undefined) return found;
    throw new CambiumError(
      "SPACE_NOT_FOUND",
      text === undefined ? "There is no space here yet." : `There is no space named "${text}" here.`,
      {
        hint:
          all.length === 0
            ? "Make one with `cambium init <name>`, or enter one with `cambium join <invitation>`."
            : `Spaces here: ${names}`,
      },
    );
  }
}

export const infoOf = ({ id, name, relay, role }: SpaceConfig): SpaceInfo => ({
  id: id as SpaceId,
  name,
  relay: relay?.url ?? null,
  role: role as Role,
});
