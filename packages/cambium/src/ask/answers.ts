/**
 * Answers that no single verb gives: what changed since a state, how many memories there are, what was forgotten,
 * what stands about something that is said to be wrong. Reads only; the same for the command line and for MCP.
 *
 * @module
 */
import type { SpaceReader } from "@cambium/client";
import { CambiumError, type Memory } from "@cambium/core";
import { omitUndefined, oneLine, shellWord, shortId } from "@cambium/core/text";
import { exampleGroups } from "./example-groups.js";
import { EXAMPLES } from "./examples.js";
import { everyMemory, findForgotten, findMemories, MOST_FOUND } from "./find-memories.js";
import { fieldsInWords } from "./frame-in-words.js";
import type { Intent, ParsedBranch } from "./intent.js";
import { dayText, periodLine, periodOfDays, periodUsed, refText } from "./period-used.js";
import { fieldOptions } from "./plans/field-options.js";
import { agentNamed, edgesOf } from "./targets.js";

export interface AskedAnswer {
  readonly document: Readonly<Record<string, unknown>>;
  /** In our words, with what memories say in quotation marks. */
  readonly lines: readonly string[];
}

export interface Asking {
  readonly space: SpaceReader;
  readonly branch: string | undefined;
  readonly now: number;
}

const SHOWN = 10;
const MOST_RECENT = 100;
const QUOTED = 100;

/** @returns undefined for what a verb answers */
export async function answerOf(request: Intent, asking: Asking): Promise<AskedAnswer | undefined> {
  switch (request.operation) {
    case "count":
      return await countAnswer(request, asking);
    case "forgotten":
      return await forgottenAnswer(request, asking);
    case "doubt":
      return await doubtAnswer(request.topic, asking);
    case "recent":
      return await recentAnswer(request.last, asking);
    case "combine":
      return await combineAnswer(request, asking);
    case "file":
      return await fileAnswer(request, asking);
    case "evolution":
      return request.topic === undefined ? await revisedAnswer(asking) : undefined;
    case "export":
      return exportAnswer(request);
    case "use-branch":
      return useBranchAnswer(request.branch);
    case "help":
      return request.about === "devices" ? DEVICES : HELP;
    default:
      return undefined;
  }
}

async function countAnswer(
  { at, topic, agent: name, period, category, tag }: Extract<Intent, { operation: "count" }>,
  { space, branch, now }: Asking,
): Promise<AskedAnswer> {
  const agent = name === undefined ? undefined : await agentNamed(name, space, branch ?? "main");
  const filters = omitUndefined({ category, tag, agent, ...edgesOf(period, now) });
  const state = at?.ref;
  const all = await everyMemory(space, { branch, at: state, ...filters });
  const about = topic === undefined ? undefined : await findMemories(space, topic, { branch });
  const ids = about && new Set(about.map(({ id }) => id));
  const found = ids === undefined ? all : all.filter(({ id }) => ids.has(id));
  const used = period === undefined ? undefined : periodOfDays(period);
  const words = [
    // Of more, the search shows no further ones.
    `${(about?.length ?? 0) >= MOST_FOUND ? "at least " : ""}${memories(found.length)}`,
    ...(topic === undefined ? [] : [`about "${oneLine(topic)}"`]),
    ...(category === undefined ? [] : [`in category ${oneLine(category)}`]),
    ...(tag === undefined ? [] : [`tagged ${oneLine(tag)}`]),
    ...(agent === undefined ? [] : [`by ${oneLine(agent)}`]),
    `on ${branch ?? "main"}`,
    ...(state === undefined ? [] : [`as of ${refText(state)}`]),
  ];
  return {
    document: { count: found.length, ...(used === undefined ? {} : { period: periodUsed(used, now) }) },
    lines: [
      ...(used === undefined ? [] : [periodLine(used, now)]),
      `${words.join(" ")}${found.length === 0 || topic === undefined ? "." : ":"}`,
      ...(topic === undefined ? [] : shown(found)),
    ],
  };
}

