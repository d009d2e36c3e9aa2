/**
 * What to try first, at the end of the help: with what is here, a space is not made a second time.
 *
 * @module
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import type { Io } from "./io.js";

const REMEMBER = '  $ cambium remember "Releases are cut on Thursdays" --tag release';

/** Lines that stand alone. Looks at one directory, and opens nothing. */
export function firstSteps({ env, userHome }: Pick<Io, "env" | "userHome">): readonly string[] {
  const home = nonEmpty(env.CAMBIUM_HOME) ?? join(userHome, ".cambium");
  const count = spacesIn(join(home, "spaces"));
  if (count === 0) return ["Begin with:", "  $ cambium init notes", REMEMBER];
  const lines = ["For instance:", REMEMBER, '  $ cambium ask "what changed this week?"'];
  if (count === 1) return lines;
  return [
    ...lines,
    `With ${count} spaces here, a verb means the default, or the one that --space names:`,
    "  $ cambium spaces",
  ];
}

function spacesIn(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;
  } catch {
    // None was made yet, or none can be seen: the verbs say what is wrong.
    return 0;
  }
}
