/**
 * The tags that the labels of a sentence give to its tokens.
 *
 * @module
 */
import { SLOT_NAMES, type SlotName } from "../../packages/cambium/dist/ask/trained/acts.js";
import { beginsOf, goesOnOf, OUTSIDE, partsOf } from "../../packages/cambium/dist/ask/trained/tags.js";
import type { Token } from "../../packages/cambium/dist/ask/trained/tokens.js";
import type { Labelled } from "./sentences.ts";

const ARTICLE = /^(?:the|a|an|my|our|your)$/;
/**
 * People label "the alarm code" or "alarm code", "what the code is" or "the code": such words find nothing, so that
 * they are outside, always.
 */
const LEADS: Readonly<Partial<Record<SlotName, RegExp>>> = {
  topic:
    /^(?:the|a|an|my|our|your|what|which|who|whom|whose|how|when|where|why|whether|if|is|are|was|were|do|does|did|has|have|had|'s|i|we|you|they|it|there|that|any|some|much|many|long|what's|who's|where's|when's|whats|about)$/,
  old: /^(?:the|a|an)$/,
  new: /^(?:the|a|an)$/,
  except: ARTICLE,
  device: ARTICLE,
  agent: ARTICLE,
  branch: ARTICLE,
  into: ARTICLE,
  state: ARTICLE,
  category: ARTICLE,
  tag: ARTICLE,
};
const TRAILS: Readonly<Partial<Record<SlotName, RegExp>>> = {
  topic: /^(?:is|are|was|were|again|please|now|has|have|still|currently|[,.;:!?—–])$/,
};
const PUNCTUATION = /^[,.;:!?—–-]$/;

/** Where two parts overlap, the one whose name is first in the list has the tokens. */
export function goldTags({ s, slots }: Labelled, tokens: readonly Token[]): readonly number[] {
  const tags = tokens.map(() => OUTSIDE);
  for (const [slot, name] of SLOT_NAMES.entries())
    for (const text of [slots[name] ?? []].flat()) {
      const start = placeOf(s, text, tokens, tags);
      const own = tokens.flatMap((token, at) =>
        token.start >= start && token.end <= start + text.length && tags[at] === OUTSIDE ? [at] : [],
      );
      for (const [nth, at] of own.entries())
        tags[at] = nth === 0 || own[nth - 1] !== at - 1 ? beginsOf(slot) : goesOnOf(slot);
    }
  return partsOf(tags).reduce((all, part) => narrowed(all, tokens, part), tags);
}

/** The first place that no other part has. */
function placeOf(s: string, text: string, tokens: readonly Token[], tags: readonly number[]): number {
  for (let at = s.indexOf(text); at >= 0; at = s.indexOf(text, at + 1)) {
    const first = tokens.findIndex(({ start }) => start >= at);
    if (tags[first] === OUTSIDE) return at;
  }
  return s.indexOf(text);
}

function narrowed(
  tags: number[],
  tokens: readonly Token[],
  { name, from, to }: { readonly name: SlotName; readonly from: number; readonly to: number },
): number[] {
  const is = (pattern: RegExp | undefined, at: number): boolean =>
    pattern?.test(tokens[at]?.word ?? "") === true;
  let [first, end] = [from, to];
  while (first < end - 1 && (is(LEADS[name], first) || is(PUNCTUATION, first))) first += 1;
  while (end > first + 1 && (is(TRAILS[name], end - 1) || is(PUNCTUATION, end - 1))) end -= 1;
  const slot = SLOT_NAMES.indexOf(name);
  for (let at = from; at < to; at += 1)
    tags[at] = at < first || at >= end ? OUTSIDE : at === first ? beginsOf(slot) : goesOnOf(slot);
  return tags;
}
