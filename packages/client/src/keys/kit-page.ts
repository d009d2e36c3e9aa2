/**
 * A recovery kit as a page to print, and as it is read again: the page, or the words alone.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import { oneLine, shellWord } from "@cambium/core/text";
import type { RecoveryKit } from "../api/members.js";
import { secretOfWords } from "./kit-words.js";

const TITLE = "Cambium recovery kit";
const WORDS_A_LINE = 5;
const COLUMN = 15;

/** Returns the text of a page that `readKit` reads. */
export function kitPage({ words, relay, space, madeAt, device }: Omit<RecoveryKit, "page">): string {
  const numbered = words.split(" ").map((word, place) => `${`${place + 1}`.padStart(2)} ${word}`);
  const lines = Array.from({ length: Math.ceil(numbered.length / WORDS_A_LINE) }, (_, line) =>
    numbered
      .slice(line * WORDS_A_LINE, (line + 1) * WORDS_A_LINE)
      .map((word) => word.padEnd(COLUMN))
      .join("")
      .trimEnd(),
  );
  return [
    TITLE,
    "",
    `space: ${oneLine(space.name)} (${space.id})`,
    `relay: ${relay ?? "none"}`,
    `made:  ${new Date(madeAt).toISOString().slice(0, 10)}, on ${oneLine(device)}`,
    "",
    ...lines,
    "",
    "Whoever has these words can read and change everything in the space, as you can.",
    "Keep them where you keep your passport, and not on the machines that they are for.",
    "",
    ...(relay == null ? WITHOUT_RELAY : withRelay(relay)),
    "Whoever else may have seen this page: cambium invites revoke 'recovery kit'",
    "",
  ].join("\n");
}

const withRelay = (relay: string): readonly string[] => [
  "On an empty machine:",
  "  cambium recover <this file>",
  `  or, to type the words: cambium recover --words --relay ${shellWord(relay)}`,
  "Without the relay, with an archive of the space that was made after this page:",
  "  cambium recover <this file> --archive <archive>",
];

/** The words alone bring nothing back then. */
const WITHOUT_RELAY: readonly string[] = [
  "The space is on no relay: keep an archive of it that was made after this page, too (cambium archive).",
  "On an empty machine, with that archive:",
  "  cambium recover <this file> --archive <archive>",
  "  or, to type the words: cambium recover --words --archive <archive>",
  "If the space has come to a relay since:",
  "  cambium recover <this file> --relay <url>",
];

/** What a kit says. */
export interface ReadKit {
  readonly secret: Uint8Array;
  /** Undefined where words alone were given, or the space had no relay. */
  readonly relay: string | undefined;
}

/**
 * @param text - the page, or the words
 * @throws {CambiumError} BAD_INPUT
 */
export function readKit(text: string): ReadKit {
  const [, page] = text.split(TITLE, 2);
  if (page === undefined) return { secret: secretOfWords(text), relay: undefined };
  const words = page.split("\n").filter((line) => /^\s*1?\d\s+\p{L}+(\s+1?\d\s+\p{L}+)*\s*$/u.test(line));
  if (words.length === 0)
    throw new CambiumError("BAD_INPUT", "The page of the recovery kit lacks its words.", {
      hint: "Type them from the printed page: cambium recover --words",
    });
  const relay = /^relay:\s*(\S+)\s*$/m.exec(page)?.[1];
  return { secret: secretOfWords(words.join(" ")), relay: relay === "none" ? undefined : relay };
}
