/**
 * A sentence that no form fits, read by its parts: its clauses first, then what each names, then which request its words
 * speak for. Answers may be lenient, for they harm nothing; what is written accounts for every word of its clause, and
 * what takes something away lets nothing stand beside it but a reason.
 *
 * @module
 */
import { contrastIn } from "../changed-value.js";
import { SHOWN_HOW } from "../grammar/asked-about.js";
import { frameAt } from "../grammar/frame.js";
import { isOfHere, isStated } from "../grammar/stating.js";
import type { Intent, Surroundings, Understanding, Understood } from "../intent.js";
import { leavesMore, moreThanOne } from "../one-thing.js";
import { MAX_SENTENCE, straight, withoutCourtesies } from "../plain-sentence.js";
import { typedParts } from "../typed-parts.js";
import { type Answered, type Heard, OF_ASKING } from "./act.js";
import { bare, type Clause, clausesOf, isReason, isRegret, keptBy, speaksOfIt, USED_UP } from "./clauses.js";
import { readingOf } from "./reading-acts.js";
import { aboutOf, type Slots, slotsIn } from "./slots.js";
import { correctionIn, writingOf } from "./writing-acts.js";

export interface Reader {
  /** As one request. */
  readonly read: (text: string) => Promise<Understanding>;
  readonly reads: ReadonlySet<string>;
  readonly takesAway: ReadonlySet<string>;
}

/** @returns undefined where it is not plain what is asked */
export async function readByParts(
  text: string,
  around: Surroundings,
  { isFinal, ...reader }: Reader & { readonly isFinal: boolean },
): Promise<Understood | undefined> {
  if (text.length > MAX_SENTENCE || text.includes('"')) return undefined;
  const isWhole = async (sentence: string) => (await reader.read(sentence)).understood;
  const clauses = (await clausesOf(text, isWhole))?.filter(({ kind }) => kind !== "manners");
  if (clauses === undefined || clauses.length === 0) return undefined;
  const own = (kind: Clause["kind"]) => clauses.filter((clause) => clause.kind === kind);
  // "Keep the newer one" by itself decides something.
  const of = (kind: Clause["kind"]) =>
    kind === "asked" && own(kind).length === 0 ? own("keeps") : own(kind);
  const [asked, stated] = [of("asked"), of("told")];
  if (of("case").length > 0 || clauses.some(({ kind, text: words }) => kind !== "asked" && leavesMore(words)))
    return undefined;
  const last = asked.at(-1);
  if (last !== undefined && asked.length === 1 && clauses.at(-1) === last && KEEP_THAT.test(last.text)) {
    const content = textBefore(text, last.written);
    return isStated(content, around)
      ? { understood: true, request: { operation: "remember", content } }
      : undefined;
  }
  const kept = await keptAs(text, around);
  if (kept !== undefined) return kept;
  const fixing = asked.filter((clause) => FIX_IT.test(clause.text));
  const fixed = fixedIn(clauses);
  if (fixed !== undefined) return { understood: true, request: fixed };
  const side = asked.length === 0 ? await sideIn(stated, around) : undefined;
  if (side !== undefined && !isFinal) return side;
  if (asked.length === fixing.length)
    return isFinal || of("limits").length > 0 ? undefined : whole(text, { fixing, stated });
  const found: Understood[] = [];
  let before = await topicOf(stated, around);
  for (const clause of asked) {
    const one = await readClause(clause, {
      stated: [...stated, ...of("limits")],
      before,
      around,
      reader,
      isLimited: of("limits").length > 0,
    });
    if (one === undefined) return undefined;
    found.push(one);
    before = topicIn(one.request) ?? before;
  }
  return together(found, clauses, reader);
}

const KEEP_THAT =
  /^(?:(?:save|note|remember|keep|store|record|memori[sz]e|write|jot|file|log|hang on to|hold on to|put)(?: down)? (?:that|this|it)(?: down| in mind| somewhere| away)?(?: for (?:me|us|later|next time))?|(?:make|take) a note(?: of (?:that|this|it))?|add (?:that|this|it) to (?:your|my|the) (?:notes|memory|memories))(?:,? please|,? thanks)?$/i;

