/**
 * Which declarations of a file lack a doc comment: names and their members. Reads what the compiler wrote of a package.
 *
 * None is needed by a constructor, by a setter, by a property with one possible value, such as the `kind` of a union,
 * and by what stands within a signature or in a type of up to three properties that has no name: the comment of the
 * whole covers these.
 *
 * @module
 */
import { parseSync } from "rolldown/utils";

/** Types within types of up to so many properties are covered by the comment of the whole. */
const COVERED_PROPERTIES = 3;

/** Constants whose properties become those of public types, with their comments. */
const TABLES: ReadonlySet<string> = new Set(["MEMORY_FIELDS", "MEMORY_NOTES"]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // biome-ignore lint/suspicious/noExplicitAny: a syntax tree, whose nodes have a shape for each type
  readonly [key: string]: any;
}

/**
 * @param source - of a file of declarations
 * @param names - which of them to look at
 * @returns what has no doc comment, such as `Memory` or `Memory.tags`
 */
export function undocumentedIn(source: string, names: ReadonlySet<string>): readonly string[] {
  const { body } = parseSync("module.d.ts", source).program as unknown as { readonly body: readonly Node[] };
  return body.flatMap((statement) => {
    const declaration: Node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    const name = nameOf(declaration);
    if (name === undefined || !names.has(name)) return [];
    const own = isDocumented(source, statement) ? [] : [name];
    const members = membersOf(declaration)
      .filter(({ node }) => needsComment(node) && !isDocumented(source, node))
      .map(({ path }) => [name, ...path].join("."));
    return [...own, ...members];
  });
}

const nameOf = (declaration: Node | null): string | undefined =>
  declaration?.type === "VariableDeclaration" ? declaration.declarations[0].id.name : declaration?.id?.name;

function isDocumented(source: string, { start }: Node): boolean {
  const before = source.slice(0, start).trimEnd();
  const comment = before.endsWith("*/") ? before.slice(before.lastIndexOf("/*")) : "";
  return comment.startsWith("/**") && !comment.includes("@module");
}

function needsComment({ key, kind, accessibility, typeAnnotation }: Node): boolean {
  if (key.type === "PrivateIdentifier" || accessibility === "private") return false;
  return kind !== "constructor" && kind !== "set" && typeAnnotation?.typeAnnotation.type !== "TSLiteralType";
}

interface Member {
  readonly node: Node;
  /** Its name, after those of the members that it stands in. */
  readonly path: readonly string[];
}

/** Of an interface, a class, a table, or a type made of object types; with their own members. */
function membersOf(node: Node | undefined, isWithin = false): readonly Member[] {
  switch (node?.type) {
    case "TSInterfaceDeclaration":
    case "ClassDeclaration":
      return node.body.body.flatMap(withItsOwn);
    case "VariableDeclaration":
      return TABLES.has(nameOf(node) ?? "")
        ? node.declarations[0].id.typeAnnotation.typeAnnotation.members.flatMap(alone)
        : [];
    case "TSTypeLiteral":
      return isWithin && node.members.length <= COVERED_PROPERTIES ? [] : node.members.flatMap(withItsOwn);
    case "TSTypeAliasDeclaration":
      return membersOf(node.typeAnnotation);
    case "TSParenthesizedType":
    case "TSTypeOperator":
      return membersOf(node.typeAnnotation, isWithin);
    case "TSArrayType":
      return membersOf(node.elementType, true);
    case "TSUnionType":
    case "TSIntersectionType":
      return node.types.flatMap((type: Node) => membersOf(type, true));
    default:
      return [];
  }
}

/** Index signatures have no name. */
const alone = (node: Node): readonly Member[] =>
  node.key === undefined ? [] : [{ node, path: [node.key.name ?? "[…]"] }];

const withItsOwn = (node: Node): readonly Member[] =>
  alone(node).flatMap((member) => [
    member,
    ...membersOf(node.typeAnnotation?.typeAnnotation, true).map((own) => ({
      node: own.node,
      path: [...member.path, ...own.path],
    })),
  ]);
