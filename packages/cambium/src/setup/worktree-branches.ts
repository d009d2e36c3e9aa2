/**
 * `.cambium.json` as setup writes it: each git worktree gets a branch of its own.
 *
 * @module
 */
import { join } from "node:path";
import { PROJECT_FILE, parseProjectText } from "../workspace/project-file.js";
import type { Machine } from "./machine.js";
import { projectTop } from "./plan-client.js";
import { readSettings, refused } from "./settings-file.js";
import { failedStep, type Step } from "./step.js";

/** @param space - pinned as well, when given */
export function planWorktreeBranches(space: string | undefined, remove: boolean, machine: Machine): Step {
  const file = join(projectTop(machine), PROJECT_FILE);
  const subject = { kind: "pins", name: PROJECT_FILE } as const;
  try {
    const before = readSettings(file);
    const present = before === undefined ? undefined : parseProjectText(file, before);
    const isPerWorktree = typeof present?.branch === "object";
    const replace = (after: string | undefined) =>
      ({
        kind: "file",
        replacement: { path: file, before, after, keepsBackup: false, dropsBackup: false },
      }) as const;
    if (remove) {
      if (!isPerWorktree) return { subject, file, status: "not-set-up" };
      const rest = present?.space === undefined ? undefined : textOf({ space: present.space });
      const note = rest === undefined ? {} : { note: `The space ${present?.space} stays pinned.` };
      return { subject, file, status: "removed", action: replace(rest), ...note };
    }
    if (typeof present?.branch === "string") {
      throw refused(
        file,
        `pins the branch ${present.branch} already`,
        undefined,
        'Remove its "branch", then run this again.',
      );
    }
    const wanted = space ?? present?.space;
    if (isPerWorktree && wanted === present?.space) return { subject, file, status: "already-set-up" };
    const after = textOf({
      ...(wanted === undefined ? {} : { space: wanted }),
      branch: { perWorktree: true },
    });
    return { subject, file, status: present === undefined ? "set-up" : "updated", action: replace(after) };
  } catch (error) {
    return failedStep({ subject, file }, error);
  }
}

/** The file holds nothing but these keys, and no comments: it is written whole. */
const textOf = (content: object): string => `${JSON.stringify(content, undefined, 2)}\n`;
