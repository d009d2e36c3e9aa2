/**
 * What is known of the records of a space when something of it is to be erased, and which of them a caller means.
 *
 * @module
 */
import {
  CambiumError,
  type ErasureTarget,
  isCambiumError,
  type LabelFilter,
  labelTest,
  type Memory,
  type MemoryId,
  packHashes,
  packIds,
  type RecordHash,
  valuesOf,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { EraseOptions, EraseSelection, OnBranch, RepeatingMemory } from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import type { FoundState } from "../space/state-finder.js";
import { onlyOnBranch } from "./only-on-branch.js";
import { rebuiltTexts } from "./rebuilt-texts.js";
import type { ErasureServices } from "./services.js";

/** Milliseconds since 1970; the first included, the second not. */
interface Range {
  readonly from: number | undefined;
  readonly until: number | undefined;
}

type Selected = EraseSelection & OnBranch;

/** What is known of the records of a space, as far as a caller may come upon it. */
export interface Known {
  readonly headers: readonly HeldHeader[];
  /** Concealed memories that are as if absent. No header is of one. */
  readonly hidden: ReadonlySet<MemoryId>;
}

/**
 * Returns what is to be erased, as a rule.
 *
 * @throws {CambiumError} BAD_INPUT when nothing says what, MEMORY_NOT_FOUND, BAD_REF
 */
export async function targetOf(
  services: ErasureServices,
  options: Selected,
  { headers, hidden }: Known,
): Promise<ErasureTarget> {
  refuseUnknown(options);
  if (options.everything === true) return everythingOf(options, headers);
  const range = await rangeOf(options, services.now());
  const isTimed = range.from !== undefined || range.until !== undefined;
  const { ids, versions, query } = options;
  const labels = labelsOf(options);
  const agents = valuesOf(options, "agent");
  const { onlyOn, source } = options;
  if ([ids, versions, query, labels, onlyOn, source].every((one) => one === undefined)) {
    if (agents.length === 0 && !isTimed) throw nothingNamed();
    // What is written from now on is not meant. A range would take along what the caller does not come upon.
    if (agents.length === 0 && hidden.size === 0)
      return { ...range, until: range.until ?? services.now() + 1 };
  }
  const memories = headers.filter(({ type }) => type !== "name");
  const named = await namedMemories(services, options, { headers: memories, hidden }, labels);
  const single = versions && (await versionsOf(services, options, memories));
  const branch = onlyOn === undefined ? undefined : await onlyOnBranch(services, onlyOn);
  const isSelected = (header: HeldHeader): boolean =>
    (branch === undefined || branch.records.has(header.hash)) &&
    (named === undefined || named.has(header.memory)) &&
    (single === undefined || single.has(header.hash)) &&
    (agents.length === 0 || agents.includes(header.author.agent ?? "")) &&
    (range.from === undefined || header.at >= range.from) &&
    (range.until === undefined || header.at < range.until);
  const rule = ruleOf(memories, isSelected, single === undefined);
  return branch === undefined ? rule : withNames(rule, branch.nameMemories);
}

/** Every version of every memory, now and ever; and the names of branches and checkpoints. */
function everythingOf(options: Selected, headers: readonly HeldHeader[]): ErasureTarget {
  const other = LIMITS.find((name) => name !== "everything" && name in options);
  if (other !== undefined)
    throw new CambiumError("BAD_INPUT", `everything leaves nothing out: ${other} cannot be given beside it.`);
  const names = headers.flatMap(({ memory, type }) => (type === "name" ? [memory] : []));
  return withNames({ from: 0 }, names);
}

const withNames = (rule: ErasureTarget, names: readonly MemoryId[]): ErasureTarget => ({
  ...rule,
  memories: new Uint8Array(Buffer.concat([rule.memories ?? new Uint8Array(), packIds(names)])),
});

/** Whole memories where every version is meant: then what is written to them later goes, too. */
function ruleOf(
  headers: readonly HeldHeader[],
  isSelected: (header: HeldHeader) => boolean,
  mayBeWhole: boolean,
): ErasureTarget {
  const selected = headers.filter(isSelected);
  const kept = new Set(headers.filter((header) => !isSelected(header)).map(({ memory }) => memory));
  const isWhole = ({ memory }: HeldHeader): boolean => mayBeWhole && !kept.has(memory);
  const single = selected.filter((header) => !isWhole(header));
  return {
    memories: packIds(selected.filter(isWhole).map(({ memory }) => memory)),
    records: packHashes(single.map(({ hash }) => hash)),
    parts: packHashes(single.map(({ content }) => content.hash)),
  };
}

/**
 * The same in fixed times: what is asked for now and approved later means what was shown. Who names a time and nothing
 * else does not mean what is written from now on.
 */
export async function atFixedTimes(options: EraseOptions, now: number): Promise<EraseOptions> {
  const [since, last] = [await startOf(options.since, now), await endOf(options.until, now)];
  if (since === undefined && last === undefined) return options;
  const isTimeOnly = LIMITS.every((name) => TIMES.includes(name) || Reflect.get(options, name) === undefined);
  const until = last ?? (isTimeOnly ? now : undefined);
  return { ...options, ...omitUndefined({ since, until }) };
}

async function rangeOf({ since, until }: Selected, now: number): Promise<Range> {
  const [from, last] = [await startOf(since, now), await endOf(until, now)];
  if (from !== undefined && last !== undefined && from > last)
    throw new CambiumError("BAD_INPUT", "since lies after until.");
  return { from, until: last === undefined ? undefined : last + 1 };
}

const LABELS = ["category", "tag", "kind", "area"] as const;

function labelsOf(options: Selected): LabelFilter | undefined {
  const labelled = LABELS.filter((label) => valuesOf(options, label).length > 0);
  return labelled.length === 0
    ? undefined
    : Object.fromEntries(labelled.map((label) => [label, options[label]]));
}

/** Undefined: any. */
async function namedMemories(
  services: ErasureServices,
  options: Selected,
  { headers, hidden }: Known,
  labels: LabelFilter | undefined,
): Promise<ReadonlySet<MemoryId> | undefined> {
  const found = await services.finder.find({ branch: options.branch });
  const sets: ReadonlySet<MemoryId>[] = [];
  if (options.ids !== undefined)
    sets.push(new Set(options.ids.map((id) => idOf(services, found, headers, id))));
  if (options.query !== undefined) {
    const [query, states] = [options.query, await everyState(services)] as const;
    const { reader } = services;
    const matching =
      hidden.size === 0 ? reader.everMatchingAny(query, ...states) : reader.everMatching(query, ...states);
    sets.push(new Set([...(await matching), ...(await rebuiltMatching(services, query, headers))]));
  }
  if (labels !== undefined) sets.push(everPassing(services, labelTest(labels)));
  if (options.source !== undefined) sets.push(everPassing(services, comesFrom(options.source)));
  const [first, ...rest] = sets;
  return first && rest.reduce((all, set) => all.intersection(set), first);
}

/** Those of which a pruned text that can be put together again has all words of the query. */
async function rebuiltMatching(
  services: ErasureServices,
  query: string,
  headers: readonly HeldHeader[],
): Promise<readonly MemoryId[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = await rebuiltTexts(services, headers);
  return headers.flatMap(({ hash, memory }) => {
    const text = texts.get(hash)?.toLowerCase();
    return text !== undefined && words.every((word) => text.includes(word)) ? [memory] : [];
  });
}

/** Of each branch that is here, proposals and deleted ones included: what is said there is no less there. */
async function everyState({ directory, finder }: ErasureServices): Promise<readonly FoundState[]> {
  const states: FoundState[] = [];
  for (const { id } of await directory.all()) {
    try {
      states.push(await finder.find({ branch: id }));
    } catch (error) {
      if (!isCambiumError(error)) throw error; // not arrived: there is nothing to look at
    }
  }
  return states;
}

/** Stands for every memory that a preview lists as repeating what goes. */
const ALL = "all";

/** Returns a rule with the memories that are to go along, each as a whole. */
export async function withMemories(
  services: ErasureServices,
  { also = [], branch }: EraseOptions,
  headers: readonly HeldHeader[],
  {
    target,
    repeating,
  }: {
    readonly target: ErasureTarget;
    readonly repeating: (target: ErasureTarget) => Promise<readonly RepeatingMemory[]>;
  },
): Promise<ErasureTarget> {
  if (also.length === 0) return target;
  const found = await services.finder.find({ branch });
  const named = also.filter((id) => id !== ALL).map((id) => idOf(services, found, headers, id));
  const along = new Set<MemoryId>(named);
  const wider = (): ErasureTarget => withNames(target, [...along]);
  if (named.length === also.length) return wider();
  for (const { id } of await repeating(target)) along.add(id);
  // What repeats them as a whole repeats it, too. What shares a word or a line with one of them may say something else.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = along.size;
    for (const { id, how } of await repeating(wider())) if (FOLLOWED.has(how)) along.add(id);
    if (along.size === before) break;
  }
  return wider();
}

