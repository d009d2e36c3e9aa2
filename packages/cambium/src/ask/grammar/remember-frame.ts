/**
 * What is to be remembered, with where and as what: "remember on branch kitchen that …", "note tagged garden: …",
 * "remember that …, in category money".
 *
 * What names a branch, a category or a tag is not written as text: it is read, or the request is refused and it is
 * shown what was understood. Where it may as well be part of the text, the person is asked to say which.
 *
 * @module
 */
import { parseStart, parseTime } from "@cambium/core";
import { oneLine } from "@cambium/core/text";
import { frameInWords } from "../frame-in-words.js";
import type { Surroundings, Understood } from "../intent.js";
import type { Refusal } from "../patterns.js";
import { straight, withoutLast } from "../plain-sentence.js";
import { dateOrNone, refOf } from "../when.js";
import { type Frame, type Framed, frameAt, framesJoined, KINDS } from "./frame.js";
import { ANY_VERB, EMPTY_STATEMENT, isStatement, readRemember, VERBS } from "./remembering.js";

const A_NOTE = `(?:an?|another|one) (?:new )?(?:(?<kind>${KINDS})|note|memory|entry)`;
const KEEP = new RegExp(
  `^(?:(?:keep|bear)(?: it)? in mind|(?:don't|do not|never) forget|for the record|fyi|(?:remember|memori[sz]e|note|save|store|record|write|jot|put|keep|add|log|file|register|learn)(?: down)?\\b(?: (?:this|that(?=[^:]{0,80}:)|it|the following|${A_NOTE})(?! (?:is|was|are|were)\\b))?|(?:an? )?new (?:note|memory|entry)|(?:make|take|create|leave)(?: me)? ${A_NOTE.replace("?<kind>", "")})(?=[\\s,:#])`.replaceAll(
    " ",
    "\\s+",
  ),
  "i",
);
/** Between where it is to be kept and what. */
const THEN = /^(?:\s*:\s*|\s*,?\s+that\s+(?=\S)|\s+[-–—]\s+)/i;
const TO = /^\s*,?\s+to\s+/i;

