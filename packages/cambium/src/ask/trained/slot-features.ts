/**
 * What of a sentence speaks for a token being of one part of it or another. Pure.
 *
 * @module
 */
import type { Act } from "./acts.js";
import { classesOf, isKept, stemOf } from "./lexicon.js";
import type { NamePlace, Token } from "./tokens.js";

interface Seen {
  readonly word: string;
  readonly shape: string;
  readonly classes: readonly string[];
  /** Of which kinds a name here is, and whether it begins here. */
  readonly name: string;
}

const BREAK = /^[,.?!;:—–]$/;
const LINK = /^(?:and|so|but|then|because|cause|cos|since|as)$/;
const NOTHING: Seen = { word: "<>", shape: "", classes: [], name: "" };

/** Texts for each token, each of which stands for a feature. */
export function slotFeatures(
  tokens: readonly Token[],
  names: readonly NamePlace[],
  act: Act,
): readonly (readonly string[])[] {
  const seen = tokens.map((token, at) => seenAt(token, at, names));
  const clauses = clausesOf(tokens);
  const cues = seen.map(({ word, classes }) => (isKept(word) ? word : (classes[0] ?? "")));
  return seen.map((_, at) => {
    const clause = clauses.findIndex(({ to }) => at < to);
    const { from, to } = clauses[clause] as { from: number; to: number };
    const own = [
      ...near(seen, at),
      ...inClause(seen, at, from, to),
      `n ${clause} ${clauses.length}`,
      `P ${Math.min(4, at)}`,
      `R ${Math.min(4, tokens.length - at - 1)}`,
      `< ${cues.slice(0, at).findLast((cue) => cue !== "") ?? ""}`,
      `> ${cues.slice(at + 1).find((cue) => cue !== "") ?? ""}`,
      `q ${isQuoted(tokens, at)} ${tokens[at]?.isApart}`,
    ];
    return own.flatMap((one) => [one, `${act} ${one}`]);
  });
}

function seenAt({ word, text }: Token, at: number, names: readonly NamePlace[]): Seen {
  const place = names.find(({ from, to }) => from <= at && at < to);
  const name = place === undefined ? "" : `${place.kinds.join("+")} ${place.from === at ? "B" : "I"}`;
  const isNumber = /^\d/.test(word);
  return {
    word: isNumber ? "#" : word,
    shape: /^\p{Lu}+$/u.test(text)
      ? "AA"
      : /^\p{Lu}/u.test(text)
        ? "Aa"
        : /^\p{L}/u.test(text)
          ? "a"
          : text.replace(/\d/g, "0"),
    classes: isNumber ? ["#"] : classesOf(word),
    name,
  };
}

function near(seen: readonly Seen[], at: number): readonly string[] {
  const one = (offset: number): Seen => seen[at + offset] ?? NOTHING;
  const { word, shape, classes, name } = one(0);
  const [last, next] = [one(-1), one(1)];
  return [
    "b",
    `w ${word}`,
    `w- ${last.word}`,
    `w+ ${next.word}`,
    `w-- ${one(-2).word}`,
    `w++ ${one(2).word}`,
    `w-w ${last.word} ${word}`,
    `ww+ ${word} ${next.word}`,
    `w-- - ${one(-2).word} ${last.word}`,
    `w+ ++ ${next.word} ${one(2).word}`,
    `w- + ${last.word} ${next.word}`,
    `s ${stemOf(word)}`,
    `S ${shape}`,
    `S- ${last.shape} ${shape}`,
    `S+ ${shape} ${next.shape}`,
    `p ${word.slice(0, 3)}`,
    `e ${word.slice(-3)}`,
    `N ${name}`,
    `N- ${last.name}`,
    `N+ ${next.name}`,
    ...classes.map((kind) => `l ${kind}`),
    ...last.classes.map((kind) => `l- ${kind}`),
    ...next.classes.map((kind) => `l+ ${kind}`),
    ...one(-2).classes.map((kind) => `l-- ${kind}`),
    ...last.classes.flatMap((before) => classes.map((kind) => `ll ${before} ${kind}`)),
    ...classes.flatMap((kind) => next.classes.map((after) => `lL ${kind} ${after}`)),
  ];
}

function inClause(seen: readonly Seen[], at: number, from: number, to: number): readonly string[] {
  const first = seen[from] ?? NOTHING;
  const kinds = new Set(seen.slice(from, to).flatMap(({ classes }) => classes));
  return [
    `c ${first.word}`,
    `cc ${first.word} ${seen[from + 1]?.word}`,
    `ci ${Math.min(4, at - from)} ${first.classes[0] ?? "*"}`,
    `ce ${Math.min(3, to - at)}`,
    `cp ${from === 0 ? "" : seen[from - 1]?.word} ${to === seen.length ? "" : seen[to]?.word}`,
    ...[...kinds].map((kind) => `ck ${kind}`),
  ];
}

/** Stretches between commas, full stops and words that link; each break begins the next one. */
function clausesOf(tokens: readonly Token[]): readonly { readonly from: number; readonly to: number }[] {
  const starts = [0];
  for (const [at, { word, isApart }] of tokens.entries()) {
    const isInNumber = /^[.,:]$/.test(word) && tokens[at + 1]?.isApart === false;
    const isDash = /^[-—–]$/.test(word) && isApart && tokens[at + 1]?.isApart !== false;
    if (at > 0 && (isDash || (BREAK.test(word) && !isInNumber) || LINK.test(word))) starts.push(at);
  }
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? tokens.length }));
}

const isQuoted = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(0, at).filter(({ word }) => /^["“”]$/.test(word)).length % 2 === 1;
