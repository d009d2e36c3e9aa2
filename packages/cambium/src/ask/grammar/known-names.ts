/**
 * Names of the space in a sentence: agents, devices, branches, categories, tags and checkpoints, as people write them.
 *
 * @module
 */

/** "Claude Code" is `claude-code`, and "the laptop" is `laptop`. */
export function knownName(words: string, names: readonly string[] = []): string | undefined {
  const wanted = slug(words.replace(/^(?:the|my|our) /i, ""));
  return wanted === "" ? undefined : names.find((name) => slug(name) === wanted);
}

const slug = (name: string): string => name.toLowerCase().replace(/[\s._/-]+/g, "-");
