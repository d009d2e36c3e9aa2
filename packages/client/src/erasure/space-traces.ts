/**
 * Where a text is in the home of a space, and which memories say it: whoever finds it wants to know what to erase.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { CambiumError, concealmentsIn, type MemoryId, type PackId } from "@cambium/core";
import type { FoundTrace, TraceOptions } from "../api.js";
import { everyVersion } from "./every-version.js";
import { findTraces } from "./find-traces.js";
import { rebuiltTexts } from "./rebuilt-texts.js";
import type { ErasureServices } from "./services.js";

/** For somebody who has the files and the key. @throws {CambiumError} BAD_INPUT for an empty text, STORE_FAILED */
export async function tracesOf(
  services: ErasureServices,
  texts: readonly string[],
  { paths }: TraceOptions,
): Promise<readonly FoundTrace[]> {
  if (texts.length === 0 || texts.some((text) => text.trim() === ""))
    throw new CambiumError("BAD_INPUT", "Nothing was given to look for.", {
      hint: "Give the text that was erased, or a part of it: every place holds an empty one.",
    });
  const { documents, codec, catalog, dir } = services;
  await documents.flush();
  const packs = [...catalog.current.packs.keys()] as PackId[];
  const found = await findTraces({ paths: paths ?? [dirname(dirname(dir))], texts, codec, packs });
  if (paths !== undefined || found.length === 0) return found;
  return [...(await tracesInMemories(services, texts)), ...found];
}

/** Of each memory, each text once. What is concealed is as if absent. */
async function tracesInMemories(
  services: ErasureServices,
  texts: readonly string[],
): Promise<readonly FoundTrace[]> {
  const { index, packErasure, packs, catalog, dir } = services;
  const hidden = concealmentsIn(catalog.current.settings);
  const rebuilt = await rebuiltTexts(services, await packErasure.headers());
  const wanted = texts.map((text) => ({ text, compared: text.toLowerCase() }));
  const found = new Map<string, FoundTrace & { readonly memory: MemoryId }>();
  for (const { id, fields } of everyVersion(index, rebuilt)) {
    if (hidden.has(id) || packs.erasures.coversMemory(id)) continue;
    for (const [field, value] of fields) {
      const compared = value.toLowerCase();
      for (const { text } of wanted.filter((one) => compared.includes(one.compared))) {
        const trace = { path: join(dir, "index.sqlite"), where: `${field} of a memory`, text, memory: id };
        const key = `${id} ${text}`;
        if (!found.has(key)) found.set(key, trace);
      }
    }
  }
  return [...found.values()];
}
