/**
 * The entry point of what every package needs when it writes for people, models and shells.
 *
 * @module
 */
import "./supported-node.js";

export { authorText, callerText } from "./text/author-text.js";
export {
  type ChangesToCount,
  changesInWords,
  countsInWords,
  withoutConflicts,
} from "./text/changes-in-words.js";
export { counted } from "./text/counted.js";
export { messageOf } from "./text/message-of.js";
export { nonEmpty } from "./text/non-empty.js";
export { isReassuring, NOTHING_TO_DO } from "./text/nothing-to-do.js";
export { omitUndefined } from "./text/omit-undefined.js";
export { oneLine, onlyStyled, printable } from "./text/printable.js";
export { safeData, safeText } from "./text/safe-text.js";
export { shellWord } from "./text/shell-word.js";
export { type ShortId, shortHash, shortId, shortIds } from "./text/short-ids.js";
export { contentWithTitle, shownContent, sourceInShort, textGoneLine } from "./text/source-in-short.js";
