/**
 * What it takes to have the text of a version that retention pruned: rebuilt from later versions, or read again at its
 * source; and what the differences take by which they are rebuilt.
 *
 * @module
 */
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openReplica, type Space, type VersionText } from "@cambium/client";
import { YEAR_START } from "../reference/workload.ts";
import { revised, textOf } from "../short/workloads.ts";
import { english } from "../support/english.ts";
import { bytesText, machine, machineLine, table, writeJson } from "../support/report.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { msText, type Quantiles, quantiles, timed } from "../support/statistics.ts";
import { wholeNumber } from "../support/usage-error.ts";

/** The newest is whole, and the oldest is put together over as many steps as it has later ones. */
const VERSIONS = 6;
const SIZES = [500, 2_000, 20_000];
const SPACE = "pruned";
const IN_FLIGHT = 32;
const SMALLEST = 5;

interface Written {
  readonly id: string;
  readonly texts: readonly string[];
}

interface Figure extends Quantiles {
  readonly name: string;
  readonly sizeBytes: number;
}

interface Room {
  readonly sizeBytes: number;
  readonly texts: number;
  /** Of the texts that go, sealed. */
  readonly bytes: number;
  readonly differences: { readonly texts: number; readonly bytes: number };
  readonly pruneMs: number;
}

interface Home {
  readonly dir: string;
  readonly sizeBytes: number;
  readonly memories: number;
  readonly seed: number;
  readonly clock: () => number;
}

export async function pruned(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      memories: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      json: { type: "string" },
    },
  });
  const memories = wholeNumber("memories", values.memories, SMALLEST);
  const seed = wholeNumber("seed", values.seed);
  const on = await machine();
  const [figures, rooms]: [Figure[], Room[]] = [[], []];
  for (const sizeBytes of SIZES) {
    console.error(`… ${memories} memories of ${sizeBytes} B`);
    await using root = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
    const home = { dir: root.path, sizeBytes, memories, seed, clock: clockFrom(YEAR_START) };
    const rebuilt = await measureRebuilt(home);
    rooms.push(rebuilt.room);
    figures.push(...rebuilt.figures, ...(await measureSources(home)));
  }
  console.log(
    `pruned, ${memories} memories of each size, ${VERSIONS} versions, seed ${seed}\n${machineLine(on)}\n`,
  );
  print(figures, rooms);
  if (values.json !== undefined) {
    await writeJson(values.json, { benchmark: "pruned", seed, memories, machine: on, figures, rooms });
  }
  return 0;
}

async function measureRebuilt(
  home: Home,
): Promise<{ readonly figures: readonly Figure[]; readonly room: Room }> {
  const { sizeBytes } = home;
  const { written, result } = await inSpace(home, "rebuilt", async (space) => {
    const done = await write(space, home, () => undefined);
    const pruning = await timed(() => prune(space, "yes"));
    return { written: done, result: pruning };
  });
  const { counts, bytes, differences } = result.result;
  const room = { sizeBytes, texts: counts.versions, bytes, differences, pruneMs: result.ms };
  const figures: Figure[] = [];
  for (const [name, version, how] of [
    ["whole", VERSIONS, "whole"],
    ["by difference, 1 step", VERSIONS - 1, "difference"],
    [`by difference, ${VERSIONS - 1} steps`, 1, "difference"],
  ] as const)
    figures.push(
      await inSpace(home, "rebuilt", (space) =>
        measureTexts(space, { ...home, name, version, how, written }),
      ),
    );
  return { figures, room };
}

