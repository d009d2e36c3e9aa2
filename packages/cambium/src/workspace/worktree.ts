/**
 * Git worktrees, found by reading the small files that git keeps; no git process is started.
 *
 * In the main worktree `.git` is a directory. In a linked one it is a file, `gitdir: <repository>/worktrees/<id>`,
 * and that directory holds `commondir`, the way to the repository. A submodule has such a file, too, without
 * `commondir`: it counts as a main worktree.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isErrno } from "./errno.js";

export interface Worktree {
  /** The topmost directory of the worktree. */
  readonly top: string;
  /** Undefined in the main worktree. */
  readonly linked?: LinkedWorktree | undefined;
}

export interface LinkedWorktree {
  /** Git's own name for it, unique in the repository; it stays when the worktree is moved or switched. */
  readonly id: string;
  /** Where the repository keeps what all its worktrees share. */
  readonly repository: string;
}

const TAG_DIGITS = 4;
const LONGEST_PART = 60;

/** Returns the worktree that `dir` lies in, or undefined outside of git. */
export function findWorktree(dir: string): Worktree | undefined {
  for (let top = resolve(dir); ; top = dirname(top)) {
    const git = join(top, ".git");
    const kind = kindOf(git);
    if (kind === "directory") return { top };
    if (kind === "file") return { top, linked: linkedWorktree(git) };
    if (dirname(top) === top) return undefined;
  }
}

/**
 * Returns the memory branch of a linked worktree: `<repository>/<worktree>-<tag>`. The tag is made from the whole
 * path of the repository and from the device, because repositories and worktrees often bear the same names, and
 * two branches of one name would stand in each other's way once the devices sync.
 */
export function branchOfWorktree({ id, repository }: LinkedWorktree, device: string): string {
  const tag = createHash("sha256")
    .update([device, repository, id].join("\0"))
    .digest("hex")
    .slice(0, TAG_DIGITS);
  return `${branchPart(repositoryName(repository))}/${branchPart(id)}-${tag}`;
}

/** `~/code/app/.git` and `~/code/app/.bare` are `app`; `~/code/app.git` is `app`, too. */
function repositoryName(repository: string): string {
  const name = basename(repository);
  return (name.startsWith(".") ? basename(dirname(repository)) : name).replace(/\.git$/, "");
}

/** What may not stand in a branch's name, or is awkward to type, becomes a hyphen; the tag keeps names apart. */
function branchPart(name: string): string {
  const part = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  const short = [...part].slice(0, LONGEST_PART).join("");
  return short === "" ? "worktree" : short;
}

function linkedWorktree(gitFile: string): LinkedWorktree | undefined {
  const pointer = /^gitdir:[ \t]*(.+?)\s*$/m.exec(readText(gitFile) ?? "")?.[1];
  if (pointer === undefined) return undefined;
  const own = resolve(dirname(gitFile), pointer);
  const common = readText(join(own, "commondir"))?.trim();
  if (common === undefined || common === "" || basename(dirname(own)) !== "worktrees") return undefined;
  return { id: basename(own), repository: realPath(resolve(own, common)) };
}

/** One repository has one path, whichever link somebody came by. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it was moved away; its name still serves
  }
}

function kindOf(path: string): "file" | "directory" | undefined {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    return undefined; // not there, or not for us to see: then git would not work here either
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EISDIR")) return undefined;
    throw error;
  }
}
