import type { VerifyResult } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { spaceOption } from "../options.js";
import type { Style } from "../render/style.js";

const DAMAGED_EXIT = 6;

export const verify: CommandDefinition = {
  about: "Check every stored byte and open every record; the exit code is 6 when something is damaged",
  examples: ["cambium verify", "cambium verify --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(async ({ space }) => {
      const result = await space.verify({ signal: context.io.signal });
      const { colors } = context.style;
      const counted = `${result.chunks} chunks and ${result.records} records`;
      return await context.answer(
        result,
        () =>
          [
            result.ok
              ? `${colors.green("Sound:")} ${counted} read back as written.`
              : [
                  `${colors.red("Damaged:")} ${result.damaged.length} of ${counted}. They are set aside; everything else stays readable.`,
                  ...result.damaged.map(
                    ({ what, reason }) => `  ${colors.red("!")} ${oneLine(what)}: ${oneLine(reason)}`,
                  ),
                  "If the space has a relay, `cambium sync` fetches what it still holds.",
                ].join("\n"),
            ...refusedText(result.refused ?? [], context.style),
            ...newerText(result.tooNew ?? [], context.style),
          ].join("\n"),
        result.ok ? 0 : DAMAGED_EXIT,
      );
    }),
};

function refusedText(refused: NonNullable<VerifyResult["refused"]>, { colors }: Style): readonly string[] {
  if (refused.length === 0) return [];
  return [
    `${colors.yellow("Refused:")} ${refused.length === 1 ? "1 change" : `${refused.length} changes`} came from the relay in bad shape and stayed out. Nothing stored here is damaged.`,
    ...refused.map(({ what, reason }) => `  ${colors.yellow("!")} ${oneLine(what)}: ${oneLine(reason)}`),
  ];
}

function newerText(tooNew: NonNullable<VerifyResult["tooNew"]>, { colors }: Style): readonly string[] {
  if (tooNew.length === 0) return [];
  return [
    `${colors.yellow("Too new:")} ${tooNew.length === 1 ? "1 record" : `${tooNew.length} records`} a newer Cambium wrote. Update this one to read them; they are kept meanwhile.`,
    ...tooNew.map(({ what }) => `  ${colors.yellow("!")} ${oneLine(what)}`),
  ];
}
