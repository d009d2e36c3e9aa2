/**
 * git: one file per memory, one commit per write, everything flushed to disk as it is committed.
 *
 * @module
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { directoryBytes } from "../support/disk.ts";
import { Git, type ObjectReader } from "./git-commands.ts";
import { commitStream, contentIn, fileOf, filePatches, filesInTar, idOf, pathOf } from "./git-files.ts";
import type { Differences, Found, Merged, Operations, Peer, Texts } from "./peer.ts";
import type { BranchMerge, Period, Write } from "./plan.ts";

const SETTINGS = [
  ["core.fsync", "committed,reference"],
  ["core.fsyncMethod", "fsync"],
  ["gc.auto", "0"], // no collecting in the background of what is measured
] as const;
/** A patch with so much context has both texts in full. */
const WHOLE_FILE = "-U1000000";

export async function makeGit(dir: string): Promise<Peer> {
  const git = new Git(dir);
  await git.run(["init", "--quiet", "--initial-branch=main"]);
  for (const [name, value] of SETTINGS) await git.run(["config", name, value]);
  const version = (await git.text("--version")).replace("git version ", "");
  return new GitPeer(git, `${version}, core.fsync=committed,reference`);
}

class GitPeer implements Peer {
  readonly name = "git";
  readonly version: string;
  readonly loading = "fast-import of one commit per write; repack -ad, commit-graph with Bloom filters";
  readonly operations: Operations;
  readonly #git: Git;
  readonly #objects: ObjectReader;

