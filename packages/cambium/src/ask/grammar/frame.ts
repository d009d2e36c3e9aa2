/**
 * Where something is to be kept, and as what: "on branch kitchen", "in category money", "tagged garden and spring",
 * "as important", "valid until Friday". Part by part, from the left.
 *
 * @module
 */
import { parseStart, parseTime } from "@cambium/core";
import type { NamedFields, ParsedBranch, Surroundings } from "../intent.js";
import { unquoted } from "../patterns.js";
import { dateOrNone } from "../when.js";
import { isBranchName, parseBranch } from "./branching.js";
import { knownName } from "./known-names.js";

export interface Frame {
  readonly branch?: ParsedBranch;
  readonly fields: NamedFields;
}

export interface Framed {
  readonly frame: Frame;
  /** How many characters of the text it takes. */
  readonly length: number;
  /** Every part of it says what it is: a branch, a category, a tag. */
  readonly isExplicit: boolean;
}

const NAME = "(\"[^\"]+\"|'[^']+'|[^\\s,:;\"'()]*[^\\s,:;.!?\"'()])";
const ON = "(?:on|in|to|into|onto|for|under|at)";
const OUR = "(?:(?:the|my|our) )?";
/** No further tag: what comes next, or what is to be remembered. */
const NO_TAG =
  "(?!(?:that|this|on|in|to|under|with|as|for|from|valid|and|the|it|category|branch|area|kind)\\b)";
const TAGS = `(#?${NAME}(?:(?:, ?(?:and )?| and )${NO_TAG}#?${NAME}(?= ?[,:.)]| (?:and|that|on|in|with|as|to|under|valid)\\b|$))*)`;
export const KINDS =
  "fact|preference|decision|event|goal|task|todo|to-do|idea|rule|procedure|lesson|insight|observation|constraint|plan|warning|reminder";
/** Where a part of a frame ends. */
const EDGE = "(?=[\\s,:;.!)\\]]|$)";

type FramePart = Partial<Omit<Frame, "fields">> & { readonly fields?: NamedFields };
interface Clause {
  readonly form: RegExp;
  /** Undefined: it is no such part after all. */
  readonly read: (
    slots: readonly string[],
    around: Surroundings,
  ) => FramePart | undefined | Promise<FramePart | undefined>;
  /** Elsewhere, these words may as well say something else. */
  readonly isVague?: true;
}

const clause = (pattern: string, read: Clause["read"], isVague?: true): Clause => ({
  form: new RegExp(`^(?:${pattern.replaceAll(" ?", "\\s*").replaceAll(" ", "\\s+")})${EDGE}`, "iu"),
  read,
  ...(isVague ? { isVague } : {}),
});

const NO_NAME = /^(?:an?|the|my|our|it|this|that|called|named|for|new|name|of|is|was)$/i;
const asName = (text = ""): string | undefined => (NO_NAME.test(text) ? undefined : unquoted(text));

const ofBranch = (name = "", around: Surroundings): FramePart | undefined =>
  asName(name) === undefined ? undefined : { branch: parseBranch(name, around) };

const field =
  (name: "category" | "kind" | "area") =>
  ([text]: readonly string[]): FramePart | undefined => {
    const value = asName(text);
    return value === undefined ? undefined : { fields: { [name]: value } };
  };