async function forgottenAnswer(
  { period, topic, agent: name }: Extract<Intent, { operation: "forgotten" }>,
  asking: Asking,
): Promise<AskedAnswer> {
  const { space, branch, now } = asking;
  const agent = name === undefined ? undefined : await agentNamed(name, space, branch ?? "main");
  const all = await findForgotten(space, { branch, topic, since: period?.since, until: period?.until });
  const found = all.filter(({ by }) => agent === undefined || by.agent === agent);
  const used = period === undefined ? undefined : periodOfDays(period);
  const about = [
    ...(topic === undefined ? [] : [` about "${oneLine(topic)}"`]),
    ...(agent === undefined ? [] : [` by ${oneLine(agent)}`]),
  ].join("");
  return {
    document: { memories: found, ...(used === undefined ? {} : { period: periodUsed(used, now) }) },
    lines: [
      ...(used === undefined ? [] : [periodLine(used, now)]),
      found.length === 0
        ? `Nothing${about} was forgotten.`
        : `${memories(found.length)}${about} forgotten, the last first:`,
      ...found
        .slice(0, SHOWN)
        .map(
          ({ id, content, at, by }) =>
            `  ${shortId(id)}  ${quoted(content)}, by ${by.agent ?? "you"}, ${dayText(at, false)}`,
        ),
      ...more(found.length),
      ...(found.length === 0 ? [] : ["To bring one back: cambium restore <id>"]),
    ],
  };
}

/** What stands, and how to say what is right: nothing is written until that is said. */
async function doubtAnswer(topic: string | undefined, { space, branch }: Asking): Promise<AskedAnswer> {
  const found =
    topic === undefined
      ? (await everyMemory(space, { branch })).toSorted((one, other) => other.at - one.at).slice(0, 3)
      : await findMemories(space, topic, { branch });
  const about = topic === undefined ? "what was written last" : `"${oneLine(topic)}"`;
  const histories = await Promise.all(found.slice(0, 3).map((memory) => pastOf(space, memory, branch)));
  return {
    document: { memories: found, earlier: histories.flat() },
    lines: [
      found.length === 0 ? `Nothing is known about ${about}.` : `This stands about ${about}:`,
      ...shown(found),
      ...histories
        .flat()
        .map(({ id, version, content }) => `  ${shortId(id)} version ${version} said: ${quoted(content)}`),
      'Say what is right, and it is corrected: cambium ask "actually, the release day is Friday"',
      "Every version: cambium history <id>. Nothing was written.",
    ],
  };
}

/** @param how - which they are, after how many */
export const listedAnswer = (found: readonly Memory[], how: string): AskedAnswer => ({
  document: { memories: found },
  lines: [`${memories(found.length)} ${how}${found.length === 0 ? "." : ":"}`, ...shown(found)],
});

/** How to make one memory of several; only the person knows what it is to say. */
async function combineAnswer(
  { topic, count = 2 }: Extract<Intent, { operation: "combine" }>,
  asking: Asking,
): Promise<AskedAnswer> {
  if (topic === undefined)
    return {
      document: { command: "cambium consolidate" },
      lines: ["Memories that say the same are shown by: cambium consolidate. With --apply it combines them."],
    };
  const found = await findMemories(asking.space, topic, asking);
  const about = `"${oneLine(topic)}"`;
  const ids = found.length === count ? found.map(({ id }) => shortId(id)) : ["<id>", "<id>"];
  return {
    document: { memories: found },
    lines: [
      found.length === 0 ? `Nothing is known about ${about}.` : `${memories(found.length)} about ${about}:`,
      ...shown(found),
      found.length < 2
        ? "There are no two to be combined."
        : `To make one of them, say what it says: cambium combine ${ids.join(" ")} --content "…". The others are hidden, and it refers to them. Nothing was written.`,
    ],
  };
}

async function fileAnswer(
  { topic, fields }: Extract<Intent, { operation: "file" }>,
  asking: Asking,
): Promise<AskedAnswer> {
  const found = await findMemories(asking.space, topic, asking);
  const branch = asking.branch === undefined || asking.branch === "main" ? [] : ["--branch", asking.branch];
  const commands = found.slice(0, SHOWN).map(({ id, tags }) => {
    // The tags that are given are all that it has then.
    const all =
      fields.tags === undefined ? fields : { ...fields, tags: [...new Set([...tags, ...fields.tags])] };
    return [
      "cambium revise",
      shortId(id),
      ...[...fieldOptions(all), ...branch].map((word) => shellWord(word)),
    ].join(" ");
  });
  return {
    document: { memories: found, commands },
    lines: [
      found.length === 0
        ? `Nothing is known about "${oneLine(topic)}".`
        : `${memories(found.length)} about "${oneLine(topic)}". To keep it so (${fieldsInWords(fields).join(", ")}):`,
      ...found.slice(0, SHOWN).flatMap(({ content }, at) => [`  ${quoted(content)}`, `    ${commands[at]}`]),
      ...more(found.length),
      "Nothing was written.",
    ],
  };
}

