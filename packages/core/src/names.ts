/**
 * Names that people give: of spaces, branches, checkpoints, agents and devices. One rule for every place
 * through which one comes.
 *
 * @module
 */
import "./supported-node.js";

import { CambiumError } from "./errors.js";
import type { ReplicaId } from "./format/ids.js";
import { DATE_ONLY } from "./history/dates.js";
import { isBranchName } from "./history/refs.js";

/** What a name is for. The rules differ a little. */
export type Named = "space" | "branch" | "checkpoint" | "agent" | "device";

const MAX_NAME_LENGTH = 200;
/** What breaks lines, moves the cursor, or turns the direction of what stands around it. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** What leaves no mark, so that two names would look alike: Unicode counts only the blank of Braille as visible. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Where they change what is seen: they join and colour emoji, and shape Indic and Arabic letters (UAX 31). */
const SHAPING = new RegExp(
  [
    "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
    "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
    "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
    "(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d](?=\\p{L}|$)",
    "(?<=(?![اآأإٱدذرزژوؤةى])\\p{Script=Arabic})\\u200c(?=\\p{Script=Arabic})",
  ].join("|"),
  "gu",
);
/** As ids of branches and checkpoints are written; someone who typed one would mean the other. */
const LIKE_AN_ID = /^[0-9a-f]{32}$/;
/** As a name in a ref: the newest checkpoint of the branch. */
export const LAST_CHECKPOINT = "last";
const LIKE_A_SPACE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Returns the name in the one form in which it is kept: without spaces around it, and composed.
 *
 * @throws {CambiumError} BAD_INPUT saying what such a name may hold
 */
export function checkName(what: Named, text: unknown): string {
  if (typeof text !== "string") throw refused(what, text, "has to be text");
  if (text.length > 2 * MAX_NAME_LENGTH) throw refused(what, text, TOO_LONG);
  const name = text.trim().normalize("NFC");
  if (name === "" || name.length > MAX_NAME_LENGTH) throw refused(what, text, TOO_LONG);
  if (!name.isWellFormed()) throw refused(what, text, "holds characters that cannot be shown");
  const unseen = unseenIn(name);
  if (unseen !== undefined) throw refused(what, text, `holds ${unseen}, which cannot be seen`);
  switch (what) {
    case "agent":
    case "device":
      return name;
    case "space":
      if (LIKE_A_SPACE_ID.test(name)) throw refused(what, text, "looks like the id of a space");
      return name;
    case "branch":
      return checkBranchName(name);
    case "checkpoint":
      return checkCheckpointName(singleSpaced(name));
    default:
      return what satisfies never;
  }
}

/** @returns the first of them, such as `U+200B` */
function unseenIn(name: string): string | undefined {
  const [found] = UNSEEN.exec(name) ?? INVISIBLE.exec(name.replace(SHAPING, "")) ?? [];
  const code = found?.codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

function checkBranchName(name: string): string {
  if (!isBranchName(name) || name.includes("~"))
    throw refused("branch", name, "may contain only letters, digits and - _ . / (no spaces)");
  if (LIKE_AN_ID.test(name)) throw refused("branch", name, "looks like the id of a branch");
  if (DATE_ONLY.test(name)) throw refused("branch", name, "looks like a date");
  return name;
}

/** Returns the text with one space wherever several stand: two cannot be told from one where a name is shown. */
export const singleSpaced = (text: string): string => text.replace(/\s+/gu, " ");

/** In plain words: it stands last in a ref, so that it may hold whatever can be seen. */
function checkCheckpointName(name: string): string {
  if (LIKE_AN_ID.test(name)) throw refused("checkpoint", name, "looks like the id of a checkpoint");
  if (/~[0-9a-f]{4,32}$/.test(name))
    throw refused("checkpoint", name, "ends like the name of one of several that are called alike");
  if (/^["']|["']$/.test(name)) throw refused("checkpoint", name, "begins or ends with a quotation mark");
  if (name.toLowerCase() === LAST_CHECKPOINT)
    throw refused("checkpoint", name, "means the newest checkpoint there is");
  return name;
}

const TOO_LONG = `needs 1 to ${MAX_NAME_LENGTH} characters`;
const SHOWN_LENGTH = 60;

function refused(what: Named, text: unknown, why: string): CambiumError {
  const shown =
    typeof text === "string" &&
    text.length <= SHOWN_LENGTH &&
    text.isWellFormed() &&
    unseenIn(text) === undefined;
  const named = shown && text !== "" ? ` ${JSON.stringify(text)}` : "";
  return new CambiumError("BAD_INPUT", `The ${what} name${named} ${why}.`, {
    hint: `Choose another name for the ${what}.`,
    details: { field: "name" },
  });
}

const FEWEST_DIGITS = 4;
const LONGEST_ID = 64;

/**
 * What devices are called where they are listed: by their names, and where two would read alike, with digits of
 * their ids behind, such as `laptop (97bb)`.
 */
export function shownDeviceNames(named: ReadonlyMap<ReplicaId, string>): ReadonlyMap<ReplicaId, string> {
  const shown = new Map(named);
  for (let digits = FEWEST_DIGITS; digits <= LONGEST_ID; digits *= 2) {
    const alike = Map.groupBy(shown, ([, name]) => name.toLowerCase());
    const clashing = [...alike.values()].filter((group) => group.length > 1).flat();
    if (clashing.length === 0) break;
    for (const [replica] of clashing) shown.set(replica, `${named.get(replica)} (${replica.slice(-digits)})`);
  }
  return shown;
}

const LONGEST_DEVICE_NAME = 40;
/** What machines are called that nobody named. */
const NOBODY_NAMED = /^(localhost|localdomain|unknown|none|[0-9a-f]{12}|ip-[0-9-]+)$/i;

/** A device's name from that of its machine: without the domain. Undefined where that tells people nothing. */
export function deviceNameOf(host: string): string | undefined {
  const [label = ""] = host.normalize("NFC").split(".");
  const name = [...label.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^[-_]+|[-_]+$/g, "")]
    .slice(0, LONGEST_DEVICE_NAME)
    .join("");
  return name === "" || NOBODY_NAMED.test(name) || /^[\d-]+$/.test(name) ? undefined : name;
}
