/**
 * Which texts of a memory may go: those that the rules of the space do not keep, that no merge may still need, and that
 * are in nobody's way. A function of the shared history, the settings and a time.
 *
 * @module
 */
import type { PartHash, RecordHash } from "../format/ids.js";
import { decidesField } from "../format/record.js";
import { type LiveBranch, neededForMerges, RetentionGraph, type RetentionRecord } from "./needed-contents.js";
import {
  SETTINGS,
  type SetSetting,
  type SettingName,
  type SettingScope,
  type SettingValue,
  settingOf,
} from "./settings.js";

/** How much of a memory stays. Infinity: no bound. */
export interface RetentionRule {
  /** So many texts stay whole, the newest first. Undefined: not set. */
  readonly contents: number | undefined;
  /** The others are pruned so many days after they were replaced. Undefined: not set. */
  readonly days: number | undefined;
  /** No more texts than this stay. */
  readonly versions: number;
  /** No text stays that was replaced longer ago, in days. */
  readonly depth: number;
  /** Whether what a pruned text differs by may stay, within `versions` and `depth`. */
  readonly differences: boolean;
}

/** What a rule may be set for. */
export interface RetentionLabels {
  /** Of the memory, as it is shown. */
  readonly category?: string | undefined;
  /** Of the memory, as it is shown. */
  readonly area?: string | undefined;
}

/** Returns the rule for a memory: that of its category counts first, then that of its area, then the space's. */
export function retentionRule(
  settings: ReadonlyMap<string, SetSetting>,
  { category, area }: RetentionLabels,
): RetentionRule {
  const places = [
    ...(category === undefined ? [] : [`@category:${category}`]),
    ...(area === undefined ? [] : [`@area:${area}`]),
    "",
  ];
  const setFor = (name: SettingName): SettingValue | undefined =>
    places.map((place) => settings.get(name + place)?.value).find((value) => value !== undefined);
  const numberOf = (name: SettingName): number | undefined => {
    const set = setFor(name);
    if (set === undefined) return undefined;
    return typeof set === "number" ? set : Number.POSITIVE_INFINITY;
  };
  return {
    ...{ contents: numberOf("retention.contents"), days: numberOf("retention.days") },
    versions: numberOf("retention.versions") ?? Number.POSITIVE_INFINITY,
    depth: numberOf("retention.depth") ?? Number.POSITIVE_INFINITY,
    differences: (setFor("retention.differences") ?? SETTINGS["retention.differences"].byDefault) === "yes",
  };
}

/** Whether any rule is set that lets a text go. */
export const isRetentionSet = (settings: ReadonlyMap<string, SetSetting>): boolean =>
  [...settings].some(
    ([key, { value }]) => RULES.has(key.split("@", 1)[0] ?? "") && typeof value === "number",
  );

/** What counts of the one of these two that nobody has set, where the other one lets texts go. */
const UNSET = { "retention.contents": 1, "retention.days": 0 } as const satisfies Partial<
  Record<SettingName, number>
>;

/** Returns what counts of a rule that nobody has set because the one that goes with it is; undefined: its default. */
export function impliedRule(
  settings: ReadonlyMap<string, SetSetting>,
  name: SettingName,
  scope?: SettingScope,
): number | undefined {
  if (name !== "retention.contents" && name !== "retention.days") return undefined;
  const { contents, days } = retentionRule(settings, scope === undefined ? {} : { [scope.of]: scope.label });
  const [own, other] = name === "retention.days" ? [days, contents] : [contents, days];
  return own === undefined && other !== undefined && Number.isFinite(other) ? UNSET[name] : undefined;
}

const RULES: ReadonlySet<string> = new Set<SettingName>([
  ...(["retention.contents", "retention.days", "retention.versions", "retention.depth"] as const),
]);

/** Returns for how many days a silent device is waited for. */
export const waitDays = (settings: ReadonlyMap<string, SetSetting>): number =>
  Number(settingOf(settings, "retention.wait"));

/** One memory, and what is known of it. */
export interface MemoryToPrune {
  /** All of its records. */
  readonly records: readonly RetentionRecord[];
  /** Of each branch that has it. */
  readonly branches: readonly LiveBranch[];
  /** Records that stand in a state that is kept, such as a checkpoint made by hand. */
  readonly kept: ReadonlySet<RecordHash>;
  /** Texts that are gone already. */
  readonly gone: ReadonlySet<PartHash>;
  /** All of these have to let a text go: one for each branch. */
  readonly rules: readonly RetentionRule[];
}

