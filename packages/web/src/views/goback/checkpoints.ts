import type { Schemas } from "../../api/interface.ts";
import { date, dayOf, startOfDay, weekOf } from "../../i18n/dates.ts";
import type { Reader } from "../../i18n/text.ts";

export type Checkpoint = Schemas["Checkpoint"];

const BEFORE = {
  bulk: "goback.beforeBulk",
  import: "goback.beforeImport",
  merge: "goback.beforeMerge",
  rollback: "goback.beforeRollback",
  consolidate: "goback.beforeConsolidate",
  forget: "goback.beforeForget",
  upgrade: "goback.beforeUpgrade",
  erase: "goback.beforeErase",
} as const;

/** Those that Cambium makes by itself have names for programs. */
export function nameOf(reader: Reader, { cause, name, at }: Checkpoint): string {
  if (cause === "weekly")
    return reader.t("goback.weekly", { date: date(reader, startOfDay(weekOf(dayOf(at)))) });
  return cause === "manual" ? name : reader.t(BEFORE[cause]);
}
