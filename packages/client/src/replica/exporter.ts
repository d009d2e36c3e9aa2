/**
 * Writing the memories of a state to files that others can read, and that `import` takes back.
 *
 * @module
 */
import { resolve } from "node:path";
import {
  CambiumError,
  compareText,
  type Memory,
  type MemoryId,
  type RecordHash,
  readMemory,
  referencesAt,
  throwIfAborted,
  versionsOf,
} from "@cambium/core";
import type { ExportFormat, ExportOptions, ExportResult } from "../api.js";
import { FILTER } from "../arguments/signature.js";
import { graphLines } from "../export/graph-lines.js";
import { historyHeader, historyLine } from "../export/history-lines.js";
import { markdownFile } from "../export/markdown-file.js";
import { fillNewFolder, refuseNewFile, refuseNewFolder, writeNewFile } from "../export/new-files.js";
import { graphOf, partsOf } from "../graph/graph-parts.js";
import { filtered } from "../space/memory-filter.js";
import type { SpaceServices } from "../space/space-services.js";
import type { FoundState } from "../space/state-finder.js";

export type ExportServices = Pick<SpaceServices, "finder" | "index" | "now"> & {
  readonly space: string;
  readonly home: string;
  /** Without what names a concealed memory. */
  readonly shown: <Value>(value: Value) => Value;
};

type Texts = AsyncIterable<string>;

/** What is written, and where from. */
interface Exporting {
  readonly services: ExportServices;
  readonly found: FoundState;
  /** In the order of their ids, so that two exports can be compared. */
  readonly memories: readonly Memory[];
  readonly options: ExportOptions;
  /** What is to be counted besides. */
  readonly counts: { versions: number };
}

const FORMATS: Readonly<
  Record<ExportFormat, (path: string, exporting: Exporting) => Promise<{ readonly sizeBytes: number }>>
> = {
  jsonl: async (path, exporting) => await writeFile(path, historyOf(exporting), exporting),
  markdown: writeTree,
  "mcp-memory": async (path, exporting) => await writeFile(path, graphTexts(exporting), exporting),
};

/** For whoever has to ask somebody first. @throws {CambiumError} BAD_INPUT when nothing can be written there */
export async function refusePlace(
  path: string,
  home: string,
  { format, overwrite = false }: ExportOptions,
): Promise<void> {
  const place = resolve(path);
  await (format === "markdown" ? refuseNewFolder(place, home) : refuseNewFile(place, { home, overwrite }));
}

/** @throws {CambiumError} BAD_INPUT, BAD_REF, BRANCH_NOT_FOUND, ABORTED */
export async function exportTo(
  newPath: string,
  services: ExportServices,
  options: ExportOptions = {},
): Promise<ExportResult> {
  const { format = "jsonl" } = options;
  const path = resolve(newPath);
  throwIfAborted(options.signal);
  const { finder, index, now } = services;
  const named = await finder.find(options);
  // What is written meanwhile is left out: memories that are read one after the other have to fit each other.
  const { branch, heads } = named.ref;
  const found =
    heads.length === 0 ? named : await finder.find({ at: `${named.branch.id}@heads:${heads.join(",")}` });
  const { states } = index;
  const chosen = await filtered(options, { states, found, now: now() }, (passes) =>
    states.list(
      found.state,
      { forgotten: format === "jsonl" ? "with" : "without", passes },
      Number.MAX_SAFE_INTEGER,
      undefined,
    ),
  );
  const memories = services
    .shown(chosen.answer)
    .filter(({ erased }) => erased === undefined) // nothing is left of it that another program could show
    .toSorted((a, b) => compareText(a.id, b.id));
  const counts = { versions: 0 };
  const isChosen =
    options.at !== undefined || Object.keys(FILTER).some((name) => Object.hasOwn(options, name));
  const isNothing = memories.length === 0 && isChosen;
  const { sizeBytes } = isNothing
    ? { sizeBytes: 0 }
    : await FORMATS[format](path, { services, found, memories, options, counts });
  const unreadable = states.unreadable(found.state).length;
  const forgotten = memories.filter(({ deleted }) => deleted).length;
  return {
    ...{ format, path, memories: memories.length, sizeBytes, branch, heads },
    ...(format === "jsonl" ? { versions: counts.versions } : {}),
    ...(chosen.advice.length === 0 ? {} : { advice: chosen.advice }),
    ...(forgotten === 0 ? {} : { forgotten }),
    ...(unreadable === 0 ? {} : { unreadable }),
  };
}

