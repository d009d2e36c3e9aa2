/**
 * A copy of the built packages with a fault in them. Only the edited files are compiled again, by taking their types
 * away: what they import stays as it is.
 *
 * @module
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyEdit, type Fault } from "./fault.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const PACKAGES = ["core", "client", "sync-server"] as const;
/** Of what was built, what runs: neither declarations and maps nor the bundled command. */
const isNeeded = (path: string): boolean =>
  !/\.(d\.ts|map|tsbuildinfo)$/.test(path) && basename(path) !== "bundle";

const SOURCE_FILES = ["package.json", "vitest.config.ts", "tsconfig.base.json", "scripts"];
const sourcesOf = (name: string): readonly string[] =>
  ["package.json", "node_modules", "src", "dist", "test"].map((part) => join("packages", name, part));

export class FaultyCopy implements AsyncDisposable {
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** @throws {Error} when an edit does not fit the sources */
  static async make(fault: Pick<Fault, "edits">): Promise<FaultyCopy> {
    const copy = new FaultyCopy(await mkdtemp(join(tmpdir(), "cambium-drill-")));
    try {
      for (const name of PACKAGES) await copyPackage(name, copy.dir);
      await symlink(join(ROOT, "node_modules"), join(copy.dir, "node_modules"), "dir");
      await plant(fault, copy.dir);
      return copy;
    } catch (error) {
      await copy[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Sources and tests in the place of what was built. @throws {Error} when an edit does not fit the sources */
  static async makeOfSources(fault: Pick<Fault, "edits">): Promise<FaultyCopy> {
    const copy = new FaultyCopy(await mkdtemp(join(tmpdir(), "cambium-drill-")));
    try {
      for (const path of [...SOURCE_FILES, ...PACKAGES.flatMap(sourcesOf)])
        await cp(join(ROOT, path), join(copy.dir, path), { recursive: true, verbatimSymlinks: true });
      await symlink(join(ROOT, "node_modules"), join(copy.dir, "node_modules"), "dir");
      // These tests need no build.
      await writeFile(join(copy.dir, "scripts/build-before-tests.mjs"), "export default () => {};\n");
      for (const [file, source] of await editedSources(fault)) await writeFile(join(copy.dir, file), source);
      return copy;
    } catch (error) {
      await copy[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}

async function copyPackage(name: string, dir: string): Promise<void> {
  const [from, to] = [join(ROOT, "packages", name), join(dir, "packages", name)];
  await mkdir(to, { recursive: true });
  await cp(join(from, "package.json"), join(to, "package.json"));
  await cp(join(from, "dist"), join(to, "dist"), { recursive: true, filter: isNeeded });
  // Links to other packages lead to their copies, since they are relative.
  await cp(join(from, "node_modules"), join(to, "node_modules"), { recursive: true, verbatimSymlinks: true });
}

async function plant(fault: Pick<Fault, "edits">, dir: string): Promise<void> {
  for (const [file, source] of await editedSources(fault)) {
    const built = file.replace("/src/", "/dist/").replace(/\.ts$/, ".js");
    await writeFile(join(dir, built), stripTypeScriptTypes(source));
  }
}

async function editedSources({ edits }: Pick<Fault, "edits">): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const edit of edits) {
    const source = sources.get(edit.file) ?? (await readFile(join(ROOT, edit.file), "utf8"));
    sources.set(edit.file, applyEdit(source, edit));
  }
  return sources;
}