  constructor(git: Git, version: string) {
    this.#git = git;
    this.version = version;
    this.#objects = git.objects();
    this.operations = {
      remember: [{ name: "add, commit", run: (write) => this.#commit(write) }],
      revise: [{ name: "add, commit", run: (write) => this.#commit(write) }],
      read: this.#readers(),
      search: [{ name: "grep in the work tree", run: (words) => this.#search(words) }],
      stateAt: this.#states(),
      history: this.#histories(),
      diff: [
        { name: "diff", run: (period) => this.#diff(period) },
        { name: "diff --name-status", partial: "names without texts", run: (period) => this.#names(period) },
      ],
      branch: [{ name: "branch", run: (name) => this.#branch(name) }],
      merge: [{ name: "merge in the work tree", run: (task) => this.#merge(task) }],
    };
  }

  async load(writes: readonly Write[], onProgress: (done: number) => void): Promise<void> {
    await this.#git.import(commitStream(writes, "main"));
    onProgress(writes.length);
    await this.#git.run(["repack", "-a", "-d", "-q"]);
    await this.#git.run(["commit-graph", "write", "--reachable", "--changed-paths", "--no-progress"]);
    await this.#git.run(["reset", "--quiet", "--hard", "main"]);
  }

  async disk() {
    const [all, own] = await Promise.all([
      directoryBytes(this.#git.dir),
      directoryBytes(join(this.#git.dir, ".git")),
    ]);
    return [
      { name: ".git and work tree", bytes: all },
      {
        name: ".git alone",
        bytes: own,
        partial: "as a bare repository, without the files that add and grep work on",
      },
    ];
  }

  /** Leaves main checked out. */
  async prepareMerge({ branch, onBranch, onMain }: BranchMerge): Promise<void> {
    await this.#git.import(commitStream(onBranch, branch, "refs/heads/main^0"));
    await this.#git.import(commitStream(onMain, "main", "refs/heads/main^0"));
    await this.#git.run(["reset", "--quiet", "--hard", "main"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects[Symbol.asyncDispose]();
  }

  async #commit(write: Write): Promise<() => void> {
    const path = pathOf(write.id);
    const file = join(this.#git.dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, fileOf(write));
    await this.#git.run(["add", "--", path]);
    await this.#git.run(["commit", "--quiet", "--no-verify", "--no-status", "-m", write.type], write.time);
    return () => {};
  }

  #readers(): Operations["read"] {
    return [
      {
        name: "cat-file --batch, one process for all",
        run: async (id) => {
          const [file] = await this.#objects.read([`main:${pathOf(id)}`]);
          return () => contentIn(String(file));
        },
      },
      {
        name: "show main:path",
        run: async (id) => {
          const file = await this.#git.run(["show", `main:${pathOf(id)}`]);
          return () => contentIn(file.toString("utf8"));
        },
      },
      {
        name: "the file in the work tree",
        run: async (id) => {
          const file = await readFile(join(this.#git.dir, pathOf(id)), "utf8");
          return () => contentIn(file);
        },
      },
    ];
  }

  async #search(words: readonly string[]): Promise<() => Found> {
    const patterns = words.flatMap((word) => ["-e", word]);
    const counts = await this.#git.run(["grep", "-c", "-i", "-F", ...patterns]).catch(noMatch);
    return () => ({
      kind: "all",
      ids: linesOf(counts).map((line) => idOf(line.slice(0, line.lastIndexOf(":")))),
    });
  }

  #states(): Operations["stateAt"] {
    return [
      { name: "rev-list --before, ls-tree, cat-file --batch", run: (time) => this.#stateByObjects(time) },
      { name: "rev-list --before, archive", run: (time) => this.#stateByArchive(time) },
      {
        name: "rev-list --before, ls-tree",
        partial: "names without texts",
        run: async (time) => {
          const names = linesOf(
            await this.#git.run(["ls-tree", "-r", "--name-only", await this.#commitAt(time)]),
          );
          return () => new Map(names.map((name) => [idOf(name), undefined]));
        },
      },
    ];
  }

  async #stateByObjects(time: number): Promise<() => Texts> {
    const tree = await this.#git.run(["ls-tree", "-r", await this.#commitAt(time)]);
    const entries = linesOf(tree).map((line) => line.split(/[ \t]/));
    const files = await this.#objects.read(entries.map(([, , object]) => object as string));
    return () =>
      new Map(entries.map((entry, index) => [idOf(entry[3] as string), contentIn(String(files[index]))]));
  }

  async #stateByArchive(time: number): Promise<() => Texts> {
    const archive = await this.#git.run(["archive", "--format=tar", await this.#commitAt(time)]);
    return () => {
      const files = [...filesInTar(archive)].filter(([name]) => name.endsWith(".md"));
      return new Map(files.map(([name, text]) => [idOf(name), contentIn(text)]));
    };
  }

  /** With `--follow`, git cannot use the filters. */
  #histories(): Operations["history"] {
    const log = (name: string, ...options: readonly string[]) => ({
      name,
      run: async (id: string) => {
        const patches = await this.#git.run([
          "log",
          "-p",
          WHOLE_FILE,
          "--format=",
          ...options,
          "--",
          pathOf(id),
        ]);
        return () =>
          filePatches(patches.toString("utf8"))
            .map(({ after }) => after ?? "")
            .toReversed();
      },
    });
    return [log("log -p, Bloom filters"), log("log -p --follow", "--follow")];
  }

  async #diff({ from, to }: Period): Promise<() => Differences> {
    const commits = [await this.#commitAt(from), await this.#commitAt(to)];
    const patches = await this.#git.run(["diff", WHOLE_FILE, ...commits]);
    return () => new Map(filePatches(patches.toString("utf8")).map(({ id, ...texts }) => [id, texts]));
  }

  async #names({ from, to }: Period): Promise<() => Differences> {
    const commits = [await this.#commitAt(from), await this.#commitAt(to)];
    const names = linesOf(await this.#git.run(["diff", "--name-status", ...commits]));
    return () =>
      new Map(names.map((line) => [idOf(line.slice(2)), { before: undefined, after: undefined }] as const));
  }

  async #branch(name: string): Promise<() => void> {
    await this.#git.run(["branch", name]);
    return () => {};
  }

  async #merge({ branch, time }: BranchMerge): Promise<() => Merged> {
    await this.#git.run(["merge", "--quiet", "--no-edit", branch], time);
    return () => ({ conflicts: new Map() });
  }

  #commitAt(time: number): Promise<string> {
    const date = `${new Date(time).toISOString().slice(0, 19)}Z`;
    return this.#git.text("rev-list", "-1", `--before=${date}`, "main");
  }
}

const linesOf = (output: Buffer): readonly string[] =>
  output
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");

/** git grep ends with 1 when nothing matched. */
function noMatch(error: { readonly code?: unknown }): Buffer {
  if (error.code !== 1) throw error;
  return Buffer.alloc(0);
}
