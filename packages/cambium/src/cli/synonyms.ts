/**
 * Words that other tools use, and options before the verb: read as what is meant.
 *
 * @module
 */
import { shellWord } from "@cambium/core/text";
import { UsageError } from "./usage-error.js";

const SYNONYMS: Readonly<Record<string, string>> = {
  add: "remember",
  edit: "revise",
  find: "recall",
  ls: "list",
  rm: "forget",
  save: "checkpoint",
  search: "recall",
};

const SWITCHING: ReadonlySet<string> = new Set(["switch", "checkout"]);

/** What any verb may be given ahead of it, as git and others take it; true: with a value. */
const AHEAD: Readonly<Record<string, boolean>> = {
  "--json": false,
  "--yes": false,
  "--space": true,
  "--branch": true,
  "--agent": true,
};

/** Other words for an option. */
const SAME_OPTION: Readonly<Record<string, string>> = { "--dry-run": "--preview" };

/**
 * Puts options of the verb behind it, and the verb and its options in the place of other words for them.
 *
 * @throws {UsageError} for words of tools in which a branch is switched to
 */
export function withoutSynonyms(typed: readonly string[]): readonly string[] {
  // What shows the text has seen it.
  const argv = typed.filter((word) => word !== "--no-pager");
  const { moved, kept, rest } = splitAhead(argv);
  const [verb, ...words] = rest;
  if (verb === undefined) return argv;
  if (SWITCHING.has(verb)) {
    const [branch = "<branch>"] = words.filter((word) => !word.startsWith("-"));
    const word = branch === "<branch>" ? branch : shellWord(branch);
    throw new UsageError(
      "No branch is switched to: each call says which one it means.",
      `Add --branch ${word} to a verb, or set CAMBIUM_BRANCH=${word}. To make one: cambium branch ${word}`,
    );
  }
  const known = Object.hasOwn(SYNONYMS, verb) ? (SYNONYMS[verb] as string) : verb;
  // What follows `--` is text.
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const options = words.slice(0, end).map((word) => SAME_OPTION[word] ?? word);
  return [...kept, known, ...options, ...moved, ...words.slice(end)];
}

/** Divides what stands ahead of the verb into options of the verb and others; the rest begins with the verb. */
function splitAhead(argv: readonly string[]) {
  const moved: string[] = [];
  const kept: string[] = [];
  let index = 0;
  for (; argv[index]?.startsWith("-"); index += 1) {
    const word = argv[index] ?? "";
    const [name = ""] = word.split("=", 1);
    if (!Object.hasOwn(AHEAD, name)) kept.push(word);
    else {
      moved.push(word);
      const value = argv[index + 1];
      if (AHEAD[name] === true && name === word && value !== undefined) {
        moved.push(value);
        index += 1;
      }
    }
  }
  return { moved, kept, rest: argv.slice(index) };
}
