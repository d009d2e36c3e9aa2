/**
 * What an erasure would do, did, and what of it is left to do elsewhere, for people.
 *
 * @module
 */
import type { EraseResult, Erasure, FoundTrace } from "@cambium/client";
import { counted, oneLine, shortId } from "@cambium/core/text";
import type { BackupsBefore, OutOfReach } from "../../backup/out-of-reach.js";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";
import { fullTime } from "./time.js";

/** Of each kind so many are shown; the rest is counted. */
const ROWS = 10;

const countText = ({ memories, versions }: EraseResult["counts"]): string =>
  `${counted(memories, "memory", "memories")} (${counted(versions, "version")})`;

/**
 * @param about.ended - devices whose access has ended, by their ids
 * @param about.isAll - whether all that repeats it goes along already
 */
export function erasePreview(
  result: EraseResult,
  style: Style,
  { ended, isAll }: { readonly ended: ReadonlySet<string>; readonly isAll: boolean },
): string {
  const { colors } = style;
  const { memories, counts, repeated, branches, checkpoints, requests, devices, isMany } = result;
  const listed = (names: readonly string[]): string => names.slice(0, ROWS).map(oneLine).join(", ");
  return [
    `Would erase for good: ${countText(counts)}${branches.length === 0 ? "" : ` on ${listed(branches)}`}.`,
    rows(
      memories.map(({ id, versions, isWhole, content = "" }) => ({
        id,
        text: `${isWhole ? "" : `${counted(versions, "version")} of it: `}${oneLine(content)}`,
      })),
      style,
      counts.memories,
    ),
    formerText(memories, style),
    repeatedText(
      repeated,
      style,
      `Take it along: --also ${shortId(repeated[0]?.id ?? "")}${isAll ? "" : ", or --also all"}`,
    ),
    requests === 0 ? "" : `The words of ${counted(requests, "request")} for approval go with it.`,
    checkpoints.length === 0 ? "" : `Checkpoints that will show gaps: ${listed(checkpoints)}.`,
    ...devicesLines(devices, ended),
    isMany ? `${colors.red("!")} That is more than a tenth of the space. If it is meant, add --many.` : "",
  ]
    .filter((block) => block !== "")
    .join("\n");
}

function devicesLines(devices: EraseResult["devices"], ended: ReadonlySet<string>): readonly string[] {
  const [out, reached] = [
    devices.filter(({ id }) => ended.has(id)),
    devices.filter(({ id }) => !ended.has(id)),
  ];
  return [
    ...(reached.length === 0
      ? []
      : [`Each other device destroys its copy when it syncs: ${named(reached)}.`]),
    ...(out.length === 0 ? [] : [`Not reached, because their access has ended: ${named(out)}.`]),
  ];
}

function repeatedText(repeated: EraseResult["repeated"], style: Style, advice: string): string {
  if (repeated.length === 0) return "";
  const { colors } = style;
  const listed = repeated.map((one) => ({ id: one.id, text: `${howText(one)}: ${oneLine(one.content)}` }));
  return [
    `${colors.yellow("!")} ${counted(repeated.length, "memory stays and", "memories stay and")} may repeat it:`,
    rows(listed, style),
    colors.dim(`  ${advice}`),
  ].join("\n");
}

function howText({ how, parts = [], field }: EraseResult["repeated"][number]): string {
  const words = how === "part" ? `has ${parts.map(oneLine).join(", ")}` : HOW[how];
  return field === undefined ? words : `${words} in its ${field}`;
}

const HOW = {
  ...{ repeats: "repeats it", line: "repeats some of it" },
  ...{ similar: "nearly the same", derived: "made from it" },
} as const;

/** Labels and sources select by any version: somebody would wonder what these do among the others. */
function formerText(memories: EraseResult["memories"], { colors }: Style): string {
  const former = memories.filter(({ isFormer }) => isFormer === true);
  if (former.length === 0) return "";
  const ids = former.slice(0, ROWS).map(({ id }) => shortId(id));
  const was = former.length === 1 ? "1 of them was" : `${former.length} of them were`;
  return `${colors.yellow("!")} ${was} so only in an earlier version: ${ids.join(", ")}${moreOf(former.length)}`;
}

/** @param total - how many there are, where not all of them are listed */
function rows(
  all: readonly { readonly id: string; readonly text: string }[],
  style: Style,
  total = all.length,
): string {
  const { colors, columns } = style;
  const shown = all.slice(0, ROWS).map(({ id, text }) => {
    const short = shortId(id);
    return `  ${colors.yellow(short)}  ${fit(text, (columns ?? 100) - short.length - 4)}`;
  });
  const more = total - shown.length;
  return [...shown, ...(more > 0 ? [colors.dim(`  … and ${more.toLocaleString("en")} more`)] : [])].join(
    "\n",
  );
}

