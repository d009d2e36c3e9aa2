/**
 * Sizes as a person says them.
 *
 * @module
 */
import { numberFormat } from "./formats.ts";
import type { Reader } from "./text.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** 1.7 MB */
export function size({ locale }: Reader, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** power;
  const digits = value < 10 && power > 0 ? 1 : 0;
  return numberFormat(locale, {
    ...{ style: "unit", unit: UNITS[power] ?? "byte", maximumFractionDigits: digits },
  }).format(value);
}
