/**
 * What compiled modules ask for: which files of a package its entries need, and by which names they import the rest.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/**
 * @param {readonly string[]} entries - modules, or declarations (`.d.ts`)
 * @param {readonly string[]} [without] - files that are asked for and not followed
 * @returns {Set<string>} the entries and all files that they need, lazily imported ones and workers included
 */
export function reachable(entries, without = []) {
  const found = new Set();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file) || without.includes(file)) continue;
    found.add(file);
    if (isModule(file)) queue.push(...neighbours(file));
  }
  return found;
}

const isModule = (file) => /\.(?:m?js|d\.ts)$/.test(file);

function neighbours(file) {
  const source = readFileSync(file, "utf8");
  const beside = (name) =>
    join(dirname(file), file.endsWith(".d.ts") ? name.replace(/\.js$/, ".d.ts") : name);
  return requestsIn(source, file)
    .map(({ name }) => name)
    .filter((name) => name.startsWith("."))
    .map(beside);
}

/**
 * @param {string} source
 * @param {string} file - it is from: its name tells the language
 * @param {(name: string) => string | undefined} renamed - the new name of what is imported; undefined keeps it
 */
export function withRenamedImports(source, file, renamed) {
  const changes = requestsIn(source, file)
    .map(({ name, start, end }) => ({ to: renamed(name), start, end }))
    .filter(({ to }) => to !== undefined)
    .sort((one, other) => other.start - one.start);
  let result = source;
  for (const { to, start, end } of changes)
    result = result.slice(0, start) + JSON.stringify(to) + result.slice(end);
  return result;
}

/** By the source: each is asked for three times, and to parse it is most of the time that packing takes. */
const requests = { js: new Map(), dts: new Map() };

/** Every literal that names another module: with the place of the literal. */
function requestsIn(source, file) {
  const lang = file.endsWith(".d.ts") ? "dts" : "js";
  const known = requests[lang].get(source) ?? parsedRequests(source, lang);
  requests[lang].set(source, known);
  return known;
}

function parsedRequests(source, lang) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (typeof node === "object" && node !== null) {
      const literal = requestOf(node);
      if (typeof literal?.value === "string")
        found.push({ name: literal.value, start: literal.start, end: literal.end });
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(parseAst(source, { lang }).body);
  return found;
}

/** Imports, static, lazy or of types; `import.meta.resolve("…")`; and `new URL("./….js", import.meta.url)`. */
function requestOf(node) {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node.source;
    case "CallExpression":
      return node.callee.property?.name === "resolve" && node.callee.object.type === "MetaProperty"
        ? node.arguments[0]
        : undefined;
    case "NewExpression":
      return node.callee.name === "URL" && isOwnModule(node.arguments) ? node.arguments[0] : undefined;
    default:
      return undefined;
  }
}

const isOwnModule = ([path, base]) =>
  base?.object?.type === "MetaProperty" && /^\.\.?\/.*\.js$/.test(path?.value ?? "");

/**
 * @param {string} file
 * @returns {readonly string[]} what it imports from outside its package
 */
export function importsOf(file) {
  if (!isModule(file)) return [];
  return requestsIn(readFileSync(file, "utf8"), file)
    .map(({ name }) => name)
    .filter((name) => !/^(?:\.|node:)/.test(name));
}
