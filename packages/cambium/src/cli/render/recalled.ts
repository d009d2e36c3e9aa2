/**
 * What was found, for people: the best first, with what was looked for standing out.
 *
 * @module
 */
import type { RecalledMemory } from "@cambium/client";
import { placeInSource } from "@cambium/client/host";
import type { Source } from "@cambium/core";
import { oneLine, type ShortId, shortIds, sourceInShort } from "@cambium/core/text";
import { highlightedLines } from "./highlighted.js";
import { versionSourceText, versionText } from "./memory.js";
import type { Style } from "./style.js";
import { relativeTime } from "./time.js";

export interface RecalledView {
  readonly scores: boolean;
  /** Whether vectors were asked as well. */
  readonly byMeaning: boolean;
  /** Without one, filters have chosen. */
  readonly hasQuery: boolean;
}

/** What to know of an answer as a whole. */
export const adviceLines = (advice: readonly string[] | undefined, { colors }: Style): readonly string[] =>
  advice === undefined || advice.length === 0
    ? []
    : [advice.map((one) => colors.dim(oneLine(one))).join("\n")];

/** More would say no more. */
const ALIKE_NAMED = 3;

export function recalledText(memories: readonly RecalledMemory[], view: RecalledView, style: Style): string {
  const short = shortIds(memories.flatMap(({ id, alike = [] }) => [id, ...alike]));
  return memories
    .map((memory) =>
      [
        headline(memory, view, short, style),
        ...highlightedLines(memory.snippet, memory.highlights, 2, style),
        ...notes(memory, view, short).map((note) => `  ${style.colors.dim(note)}`),
      ].join("\n"),
    )
    .join("\n\n");
}

function headline(memory: RecalledMemory, { scores }: RecalledView, short: ShortId, style: Style): string {
  const { colors, nowMs } = style;
  const { id, category = "", tags, occurredAt, at, version, versions, score } = memory;
  const filed = oneLine([category, ...tags].filter((label) => label !== "").join(" "));
  const when =
    occurredAt === undefined ? relativeTime(at, nowMs) : `happened ${relativeTime(occurredAt, nowMs)}`;
  const numbered = `version ${versionText({ version, versions })}`;
  const outcome = [when, ...(versions > 1 ? [numbered] : [])];
  return [
    colors.yellow(short(id)),
    ...(filed === "" ? [] : [colors.cyan(filed)]),
    colors.dim([...outcome, ...(scores ? [`score ${score.toPrecision(3)}`] : [])].join(", ")),
    ...marks(memory).map((mark) => colors.red(mark)),
  ].join("  ");
}

const marks = ({ conflicts, incomplete, deleted }: RecalledMemory): readonly string[] => [
  ...(conflicts.length === 0 ? [] : [`! in conflict: ${conflicts.map(({ field }) => field).join(", ")}`]),
  ...(incomplete === undefined ? [] : ["? not all of it has arrived"]),
  ...(deleted ? ["× forgotten"] : []),
];

function notes(
  memory: RecalledMemory,
  { byMeaning, hasQuery }: RecalledView,
  short: ShortId,
): readonly string[] {
  const { matched, alike = [], source, score } = memory;
  const named = alike.slice(0, ALIKE_NAMED).map(short).join(" ");
  const more = alike.length > ALIKE_NAMED ? " …" : "";
  return [
    ...(source === undefined ? [] : [`from ${sourceText(memory.id, source)}`]),
    // What was listed for its time or its kind scores 1.
    ...(matched.length === 0 && hasQuery && score !== 1 ? [whyWithoutWords(memory, byMeaning)] : []),
    ...whereMatched(memory),
    ...(alike.length === 0 ? [] : [`and ${alike.length} alike: ${named}${more}`]),
  ];
}

const sourceText = (id: string, source: Source): string =>
  source.kind === "version" ? versionSourceText(id, source.memory) : oneLine(sourceInShort(source));

/** Of words that its text does not say. */
function whereMatched(memory: RecalledMemory): readonly string[] {
  const { matched, highlights, content, aliases, tags, category } = memory;
  const unsaid = matched.filter((word) => !hasWord(content, word));
  const named = (what: string, labels: readonly string[]): readonly string[] =>
    labels
      .filter((label) => unsaid.some((word) => hasWord(label, word)))
      .map((label) => `${what} “${oneLine(label)}”`);
  const where = [
    ...named("also called", aliases),
    ...named("tag", tags),
    ...named("category", category === undefined ? [] : [category]),
  ];
  if (where.length > 0) return [`matched: ${where.join(", ")}`];
  if (matched.length === 0 || highlights.length > 0) return [];
  return [`matched in its aliases, tags, category, links or source: ${oneLine(matched.join(", "))}`];
}

const hasWord = (text: string, word: string): boolean =>
  text.normalize("NFKC").toLowerCase().includes(word.normalize("NFKC").toLowerCase());

/** Both may have helped; what cannot have is left out. */
function whyWithoutWords({ source, by, at }: RecalledMemory, byMeaning: boolean): string {
  const isInWhole = placeInSource({ source, conversation: by.conversation, at }) !== undefined;
  const ways = [
    ...(byMeaning ? ["its meaning"] : []),
    ...(isInWhole || !byMeaning ? ["what stands around it in its source"] : []),
  ];
  return `none of these words: found by ${ways.join(", or by ")}`;
}
