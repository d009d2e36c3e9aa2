/**
 * Other people's packages that go into ours: those whose installation is many times as big as what Node runs of them.
 * Why these, and why no others: docs/decisions/0042-what-goes-into-the-tarballs.md.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { licencesOf } from "../licences.mjs";
import { reachable, withRenamedImports } from "./modules.mjs";

/** Where they lie inside of a package. */
const FOLDER = "dist/others";

/**
 * In which package lies what is imported by that name. Automerge and the dates are in core, because more than one
 * package needs them, and two copies of Automerge do not know each other's documents.
 */
const PLACES = {
  "@automerge/automerge": { of: "core", door: "automerge" },
  "@automerge/automerge/slim": { of: "core", door: "automerge-slim" },
  "chrono-node/en": { of: "core", door: "chrono-node-en" },
  "@automerge/automerge-repo": { of: "client", door: "automerge-repo" },
  "@automerge/automerge-repo/slim": { of: "client", door: "automerge-repo-slim" },
  "@automerge/automerge-repo-storage-nodefs": { of: "client", door: "automerge-repo-storage-nodefs" },
};
/** Small once bundled, so each package has its own. */
const IN_EACH = { zod: { door: "zod" } };

/** Their manifests name these no more. */
export const PACKED = [
  "@automerge/automerge",
  "@automerge/automerge-repo",
  "@automerge/automerge-repo-storage-nodefs",
  "chrono-node",
  "zod",
];

const AUTOMERGE = {
  node: "mjs/entrypoints/fullfat_node.js",
  bundlers: "mjs/entrypoints/fullfat_bundler.js",
  slim: "mjs/entrypoints/slim.js",
  types: "index.d.ts",
};
const WASM = "mjs/wasm_bindgen_output/nodejs/automerge_wasm_bg.wasm";

/**
 * @param {string} name - of one of our packages
 * @param {string} asked - what one of its modules imports
 * @returns {string | undefined} what it imports instead, once it is packed
 */
export function placeOf(name, asked) {
  const { of: owner = name, door } = PLACES[asked] ?? IN_EACH[asked] ?? {};
  const scope = owner === "cambium" ? "" : "@cambium/";
  return door && `${scope}${owner}/others/${door}`;
}

/**
 * Writes what lies in one of our packages.
 *
 * @param {string} name
 * @param {string} from - its folder in the workspace
 * @param {string} to - the folder that is packed
 * @param {ReadonlySet<string>} used - what its modules import
 * @returns {Promise<Record<string, object>>} what its manifest exports more
 */
export async function writeOthers(name, from, to, used) {
  const doors = [...Object.entries(PLACES), ...Object.entries(IN_EACH)].filter(
    ([asked, { of: owner }]) =>
      (owner === undefined ? used.has(asked) : owner === name) && !asked.startsWith("@automerge/automerge/"),
  );
  const bundled = doors.filter(([asked]) => asked !== "@automerge/automerge");
  if (doors.length === 0) return {};
  const folder = join(to, FOLDER);
  await mkdir(folder, { recursive: true });
  const modules = await bundle(from, folder, bundled);
  const exports = Object.fromEntries(
    bundled.map(([, { door }]) => [`./others/${door}`, `./${FOLDER}/${door}.js`]),
  );
  if (name !== "core") {
    await writeFile(join(folder, "LICENSES.txt"), await licencesOf(modules));
    return exports;
  }
  const source = join(from, "node_modules", "@automerge", "automerge");
  await copyAutomerge(join(source, "dist"), join(folder, "automerge"));
  await writeFile(join(folder, "LICENSES.txt"), await licencesOf([...modules, join(source, "package.json")]));
  return { ...automergeDoors(), ...exports };
}

async function bundle(from, folder, doors) {
  const input = Object.fromEntries(doors.map(([asked, { door }]) => [door, asked]));
  const build = await rolldown({
    cwd: from,
    input,
    external: [/^@automerge\/automerge(\/|$)/, /^node:/],
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    logLevel: "warn",
  });
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/**
 * Its files as they are, without the other five copies of the same WebAssembly. Bundlers for browsers take the one that
 * Node takes.
 */
async function copyAutomerge(from, to) {
  const { node, bundlers, slim } = AUTOMERGE;
  const wasm = join(from, WASM);
  const modules = reachable([node, bundlers, slim].map((file) => join(from, file)));
  const declarations = readdirSync(from).filter((file) => file.endsWith(".d.ts"));
  for (const file of [...modules, wasm, ...declarations.map((name) => join(from, name))]) {
    if (file.endsWith(".wasm") && file !== wasm) {
      refuseOther(file, wasm);
      continue;
    }
    const target = join(to, relative(from, file));
    await mkdir(dirname(target), { recursive: true });
    if (!file.endsWith(".js")) await copyFile(file, target);
    else await writeFile(target, withOneWasm(readFileSync(file, "utf8"), file, wasm));
  }
}

function withOneWasm(source, file, wasm) {
  const path = relative(dirname(file), wasm);
  return withRenamedImports(source, file, (name) =>
    basename(name) === basename(wasm) ? path : undefined,
  ).replace(`new URL('${basename(wasm)}', import.meta.url)`, `new URL('${path}', import.meta.url)`);
}

function refuseOther(file, wasm) {
  const [one, other] = [file, wasm].map((path) =>
    createHash("sha256").update(readFileSync(path)).digest("hex"),
  );
  if (one !== other) throw new Error(`Automerge's WebAssembly is no longer the same in ${file} and ${wasm}.`);
}

function automergeDoors() {
  const at = (file) => `./${FOLDER}/automerge/${file}`;
  const types = at(AUTOMERGE.types);
  return {
    "./others/automerge": { types, node: at(AUTOMERGE.node), default: at(AUTOMERGE.bundlers) },
    "./others/automerge-slim": { types, default: at(AUTOMERGE.slim) },
  };
}
