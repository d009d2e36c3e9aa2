/**
 * A category or a tag, as people name one.
 *
 * @module
 */
import type { Labels } from "../intent.js";
import { unquoted } from "../patterns.js";

const LABELLED: readonly (readonly [pattern: RegExp, name: keyof Labels])[] = [
  [
    /^(?:filed |kept |stored |saved )?(?:in |of |from |under |for )?(?:the |my )?category (?:called |named )?(\S+|"[^"]+"|'[^']+')$/i,
    "category",
  ],
  [/^(?:in |of |from |under |for )?(?:the |my )?(\S+|"[^"]+"|'[^']+') category$/i, "category"],
  [/^(?:with |of |for )?(?:the )?tag (?:called |named )?#?(\S+|"[^"]+"|'[^']+')$/i, "tag"],
  [/^(?:that are |which are )?tagged (?:with |as )?#?(\S+|"[^"]+"|'[^']+')$/i, "tag"],
  [/^(?:with |of |for )?(?:the )?#?(\S+|"[^"]+"|'[^']+') tag$/i, "tag"],
  [/^(?:with )?#(\S+)$/i, "tag"],
];

/** @returns such as `{ tag: "release" }` for "tagged release" */
export function labelsIn(words: string): Labels | undefined {
  for (const [pattern, name] of LABELLED) {
    const label = pattern.exec(words.trim())?.[1];
    if (label !== undefined && !NO_LABEL.test(label)) return { [name]: unquoted(label) };
  }
  return undefined;
}

/** "A tag" names none. */
const NO_LABEL = /^(?:an?|the|any|no|each|every|some|this|that|which|what|another|one|same|other)$/i;
