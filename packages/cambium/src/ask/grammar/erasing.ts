/**
 * What is to be destroyed for good: "erase the wifi password, I don't want it in the history either". To hide it would
 * be less than what was asked for, so it is shown how it is erased, and nothing is done.
 *
 * @module
 */
import { oneLine, shellWord } from "@cambium/core/text";
import type { NotUnderstood } from "../intent.js";
import { aboutOf, unquoted } from "../patterns.js";
import { plainSentence } from "../plain-sentence.js";

const VERB =
  "(?:erase|wipe(?: out)?|destroy|purge|shred|scrub|delete|remove|clear|forget|drop|get rid of|expunge|eliminate)";
const WISHED = "(?:erased|wiped(?: out)?|destroyed|purged|shredded|deleted|removed|gone|forgotten)";
const ORDER = new RegExp(`^(?:(?<how>permanently|irreversibly|completely) )?${VERB} (?<rest>.+)$`, "i");
const WISH = new RegExp(
  `^(?:I|we)(?:'d like| would like| want| need) (?<rest>.+? )(?:to be )?(?:(?<how>permanently|irreversibly|completely) )?${WISHED}(?<after>(?:[ ,;.].+)?)$`,
  "i",
);
/** Begins what says that nothing may be left of it; all that follows belongs to it. */
const FOR_GOOD = new RegExp(
  `[\\s,;.–—-]+(?:(?:and|but|so|please) )*(?:${[
    "for good(?! reasons?)",
    "for ?ever(?: and ever)?",
    "permanently",
    "irreversibly",
    "irrecoverably",
    "beyond recovery",
    "completely",
    "entirely",
    "without (?:a|any) trace",
    "(?:make sure (?:that )?|that |so )?(?:it|they|nobody|no one|no-one|nothing|none)[^,;]*? (?:back|recover(?:ed|able)?|restored?|history|past|backups?|trace|again|left)",
    "(?:I|we) (?:don't|do not|never) want (?:it|them|that) [^,;]*(?:history|past|backups?|anywhere|left|back)",
    "(?:(?:and|also|not even|including|even) )*(?:from|in|out of) (?:the |its |all |every )?(?:history|past|old versions|backups?|devices?)(?: too| as well| either)?",
    "(?:from )?everywhere",
  ].join("|")})(?=$|[\\s,;.!]).*$`,
  "iu",
);
const EVERY_TRACE = /^(?:every|any|all) (?:last )?(?:traces?|mentions?) of /i;
const ALL = /^(?:everything|all|all of it|it all|(?:all )?my (?:whole )?(?:memory|memories))$/i;
/** Another request, or a reason that speaks of something else. */
const OF_ITS_OWN =
  /^(?:the |my |our )?(?:branch|checkpoint|snapshot|tag|category|space)\b|[,;.] (?:I|we|he|she|they|it|because|since|as)\b/i;
const POINTED = /^(?:it|that|this|them|those|these|that one|this one)$/i;

/** @returns undefined where nothing says that it is for good */
export function readErasing(text: string): NotUnderstood | undefined {
  const sentence = plainSentence(text);
  const { how, rest, after = "" } = (ORDER.exec(sentence) ?? WISH.exec(sentence))?.groups ?? {};
  if (rest === undefined) return undefined;
  const described = `${rest.trim()}${after}`;
  const isEvery = EVERY_TRACE.test(described);
  const marked = described.replace(FOR_GOOD, "");
  if (how === undefined && !isEvery && marked === described) return undefined;
  if (OF_ITS_OWN.test(marked)) return undefined;
  const about = marked.replace(EVERY_TRACE, "");
  const topic = unquoted(aboutOf(about.replace(/^(?:everything|all|anything) (?:about|on|of) /i, "")));
  return {
    understood: false,
    why: "To erase is more than to forget: it destroys the text on every device, and cannot be undone. Nothing was done. This shows what would be erased:",
    commands: [commandFor(topic)],
    isFinal: true,
    isForCommand: true,
  };
}

function commandFor(topic: string): string {
  if (ALL.test(topic)) return "cambium erase --space <name> --preview";
  if (POINTED.test(topic) || topic === "") return "cambium erase <id> --preview";
  return `cambium erase --query ${shellWord(oneLine(topic))} --preview`;
}