const writeFile = async (path: string, texts: Texts, { services: { home }, options }: Exporting) => ({
  sizeBytes: await writeNewFile(path, texts, {
    ...{ home, overwrite: options.overwrite === true, signal: options.signal },
  }),
});

async function* historyOf({ services, found, memories, options, counts }: Exporting): Texts {
  const { space, index, now } = services;
  const { branch, heads } = found.ref;
  yield historyHeader({ space, branch, heads, exportedAt: now(), memories: memories.length });
  for await (const { id } of inTurn(memories, options)) {
    const state = writesAt(id, { services, found });
    const reading = await readMemory(state, id, index.load);
    const versions = reading === undefined ? [] : versionsOf(reading);
    counts.versions += versions.length;
    yield historyLine(id, services.shown(versions));
  }
}

const writesAt = (id: MemoryId, { services: { index }, found }: Pick<Exporting, "services" | "found">) =>
  index.states.writesAt(found.state, index.tables.memories.find(id) as number);

/** Most memories have one version that no other one follows: only of the others the records are read. */
async function versionsShown({ id, record }: Memory, exporting: Exporting): Promise<readonly RecordHash[]> {
  const state = writesAt(id, exporting);
  if (referencesAt(state, id).length < 2) return [record];
  const reading = await readMemory(state, id, exporting.services.index.load);
  return reading?.shownTips.toSorted() ?? [record];
}

async function writeTree(path: string, exporting: Exporting): Promise<{ readonly sizeBytes: number }> {
  const { memories, options, services } = exporting;
  if (options.overwrite === true)
    throw new CambiumError("BAD_INPUT", "A Markdown export is not written over another one.", {
      hint: "Choose a folder that is new or empty.",
    });
  let sizeBytes = 0;
  await fillNewFolder(path, services.home, async (write) => {
    const running = new Set<Promise<void>>();
    try {
      for await (const memory of inTurn(memories, options)) {
        const file = markdownFile(memory, await versionsShown(memory, exporting));
        if (running.size >= FILES_AT_ONCE) await Promise.race(running);
        const one: Promise<void> = write(file.path, file.text).then((size) => {
          sizeBytes += size;
          running.delete(one);
        });
        one.catch(() => undefined); // it stays among those that run, and ends them
        running.add(one);
      }
      await Promise.all(running);
    } finally {
      await Promise.allSettled(running);
    }
  });
  return { sizeBytes };
}

/** Each waits for the disk, which takes several as fast as one. */
const FILES_AT_ONCE = 16;

async function* graphTexts({ services, found, memories, options }: Exporting): Texts {
  const chosen = new Set(memories.map(({ id }) => id));
  const parts = partsOf(services.index.graph.all(found.state)).filter(({ memory }) => chosen.has(memory.id));
  const inGraph = new Set(parts.map(({ memory }) => memory.id));
  const others = memories.filter(({ id }) => !inGraph.has(id));
  for await (const text of inTurn(graphLines(graphOf(parts), others), options)) yield text;
}

/** Others have their turn now and then. */
const PIECE = 64;

async function* inTurn<Item>(
  items: readonly Item[],
  { signal, onProgress }: ExportOptions,
): AsyncIterable<Item> {
  const total = items.length;
  for (const [done, item] of items.entries()) {
    if (done % PIECE === 0) {
      await new Promise(setImmediate);
      onProgress?.({ stage: "export", done, total });
      throwIfAborted(signal);
    }
    yield item;
  }
  onProgress?.({ stage: "export", done: total, total });
}
