/**
 * The attack on an erasure for a home in which no space can be opened: none is there any more, or it is damaged. Each
 * folder of a space is looked into with the key that lies in it.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Codec } from "@cambium/core";
import type { FoundTrace } from "../api.js";
import { ringOf } from "../archive/space-part.js";
import { parseConfig } from "../documents/space-config.js";
import { findTraces } from "../erasure/find-traces.js";
import { nodePlatform } from "../platform/node-platform.js";
import { readCheckedJson } from "../platform/private-files.js";

/** @throws {CambiumError} STORE_FAILED where a file cannot be read */
export async function tracesInHome(home: string, texts: readonly string[]): Promise<readonly FoundTrace[]> {
  const spaces = join(home, "spaces");
  const inSpaces = namesIn(spaces).map((name) => join(spaces, name));
  const elsewhere = namesIn(home).map((name) => join(home, name));
  const rest = elsewhere.filter((path) => path !== spaces);
  const found = [...(await findTraces({ paths: rest, texts }))];
  for (const path of inSpaces)
    found.push(...(await findTraces({ paths: [path], texts, codec: codecIn(path) })));
  return found;
}

/** Undefined where there is no key that can be read: then what is sealed cannot be read, either. */
function codecIn(folder: string): Codec | undefined {
  try {
    const config = parseConfig(readCheckedJson(join(folder, "space.json"), ""));
    return config && { platform: nodePlatform(), keys: ringOf(config) };
  } catch {
    return undefined;
  }
}

const namesIn = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir) : []);
