import type { Schemas } from "../../api/interface.ts";
import { date } from "../../i18n/dates.ts";
import type { Reader } from "../../i18n/text.ts";

export type Checkpoint = Schemas["Checkpoint"];

/** Those that Cambium makes by itself have names for programs. */
export function nameOf(reader: Reader, { cause, name, at }: Checkpoint): string {
  return cause === "weekly" ? reader.t("goback.weekly", { date: date(reader, at) }) : name;
}