/** "Jot this down under work: …", "note for later - …": what stands before it only says where it is kept. */
async function keptAs(text: string, around: Surroundings): Promise<Understood | undefined> {
  const { head = "", content = "" } =
    /^(?<head>[^:]{3,80}?)(?:\s*:\s+|\s+[-–—]\s+)(?<content>\S[\s\S]*)$/.exec(text)?.groups ?? {};
  const [lead] = KEEPING.exec(straight(withoutCourtesies(head))) ?? [];
  if (lead === undefined) return undefined;
  const rest = straight(withoutCourtesies(head))
    .slice(lead.length)
    .replace(/^[\s,]+/, "");
  const framed = rest === "" ? undefined : await frameAt(rest, around);
  if (rest !== "" && framed?.length !== rest.length) return undefined;
  const { branch, fields = {} } = framed?.frame ?? {};
  return {
    understood: true,
    request: {
      operation: "remember",
      content: content.trim(),
      ...(Object.keys(fields).length === 0 ? {} : { fields }),
    },
    ...(branch === undefined ? {} : { branch }),
  };
}
const KEEPING =
  /^(?:(?:please|pls|can you|could you) )*(?:(?:jot|write|note|put|save|keep|store|record|file|log|add|remember|hold on to|hang on to)(?: (?:this|that|it|the following|one more))?(?: down)?(?: (?:for (?:later|me|us|next time)|on (?:record|file)|in mind|to (?:the|my|our|your) (?:notes|list|memory)))?|(?:a |another |one more )?(?:new |quick )?(?:note|fact|memory|entry)(?: (?:for later|to self))?)(?=[\s,]|$)/i;

/** Word for word. */
const textBefore = (text: string, written: string): string => {
  const at = straight(text).lastIndexOf(written);
  const before = text
    .slice(0, Math.max(0, at))
    .replace(/[\s,–—-]*(?:(?:and|so|please|can you|could you|would you)\s*)*$/i, "");
  return before.trim();
};

const FIX_IT =
  /^(?:update|change|correct|fix|adjust|amend|put) (?:that|this|it)(?: right| accordingly| for me| in your notes)?$|^(?:update|correct|fix) (?:your|the|my) (?:notes?|memory|memories|entry)$|^make (?:that|it) right$/i;

/** "Can you fix the yoga time? It's 18:30." */
function fixedIn(clauses: readonly Clause[]): Intent | undefined {
  const [order, value, ...others] = clauses;
  if (order === undefined || value === undefined || others.length > 0) return undefined;
  const of = /^(?:correct|change|update|fix|adjust|amend) (?:the |my |our )?(?<of>.+)$/i.exec(order.text)
    ?.groups?.of;
  const is = /^(?:it|that|they)(?:'s| is| are| should be|'re) (?:now )?(?<is>.+)$/i.exec(value.text)?.groups
    ?.is;
  if (of === undefined || is === undefined || typedParts(of).length > 0 || typedParts(is).length !== 1)
    return undefined;
  return correctionIn(`${of} is now ${is}`);
}

/** "The 7:45 one is right". */
async function sideIn(stated: readonly Clause[], around: Surroundings): Promise<Understood | undefined> {
  const clause = stated.at(-1);
  const isSettled = /^(?:that|this|it) (?:settles|decides|resolves) (?:it|that|the conflict)$/i.test(
    clause?.text ?? "",
  );
  const value = isSettled
    ? typedParts(
        stated
          .slice(0, -1)
          .map(({ text }) => text)
          .join(" "),
      )
    : [];
  if (isSettled && value.length === 1)
    return { understood: true, request: { operation: "settle", value: value[0]?.text ?? "" } };
  const side = /^(?<side>.+?) (?:is|was) (?:right|correct|the right one|the correct one)$/i.exec(
    clause?.text ?? "",
  )?.groups?.side;
  if (side === undefined) return undefined;
  const slots = await slotsIn(`keep ${side}`, around);
  const before = await topicOf(stated.slice(0, -1), around);
  const heard = (): Heard => ({ text: `keep ${side}`, slots: slots.again(), stated: "", before, around });
  const found = writingOf(heard, heard, true);
  return found?.request.operation === "settle" ? asUnderstood(found) : undefined;
}