/** What Cambium has written itself and an erasure does not reach. */
export const beyondLines = ({ backups, setAside }: OutOfReach): readonly string[] => [
  ...backups.map(backupsLine),
  ...setAside.map(
    (path) =>
      `The files of the damaged space that were put aside may hold it, until you delete them: ${oneLine(path)}`,
  ),
];

const backupsLine = ({ count, dir, isHere }: BackupsBefore): string =>
  isHere
    ? `${counted(count, "backup was made before and may", "backups were made before and may")} hold it, until you delete them: ${oneLine(dir)}`
    : `Backups were made before in a folder that is not there now. They may hold it: ${oneLine(dir)}`;

export function erasedText(result: EraseResult, style: Style, beyond: OutOfReach): string {
  const [{ erasure, counts, devices, repeated }, { colors }] = [result, style];
  const staying = repeatedText(
    repeated,
    style,
    `To erase one: cambium erase ${shortId(repeated[0]?.id ?? "")}`,
  );
  return [
    `Erased for good: ${countText(counts)}. ${nothingLeft(beyond)}`,
    ...beyondLines(beyond),
    ...(devices.length === 0
      ? []
      : ["The relay and other devices destroy their copies when they sync: `cambium sync`"]),
    ...(staying === "" ? [] : [staying]),
    colors.dim(`Erasure ${erasure ?? ""}; all of them: cambium erasures`),
  ].join("\n");
}

export function erasuresText(erasures: readonly Erasure[], style: Style): string {
  if (erasures.length === 0) return "Nothing was ever erased in this space.";
  return erasures.map((erasure) => erasureText(erasure, style)).join("\n\n");
}

function erasureText(erasure: Erasure, { colors, nowMs }: Style): string {
  const { id, at, by, reason, counts, covers, relay, acknowledged, waiting, mayRepeat, refused, ended } =
    erasure;
  const who = by.agent === undefined ? oneLine(by.device) : `${oneLine(by.agent)} on ${oneLine(by.device)}`;
  return [
    `${colors.yellow(id.slice(0, 12))}  ${countText(counts)}, ${fullTime(at, nowMs)}, by ${who}`,
    ...coveredLines(covers, nowMs),
    ...(reason === undefined ? [] : [`  because ${oneLine(reason)}`]),
    `  ${hereText(erasure, colors)}`,
    ...(relay === "none" ? [] : [`  relay: ${relay === "destroyed" ? "destroyed" : colors.red("not yet")}`]),
    ...(mayRepeat.length === 0
      ? []
      : [`  not erased, may repeat it: ${mayRepeat.slice(0, ROWS).map(shortId).join(", ")}`]),
    ...(acknowledged.length === 0 ? [] : [`  acknowledged by ${named(acknowledged)}`]),
    ...(waiting.length === 0 ? [] : [`  ${colors.yellow("not acknowledged by")} ${named(waiting)}`]),
    ...(ended.length === 0 ? [] : [`  not reached, because their access has ended: ${named(ended)}`]),
    ...(refused.length === 0
      ? []
      : [`  ${colors.yellow("refused by")} ${named(refused)}: a copy is kept there`]),
  ].join("\n");
}

function coveredLines({ everything, from, until }: Erasure["covers"], nowMs: number): readonly string[] {
  if (everything === true) return ["  the whole space: nothing can be written to it any more"];
  const range = [
    ...(from === undefined ? [] : [`from ${fullTime(from, nowMs)}`]),
    ...(until === undefined ? [] : [`before ${fullTime(until, nowMs)}`]),
  ].join(", ");
  return range === "" ? [] : [`  every version written ${range}`];
}

function hereText({ id, here, wouldTake }: Erasure, colors: Style["colors"]): string {
  const short = id.slice(0, 12);
  switch (here) {
    case "destroyed":
      return "destroyed on this device";
    case "pending":
      return colors.red("not yet destroyed on this device");
    case "held":
      return `${colors.red("waits for you:")} it would take ${counted(wouldTake ?? 0, "memory", "memories")} from this device. cambium erasures --accept ${short}, or --refuse ${short}`;
    case "refused":
      return `refused on this device: its copy is kept and does not leave it. To destroy it: cambium erasures --accept ${short}`;
    default:
      return here satisfies never;
  }
}

/** What somebody agrees to. */
export const heldText = (erasure: Erasure, style: Style): string => erasureText(erasure, style);

/** What of erasures others would not tell from being in sync: what waits here, and what this device keeps. */
export function syncedErasureLines(erasures: readonly Erasure[], { colors }: Style): readonly string[] {
  const mark = colors.yellow("!");
  return erasures.flatMap(({ id, here, covers, counts, wouldTake = 0 }) => {
    const [short, isAll] = [id.slice(0, 12), covers.everything === true];
    const what = isAll ? "the whole space" : counted(counts.memories, "memory", "memories");
    if (here === "held")
      return [
        `${mark} An erasure waits for you: it would take ${counted(wouldTake, "memory", "memories")} from this device. cambium erasures --accept ${short}, or --refuse ${short}`,
      ];
    if (here === "refused")
      return [
        `${mark} Not on other devices: ${what}, erased there and kept here. cambium erasures (${short})`,
      ];
    return [];
  });
}

