/**
 * Whether what is in the home can be written. Rights alone do not tell: a disk may be full, or mounted to be read only.
 *
 * @module
 */
import { accessSync, constants, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "@cambium/core/text";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, problem } from "./finding.js";

/** A block: less may fit where nothing does. */
const TRIAL = Buffer.alloc(4_096);
const MOST_FINDINGS = 3;

/** Each directory that Cambium makes files in is written to for a moment; each file is asked whether it may be. */
export function checkWritable({ home }: Pick<DoctorContext, "home">): readonly Finding[] {
  const spaces = join(home, "spaces");
  const ofSpaces = namesIn(spaces).flatMap((name) => {
    const space = join(spaces, name);
    return [space, ...namesIn(space).map((within) => join(space, within))];
  });
  const found: Finding[] = [];
  for (const dir of [home, spaces, ...ofSpaces].filter(isDirectory)) {
    const failed = failureOf(() => tryToWrite(dir));
    // What cannot be made beside them says enough of the files.
    if (failed !== undefined) found.push(notWritable(dir, failed, "rwx"));
    else
      for (const file of namesIn(dir).map((name) => join(dir, name))) {
        const why = isFile(file) ? failureOf(() => accessSync(file, constants.W_OK)) : undefined;
        if (why !== undefined) found.push(notWritable(file, why, "rw"));
      }
  }
  return found.slice(0, MOST_FINDINGS);
}

function tryToWrite(dir: string): void {
  const path = join(dir, `.doctor-${process.pid}`);
  try {
    writeFileSync(path, TRIAL, { flag: "wx", mode: 0o600 });
  } finally {
    rmSync(path, { force: true });
  }
}

const WHY: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOSPC: ["the disk is full", "Free some space on it."],
  EDQUOT: ["your share of the disk is full", "Free some space on it."],
  EROFS: [
    "the disk is mounted to be read only",
    "Mount it to be written, or set CAMBIUM_HOME to another directory.",
  ],
};

function notWritable(path: string, code: string, rights: string): Finding {
  const [why, hint] = WHY[code] ?? [
    code,
    `Make it yours to write: chmod u+${rights} ${shellWord(path)}. If it belongs to another user, sudo chown it, or set CAMBIUM_HOME.`,
  ];
  return problem("home", `${path} cannot be written: ${why}.`, hint);
}

function failureOf(trial: () => void): string | undefined {
  try {
    trial();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // none, or one that cannot be read, which others tell
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
