/**
 * Archives, in words.
 *
 * @module
 */
import type {
  ArchiveContents,
  BroughtBranch,
  BroughtMemory,
  ErasedSince,
  ImportedArchive,
} from "@cambium/client";
import { counted, oneLine, shellWord, shortHash, shortId } from "@cambium/core/text";
import type { Style } from "./style.js";
import { fit } from "./terminal-text.js";
import { absoluteTime } from "./time.js";

export function archivedText(contents: ArchiveContents, style: Style): string {
  const { path, isSealed } = contents;
  return [
    `Wrote ${whatIn(contents)} to ${path} (${sizeText(contents.sizeBytes)}).`,
    ...notesOn(contents, style),
    isSealed
      ? "It is sealed. Without the passphrase nobody can open it, not even you: keep it in another place."
      : "It is not encrypted: whoever has the file reads everything, and can write in the space.",
    `To take it back: cambium import ${shellWord(path)}`,
  ].join("\n");
}

export function archiveText(contents: ArchiveContents, style: Style): string {
  const { path, space, by, madeAt, branches, isSealed, since = [] } = contents;
  const { colors } = style;
  return [
    `${colors.green("✓")} ${path} is whole (${sizeText(contents.sizeBytes)}, ${isSealed ? "sealed" : "in the clear"}).`,
    `${whatIn(contents)}, made on ${absoluteTime(madeAt)} by ${oneLine(by.device)}.`,
    ...branches.map(
      ({ name, memories }) =>
        `  ${oneLine(name)}: ${memories === undefined ? "not whole" : memoriesText(memories)}`,
    ),
    ...since.map((earlier) => `It needs ${earlier}, which is whole as well.`),
    ...notesOn(contents, style),
    `The space has the id ${space.id}.`,
  ].join("\n");
}

export function importedText(imported: ImportedArchive, style: Style): string {
  const { status, space, archive, branches, setAside } = imported;
  const isPreview = status === "preview";
  const notes = [...notesOn(archive, style), ...(isPreview ? ["Nothing was written."] : [])];
  if (imported.as === "space") return [...madeLines(imported), ...notes].join("\n");
  if (branches !== undefined) return [...mergedLines(imported, branches, style), ...notes].join("\n");
  return [
    ...(setAside === undefined
      ? []
      : [
          isPreview
            ? `The space ${oneLine(space.name)} is damaged and cannot be opened. Its files, in ${setAside}, would be put aside.`
            : `The damaged files of the space were put aside, in ${setAside}.`,
        ]),
    `${isPreview ? "Would import" : "Imported"} ${whatIn(archive)}, as the space ${oneLine(space.name)}.`,
    ...lostLines(imported, style),
    ...notes,
  ].join("\n");
}

/** What does not come back with a copy that takes the place of a damaged space. */
function lostLines({ archive, notKept, erasedSince }: ImportedArchive, { colors }: Style): readonly string[] {
  if (notKept === undefined) return [];
  const { hasRelay, erasures } = notKept;
  const made = absoluteTime(archive.madeAt);
  const mark = colors.yellow("!");
  const relay = hasRelay ? ", unless the relay knows of it" : "";
  const again = `What was erased comes back${relay}: look for it, and erase it again (cambium erase).`;
  return [
    hasRelay
      ? `What was written here after ${made} is not in it: what the relay has of that comes with the first sync.`
      : `${mark} What was written here after ${made} is not in it, and this device knows of no relay that has it.`,
    ...erasedLines(archive, erasedSince),
    ...(erasures === undefined
      ? [`${mark} Whether anything was erased after that cannot be read. ${again}`]
      : erasures === 0
        ? []
        : [
            `${mark} ${counted(erasures, "erasure")} made after that cannot be read, and ${erasures === 1 ? "does" : "do"} not hold. ${again}`,
          ]),
  ];
}

const madeLines = ({ status, space, archive, erasedSince }: ImportedArchive): readonly string[] => [
  `${status === "preview" ? "Would make" : "Made"} the new space ${oneLine(space.name)} of ${whatIn(archive)}.`,
  "It has a key of its own and never syncs with that one. It is on this device only: cambium link <url>.",
  ...erasedLines(archive, erasedSince),
];

