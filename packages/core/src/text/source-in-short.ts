/**
 * Where a memory came from, in a few words.
 *
 * @module
 */

/** A source as it is stored, of any kind. */
interface SourceWords {
  /** Decides which of the other keys are shown. */
  readonly kind: string;
  readonly [key: string]: string | number | undefined;
}

/** As much of a memory as says where its text comes from. */
interface Sourced {
  /** What of it was erased. */
  readonly erased?: string | undefined;
  /** All of its text. */
  readonly content: string;
  /** Where it came from. Without it, the text stays as it is. */
  readonly source?: SourceWords | undefined;
}

const RECORD_DIGITS = 12;
const BETWEEN = " › ";
/** More words of a kind that is not known say no more. */
const WORDS_SHOWN = 2;

/** Such as `Noor Haddad › Notes (file People/Noor Haddad.md)`, `email thread-12 message-3` or `version://<memory>/<record>`. */
export function sourceInShort(source: SourceWords): string {
  const { kind, inputMethod: _inputMethod, ...words } = source;
  const file = fileOf(source);
  const title = pieceTitle(source);
  if (title !== undefined) return `${title} (file ${file})`;
  if (kind === "version") return `version://${words.memory}/${String(words.record).slice(0, RECORD_DIGITS)}`;
  if (kind === "file" && file !== undefined) return `file ${file}`;
  if (kind === "url") return String(words.url);
  if (kind === "import") return `import ${words.name}`;
  const values = Object.values(words).filter((value) => value !== undefined);
  return [kind, ...values.slice(0, WORDS_SHOWN)].join(" ");
}

/** The title of the document that a piece was cut from, and the headings above the piece, such as `Noor Haddad › Notes`. */
function pieceTitle(source: SourceWords): string | undefined {
  const { kind, format, heading } = source;
  const file = fileOf(source);
  const isPiece = kind === "import" ? format === "markdown" : kind === "file" && heading !== undefined;
  if (!isPiece || file === undefined) return undefined;
  const headings = String(heading ?? "")
    .split(" > ")
    .filter((each) => each !== "");
  const name = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  return (bare(name) === bare(headings[0] ?? "") ? headings : [name, ...headings]).join(BETWEEN);
}

/** A memory's text, or that it was erased, or its summary where the text is not kept any more. */
export const shownContent = ({
  content,
  erased,
  summary,
}: {
  readonly content: string;
  readonly erased?: string | undefined;
  readonly summary?: string | undefined;
}): string => {
  if (erased === undefined) return content;
  if (erased !== "pruned") return "(erased for good)";
  return summary === undefined ? "(text not kept any more)" : `${summary} (text not kept any more)`;
};

/** Of a memory that a way back leaves as it is. */
export const textGoneLine = (id: string): string =>
  `Left as it is, as its text from before is not kept any more: ${id}`;

/** A memory's text where there is room for one line: of a piece of a document with its title before it. */
export function contentWithTitle({ source, ...text }: Sourced): string {
  const content = shownContent(text);
  const title = source === undefined ? undefined : pieceTitle(source);
  if (title === undefined) return content;
  const [first = "", ...rest] = content.split("\n");
  const own = /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(first)?.[1];
  const repeatsTitle = own !== undefined && title.endsWith(own);
  return `${title}: ${repeatsTitle ? rest.join("\n").trim() : content}`;
}

function fileOf({ path, file, name }: SourceWords): string | undefined {
  const named = path ?? file ?? name;
  return named === undefined ? undefined : String(named);
}

const bare = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, " ");
