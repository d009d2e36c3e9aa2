/** Directories as git leaves them behind, written by hand: the tests start no git. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export class Tree implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<Tree> {
    return new Tree(await realpath(await mkdtemp(join(tmpdir(), "cambium-project-"))));
  }

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  async directory(...parts: readonly string[]): Promise<string> {
    const path = this.path(...parts);
    await mkdir(path, { recursive: true });
    return path;
  }

  async file(name: string, text: string): Promise<string> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  /** A linked worktree at `place` of the repository whose shared directory is `repository` (`app/.git`). */
  async worktree(place: string, repository: string, id: string): Promise<string> {
    await this.file(join(repository, "worktrees", id, "commondir"), "../..\n");
    await this.file(join(place, ".git"), `gitdir: ${this.path(repository, "worktrees", id)}\n`);
    return this.path(place);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