const readTags = ([text = ""]: readonly string[]): FramePart | undefined => {
  const tags = (text.match(/"[^"]+"|'[^']+'|[^\s,]+/g) ?? [])
    .filter((word) => word.toLowerCase() !== "and")
    .map((word) => unquoted(word.replace(/^#/, "")));
  return tags.length === 0 || tags.some((tag) => NO_NAME.test(tag)) ? undefined : { fields: { tags } };
};

const HOW_MUCH: Readonly<Record<string, number>> = {
  ...{ important: 0.8, urgent: 0.9, essential: 0.9, crucial: 0.9, critical: 0.9, high: 0.8 },
  ...{ medium: 0.5, normal: 0.5, low: 0.2, minor: 0.2, unimportant: 0.2 },
};
const VERY = 0.1;

const readImportance = ([very, word = ""]: readonly string[]): FramePart | undefined => {
  const amount = HOW_MUCH[word.toLowerCase()] ?? Number(word);
  if (!(amount >= 0 && amount <= 1)) return undefined;
  const more = amount > 0.5 ? VERY : -VERY;
  return { fields: { importance: very === undefined ? amount : Math.round((amount + more) * 10) / 10 } };
};

const readDate =
  (name: "occurredAt" | "validFrom" | "validUntil") =>
  async ([text = ""]: readonly string[], { now }: Surroundings): Promise<FramePart | undefined> => {
    const at = name === "validUntil" ? await comingEnd(text, now) : await dateOrNone(text, now, parseStart);
    return at === undefined ? undefined : { fields: { [name]: new Date(at).toISOString() } };
  };

/** Dates in words are those that have been; what is valid until Friday is so until the next one. */
async function comingEnd(text: string, now: number): Promise<number | undefined> {
  const at = await dateOrNone(text, now, parseTime);
  if (at === undefined || at >= now || /\d{4}|\b(?:last|ago|yesterday)\b/i.test(text)) return at;
  const coming = new Date(at);
  if (/day\b/i.test(text)) coming.setDate(coming.getDate() + 7);
  else coming.setFullYear(coming.getFullYear() + 1);
  return coming.getTime();
}

/** A date may have several words: the most that make one. */
const dated = (lead: string, read: Clause["read"], isVague?: true): readonly Clause[] =>
  [4, 3, 2, 1].map((count) =>
    clause(`${lead} (${Array(count).fill("[^\\s:,;()]+").join(" ")})`, read, isVague),
  );

const CLAUSES: readonly Clause[] = [
  clause(`${ON} ${OUR}branch (?:called |named )?${NAME}`, ([name], around) => ofBranch(name, around)),
  clause(`branch:? ?${NAME}`, ([name], around) => ofBranch(name, around)),
  clause(`${ON} (?:the|my|our) (\\S+(?: \\S+)?) branch`, ([name], around) => ofBranch(name, around)),
  clause(`${ON} ${NAME} branch`, ([name], around) => ofBranch(name, around)),
  clause(
    `(?:on|in|to|into|onto) ${NAME}`,
    ([name = ""], around) => (isBranchName(name, around) ? ofBranch(name, around) : undefined),
    true,
  ),
  clause(`(?:${ON}|with|as) ${OUR}category (?:called |named |of )?${NAME}`, field("category")),
  clause(`category:? ?(?:called |named )?${NAME}`, field("category")),
  clause(`(?:${ON}|with) ${OUR}${NAME} category`, field("category")),
  clause(`(?:categori[sz]ed|filed) (?:as|under|in) ${NAME}`, field("category")),
  clause(
    `(?:in|into|to|for) ${OUR}${NAME}`,
    ([name = ""], { categories }) => {
      const category = knownName(name, categories);
      return category === undefined ? undefined : { fields: { category } };
    },
    true,
  ),
  clause(`under ${NAME}`, field("category"), true),
  clause(`(?:and )?(?:tagged|labell?ed)(?: (?:with|as))?(?: the tags?)? ${TAGS}`, readTags),
  clause(`(?:with|under) (?:the |a )?tags?:? (?:called |named )?${TAGS}`, readTags),
  clause(`(?:tag|label|mark) (?:it|this|that) (?:as |with |by )?(?:the tags? )?${TAGS}`, readTags),
  clause(`tags?:? ${TAGS}`, readTags),
  clause(`(?:with|under) the ${NAME} tag`, readTags),
  clause("(#\\p{L}[\\p{L}\\d_-]*(?: #\\p{L}[\\p{L}\\d_-]*)*)", ([text = ""]) =>
    readTags([text.replaceAll(/\s+/g, ",")]),
  ),
  clause(`(?:in|for|under) ${OUR}area (?:of |called |named )?${NAME}`, field("area")),
  clause(`(?:in|for|under) (?:the|my|our) ${NAME} area`, field("area")),
  clause(`(?:of |with )?(?:the )?kind:? ${NAME}`, field("kind")),
  clause(`as (?:an?|my|our) (${KINDS})`, field("kind"), true),
  clause("as (?:an? )?(?:note|memory)", () => ({}), true),
  clause(
    "(?:as|marked|marked as) (?:(very|really|extremely|highly) )?(important|urgent|essential|crucial|critical|minor|unimportant)",
    readImportance,
    true,
  ),
  clause("(?:with|of) (?:(very|really|extremely) )?(high|medium|normal|low) importance", readImportance),
  clause(
    "(?:with )?(?:an )?importance(?: of|:)? (?:(very) )?(high|medium|low|[01](?:\\.\\d+)?)",
    readImportance,
  ),
  ...dated("valid (?:from|since|as of)", readDate("validFrom")),
  ...dated("(?:and )?valid (?:until|till|to|up to)", readDate("validUntil")),
  ...dated("(?:and )?(?:until|till)", readDate("validUntil"), true),
  ...dated("(?:dated|as of|from)", readDate("occurredAt"), true),
];

/** @returns undefined where the text does not begin with a part of a frame */
export async function frameAt(text: string, around: Surroundings): Promise<Framed | undefined> {
  if (!BEGINS.test(text)) return undefined;
  let frame: Frame = { fields: {} };
  let length = 0;
  let isExplicit = true;
  for (;;) {
    const gap = /^(?:[\s,]|and\s)*/i.exec(text.slice(length))?.[0].length ?? 0;
    const from = length === 0 ? 0 : length + gap;
    const found = await clauseAt(text.slice(from, from + LONGEST), frame, around);
    if (found === undefined) return length === 0 ? undefined : { frame, length, isExplicit };
    frame = found.frame;
    length = from + found.length;
    isExplicit &&= found.isExplicit;
  }
}

/** Most texts begin with none of these: so they cost nothing. */
const BEGINS =
  /^(?:on|in|into|onto|to|for|under|at|with|as|of|and|the|an?|from|dated|valid|until|till|mark|filed|tag|label|branch|categor|area|kind|importance|#)/i;
/** A part of a frame is not longer. */
const LONGEST = 200;

async function clauseAt(text: string, frame: Frame, around: Surroundings): Promise<Framed | undefined> {
  for (const { form, read, isVague } of CLAUSES) {
    const match = form.exec(text);
    if (match === null) continue;
    const part = await read(match.slice(1), around);
    const both = part && framesJoined(frame, part);
    if (both !== undefined) return { frame: both, length: match[0].length, isExplicit: isVague !== true };
  }
  return undefined;
}

/** @returns undefined where they do not fit together: two branches, or two categories, are one too many */
export function framesJoined(frame: Frame, { branch, fields = {} }: FramePart): Frame | undefined {
  if (branch !== undefined && frame.branch !== undefined) return undefined;
  const { tags = [], ...others } = fields;
  if (Object.keys(others).some((name) => name in frame.fields)) return undefined;
  const all = [...(frame.fields.tags ?? []), ...tags];
  return {
    ...frame,
    ...(branch === undefined ? {} : { branch }),
    fields: { ...frame.fields, ...others, ...(all.length === 0 ? {} : { tags: [...new Set(all)] }) },
  };
}
