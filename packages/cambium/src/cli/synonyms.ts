/**
 * Words that other tools use, and options before the verb: read as what is meant.
 *
 * @module
 */
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

/**
 * Puts `--json` behind the verb, and the verb in the place of another word for it.
 *
 * @throws {UsageError} for words of tools in which a branch is switched to
 */
export function withoutSynonyms(argv: readonly string[]): readonly string[] {
  const first = argv.findIndex((word) => !word.startsWith("-"));
  const verb = argv[first];
  if (verb === undefined) return argv;
  if (SWITCHING.has(verb)) {
    const [branch = "<branch>"] = argv.slice(first + 1).filter((word) => !word.startsWith("-"));
    throw new UsageError(
      "No branch is switched to: each call says which one it means.",
      `Add --branch ${branch} to a verb, or set CAMBIUM_BRANCH=${branch}. To make one: cambium branch ${branch}`,
    );
  }
  const ahead = argv.slice(0, first);
  const isMoved = (word: string): boolean => word === "--json";
  const known = Object.hasOwn(SYNONYMS, verb) ? (SYNONYMS[verb] as string) : verb;
  return [
    ...ahead.filter((word) => !isMoved(word)),
    known,
    ...argv.slice(first + 1),
    ...ahead.filter(isMoved),
  ];
}
