/**
 * Reads the declarations that the compiler wrote of a package: what an entry exports, and what that mentions.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";

const modules = new Map();

/**
 * @param {string} entry - of declarations
 * @returns the declarations of what it exports, and of what those mention of their own package, as text; and where
 *   each of them is declared
 */
export function surfaceOf(entry) {
  const shown = new Map();
  for (const [name, found] of exportsOf(entry)) shown.set(name, found);
  const seen = new Set([...shown.values()].map(({ id }) => id));
  const mentioned = new Map();
  const queue = [...shown.values()];
  for (let found = queue.shift(); found !== undefined; found = queue.shift()) {
    for (const other of mentionsIn(found)) {
      if (seen.has(other.id)) continue;
      seen.add(other.id);
      mentioned.set(`${other.name} ${other.id}`, other);
      queue.push(other);
    }
  }
  const declared = [...shown.values(), ...mentioned.values()].map(({ name, module }) => ({
    name,
    path: module.path,
  }));
  return { shown: printed(shown), mentioned: printed(mentioned), declared };
}

const printed = (byName) =>
  [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { text, name: own }]) => {
      const plain = name.split(" ")[0];
      return plain === own ? text : `${text} // as ${plain}`;
    });

/** A file of declarations: what it declares, what it imports, and what it exports. */
function moduleOf(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const source = readFileSync(path, "utf8");
  const module = { path, source, declared: new Map(), imported: new Map(), exported: new Map(), stars: [] };
  modules.set(path, module);
  for (const statement of parseAst(source, { lang: "dts" }).body) note(module, statement);
  return module;
}

function note(module, statement) {
  const from = statement.source?.value;
  if (statement.type === "ImportDeclaration") {
    for (const { local, imported } of statement.specifiers)
      module.imported.set(local.name, { from, name: imported?.name });
  } else if (statement.type === "ExportAllDeclaration") {
    module.stars.push(from);
  } else if (statement.type === "ExportNamedDeclaration" && statement.declaration === null) {
    for (const { local, exported } of statement.specifiers)
      module.exported.set(exported.name, { from, name: local.name });
  } else {
    const isExported = statement.type === "ExportNamedDeclaration";
    const declaration = isExported ? statement.declaration : statement;
    for (const name of namesOf(declaration)) {
      module.declared.set(name, [...(module.declared.get(name) ?? []), { statement, declaration }]);
      if (isExported) module.exported.set(name, { name });
    }
  }
}

const namesOf = (declaration) =>
  declaration.type === "VariableDeclaration"
    ? declaration.declarations.map(({ id }) => id.name)
    : [declaration.id?.name].filter((name) => name !== undefined);

/** Of a file, with those it passes on: the declaration behind each name. */
function exportsOf(path) {
  const module = moduleOf(path);
  const found = new Map();
  for (const star of module.stars)
    for (const [name, one] of exportsOf(fileOf(path, star) ?? path)) found.set(name, one);
  for (const [name, { from, name: own }] of module.exported) {
    const one = from === undefined ? declarationOf(module, own) : passedOn(path, from, own);
    if (one !== undefined) found.set(name, one);
  }
  return found;
}

function passedOn(path, from, name) {
  const file = fileOf(path, from);
  if (file !== undefined) return exportsOf(file).get(name);
  const text = `{ ${name} } from "${from}"`;
  return { id: `${from} ${name}`, name, text, module: moduleOf(path), nodes: [] };
}

/** @returns undefined for what another package or the language has */
function declarationOf(module, name) {
  const declarations = module.declared.get(name);
  if (declarations !== undefined) {
    const text = declarations.map(({ statement }) => withoutComments(module.source, statement)).join("\n");
    return {
      id: `${module.path} ${name}`,
      name,
      text,
      module,
      nodes: declarations.map((one) => one.declaration),
    };
  }
  const imported = module.imported.get(name);
  const file = imported && fileOf(module.path, imported.from);
  return file && imported.name && exportsOf(file).get(imported.name);
}

/** Of the same package only. */
const fileOf = (path, specifier) =>
  specifier.startsWith(".") ? join(dirname(path), specifier.replace(/\.js$/, ".d.ts")) : undefined;

function mentionsIn({ module, nodes }) {
  const names = new Set();
  const visit = (node) => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (typeof node === "object" && node !== null) {
      if (node.type === "Identifier") names.add(node.name);
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(nodes);
  return [...names].map((name) => declarationOf(module, name)).filter((found) => found !== undefined);
}

/** As the compiler wrote it, in one piece. */
const withoutComments = (source, { start, end }) =>
  source
    .slice(start, end)
    .replace(/[ \t]*\/\*\*[\s\S]*?\*\/\n?/g, "")
    .replace(/^export (declare )?|^declare /, "")
    .replace(/;$/, "");
