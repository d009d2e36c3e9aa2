/**
 * Sentences of the catalogue in the reader's language.
 *
 * @module
 */

import { createContext, type ReactNode, useContext } from "react";
import { CATALOGUE, type Key } from "./catalogue.ts";
import { numberFormat } from "./formats.ts";
import { withParticles } from "./particles.ts";

export type Language = "en" | "ko";
export type Values = Readonly<Record<string, string | number>>;
export type Translate = (key: Key, values?: Values) => string;

const PLACE = /\{(\w+)\}/g;

/** @returns the sentence, with `{name}` filled in and the form for `values.n` */
export function sentence(language: Language, key: Key, values: Values = {}): string {
  const filled = template(language, key, values.n).replace(PLACE, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? counted(language, value) : apart(value);
  });
  return language === "ko" ? withParticles(filled) : filled;
}

const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Hebrew, Arabic and other letters that run from right to left. */
const TURNED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name in a sentence turns nothing around but itself. */
function apart(name: string): string {
  const plain = name.replaceAll(CONTROLS, "");
  return TURNED.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** The same with elements in the places. */
export function sentenceParts(
  language: Language,
  key: Key,
  values: Readonly<Record<string, ReactNode>>,
): readonly ReactNode[] {
  const count = typeof values.n === "number" ? values.n : undefined;
  return template(language, key, count)
    .split(PLACE)
    .map((part, index) => (index % 2 === 0 ? part : shown(language, values[part])));
}

const shown = (language: Language, value: ReactNode) =>
  typeof value === "number" ? counted(language, value) : value;

function template(language: Language, key: Key, n: string | number | undefined): string {
  const [english, korean] = CATALOGUE[key];
  if (language === "ko") return korean;
  if (typeof english === "string") return english;
  return n === 1 ? english.one : english.other;
}

const counted = (language: Language, value: number) => numberFormat(language).format(value);

export interface Reader {
  readonly language: Language;
  /** For dates and numbers: the browser's where it is of the language. */
  readonly locale: string;
  readonly t: Translate;
}

export function readerOf(language: Language, preferred: readonly string[]): Reader {
  const locale = preferred.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
  return { language, locale, t: (key, values) => sentence(language, key, values) };
}

export const ReaderContext = createContext<Reader>(readerOf("en", []));
export const useReader = (): Reader => useContext(ReaderContext);
export const useText = (): Translate => useReader().t;
