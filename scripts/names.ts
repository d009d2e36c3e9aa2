/**
 * Which names of a source file use a word that the glossary has retired.
 *
 * Looked at are names that the file itself chooses: of files, types, functions, variables, parameters, methods and
 * private fields. Names of properties are left out: many are stored or sent under that name, and stay as they are.
 *
 * @module
 */
import { basename } from "node:path";
import { parseSync } from "rolldown/utils";

/** @returns the word to use by the retired one; a retired one may have several words, such as `going back` */
export function retiredWords(glossary: string): ReadonlyMap<string, string> {
  const [, table = ""] = /\n## Retired words\n([\s\S]*?)(?=\n## |$)/.exec(glossary) ?? [];
  return new Map(
    [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
      .filter(([, retired = ""]) => retired !== "retired" && !retired.startsWith("-"))
      .flatMap(([, retired = "", used = ""]) =>
        retired.split(",").map((word) => [word.trim(), used.trim()] as const),
      ),
  );
}

export interface RetiredName {
  readonly name: string;
  readonly word: string;
  readonly instead: string;
  /** Counted from 1; 0 for the name of the file. */
  readonly line: number;
}

/** @returns every name in the file that uses a retired word */
export function retiredNames(
  path: string,
  text: string,
  retired: ReadonlyMap<string, string>,
): RetiredName[] {
  const names = [{ name: basename(path, ".ts"), start: -1 }, ...declaredNames(path, text)];
  return names.flatMap(({ name, start }) =>
    [...retired]
      .filter(([word]) => usesWord(name, word))
      .map(([word, instead]) => ({ name, word, instead, line: start < 0 ? 0 : lineAt(text, start) })),
  );
}

const lineAt = (text: string, start: number): number => text.slice(0, start).split("\n").length;

/** Compares whole words, and a plural with its singular: `lookalike` is in `findLookalikes`. */
function usesWord(name: string, word: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const line = ` ${words.join(" ")} `;
  return line.includes(` ${word} `) || line.includes(` ${word}s `);
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** A node of this type gives a name to what is under the key. */
const NAME_BY_TYPE: Readonly<Record<string, string>> = {
  VariableDeclarator: "id",
  FunctionDeclaration: "id",
  FunctionExpression: "id",
  ClassDeclaration: "id",
  ClassExpression: "id",
  TSInterfaceDeclaration: "id",
  TSTypeAliasDeclaration: "id",
  TSTypeParameter: "name",
  MethodDefinition: "key",
  PropertyDefinition: "key",
  TSMethodSignature: "key",
};

function declaredNames(path: string, text: string): { name: string; start: number }[] {
  const found: { name: string; start: number }[] = [];
  const add = ({ name, start }: Node): void => {
    if (typeof name === "string") found.push({ name, start });
  };
  const visit = (node: Node): void => {
    const key = NAME_BY_TYPE[node.type];
    if (key !== undefined) for (const name of boundNames(node[key])) add(name);
    for (const parameter of nodesIn(node.params)) for (const name of boundNames(parameter)) add(name);
    for (const value of Object.values(node)) for (const child of nodesIn(value)) visit(child);
  };
  visit(parseSync(path, text).program as unknown as Node);
  return found;
}

/** The names that a pattern binds, such as `b` and `rest` in `{ a: b, ...rest }`. */
function boundNames(pattern: unknown): readonly Node[] {
  const [node] = nodesIn(pattern);
  switch (node?.type) {
    case "Identifier":
    case "PrivateIdentifier":
      return [node];
    case "ObjectPattern":
      // `{ said }` takes a property by its name; `{ said: words }` chooses a name.
      return nodesIn(node.properties).flatMap((one) =>
        one.shorthand === true ? [] : boundNames(one.value ?? one.argument),
      );
    case "ArrayPattern":
      return nodesIn(node.elements).flatMap(boundNames);
    case "AssignmentPattern":
      return boundNames(node.left);
    case "RestElement":
      return boundNames(node.argument);
    default:
      return [];
  }
}

const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";
