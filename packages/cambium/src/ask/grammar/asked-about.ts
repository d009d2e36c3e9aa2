/**
 * What is asked about, and not to be done: "how do I undo that", "what happens if I delete the branch work".
 *
 * @module
 */
/** Why it is not done. */
export const SHOWN_HOW = "Nothing was done. This shows what it would do:";

const HOW =
  /^(?:how (?:do|can|could|would|should|might) (?:I|we|one|you)|how to|(?:is there (?:a|any) way|is it possible|am I able|would it be possible) to|can (?:I|we)(?: still)?|(?:should|may|could) (?:I|we)|what (?:would|will|does|could) (?:happen|change|be lost|be gone|disappear|be undone|come back|go away)s? (?:if|when) (?:I|we|you)|what (?:would|will) (?:I|we) lose (?:if|when) (?:I|we)|what (?:happens|changes|if) (?:if |when )?(?:I|we|you)(?: were to| would| should)?) (?<order>.+)$/i;
/** "Preview merging x into main": it is shown what it would do, and that is all that is asked for. */
const DOING = "(?<order>(?:merg|delet|forgett|undo|restor|remov|dropp|go|roll|tak|bring|revert)ing .+?)";
const ONLY_SHOWN = [
  new RegExp(`^(?:just )?(?:preview|simulate|try out|dry[- ]run)(?::| of)? ${DOING}$`, "i"),
  new RegExp(
    `^(?:show me )?what (?:would |will )?${DOING}(?: would| will)? (?:do|change|bring|look like|mean)$`,
    "i",
  ),
];

/** @returns the order, where only what it would do is asked for */
export function orderPreviewed(sentence: string): string | undefined {
  const shown = ONLY_SHOWN.map((form) => form.exec(sentence)?.groups?.order).find((one) => one !== undefined);
  return shown === undefined
    ? undefined
    : INFINITIVES.reduce((text, [form, verb]) => text.replace(form, verb), shown);
}

/** "Merge x into main, but show me first what it would do". */
export const orderShownFirst = (sentence: string): string | undefined =>
  SHOWN_FIRST.exec(sentence)?.groups?.order;
const SHOWN_FIRST =
  /^(?<order>.+?),? (?:(?:but|and|only) )?(?:please )?(?:first )?(?:show|tell) me (?:first )?what (?:it|that|this)(?: would|'d| will) (?:do|change|bring|mean|look like)(?: first)?$/i;

const INFINITIVES: readonly (readonly [RegExp, string])[] = [
  [/^(merg|delet|restor|remov|tak)ing\b/i, "$1e"],
  [/^(forget|drop)(?:t|p)ing\b/i, "$1"],
  [/^(undo|go|roll|bring|revert)ing\b/i, "$1"],
];

/** As orders say it. */
const ORDERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:forgot|forgotten)\b/i, "forget"],
  [/^undid\b/i, "undo"],
  [/^hid\b/i, "hide"],
  [/^(go|went) back\b/i, "go back"],
  [/^took back\b/i, "take back"],
  [/^threw (away|out)\b/i, "throw $1"],
  [/^got rid of\b/i, "get rid of"],
  [/^brought back\b/i, "bring back"],
  [/^(delete|remove|merge|restore|rename|combine|revert|create|erase|save)d\b/i, "$1"],
  [/^(reset|start|discard|recover)(?:ed)?\b/i, "$1"],
  [/^(roll)ed back\b/i, "$1 back"],
  [/^(drop|scrap|undo|bin)p?p?ed\b/i, "$1"],
];

/** Of these, what it would do is the answer. */
export const asksWhatItWould = (sentence: string): boolean => WHAT_WOULD.test(sentence);
const WHAT_WOULD = /^what (?:would|will|could|happens|changes|if)\b/i;

/** @returns the order, as if it was one; undefined for any other question */
export function orderAskedAbout(sentence: string): string | undefined {
  const order = HOW.exec(sentence)?.groups?.order;
  if (order === undefined) return undefined;
  return ORDERS.reduce((text, [past, present]) => text.replace(past, present), order);
}