interface EarlierText {
  readonly id: string;
  readonly version: number;
  readonly content: string;
}

async function pastOf(
  space: SpaceReader,
  { id, version, content }: Memory,
  branch: string | undefined,
): Promise<readonly EarlierText[]> {
  if (version < 2) return [];
  const versions = await space.history(id, { branch });
  return versions
    .filter((one) => one.content !== content && one.version < version)
    .slice(-3)
    .map((one) => ({ id, version: one.version, content: one.content }));
}

/** Memories that say something else than they did. */
async function revisedAnswer({ space, branch }: Asking): Promise<AskedAnswer> {
  const revised = (await everyMemory(space, { branch }))
    .filter(({ version }) => version > 1)
    .toSorted((one, other) => other.at - one.at);
  const steps = await Promise.all(
    revised.slice(0, SHOWN).map(async (memory) => {
      const before = (await pastOf(space, memory, branch)).at(-1);
      const was = before === undefined ? "" : `, before: ${quoted(before.content)}`;
      return `  ${shortId(memory.id)}  ${quoted(memory.content)}${was}`;
    }),
  );
  return {
    document: { memories: revised },
    lines: [
      revised.length === 0
        ? "No memory has changed yet."
        : `${memories(revised.length)} changed, the last first:`,
      ...steps,
      ...more(revised.length),
      ...(revised.length === 0 ? [] : ["Step by step: cambium evolution <topic>"]),
    ],
  };
}

async function recentAnswer(last = SHOWN, { space, branch }: Asking): Promise<AskedAnswer> {
  const { changes } = await space.log({ branch, limit: Math.min(Math.max(last, 1), MOST_RECENT) });
  return {
    document: { changes },
    lines: [
      changes.length === 0 ? "Nothing was written yet." : "These are the last changes:",
      ...changes.map(
        ({ hash, type, at, by, text }) =>
          `  ${hash.slice(0, 10)}  ${type}  ${by.agent ?? "you"}  ${dayText(at, false)}${text === undefined ? "" : `  ${quoted(text)}`}`,
      ),
      'To take back the last one: cambium ask "undo that". To go back: cambium ask "go back to yesterday".',
      "If something seems damaged: cambium doctor, and cambium verify.",
    ],
  };
}

/** What can be asked; for whoever has no space yet, too. */
export const HELP: AskedAnswer = {
  document: { examples: EXAMPLES },
  lines: [
    "Say it as you would to a person. For instance:",
    ...exampleGroups().map((group) => `\n${group}`),
    "\nNo model reads this: other wordings of these are understood, other things are not. See docs/asking.md.",
  ],
};

const DEVICES: AskedAnswer = {
  document: { commands: ["cambium status", "cambium pair", "cambium link"] },
  lines: [
    "A memory is on each device that is paired with it, and a relay passes on what changes between them.",
    "To pair another device: cambium pair, on this one. It shows a code, and what to type on the other one.",
    "Without a relay yet: cambium link <url> first. How to run one: docs/operations.md.",
    "In a browser on this device: cambium ui. What is synced: cambium status.",
  ],
};

function useBranchAnswer({ said, matches }: ParsedBranch): AskedAnswer {
  const ways = matches.map(
    (name) =>
      `Write on it with --branch ${oneLine(name)}, or CAMBIUM_BRANCH=${oneLine(name)}; in a tool call, with ${JSON.stringify({ branch: name }).slice(1, -1)}.`,
  );
  return {
    document: { branches: matches },
    lines: [
      "There is no switching: every call says which branch it means, so that programs do not move each other.",
      ...(ways.length > 0
        ? ways
        : [`No branch is called ${oneLine(said)}. To make it: cambium branch ${oneLine(said)}`]),
    ],
  };
}

const EXPORT: AskedAnswer = {
  document: { export: "cambium export --out memories.jsonl" },
  lines: [
    "To keep backups, which can be taken back on any device: cambium backup ~/backups --passphrase-file ~/passphrase.txt",
    "To write every version of every memory to a file: cambium export --out memories.jsonl",
    "To get a file for each memory: cambium export --format markdown --out notes/",
    'A checkpoint keeps the state inside the memory: cambium ask "save my current state".',
  ],
};