/** A text that may go, and the versions that said it. */
export interface PrunedText {
  /** Its part. */
  readonly part: PartHash;
  /** The records that name it. */
  readonly records: readonly RecordHash[];
}

const DAY_MS = 86_400_000;

/** Returns the texts of a memory that may go. None where something it builds upon has not arrived. */
export function textsToPrune(memory: MemoryToPrune, now: number): readonly PrunedText[] {
  const graph = memory.rules.length === 0 ? undefined : RetentionGraph.of(memory.records);
  if (graph === undefined) return [];
  const needed = neededForMerges(graph, memory.branches);
  return agedTexts(graph, now).flatMap(({ part, records, isReplaced, rank, age }) => {
    if (!isReplaced || records.some((hash) => needed.has(hash) || memory.kept.has(hash))) return [];
    if (memory.gone.has(part)) return [];
    return memory.rules.every((rule) => letsGo(rule, rank, age)) ? [{ part, records }] : [];
  });
}

/** A text of a memory. */
export interface TextByAge extends PrunedText {
  /** Where it is pruned: whether what it differs by may stay. */
  readonly mayDiffer: boolean;
}

/** Returns the texts of a memory, the newest first; undefined where something it builds upon has not arrived. */
export function textsByAge(
  { records, rules }: Pick<MemoryToPrune, "records" | "rules">,
  now: number,
): readonly TextByAge[] | undefined {
  const graph = RetentionGraph.of(records);
  return (
    graph &&
    agedTexts(graph, now).map(({ part, records: those, rank, age }) => {
      // Of several branches, the one counts that keeps more.
      const mayDiffer = rules.some((rule) => rule.differences && rank <= rule.versions && age < rule.depth);
      return { part, records: those, mayDiffer };
    })
  );
}

interface AgedText extends PrunedText {
  /** Whether each version that said it was followed by another text. */
  readonly isReplaced: boolean;
  /** Counted from 1, the newest first. */
  readonly rank: number;
  /** In days, since it was replaced. */
  readonly age: number;
}

/** By when each text was last written, the newest first. */
function agedTexts(graph: RetentionGraph, now: number): readonly AgedText[] {
  const replaced = replacedAt(graph);
  const texts = new Map<PartHash, { records: RecordHash[]; isReplaced: boolean; replacedAt: number }>();
  for (const [place, { hash, content }] of graph.nodes.entries()) {
    const text = texts.get(content) ?? { records: [], isReplaced: true, replacedAt: 0 };
    text.records.push(hash);
    text.isReplaced &&= replaced[place] !== undefined;
    text.replacedAt = Math.max(text.replacedAt, replaced[place] ?? 0);
    texts.delete(content);
    texts.set(content, text);
  }
  return [...texts].reverse().map(([part, { records, isReplaced, replacedAt: at }], index) => ({
    ...{ part, records, isReplaced, rank: index + 1, age: (now - at) / DAY_MS },
  }));
}

function letsGo({ contents, days, versions, depth }: RetentionRule, rank: number, age: number): boolean {
  const isSet = (contents ?? days) !== undefined;
  const isOld =
    isSet && rank > (contents ?? UNSET["retention.contents"]) && age >= (days ?? UNSET["retention.days"]);
  return isOld || rank > versions || age >= depth;
}

/**
 * When each record was replaced, by the first that decided the text anew after it; undefined: it was not. Nothing counts
 * from before what it builds upon: a clock that is behind makes nothing old.
 */
function replacedAt(graph: RetentionGraph): readonly (number | undefined)[] {
  const { nodes } = graph;
  const places = new Map(nodes.map(({ hash }, place) => [hash, place]));
  const times: number[] = [];
  for (const { at, parents } of nodes)
    times.push(Math.max(at, ...parents.map((parent) => times[places.get(parent) as number] as number)));
  return nodes.map((_, place) => {
    let first: number | undefined;
    for (const [other, node] of nodes.entries()) {
      if (!decidesField(node, "content") || !graph.isAbove(place, other)) continue;
      first = Math.min(first ?? Number.POSITIVE_INFINITY, times[other] as number);
    }
    return first;
  });
}
