/**
 * The home directory: there, private, and writable.
 *
 * @module
 */
import { accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { messageOf, shellWord } from "@cambium/core/text";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, problem, warn } from "./finding.js";

const FOR_OTHERS = 0o077;
const MOST_NAMES = 3;

/** Whether there is something to look into; rights that are too wide do not hinder that. */
export function isHomeUsable({ home }: Pick<DoctorContext, "home">): boolean {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return lstatSync(home).isDirectory() || statSync(home).isDirectory();
  } catch {
    return false; // told by `checkHome`
  }
}

export function checkHome({ home, machine }: DoctorContext): Finding {
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (found === undefined) {
    return ok("home", `There is no memory in ${home} yet.`, { hint: "Make some: cambium init" });
  }
  try {
    if (!statSync(home).isDirectory())
      return problem("home", `${home} is not a directory.`, "Move it away, or set CAMBIUM_HOME.");
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    const open = machine.platform === "win32" ? [] : openToOthers(home);
    if (open.length === 0) return ok("home", `${home} is there, and private to you.`);
    const names = open.slice(0, MOST_NAMES).map((path) => relative(home, path) || home);
    const more = open.length > MOST_NAMES ? ` and ${open.length - MOST_NAMES} more` : "";
    const which = `${names.join(", ")}${more}`;
    const hint = `Close it: chmod -R go= ${shellWord(home)}`;
    return open[0] === home
      ? problem(
          "home",
          `Others on this machine may look into ${which}: keys and memories are in there.`,
          hint,
        )
      : warn(
          "home",
          `Only the directory keeps others from ${which}; a copy of it would be open to them.`,
          hint,
        );
  } catch (error) {
    const reason = messageOf(error);
    return problem("home", `${home} cannot be used: ${reason}.`, "Make it yours again, or set CAMBIUM_HOME.");
  }
}

function openToOthers(home: string): readonly string[] {
  const inside = readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => join(home, name));
  return [home, ...inside].filter((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink() || found.isSocket()) return false;
    return (found.mode & FOR_OTHERS) !== 0;
  });
}