export async function readFramed(
  text: string,
  around: Surroundings,
): Promise<Understood | Refusal | undefined> {
  const start = straight(text.slice(0, MOST_BEFORE));
  const lead = await frameAt(start, around);
  const begin = lead === undefined ? 0 : lead.length + gapAt(start, lead.length);
  const keep = KEEP.exec(start.slice(begin));
  if (keep === null) return leadOnly(text, start, lead) ?? (await filedAfter(text, around));
  const kind = keep.groups?.kind;
  const named: Frame = { fields: kind === undefined ? {} : { kind } };
  const after = begin + keep[0].length;
  const from = after + gapAt(start, after);
  // What follows "remember:" is taken as it is.
  const isMarked = /^\s*:/.test(start.slice(after));
  const found = isMarked ? undefined : await frameAt(start.slice(from), around);
  if (found === undefined && lead === undefined) return await unframed(text, { start, after, from }, around);
  const frame = [lead?.frame, found?.frame].reduce<Frame | undefined>(
    (all, one) => (all === undefined || one === undefined ? all : framesJoined(all, one)),
    named,
  );
  const end = found === undefined ? after : from + found.length;
  const rest = start.slice(end);
  const then = THEN.exec(rest) ?? (/^(?:remember|don't|do not|never)/i.test(keep[0]) ? TO.exec(rest) : null);
  const content = text.slice(end + (then?.[0].length ?? 0)).trim();
  if (frame === undefined) return twice(start.slice(0, end));
  if (then !== null) return isEmpty(content) ? undefined : asRemember(content, frame);
  // "In category money remember the rent is 900".
  if (found === undefined) return fromRemembered(readRemember(text.slice(begin))?.content, frame, around);
  const isBranch = frame.branch !== undefined || found.isExplicit;
  if (isBranch && isStatement(content)) return asRemember(content, frame);
  const left = leftBefore(rest);
  return left === undefined ? undefined : notRead(left, frame, { text, after }, around);
}

/** A frame is not longer. */
const MOST_BEFORE = 400;

const gapAt = (text: string, at: number): number => /^[\s,:]*/.exec(text.slice(at))?.[0].length ?? 0;

const isEmpty = (content: string): boolean =>
  EMPTY_STATEMENT.test(withoutLast(".!?…", content)) || !/[\p{L}\p{N}]/u.test(content);

const asRemember = (content: string, { branch, fields }: Frame): Understood => ({
  understood: true,
  request: {
    operation: "remember",
    content,
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  },
  ...(branch === undefined ? {} : { branch }),
});

/** "Tagged money: the rent is 900", with no verb. */
function leadOnly(text: string, start: string, lead: Framed | undefined): Understood | undefined {
  if (lead === undefined) return undefined;
  const colon = /^\s*:\s*/.exec(start.slice(lead.length));
  const content = text.slice(lead.length + (colon?.[0].length ?? 0)).trim();
  const isOurs = lead.isExplicit || lead.frame.branch !== undefined;
  return colon !== null && isOurs && isStatement(straight(content)) && !CORRECTS.test(content)
    ? asRemember(content, lead.frame)
    : undefined;
}

/** "Leo weighs 22 kilos, put that under health": told to be kept by where. */
async function filedAfter(text: string, around: Surroundings): Promise<Understood | undefined> {
  if (!/(?:put|file|save|keep|store|tag|label) (?:it|this|that) \S/i.test(text.slice(-MOST_AFTER)))
    return undefined;
  const tail = await tailOf(text, around);
  if (tail === undefined || !tail.isPlain || CORRECTS.test(tail.content)) return undefined;
  const content = straight(tail.content);
  return isStatement(content) || ANY_VERB.test(content) ? asRemember(tail.content, tail.frame) : undefined;
}

/** "The worktop is actually oak" says that something else is known. */
const CORRECTS =
  /^(?:in fact|correction|no|wrong|nope|update|correct|fix|change)\b|\b(?:actually|now|no longer|anymore|any more|from now on)\b/i;

interface Place {
  readonly start: string;
  /** The end of the verb. */
  readonly after: number;
  /** Where a frame would begin. */
  readonly from: number;
}

/** Nothing before the text says where; something at its end may. */
async function unframed(
  text: string,
  { start, after, from }: Place,
  around: Surroundings,
): Promise<Understood | Refusal | undefined> {
  const rest = start.slice(after);
  const isMarked = /^\s*:/.test(rest);
  const left = isMarked ? undefined : leftBefore(rest);
  const timed = left === undefined ? undefined : await timedFirst(left, text.slice(after), around);
  if (timed !== undefined) return timed;
  if (left !== undefined && HEAD.test(left) && (await dateOrNone(left, around.now, parseTime)) === undefined)
    return notRead(left, { fields: {} }, { text, after }, around);
  const content = readRemember(text)?.content;
  if (content !== undefined) return await fromRemembered(content, { fields: {} }, around, isMarked);
  // "Save Lena owes me 40 euro in category money".
  const tail = await tailOf(text.slice(from), around);
  if (tail === undefined) return undefined;
  if (isStatement(straight(tail.content))) return asRemember(tail.content, tail.frame);
  return OF_MEMORIES.test(tail.content)
    ? undefined
    : {
        why: `"${oneLine(tail.words)}" says where something is to be kept. To keep a new memory there:`,
        ...nearOf(`remember ${oneLine(tail.words)}: ${oneLine(tail.content)}`),
        isFinal: true,
      };
}

/** "Remember tomorrow that I call Tom": the time is said of what follows, and is no part of it. */
async function timedFirst(
  left: string,
  rest: string,
  { now }: Surroundings,
): Promise<Understood | Refusal | undefined> {
  const words = left.replace(/^(?:on|for|since|from|dated|as of)\s+/i, "");
  if (
    !/\d|day|night|morning|noon|evening|tomorrow|week|month|year|ago|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(
      words,
    )
  )
    return undefined;
  const at = await dateOrNone(words, now, parseStart);
  const content = rest
    .slice(rest.indexOf(left) + left.length)
    .replace(THEN, "")
    .trim();
  if (isEmpty(content)) return undefined;
  const isPlain = /\d{4}|\b(?:last|ago|yesterday|today|tomorrow|this|next)\b/i.test(words);
  if (at !== undefined && (at > now || isPlain) && !(at <= now && /\b(?:tomorrow|next)\b/i.test(words)))
    return asRemember(content, {
      fields: { [at > now ? "validFrom" : "occurredAt"]: new Date(at).toISOString() },
    });
  if (at === undefined && !TIME.test(words)) return undefined;
  return {
    why: `Understood: "${oneLine(content).slice(0, MOST_SHOWN)}" is to be kept. Not understood: which day "${oneLine(words)}" is. Name it as a date.`,
    ...nearOf(
      `remember dated ${dateText(at ?? now)}: ${oneLine(content)}`,
      `remember: ${oneLine(`${left}, ${content}`)}`,
    ),
    isFinal: true,
  };
}

const TIME =
  /^(?:tomorrow|tonight|today|yesterday|(?:next|this|last|every) .*(?:day|week|month|year|morning|evening|night)s?)\b/i;

const dateText = (at: number): string => refOf(at, () => at);

/** What is there already may be what is to be kept elsewhere. */
const OF_MEMORIES =
  /\b(?:memory|memories|notes?|facts?|everything|all|it|this|that|them|these|those|checkpoint|backup|snapshot|state|branch)\b/i;

/** These name a place or a property, if anything does. */
const HEAD =
  /^(?:on|in|into|onto|under|tagged|tag|category|branch|labell?ed|#|(?:for|to|at|with|as)\s+(?:\S+\s+){0,3}(?:branch|category|tags?|area)\b)/i;

/** What stands before "that" or a colon. */
function leftBefore(rest: string): string | undefined {
  const left = /^[\s,]*([^:.!?\n]{1,80}?)(?:\s*:\s|\s*,?\s+that\s)/i.exec(rest)?.[1];
  return left === undefined || left.split(/\s+/).length > MOST_LEFT ? undefined : left;
}

const MOST_LEFT = 8;

function notRead(
  left: string,
  frame: Frame,
  { text, after }: { readonly text: string; readonly after: number },
  { branches }: Surroundings,
): Refusal {
  const known = frameInWords(frame);
  const isNew = /\b(?:an?|another) (?:new |separate )?branch\b/i.test(left);
  const name = /\b(?:called|named)\s+(\S+)/i.exec(left)?.[1] ?? "<name>";
  return {
    why: [
      `"${oneLine(left)}" was not understood: where, or as what, is it to be kept?`,
      ...(known === "" ? [] : [`Understood was: ${known}.`]),
      isNew
        ? `Make the branch first: cambium branch ${oneLine(name)}`
        : `Say it as: on branch ${branches.at(-1) ?? "main"}, in category money, tagged garden. Branches: ${branches.map(oneLine).join(", ")}. What follows "remember:" is kept as it is.`,
    ].join(" "),
    ...(isNew ? {} : nearOf(`remember: ${oneLine(text.slice(after)).trim()}`)),
    isFinal: true,
  };
}

const twice = (words: string): Refusal => ({
  why: `"${oneLine(words).trim()}" names two branches, or two of a kind. Say one.`,
  isFinal: true,
});

const MOST_SHOWN = 120;
const nearOf = (...examples: readonly string[]): Pick<Refusal, "near"> => {
  const short = examples.filter((example) => example.length <= MOST_SHOWN);
  return short.length === 0 ? {} : { near: short.map((example) => ({ operation: "remember", example })) };
};

/** @param isMarked - a colon says where the text begins: it is taken as it is */
async function fromRemembered(
  content: string | undefined,
  frame: Frame,
  around: Surroundings,
  isMarked = false,
): Promise<Understood | Refusal | undefined> {
  if (content === undefined) return undefined;
  const tail = await tailOf(content, around);
  if (tail !== undefined && (tail.isPlain || !isMarked)) {
    const all = framesJoined(frame, tail.frame);
    if (all === undefined) return twice(content.slice(-MOST_SHOWN));
    return tail.isPlain ? asRemember(tail.content, all) : mayBeText(content, tail);
  }
  const head = isMarked ? undefined : await frameAt(straight(content.slice(0, MOST_BEFORE)), around);
  const rest = head === undefined ? "" : content.slice(head.length).replace(/^[\s,]+/, "");
  if (head?.isExplicit && rest.split(/\s+/).length > 2)
    return mayBeText(content, { content: rest, frame: head.frame, words: content.slice(0, head.length) });
  return asRemember(content, frame);
}

interface Tail {
  readonly content: string;
  readonly frame: Frame;
  /** As they were written. */
  readonly words: string;
}

/** "CI deploys the app on branch main" may say where it is to be kept, or what CI does. */
const mayBeText = (content: string, { content: bare, words }: Tail): Refusal => ({
  why: `"${oneLine(words).trim()}" may say where it is to be kept, or be part of the text. Say which:`,
  ...nearOf(`remember ${oneLine(words).trim()}: ${oneLine(bare)}`, `remember: ${oneLine(content)}`),
  isFinal: true,
});

const MOST_AFTER = 160;
const BEFORE_TAIL =
  /(\s+and\s+(?=(?:tag|label)\s+(?:it|this|that)\s)|\s+and\s+(?:put|save|store|keep|file)\s+(?:it|this|that)\s+|\s*[,;.]\s+(?:and\s+)?(?:(?:put|save|store|keep|file|note)\s+(?:it|this|that)\s+)?|\s+[-–—]\s+|\s*[([]\s*|\s+)(?=(?:on|in|to|into|onto|under|for|at|with|as|and|of|tagged|labell?ed|filed|categori[sz]ed|category|branch|tags?|label|mark|area|kind|importance)\b|#)/gi;
/** After one of these, what follows belongs to the text. */
const OPEN_END = new RegExp(
  `(?:^|\\s)(?:${VERBS}|be|been|being|called|named|the|an?|of|to|on|in|at|for|with|by|from|and|or|not|also|now|than|as|like|\\S+ed)$`,
  "i",
);

/** @returns what stands at the end of a text and says where to keep it; `isPlain` where it can be nothing else */
async function tailOf(
  content: string,
  around: Surroundings,
): Promise<(Tail & { readonly isPlain: boolean }) | undefined> {
  const start = Math.max(0, content.length - MOST_AFTER);
  const end = straight(content.slice(start));
  for (const match of end.matchAll(BEFORE_TAIL)) {
    const at = match.index + match[0].length;
    const framed = await frameAt(end.slice(at), around);
    const isOrdered = /\b(?:it|this|that)\s/i.test(match[1] ?? "");
    if (
      framed === undefined ||
      !(framed.isExplicit || isOrdered) ||
      !/^[\s.)\]!]*$/.test(end.slice(at + framed.length))
    )
      continue;
    const bare = content.slice(0, start + match.index).trim();
    const isHashtags = end.charAt(at) === "#";
    const isPlain = /\S/.test(match[1] ?? "") || isHashtags;
    if (bare === "" || ((!isPlain || isHashtags) && OPEN_END.test(bare))) return undefined;
    const isClosed = /[([]/.test(match[1] ?? "");
    const mark = /^[\s)\]]*([.!]?)/.exec(end.slice(at + framed.length))?.[1] ?? "";
    const text = isClosed || /[.!?]$/.test(bare) ? bare : `${bare}${mark}`;
    return { content: text, frame: framed.frame, words: end.slice(at, at + framed.length), isPlain };
  }
  return undefined;
}