/** Nothing is kept here by which a text could be rebuilt. */
async function measureSources(home: Home): Promise<readonly Figure[]> {
  const folder = join(home.dir, "sources");
  await mkdir(folder);
  const texts = new Map<string, string>();
  const server = createServer((request, response) => response.end(texts.get(request.url ?? ""))).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => server.once("listening", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const figures: Figure[] = [];
  try {
    for (const kind of ["file", "url"] as const) {
      const written = await inSpace(home, kind, async (space) => {
        const done = await write(space, home, (number) =>
          kind === "file"
            ? { kind, path: join(folder, `${number}.md`) }
            : { kind, url: `${address}/${number}` },
        );
        await prune(space, "no");
        return done;
      });
      for (const [number, { texts: own }] of written.entries()) {
        const page = `# Notes\n\n${own[0]}\n\n## And more\n\nThis stands below it.\n`;
        texts.set(`/${number}`, page);
        if (kind === "file") await writeFile(join(folder, `${number}.md`), page);
      }
      const name = kind === "file" ? "from its file" : "from its address, on this machine";
      figures.push(
        await inSpace(home, kind, (space) =>
          measureTexts(space, { ...home, name, version: 1, how: "source", written, sources: [kind] }),
        ),
      );
    }
  } finally {
    server.close();
  }
  return figures;
}

/** In a session of its own: nothing was read in it before. */
async function inSpace<Result>(
  { dir, clock }: Home,
  name: string,
  use: (space: Space) => Promise<Result>,
): Promise<Result> {
  await using replica = await openReplica({
    ...{ dir: join(dir, name), stateDir: join(dir, `${name}-state`), connect: false },
    clock,
  });
  const isNew = (await replica.spaces()).length === 0;
  return await use(isNew ? await replica.createSpace({ name: SPACE }) : await replica.openSpace(SPACE));
}

function clockFrom(start: number): () => number {
  let now = start;
  return () => {
    now += 1;
    return now;
  };
}

/** The versions of each memory exchange a tenth of its words, one after the other. */
async function write(
  space: Space,
  { sizeBytes, memories, seed }: Home,
  sourceOf: (number: number) => { readonly kind: string } | undefined,
): Promise<readonly Written[]> {
  const agent = space.as({ agent: "bench" });
  const random = seededRandom(seed, 21);
  const words = english(seededRandom(seed, 22));
  const plans = Array.from({ length: memories }, () => {
    const texts = [textOf(words, sizeBytes)];
    while (texts.length < VERSIONS) texts.push(revised(texts.at(-1) as string, words, random.unit()));
    return texts;
  });
  const written: Written[] = [];
  for (let start = 0; start < memories; start += IN_FLIGHT)
    written.push(
      ...(await Promise.all(
        plans.slice(start, start + IN_FLIGHT).map(async (texts, place) => {
          const source = sourceOf(start + place);
          const content = texts[0] as string;
          const { id } = await agent.remember(source === undefined ? { content } : { content, source });
          return { id, texts };
        }),
      )),
    );
  for (let version = 1; version < VERSIONS; version += 1)
    for (let start = 0; start < memories; start += IN_FLIGHT)
      await Promise.all(
        written
          .slice(start, start + IN_FLIGHT)
          .map(({ id, texts }) => agent.revise(id, { content: texts[version] as string })),
      );
  return written;
}

/** All but the newest text of each memory. */
async function prune(space: Space, differences: "yes" | "no") {
  const owner = space.as({ role: "owner" });
  const set = { "retention.contents": 1, "retention.days": 0, "retention.differences": differences };
  await owner.changeSettings({ set });
  return owner.prune();
}

interface Asked extends Home {
  readonly name: string;
  readonly version: number;
  readonly how: VersionText["how"];
  readonly written: readonly Written[];
  readonly sources?: readonly string[];
}

/** The text of one version of every memory: none was asked for before. */
async function measureTexts(
  space: Space,
  { name, sizeBytes, version, how, written, sources = [] }: Asked,
): Promise<Figure> {
  const times: number[] = [];
  await space.text((written[0] as Written).id, VERSIONS); // the index is opened by the first question
  for (const { id, texts } of written.slice(1)) {
    const { ms, result } = await timed(() => space.text(id, version, { sources }));
    if (result.how !== how || result.text !== texts[version - 1])
      throw new Error(`Version ${version} of ${id} was had as ${result.how}, or is another text.`);
    times.push(ms);
  }
  return { name, sizeBytes, ...quantiles(times) };
}

function print(figures: readonly Figure[], rooms: readonly Room[]): void {
  const rows = figures.map(({ name, sizeBytes, p50, p95, samples }) => [
    ...[name, bytesText(sizeBytes), `${msText(p50)} ms`, `${msText(p95)} ms`, String(samples)],
  ]);
  console.log(`The text of one version:\n\n${table(["how", "text", "p50", "p95", "samples"], rows)}`);
  const kept = rooms.map(({ sizeBytes, texts, bytes, differences, pruneMs }) => [
    ...[bytesText(sizeBytes), String(texts), bytesText(bytes / texts)],
    ...[String(differences.texts), bytesText(differences.bytes / Math.max(1, differences.texts))],
    ...[`${Math.round((100 * differences.bytes) / bytes)} %`, `${(pruneMs / 1_000).toFixed(1)} s`],
  ]);
  const head = ["text", "pruned", "sealed, each", "rebuilt", "difference, each", "of the texts", "pruned in"];
  console.log(`\nWhat is pruned, and what stays of it:\n\n${table(head, kept)}`);
}