const FOLLOWED: ReadonlySet<RepeatingMemory["how"]> = new Set(["repeats", "similar", "derived"]);
/** Each may list a hundred. */
const MAX_ROUNDS = 20;

/** A memory of another branch, by its whole id. */
function idOf(
  { reader }: ErasureServices,
  found: FoundState,
  headers: readonly HeldHeader[],
  text: string,
): MemoryId {
  try {
    return reader.idOf(found, text);
  } catch (error) {
    const whole = headers.find(({ memory }) => memory === text.trim().toLowerCase());
    if (whole === undefined || !isCambiumError(error, "MEMORY_NOT_FOUND")) throw error;
    return whole.memory;
  }
}

/** Of the memories that labels or a source select: those of which the newest version is not such any more. */
export function formerOnes(
  { index }: ErasureServices,
  options: Selected,
  headers: readonly HeldHeader[],
): ReadonlySet<MemoryId> {
  const labels = labelsOf(options);
  const { source } = options;
  if (labels === undefined && source === undefined) return new Set();
  const [hasLabels, comes] = [labelTest(labels ?? {}), source === undefined ? ALWAYS : comesFrom(source)];
  const newest = new Map<MemoryId, HeldHeader>();
  for (const header of headers)
    if (header.at >= (newest.get(header.memory)?.at ?? 0)) newest.set(header.memory, header);
  const { index: database, snapshots } = index.tables;
  const rows = (
    database.prepare("SELECT id, lower(hex(hash)) FROM forms WHERE hash IS NOT NULL").all() as unknown as [
      number,
      RecordHash,
    ][]
  ).map(([id, record]) => ({ id, record }));
  const metadata = snapshots.metadataOf(rows.map(({ id }) => id));
  const former = metadata.filter(
    (one, place) => newest.get(one.id)?.hash === rows[place]?.record && !(hasLabels(one) && comes(one)),
  );
  return new Set(former.map(({ id }) => id));
}

