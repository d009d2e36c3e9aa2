/**
 * Puts what the command `cambium` loads into few files: Node takes half a millisecond for each, and a verb would load
 * seventy, an MCP server three hundred. Does nothing where the compiler has written nothing since.
 *
 * @module
 */
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { licencesOf } from "./licences.mjs";

const PACKAGES = fileURLToPath(new URL("../packages/", import.meta.url));
const built = (name, ...path) => join(PACKAGES, name, "dist", ...path);
/** As deep as what is bundled: modules find files of the package relative to themselves. */
const BUNDLE = built("cambium", "bundle");

const DAY_MS = 86_400_000;

/** With WebAssembly or native parts of their own, or installed by those who want them. */
const LEFT_OUT = [/^@automerge\/automerge(\/|$)/, /^ws$/, /^@huggingface\//, /^node:/];

async function isNew() {
  const notes = ["core", "sync-server", "client", "cambium"].map((name) => built(name, ".tsbuildinfo"));
  const compiled = await Promise.all(notes.map(writtenAt));
  return (await writtenAt(join(BUNDLE, "main.js"))) >= Math.max(...compiled);
}

async function writtenAt(path) {
  const found = await stat(path).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}

async function writeBundle() {
  const bundle = await rolldown({
    input: {
      main: built("cambium", "cli", "main.js"),
      "reading-worker": built("client", "index-store", "reading-worker.js"),
      "saved-document-worker": built("client", "documents", "saved-document-worker.js"),
      "stock-thread": built("sync-server", "stock", "stock-thread.js"),
    },
    external: LEFT_OUT,
    platform: "node",
    // jsonc-parser's other form asks for its parts in a way that no bundler sees.
    resolve: { mainFields: ["module", "main"] },
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: BUNDLE,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  await writeFile(join(BUNDLE, "LICENSES.txt"), await licencesOf(modules));
  await removeOld(new Set(output.map(({ fileName }) => fileName)));
}

/** Not at once: a daemon that runs may still load a part of the bundle it was started from. */
async function removeOld(current) {
  for (const name of await readdir(BUNDLE)) {
    const path = join(BUNDLE, name);
    const isOld = Date.now() - (await writtenAt(path)) > DAY_MS;
    if (isOld && !current.has(name)) await rm(path);
  }
}

// Last, when everything above is there.
if (!(await isNew())) await writeBundle();