/** All of it says one thing: what is so now. */
function whole(
  text: string,
  { fixing, stated }: { readonly fixing: readonly Clause[]; readonly stated: readonly Clause[] },
): Understood | undefined {
  const written = fixing.length > 0 ? stated.map((clause) => clause.text).join(", ") : bare(straight(text));
  if (fixing.length === 0 && isOfHere(written)) return undefined;
  const isOther =
    contrastIn(written) !== undefined || (IS_NEW.test(written) && typedParts(written).length > 0);
  if (written === "" || !(isOther || fixing.length > 0)) return undefined;
  const request = correctionIn(fixing.length > 0 ? `${written} now` : written);
  if (request?.operation !== "correct") return undefined;
  const { isKnown: _isKnown, ...unknown } = { ...request, content: written };
  return { understood: true, request: fixing.length > 0 ? { ...request, content: written } : unknown };
}
const IS_NEW =
  /\b(?:now|from now on|no longer|any ?more|these days|moved|changed|went (?:up|down)|should (?:be|say|read))\b/i;

interface Around {
  readonly stated: readonly Clause[];
  readonly before: string | undefined;
  readonly around: Surroundings;
  readonly reader: Reader;
  readonly isLimited: boolean;
}

async function readClause(
  { text: order, isQuestion: isMarked }: Clause,
  { stated, before, around, reader, isLimited }: Around,
): Promise<Understood | undefined> {
  const text = resolved(order, stated);
  const strict = withTopic(await reader.read(text), before);
  const isIt =
    strict.understood && isOfLast(strict.request) && stated.some((clause) => !isRegret(clause.text));
  const isRead = isMarked || LOOKS.test(text);
  const own = await slotsIn(text, around);
  const isTimed = strict.understood && own.has("period") && isTimedTopic(strict.request);
  if (strict.understood && !isIt && !isTimed && !(isRead && mayBeOther(strict, around))) return strict;
  const isBetween = (found: Answered | undefined): found is Answered =>
    found?.isPreview === true || found?.request.operation === "difference";
  if (leavesMore(text) && !ISNT_ON.test(text)) return strict.understood && !isIt ? strict : undefined;
  const statedText = stated.map((clause) => clause.text).join(". ");
  const spoken = await slotsIn(statedText, around);
  const heard = (slots: Slots): Heard => ({ text, slots: slots.again(), stated: statedText, before, around });
  const isNamed = own.all("branch").some(({ name }) => name !== "main");
  const answer = () => readingOf(() => heard(isNamed ? own : own.with(spoken.all("branch"))));
  const preview = isRead && !strict.understood ? answer() : undefined;
  if (isBetween(preview)) return asUnderstood(preview);
  if (!strict.understood && strict.why === SHOWN_HOW) return undefined;
  const isOpen = !("isFinal" in strict) || strict.isPartly === true;
  const written = isRead
    ? undefined
    : writingOf(
        () => heard(own),
        () => heard(spoken),
        isOpen,
      );
  if (written !== undefined)
    return moreThanOne(written.request, text) === undefined ? asUnderstood(written) : undefined;
  if (!isOpen || isIt) return undefined;
  const isFile = /^(?:put|write|copy|save|get|make|dump|pack|store)\b/i.test(text);
  const found = isRead || isLimited || isFile ? answer() : undefined;
  if (found !== undefined && (isRead || found.isPreview || found.request.operation === "export"))
    return asUnderstood(found);
  if (strict.understood) return strict;
  if (!isRead && /^(?:correct|change|update|fix|adjust|amend)\b/i.test(text)) {
    const request =
      typedParts(text).length > 0 || contrastIn(text) !== undefined ? correctionIn(text) : undefined;
    return request && { understood: true, request };
  }
  return isRead && strict.why === undefined ? searchFor(own.words, before) : undefined;
}

