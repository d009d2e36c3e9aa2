import type { VerifyResult } from "@cambium/client";
import { counted, oneLine } from "@cambium/core/text";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Io } from "../io.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";
import type { Style } from "../render/style.js";

const DAMAGED_EXIT = 6;

const options = (command: OptionTable) =>
  spaceOption(command)
    .option("--accept-loss", "stop reporting lost writes that neither the relay nor another device has")
    .option(
      "--clean",
      "remove changes that no member made, or that were put where they do not belong; asks first",
    )
    .option("--yes", "do not ask for confirmation");

export const verify: CommandDefinition<typeof options> = {
  about:
    "Check every stored byte and open every record. The exit code is 6 if something is damaged or acknowledged writes are lost",
  examples: [
    "cambium verify",
    "cambium verify --json",
    "cambium verify --accept-loss",
    "cambium verify --clean",
  ],
  options,
  act: async (context, _args, { acceptLoss, clean, yes }) =>
    await context.withSpace(async ({ space, agent }) => {
      const accepted = acceptLoss === true ? await agent.acceptLoss() : undefined;
      const { signal } = context.io;
      const found = await space.verify({ signal });
      const count = (found.keptOut ?? []).reduce(
        (sum, { unsigned, elsewhere }) => sum + unsigned + elsewhere,
        0,
      );
      const isAgreed = clean === true && count > 0 && (yes === true || (await isCleaned(count, context.io)));
      const result = isAgreed ? await space.verify({ signal, clean: true }) : found;
      const document = accepted === undefined ? result : { ...result, accepted };
      const render = () =>
        [
          ...(accepted === undefined
            ? []
            : [`Accepted: ${counted(accepted.writes, "lost write")} will not be reported again.`]),
          ...verifiedText(result, context.style),
        ].join("\n");
      return await context.answer(document, render, result.ok ? 0 : DAMAGED_EXIT);
    }),
};

const isCleaned = (count: number, io: Io): Promise<boolean> =>
  isConfirmed(
    `${counted(count, "change")} that count for nothing would be removed from this device. The relay and other devices may still have them.`,
    "Remove them?",
    io,
    "Look at `cambium verify`, then add --yes.",
  );

function verifiedText(result: VerifyResult, style: Style): readonly string[] {
  const { colors } = style;
  const read = `${result.chunks} chunks and ${result.records} records`;
  const sound = `${colors.green("Sound:")} ${read} read back as written.`;
  return [
    ...(result.damaged.length === 0 ? [sound] : damagedText(result.damaged, read, style)),
    ...lostText(result.lost, style),
    ...(result.notes ?? []).map((note) => `${colors.yellow("!")} ${oneLine(note)}`),
    ...(result.cleaned === undefined
      ? []
      : [
          `Removed: ${counted(result.cleaned, "change")} that counted for nothing. If the relay brings them again, they are not taken.`,
        ]),
    ...keptOutText(result.keptOut ?? [], style),
    ...refusedText(result.refused ?? [], style),
    ...newerText(result.tooNew ?? [], style),
  ];
}

type Findings = VerifyResult["damaged"];

function damagedText(damaged: Findings, read: string, style: Style): readonly string[] {
  return [
    `${style.colors.red("Damaged:")} ${counted(damaged.length, "part")}; ${read} were read. What is damaged is set aside; everything else stays readable.`,
    ...listed(damaged, style, "red"),
    "If the space has a relay, `cambium sync` fetches what it still holds.",
  ];
}

/** Not damaged, and nowhere: what is in the store is whole without it. */
function lostText(lost: VerifyResult["lost"], style: Style): readonly string[] {
  if (lost === undefined) return [];
  const what =
    lost.writes === 0
      ? "changes that were acknowledged are"
      : `${counted(lost.writes, "acknowledged write")} ${lost.writes === 1 ? "is" : "are"}`;
  return [
    `${style.colors.red("Lost:")} ${what} no longer in the store.`,
    ...listed(lost.parts, style, "red"),
    "`cambium sync` brings back what the relay or another device has of them. If they are gone everywhere: `cambium verify --accept-loss`",
  ];
}

function refusedText(refused: Findings, style: Style): readonly string[] {
  if (refused.length === 0) return [];
  return [
    `${style.colors.yellow("Refused:")} ${counted(refused.length, "change")} from the relay were invalid and were rejected. Nothing stored here is damaged.`,
    ...listed(refused, style, "yellow"),
  ];
}

function keptOutText(keptOut: NonNullable<VerifyResult["keptOut"]>, { colors }: Style): readonly string[] {
  const of = (count: number, what: string): readonly string[] =>
    count === 0 ? [] : [`${counted(count, "change")} ${what}`];
  return keptOut.map(({ place, unsigned, elsewhere }) => {
    const found = [
      ...of(unsigned, "that no member made"),
      ...of(elsewhere, "of another branch that no merge brought there"),
    ];
    return `${colors.yellow("Kept out:")} in ${oneLine(place)}, ${found.join(", and ")}. They show nowhere. \`cambium verify --clean\` removes them.`;
  });
}

function newerText(tooNew: Findings, { colors }: Style): readonly string[] {
  if (tooNew.length === 0) return [];
  return [
    `${colors.yellow("Too new:")} ${counted(tooNew.length, "record")} a newer Cambium wrote. Update this one to read them; they are kept meanwhile.`,
    ...tooNew.map(({ what }) => `  ${colors.yellow("!")} ${oneLine(what)}`),
  ];
}

const listed = (findings: Findings, { colors }: Style, color: "red" | "yellow"): readonly string[] =>
  findings.map(({ what, reason }) => `  ${colors[color]("!")} ${oneLine(what)}: ${oneLine(reason)}`);
