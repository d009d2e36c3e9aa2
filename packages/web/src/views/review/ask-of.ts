import { CATALOGUE, type Key } from "../../i18n/catalogue.ts";
import type { Translate } from "../../i18n/text.ts";

/** What somebody wants to do, in words; a newer Cambium may know more than this page. */
export function askName(t: Translate, operation: string): string {
  const key = `asks.${operation}`;
  const text = t(key in CATALOGUE ? (key as Key) : "asks.other");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