/** First, the command that says what was said. */
function exportAnswer({ to, isMarkdown }: Extract<Intent, { operation: "export" }>): AskedAnswer {
  if (to === undefined && !isMarkdown) return EXPORT;
  const where = shellWord(oneLine(to ?? (isMarkdown ? "notes/" : "memories.jsonl")));
  const command = `cambium export ${isMarkdown ? "--format markdown " : ""}--out ${where}`;
  return {
    document: { export: command },
    lines: [`To do it: ${command}`, ...EXPORT.lines],
  };
}

/** What came of what was known then. */
export async function sinceThen(
  { query, at }: { readonly query?: string; readonly at: string },
  { space, branch }: Asking,
): Promise<AskedAnswer> {
  const options = { branch, limit: 50 };
  const [then, now] =
    query === undefined
      ? [await everyMemory(space, { branch, at }), await everyMemory(space, { branch })]
      : [await space.recall(query, { ...options, at }), await space.recall(query, options)];
  const [known, still] = [
    new Map(then.map((one) => [one.id, one])),
    new Map(now.map((one) => [one.id, one])),
  ];
  const today = await Promise.all(
    then.map((one) => still.get(one.id) ?? space.get(one.id, { branch }).catch(() => undefined)),
  );
  const changed = today.filter(
    (one) => one !== undefined && !one.deleted && one.record !== known.get(one.id)?.record,
  ) as Memory[];
  const forgotten = today.filter((one) => one?.deleted === true) as Memory[];
  const added = now.filter(({ id }) => !known.has(id));
  const begins = then.length === 0 ? await beginningOf(space, branch) : undefined;
  const learned =
    then.length === 0 && query !== undefined ? await firstOf(added, { space, branch }) : undefined;
  const parts = [
    ["changed since", changed],
    ["forgotten since", forgotten],
    ["new since", added],
  ] as const;
  return {
    document: { since: { changed, forgotten, added, ...omitUndefined({ begins, learned }) } },
    lines: [
      ...(then.length === 0 ? [nothingThen(begins, learned)] : []),
      ...parts.flatMap(([name, found]) =>
        found.length === 0 ? [] : [`${memories(found.length)} ${name}:`, ...shown(found, 5)],
      ),
      ...(parts.every(([, found]) => found.length === 0) && then.length > 0
        ? ["Nothing about it has changed since."]
        : []),
    ],
  };
}

const nothingThen = (begins: number | undefined, learned: number | undefined): string =>
  begins === undefined
    ? "Nothing was known then."
    : `Nothing of it was known then; this memory begins on ${dayText(begins, false)}${learned === undefined ? "." : `, and the first of it was learned on ${dayText(learned, false)}.`}`;

/** When the first of them was written. */
async function firstOf(
  found: readonly Memory[],
  { space, branch }: Pick<Asking, "space" | "branch">,
): Promise<number | undefined> {
  const versions = await Promise.all(found.slice(0, SHOWN).map(({ id }) => space.history(id, { branch })));
  const times = versions.flat().map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** When the first change of the branch was made. */
async function beginningOf(space: SpaceReader, branch: string | undefined): Promise<number | undefined> {
  let first: number | undefined;
  let cursor: string | undefined;
  do {
    const page = await space.log({ branch, limit: 10_000, ...omitUndefined({ cursor }) });
    first = page.changes.at(-1)?.at ?? first;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return first;
}

/** The one memory that is meant; the others that can be. */
export async function memoryAbout(
  topic: string,
  { space, branch }: Asking,
): Promise<readonly [Memory, ...Memory[]]> {
  const [memory, ...others] = await findMemories(space, topic, { branch });
  if (memory !== undefined) return [memory, ...others];
  throw new CambiumError("MEMORY_NOT_FOUND", `No memory speaks of "${oneLine(topic)}".`, {
    hint: "Try other words, or look with `cambium list`.",
  });
}

const memories = (count: number): string => `${count} ${count === 1 ? "memory" : "memories"}`;
const quoted = (content: string): string => {
  const text = oneLine(content);
  return `"${text.length > QUOTED ? `${text.slice(0, QUOTED - 1)}…` : text}"`;
};
const more = (count: number, most = SHOWN): readonly string[] =>
  count > most ? [`  … and ${count - most} more`] : [];
const shown = (found: readonly Memory[], most = SHOWN): readonly string[] => [
  ...found.slice(0, most).map(({ id, content }) => `  ${shortId(id)}  ${quoted(content)}`),
  ...more(found.length, most),
];
