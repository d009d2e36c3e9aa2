/**
 * Names of the space in a sentence: agents, devices, branches, categories, tags and checkpoints, as people write them.
 *
 * @module
 */

import type { Surroundings } from "../intent.js";

/** "Claude Code" is `claude-code`, and "the laptop" is `laptop`. */
export function knownName(words: string, names: readonly string[] = []): string | undefined {
  const wanted = slug(words.replace(/^(?:the|my|our) /i, ""));
  return wanted === "" ? undefined : names.find((name) => slug(name) === wanted);
}

/** "Tea from cursor", "tea on experiment": a name of the space may say whose it is, or where, and not what it is about. */
export function nameWithin(
  words: string,
  { agents = [], devices = [], branches }: Pick<Surroundings, "agents" | "devices" | "branches">,
): { readonly before: string; readonly left: string } | undefined {
  if (/["]/.test(words)) return undefined;
  const names = [...agents, ...devices, ...branches];
  for (const match of words.matchAll(/(?:^| )(?:from|by|on|in|via|of) /gi)) {
    const rest = words.slice(match.index + match[0].length).split(" ");
    const isName = [1, 2, 3].some((count) => knownName(rest.slice(0, count).join(" "), names) !== undefined);
    if (isName) return { before: words.slice(0, match.index), left: words.slice(match.index).trim() };
  }
  return undefined;
}

const slug = (name: string): string => name.toLowerCase().replace(/[\s._/-]+/g, "-");