/** Somebody has refused it. */
export const keptText = ({ id }: Erasure, { colors }: Style): string =>
  `This device keeps its copy. Nothing of it leaves this device; other devices and the relay destroy theirs.\n${colors.dim(`To destroy it later: cambium erasures --accept ${id.slice(0, 12)}`)}`;

/** Somebody has agreed to it. */
export const acceptedText = (beyond: OutOfReach): string =>
  [`Erased for good. ${nothingLeft(beyond)}`, ...beyondLines(beyond)].join("\n");

const nothingLeft = ({ setAside }: OutOfReach): string =>
  `Nothing of it is left ${setAside.length === 0 ? "in this home" : "in the space"}.`;

/** As wide as the names of facts. */
const INDENT = " ".repeat(14);

/** To be printed or filed: what, when, by whom, reached where, not reached where. Never what it said. */
export function certificateText(erasure: Erasure, space: string, beyond: OutOfReach): string {
  const { id, at, by, reason, counts, covers, acknowledged, waiting, relay, mayRepeat, refused, ended } =
    erasure;
  const time = (at: number): string => new Date(at).toISOString();
  const devices = (list: Erasure["waiting"]): string => (list.length === 0 ? "none" : named(list));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Erasure", id],
    ["Space", oneLine(space)],
    [
      "Asked for",
      `${time(at)} on ${oneLine(by.device)}${by.agent === undefined ? "" : ` by ${oneLine(by.agent)}`}`,
    ],
    ["Reason", reason === undefined ? undefined : oneLine(reason)],
    ["Covered then", countText(counts)],
    ["Covers", covers.everything === true ? "the whole space, what is written later included" : undefined],
    ["From", covers.from === undefined || covers.everything === true ? undefined : time(covers.from)],
    ["Until", covers.until === undefined ? undefined : time(covers.until)],
    ["Memories", covers.memories.length === 0 ? undefined : covers.memories.join(`\n${INDENT}`)],
    ["Destroyed by", devices(acknowledged)],
    ["Not known of", devices(waiting)],
    ["Not reached", ended.length === 0 ? undefined : `${named(ended)}: access ended before it was confirmed`],
    ["Refused by", refused.length === 0 ? undefined : `${named(refused)}: a copy is kept there`],
    ["May repeat", mayRepeat.length === 0 ? "nothing known" : `not erased: ${mayRepeat.join(`\n${INDENT}`)}`],
    ["Relay", relay === "none" ? "the space has none" : relay],
    ["Backups", beyond.backups.map(certifiedBackups).join(`\n${INDENT}`) || undefined],
    ["Put aside", putAside(beyond.setAside)],
  ];
  const lines = facts.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(14)}${text}`]));
  const limits =
    "Copies elsewhere are not reached: archives, exports, backups of disks, what was sent elsewhere.\nA relay says itself that it has destroyed something; what it had was encrypted.";
  return ["CERTIFICATE OF ERASURE", "", ...lines, "", limits].join("\n");
}

const certifiedBackups = ({ count, dir, isHere }: BackupsBefore): string =>
  isHere
    ? `${count} made before, in ${oneLine(dir)}: they may hold it`
    : `made before, in ${oneLine(dir)}, which is not there now: they may hold it`;

const putAside = (paths: readonly string[]): string | undefined =>
  paths.length === 0
    ? undefined
    : [...paths.map(oneLine), "files of the damaged space: they may hold it"].join(`\n${INDENT}`);

export function tracesText(traces: readonly FoundTrace[], { colors }: Style): string {
  if (traces.length === 0)
    return `${colors.green("Nothing found:")} raw, encoded, compressed and encrypted, in every file of this home.`;
  const [holders, inFiles] = [
    traces.flatMap(({ memory, where }) => (memory === undefined ? [] : [{ memory, where }])),
    traces.filter(({ memory }) => memory === undefined),
  ];
  const [first] = holders;
  return [
    `${colors.red("Found:")} ${counted(inFiles.length, "trace")}`,
    ...inFiles.map(({ path, where }) => `  ${oneLine(path)}: ${where}`),
    ...(first === undefined
      ? ["No memory that is shown says it."]
      : [
          `${counted(holders.length, "memory says it", "memories say it")}: ${holders
            .slice(0, ROWS)
            .map(({ memory }) => shortId(memory))
            .join(", ")}${moreOf(holders.length)}`,
          colors.dim(`To erase one: cambium erase ${shortId(first.memory)}`),
        ]),
  ].join("\n");
}

const moreOf = (count: number): string => (count > ROWS ? ` and ${count - ROWS} more` : "");

const named = (devices: Erasure["waiting"]): string => devices.map(({ name }) => oneLine(name)).join(", ");
