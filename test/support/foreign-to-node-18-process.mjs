/**
 * Loads the modules named by its arguments and prints what of them, and of whatever they load at once, Node 18 could
 * not even link: before it runs a line of a program it reads all of it, and then nobody can tell it what is wrong.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { parseAst } from "rolldown/parseAst";

/** What Node 18.20.8 exports, made with `Object.keys(await import(name))`. */
const KNOWN = JSON.parse(readFileSync(new URL("node-18-names.json", import.meta.url), "utf8"));
const found = new Set();

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (loaded.format === "module") look(parseAst(String(loaded.source)).body, url);
    return loaded;
  },
});

function look(node, url) {
  if (typeof node !== "object" || node === null) return;
  if (node.type === "ImportDeclaration") for (const name of newNames(node)) found.add(`${url}: ${name}`);
  if (node.type === "Literal" && node.regex?.flags.includes("v"))
    found.add(`${url}: /${node.regex.pattern}/v`);
  for (const child of Object.values(node)) look(child, url);
}

function newNames({ source, specifiers }) {
  if (!source.value.startsWith("node:")) return [];
  const known = KNOWN[source.value];
  if (known === undefined) return [source.value];
  return specifiers
    .filter(({ imported }) => imported !== undefined && !known.includes(imported.name))
    .map(({ imported }) => `${source.value} ${imported.name}`);
}

for (const url of process.argv.slice(2)) await import(url);
process.stdout.write([...found].sort().join("\n"));