/** "What is on trial that isn't on main". */
const ISNT_ON = /\bthat (?:isn't|is not|aren't|are not) (?:yet )?(?:on|in) \S+$/i;

/** A time in the topic may say when it was written. */
const isTimedTopic = (request: Intent): boolean =>
  request.operation === "forget" ||
  ((request.operation === "history" || request.operation === "blame") && SINCE.test(request.topic));
const SINCE =
  /\b(?:since|in the (?:last|past)|this (?:week|month)|last (?:week|month|year)|yesterday|today)\b/i;

/** "What was it before", after a question about the rent. */
function withTopic(found: Understanding, before: string | undefined): Understanding {
  if (!found.understood || before === undefined || !("topic" in found.request)) return found;
  return /^(?:it|that|this|they|them|those)$/i.test(found.request.topic ?? "")
    ? { ...found, request: { ...found.request, topic: before } }
    : found;
}

/** "Delete it", of the bike that is back: by its name, for what was written last may be something else. */
function resolved(order: string, stated: readonly Clause[]): string {
  const subject = stated
    .map(({ text }) => USED_UP.exec(text)?.groups?.subject)
    .find((words) => words !== undefined && !/^(?:it|that|this|they|I|we|he|she)$/i.test(words));
  if (subject === undefined) return order;
  return order
    .replace(/\b(?:that|this|the) (?:note|memory|entry)\b/i, `the note about ${subject}`)
    .replace(/ (?:it|that|this|them)(?: branch)?(?= |[.!?]|$)/i, ` ${subject}`);
}

/** A search finds something for any words. */
function mayBeOther({ request }: Understood, { branches }: Surroundings): boolean {
  if (request.operation === "recall") {
    const { operation: _operation, query, ...more } = request;
    return Object.keys(more).length === 0 || HAPPENED.test(query);
  }
  // A name of the space is no topic: "main in the last 24 hours".
  const topic = topicIn(request)
    ?.replace(/^(?:on|in|the|at) /i, "")
    .split(" ")[0];
  return request.operation === "evolution" && topic !== undefined && branches.includes(topic);
}

/** What was written then is asked for, and not what was known. */
export const HAPPENED =
  /^what (?:(?:has |have |had )?(?:happened|changed)|(?:did|have) (?:I|we) (?:ask(?:ed)? you|t[eo]ld? you|save|saved|note|noted|write|written|add|added|put))\b/i;

const LOOKS =
  /^(?:show|tell (?:me|us)|find|look|list|search|give (?:me|us)|let me know|see|check|compare|diff|pull up|bring up|look up|read (?:me|us)|catch (?:me|us) up|remind me (?:what|who|when|where|how|of)|(?:everything|anything|all|whatever) )/i;

const asUnderstood = ({ request, branch, isPreview }: Answered): Understood => ({
  understood: true,
  request,
  ...(branch === undefined ? {} : { branch }),
  ...(isPreview === undefined ? {} : { isPreview }),
});

/** A question is at least searched for, and it is said by which words. */
function searchFor(words: readonly string[], before: string | undefined): Understood | undefined {
  const query = aboutOf(words, OF_ASKING) || before;
  return query === undefined || OF_CAMBIUM.test(query)
    ? undefined
    : { understood: true, request: { operation: "recall", query }, readAs: query };
}
/** Of these there are answers of their own. */
const OF_CAMBIUM =
  /^(?:cambium|you|yourself|branch(?:es)?|checkpoints?|merge|undo|sync|relay|space|device|agent)(?: |$)/i;

const topicIn = (request: Intent): string | undefined =>
  "topic" in request && typeof request.topic === "string"
    ? request.topic
    : request.operation === "recall"
      ? aboutOf(request.query.split(" "), OF_ASKING)
      : undefined;