function erasedLines({ space, madeAt }: ArchiveContents, erased: ErasedSince | undefined): readonly string[] {
  const name = oneLine(space.name);
  if (erased === undefined)
    return [
      `Only what was erased before ${absoluteTime(madeAt)} is left out: the space ${name} is not on this device, so what it has erased since is not known.`,
    ];
  const { memories, lastAt } = erased;
  if (memories === undefined) return [`What was erased in ${name} since then is left out.`];
  if (memories === 0 || lastAt === undefined) return [];
  return [
    `${memoriesText(memories)} left out, whole or in part: erased in ${name} since then, the last on ${absoluteTime(lastAt)}.`,
  ];
}

/** How many memories are named of each kind. */
const NAMED = 10;

function mergedLines(
  { status, space, archive, erasedSince }: ImportedArchive,
  branches: readonly BroughtBranch[],
  style: Style,
): readonly string[] {
  const made = absoluteTime(archive.madeAt);
  const left = erasedSince === undefined ? [] : erasedLines(archive, erasedSince);
  if (branches.length === 0) {
    const but = left.length === 0 ? "" : ", but for what was erased";
    return [
      `The space ${oneLine(space.name)} has everything that the archive of ${made} holds${but}.`,
      ...left,
    ];
  }
  const verb = status === "preview" ? "Would bring" : "Brought";
  const brought = branches.flatMap((branch) => [
    `${verb} to ${oneLine(branch.branch)}${branch.isNew ? ", which is new" : ""}: ${whatComes(branch)}`,
    ...named("+", branch.created, style),
    ...named("~", branch.changed, style),
    ...named("-", branch.deleted, style),
    ...(branch.change === undefined
      ? []
      : [`  To take it back: ${undoOf(branch.change, branch.branch, space.name)}`]),
  ]);
  return [...brought, ...left];
}

const whatComes = ({ created, changed, deleted, conflicts }: BroughtBranch): string =>
  [
    `${created.length} new`,
    `${changed.length} changed`,
    `${deleted.length} forgotten`,
    ...(conflicts === 0 ? [] : [`${conflicts} in conflict`]),
  ].join(", ");

const undoOf = (change: string, branch: string, space: string): string =>
  ["cambium", "undo", "--space", space, "--branch", branch, "--change", shortHash(change)]
    .map(shellWord)
    .join(" ");

function named(sign: string, memories: readonly BroughtMemory[], { columns }: Style): readonly string[] {
  const lines = memories
    .slice(0, NAMED)
    .map(({ id, content }) => fit(`  ${sign} ${shortId(id)}  ${oneLine(content)}`, columns ?? 100));
  const more = memories.length - lines.length;
  return more === 0 ? lines : [...lines, `  ${sign} and ${more.toLocaleString("en")} more`];
}

function whatIn({ space, branches, checkpoints, since = [] }: ArchiveContents): string {
  const main = branches.find(({ name }) => name === "main")?.memories;
  const parts = [
    ...(main === undefined ? [] : [memoriesText(main)]),
    counted(branches.length, "branch", "branches"),
    ...(checkpoints === 0 ? [] : [counted(checkpoints, "checkpoint")]),
  ];
  const what = `the space ${oneLine(space.name)} (${parts.join(", ")})`;
  return since.length === 0 ? what : `what is new in ${what}`;
}

const notesOn = ({ damaged, leftOut = [] }: ArchiveContents, { colors }: Style): readonly string[] => [
  ...(leftOut.length === 0
    ? []
    : [
        `Left out: ${leftOut.map(oneLine).join(", ")}. Versions of them may be in it all the same: packs are taken as they are stored.`,
      ]),
  ...(damaged === undefined
    ? []
    : [
        `${colors.yellow("!")} ${counted(damaged, "stored chunk was", "stored chunks were")} damaged when it was made, and not taken along. See \`cambium verify\`.`,
      ]),
];

const memoriesText = (count: number): string => counted(count, "memory", "memories");

function sizeText(sizeBytes: number): string {
  const [unit, size] = sizeBytes >= 1e6 ? ["MB", 1e6] : ["kB", 1e3];
  return `${(sizeBytes / (size as number)).toFixed(1)} ${unit}`;
}
