/**
 * Common English words. One that no memory says is rather another word than a slip of one that some memory says:
 * "store" is no "story".
 *
 * @module
 */
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { Stemmer } from "./stemmer.js";

/** What the 2,048 words of BIP 39 lack. */
const WORDS = `accept afternoon agency along although anybody anyone anything anyway anywhere apply article
 aside asleep available badly bake band bank bath bear beat became bedroom began begun belief bell belong
 bend birthday bite blow born bottle bought bowl break breakfast breath broke brought built burn came care
 career cell chance children chose chosen church class clear coat cold college colour complete concern
 contact contain continue corner cough count daily dark data date dead dear death deep deserve difficult
 dirty discuss done doubt drawn driven drought drove drug effect english especially even event ever every
 everybody everyone everything everywhere exam except expensive experience fact fail fair fast favor favour
 fear feet fell felt fight fill five flew foreign forgot form former forth four free french friday full fully
 gave german given goal goes going gone gonna grade grandma grandpa gray grew grey ground grown guest hall
 handle hang happen hardly hate hear heard heat held hence hide hike honest house hung imagine important
 instead january july june kept kill king knew known laid land last late lead least less line listen longer
 look lose loss lost lower luck male many mark marry mate maybe meal meant meet mental might mile mine modern
 monday money mood mostly mouth nail nearly nine nobody none november onto paid pain paint part partner past
 perhaps period pick pile plan plane plant plenty plus pocket policy political poor pound press probably
 product promise quiet reach read realize really recent refer regard relate reply request rest rise rock role
 said sale sang saturday seem seen send sent september serious serve several shall shape sheet shirt shot
 show shower shut single site slept smell sold somebody something sometimes somewhere speech spent spoke
 station status stole stood stop store storm straight strange study sunday supper support suppose take taken
 tall taught tear thick thin think third thirty though thousand threw throat thursday till told took touch
 tour trait tuesday understand unless value wake watch weak website wednesday week weight well went whether
 white whole wind within without woke women wore worse worst written wrote yeah yesterday`;

let commonStems: ReadonlySet<string> | undefined;

/** Whether a word of this stem is common. Its words are stemmed when it is first asked. */
export function isCommonStem(stem: string, stemmer: Stemmer): boolean {
  commonStems ??= new Set(stemmer.stems([...new Set([...wordlist, ...WORDS.split(/\s+/)])]));
  return commonStems.has(stem);
}