/** Of what was written, forgotten or changed last: "it" may be what was told instead. */
const isOfLast = (request: Intent): boolean =>
  (request.operation === "forget" || request.operation === "restore") &&
  request.topic === undefined &&
  !("category" in request || "tag" in request || "forgotten" in request);

/** What is told is about what it ends with: "I haven't made up my mind about the lamb". */
async function topicOf(stated: readonly Clause[], around: Surroundings): Promise<string | undefined> {
  for (const { text } of stated) {
    const slots = await slotsIn(text.replace(/^(?:for|about|on|regarding|concerning) /i, "about "), around);
    for (const kind of ["agent", "period", "state"] as const) slots.take(kind);
    const left = slots.left.join(" ");
    const end =
      /^.*\b(?:about|the|my|our|with|forget|delete|to) (?<end>(?:(?!\b(?:is|are|was|were|has|have|had|did)\b).)+)$/i.exec(
        left,
      )?.groups?.end;
    const branch = slots.all("branch").find(({ isSure }) => isSure);
    const about = branch?.name ?? aboutOf((end ?? left).split(" "), OF_STATING);
    if (about !== "") return about;
  }
  return undefined;
}
const OF_STATING =
  /^(?:don't|didn't|like|think|messed|up|changed|changes|forget|delete|deleted|forgot|removed|dropped|mind|haven't|made|sure|someone|wrong|conflict|after|merge|on|off|over)$/i;

/** Several answers are given one after the other; of what is done, one thing. */
function together(
  found: readonly Understood[],
  clauses: readonly Clause[],
  { reads, takesAway }: Reader,
): Understood | undefined {
  const of = (kind: Clause["kind"]) => clauses.filter((clause) => clause.kind === kind);
  const apart = found.filter(
    ({ request }, at) =>
      found.findIndex((one) => JSON.stringify(one.request) === JSON.stringify(request)) === at,
  );
  const [first, ...others] = apart;
  if (first === undefined) return undefined;
  const [stated, keeps, isLimited] = [of("told"), of("keeps"), of("limits").length > 0];
  const isRead = apart.every(({ request, isPreview }) => reads.has(request.operation) || isPreview);
  if (others.length > 0 && !isRead) return undefined;
  const left = usedOf(stated, first);
  const isHiding = HIDES.has(first.request.operation);
  if (!left.every((clause) => isReason(clause, { isRead, isHiding }))) return undefined;
  if (takesAway.has(first.request.operation) && !keeps.every(({ text }) => holds(text, first.request)))
    return undefined;
  if (first.request.operation === "remember") return undefined;
  return {
    ...first,
    ...(isLimited && !isRead ? { isPreview: true as const } : {}),
    ...(left.length === 0
      ? {}
      : { leftOut: [...(first.leftOut ?? []), ...left.map(({ written }) => written)] }),
    ...(others.length === 0 ? {} : { others }),
  };
}

/** What was told is left out, unless it says what "it" is. */
const usedOf = (stated: readonly Clause[], { request }: Understood): readonly Clause[] => {
  const topic = topicIn(request)?.toLowerCase() ?? "";
  const isOfStated = topic !== "" && request.operation !== "forget";
  return stated.filter(
    (clause) => !(isOfStated && speaksOfIt(clause) && clause.text.toLowerCase().includes(topic)),
  );
};
const HIDES: ReadonlySet<string> = new Set([
  ...["forget", "take-back", "rollback", "undo", "fresh", "delete-branch", "delete-checkpoint"],
]);

/** "The later ones stay" holds where what is meant ends before. */
function holds(text: string, request: Intent): boolean {
  const which = keptBy(text);
  const period = "period" in request ? request.period : undefined;
  const edges = period !== undefined && "said" in period && !("from" in period) ? period : undefined;
  if (which === "later" || which === "newer") return edges?.until !== undefined;
  if (which === "earlier" || which === "older") return edges?.since !== undefined;
  return true;
}
