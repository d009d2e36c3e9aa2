/**
 * The value that a sentence states, replaced by another: of "The budget is 800 euro, to be spent by June." all but
 * "800 euro" stays as it is, to the last sign. Pure.
 *
 * @module
 */
import { STATES } from "./grammar/remembering.js";
import { inPlaceOf, type TypedPart, typedParts } from "./typed-parts.js";
import { beginsWithLink, groupsOf, isSame, linkOf, plain, wordsIn } from "./word-groups.js";

/** Where a value ends: "1,200" and "14:30" go on. */
const END =
  /,(?!\d)|;|:(?!\d)|\s+[-–—]\s|\s*[([\n]|(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|e\.g|i\.e|approx|ca))[.!?…]+(?=\s|["')\]]|$)|\s+(?:because|which|who|so that|and (?:is|was|has|will))\b/iu;
const ITEM = "[^\\s,]+(?: [^\\s,]+)?";
/** "Tea, coffee and milk" is one value. */
const LIST = new RegExp(`^, (?:${ITEM}, )*${ITEM},? (?:and|or) ${ITEM}[.!?]?$`, "iu");

/** @returns undefined where it is not plain which part is the value, or that the other one is of its kind */
export function withValueSwapped(sentence: string, content: string): string | undefined {
  const at = valueAt(sentence, content);
  if (at === undefined) return undefined;
  const rest = sentence.slice(at.start);
  const found = END.exec(rest);
  const length = found === null ? rest.length : found.index;
  const [old, tail] = [rest.slice(0, length).trimEnd(), rest.slice(length)];
  if (old === "" || LIST.test(tail)) return undefined;
  const swapped = swappedIn(old, at.value, tail);
  return swapped === undefined
    ? undefined
    : `${sentence.slice(0, at.start)}${swapped}${rest.slice(old.length)}`;
}

/** After the last verb of what both begin with: "the start of the tour is". */
function valueAt(
  sentence: string,
  content: string,
): { readonly start: number; readonly value: string } | undefined {
  const [old, now] = [wordsIn(sentence), wordsIn(content)];
  const differs = now.findIndex((word, index) => !isSame(word, old[index]));
  const same = differs < 0 ? now : now.slice(0, differs);
  const verb = same.findLastIndex((word, index) => index > 0 && STATES.test(plain(word)));
  if (verb < 0) return undefined;
  const value = now.slice(verb + 1).join(" ");
  const start = new RegExp(`^\\s*(?:\\S+\\s+){${verb + 1}}`).exec(sentence)?.[0].length;
  return value === "" || END.test(value) || start === undefined ? undefined : { start, value };
}

function swappedIn(old: string, value: string, tail: string): string | undefined {
  const [groups, others] = [groupsOf(wordsIn(old)), groupsOf(wordsIn(value))];
  if (others.length !== 1) return undefined;
  if (groups.length === 1) {
    const link = linkOf(value);
    const isInTail = link !== undefined && new RegExp(`(?:^|\\W)${link}\\b`, "iu").test(tail);
    return isInTail && linkOf(old) !== link ? undefined : swapped(old, value);
  }
  // Of "on Friday in room A", the one of the same kind.
  const kinds = typedParts(value).map(({ kind }) => kind);
  const alike = groups
    .map((group) => group.join(" "))
    .filter((group) => {
      const own = typedParts(group).map(({ kind }) => kind);
      return (
        own.length === kinds.length &&
        own.every((kind, index) => kind === kinds[index]) &&
        (kinds.length > 0 || linkOf(group) === linkOf(value))
      );
    });
  const [only] = alike;
  if (only === undefined || alike.length > 1 || old.split(only).length !== 2) return undefined;
  const now = swapped(only, value);
  return now === undefined ? undefined : old.replace(only, () => now);
}

/** One thing for another of its kind. */
function swapped(old: string, value: string): string | undefined {
  const [was, is] = [typedParts(old), typedParts(value)];
  const [part, ...moreParts] = was;
  const [now, ...moreNow] = is;
  if (part === undefined && now === undefined)
    return linkOf(old) === linkOf(value) && beginsWithLink(wordsIn(old)) === beginsWithLink(wordsIn(value))
      ? value
      : undefined;
  if (part === undefined || now === undefined || moreParts.length > 0 || moreNow.length > 0) return undefined;
  if (part.kind !== now.kind) return undefined;
  return partSwapped(old, part, value, now);
}

function partSwapped(old: string, part: TypedPart, value: string, now: TypedPart): string | undefined {
  const [lead, after] = [old.slice(0, part.start), old.slice(part.end)];
  const [ownLead, ownAfter] = [value.slice(0, now.start), value.slice(now.end)];
  const isSameLead = ownLead.trim() === "" || isSame(ownLead.trim(), lead.trim());
  const hasRoom =
    ownAfter.trim() === "" || `${plain(after.trim())} `.startsWith(`${plain(ownAfter.trim())} `);
  if (isSameLead && hasRoom) return `${lead}${inPlaceOf(part, now)}${after}`;
  // Another unit, or another preposition, with nothing else beside it.
  const isAlone = wordsIn(lead).length <= 1 && wordsIn(after).length <= 1;
  return isAlone ? `${isSameLead && ownLead.trim() === "" ? lead : ""}${value}` : undefined;
}
