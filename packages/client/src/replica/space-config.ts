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
} from "../storage/plain-shape.js";
import { makePrivateDirectory } from "../storage/private-directory.js";
import { readPrivateJson, writePrivateFile } from "./private-files.js";

export interface SpaceConfig {
  readonly v: 1;
  readonly id: string;
  readonly name: string;
  /** base64url, 32 bytes. */
  readonly key: string;
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
    isUnheard: isAbsentOr(isTrue),
  });

const isUuidText = (value: unknown): value is string => isText(value) && isUuid(value);

export class SpaceConfigs {
  readonly #dir: string;

  constructor(replicaDir: string) {
    this.#dir = join(replicaDir, "spaces");
  }

  directoryOf(id: SpaceId): string {
    return join(this.#dir, id);
  }

  /** By name, then id. */
  all(): readonly SpaceConfig[] {
    if (!existsSync(this.#dir)) return [];
    const configs = readdirSync(this.#dir)
      .filter((name) => isUuid(name))
      .map((name) => this.#read(name as SpaceId))
      .filter((config) => config !== undefined);
    return configs.sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1));
  }

  #read(id: SpaceId): SpaceConfig | undefined {
    const stored = readPrivateJson(this.#path(id));
    if (stored === undefined) return undefined; // a space that was being made when the process died
    const config = parseConfig(stored);
    if (config !== undefined) return config;
    throw new CambiumError(
      "STORE_DAMAGED",
      `The file ${this.#path(id)} is damaged; restore it from a backup.`,
    );
  }

  save(config: SpaceConfig): void {
    makePrivateDirectory(this.directoryOf(config.id as SpaceId));
    writePrivateFile(this.#path(config.id as SpaceId), JSON.stringify(config, null, 2));
  }

  #path(id: SpaceId): string {
    return join(this.directoryOf(id), "space.json");
  }

  /**
   * @param text - name, id or a unique beginning of an id; may be left out when there is one space
   * @throws {CambiumError} SPACE_NOT_FOUND, AMBIGUOUS_SPACE
   */
  find(text: string | undefined): SpaceConfig {
    const all = this.all();
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
