/**
 * Spaces for people.
 *
 * @module
 */
import type { DamagedSpace, SpaceInfo, SpaceStatus } from "@cambium/client";
import { oneLine, shellWord } from "@cambium/core/text";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";
import { fullTime } from "./time.js";

export interface SpaceReplyOptions {
  /** The default space. */
  readonly usual: string | undefined;
  /** What this device may do now, as a sentence. */
  readonly access?: string | undefined;
  /** How far the first sync has come, and a line that says so. */
  readonly synced?: { readonly isInSync: boolean; readonly text: string };
}

/** What became of a space that was made or joined. `Changed`: it was here, with another access. */
type SpaceDone = "Made" | "Joined" | "Recovered" | "Here already" | "Changed";

function doneText(done: SpaceDone, name: string): string {
  if (done === "Here already") return `The space ${name} is here already, and nothing has changed:`;
  if (done === "Changed") return `The space ${name} was here already, and has another access now:`;
  return `${done} the space ${name}`;
}

/** The reply to making or joining a space, with what to do next. */
export function spaceReply(
  done: SpaceDone,
  space: SpaceInfo,
  { usual, access, synced }: SpaceReplyOptions,
  { colors }: Style,
): string {
  const option = space.isDefault ? "" : ` --space ${shellWord(space.name)}`;
  const where = space.relay === null ? "on this device" : `linked to ${oneLine(space.relay)}`;
  const next =
    done !== "Made"
      ? [...(synced?.isInSync ? [] : [`cambium sync${option}`]), `cambium list${option}`]
      : [
          `cambium remember "Releases are cut on Thursdays"${option}`,
          ...(space.relay === null ? [] : [`cambium invite --role write${option}`]),
        ];
  return [
    `${doneText(done, colors.bold(oneLine(space.name)))} ${colors.dim(`${space.id}, ${where}`)}`,
    ...(access === undefined ? [] : [access]),
    ...(synced === undefined ? [] : [synced.text]),
    ...(space.isDefault
      ? []
      : [
          usual === undefined
            ? "There are several spaces here, and none is the default:"
            : `Commands and agents that name no space go on with ${oneLine(usual)}. To make this one the default:`,
          `  ${colors.dim("$")} cambium spaces --default ${shellWord(space.name)}`,
        ]),
    "Next:",
    ...next.map((command) => `  ${colors.dim("$")} ${command}`),
  ].join("\n");
}

export function damagedSpaceLine({ message, hint }: DamagedSpace, { colors }: Style): string {
  return `${colors.yellow("!")} ${oneLine(message)}\n  ${oneLine(hint)}`;
}

/** Instead of what one says of a space in which nothing was written yet. */
export const erasedSpaceText = (
  name: string,
  { at, device }: NonNullable<SpaceStatus["erased"]>,
  style: Style,
): string =>
  [
    `The space ${oneLine(name)} was erased for good, on ${oneLine(device)}, ${fullTime(at, style.nowMs)}: nothing can be written to it.`,
    ...erasedSpaceAdvice(name, style),
  ].join("\n");

const erasedSpaceAdvice = (name: string, { colors }: Style): readonly string[] => [
  "To take it off this device, or to create another one:",
  `  ${colors.dim("$")} cambium spaces --remove ${shellWord(name)}`,
  `  ${colors.dim("$")} cambium init <name>`,
];

/** One for each space that was erased as a whole, below the table. */
export const erasedSpaceLines = (spaces: readonly SpaceInfo[], { colors, nowMs }: Style): readonly string[] =>
  spaces.flatMap(({ name, erasedAt }) =>
    erasedAt === undefined
      ? []
      : [
          `${colors.yellow("!")} ${oneLine(name)} was erased for good, ${fullTime(erasedAt, nowMs)}: nothing can be written to it. To take it off this device: cambium spaces --remove ${shellWord(name)}`,
        ],
  );

export function spaceTable(spaces: readonly SpaceInfo[], style: Style): string {
  const { colors } = style;
  const columns: readonly Column<SpaceInfo>[] = [
    { title: "space", text: ({ name }) => oneLine(name), paint: colors.bold, flexible: true },
    { title: "id", text: ({ id }) => id, paint: colors.dim },
    { title: "default", text: ({ isDefault }) => (isDefault ? "yes" : "") },
    { title: "role", text: ({ role }) => role },
    { title: "relay", text: ({ relay }) => oneLine(relay ?? "none") },
  ];
  return table(spaces, columns, style);
}