const ALWAYS = (): boolean => true;

type Described = Parameters<ReturnType<typeof labelTest>>[0] & Pick<Memory, "source">;

/** Memories of which any version, on any branch, was such. */
function everPassing(
  { index }: ErasureServices,
  passes: (metadata: Described) => boolean,
): ReadonlySet<MemoryId> {
  const { index: database, snapshots } = index.tables;
  const rows = database.prepare("SELECT id FROM forms WHERE hash IS NOT NULL").all() as unknown as [number][];
  const matching = snapshots.metadataOf(rows.map(([id]) => id)).filter((metadata) => passes(metadata));
  return new Set(matching.map(({ id }) => id));
}

/** A file, an address, a thread, a tool; or a folder, with everything below it. */
function comesFrom(named: string): (metadata: Pick<Memory, "source">) => boolean {
  const folder = named.endsWith("/") ? named : `${named}/`;
  return ({ source = {} }) =>
    Object.entries(source).some(
      ([key, value]) => key !== "kind" && (String(value) === named || String(value).startsWith(folder)),
    );
}

async function versionsOf(
  services: ErasureServices,
  { versions = [], branch }: Selected,
  headers: readonly HeldHeader[],
): Promise<ReadonlySet<RecordHash>> {
  const records = new Set<RecordHash>();
  for (const { id, version } of versions) {
    const known = await services.versions.history(id, { branch });
    const found = known.filter((one) =>
      typeof version === "number" ? one.version === version : one.record.startsWith(version.toLowerCase()),
    );
    const [only] = found;
    if (only === undefined || found.length > 1)
      throw new CambiumError("BAD_INPUT", `${id} has no single version ${version}.`, {
        hint: `See its versions with \`cambium history ${id}\`, and name one by its record.`,
      });
    records.add(only.record);
  }
  const held = new Set(headers.map(({ hash }) => hash));
  return records.intersection(held);
}

const TIMES: readonly string[] = ["since", "until"];
const LIMITS = [
  ...LABELS,
  "everything",
  "onlyOn",
  "source",
  "ids",
  "versions",
  "query",
  "agent",
  "since",
  "until",
];
const OTHERS = ["branch", "also", "preview", "confirm", "many", "reason", "signal", "onProgress"];

/** A condition that is not known would be left out of account, and more would go than was meant. */
function refuseUnknown(options: Selected): void {
  const unknown = Object.keys(options).find((name) => !LIMITS.includes(name) && !OTHERS.includes(name));
  if (unknown === undefined) return;
  throw new CambiumError("BAD_INPUT", `Erasing knows no ${JSON.stringify(unknown)}.`, {
    hint: `It takes ${[...LIMITS, ...OTHERS].join(", ")}.`,
  });
}

const nothingNamed = (): CambiumError =>
  new CambiumError(
    "BAD_INPUT",
    "Say what to erase: ids, versions, a query, labels, a source, an agent, a branch, a time.",
    {
      hint: "For instance: cambium erase <id> --preview, or cambium erase --until 2024-12-31 --preview",
    },
  );
