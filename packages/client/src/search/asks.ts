/**
 * Whether a text ends by asking: who asks seldom tells.
 *
 * @module
 */

/** Quotation marks and brackets may close after the sign; so may a note in brackets, such as a picture's caption. */
const ENDS_ASKING = /[?？؟](?:["'”’»)」』]|\s)*(?:\[[^[\]]*\]\s*)?$/u;
/** Longer texts than this say more than they ask. */
const LONGEST_QUESTION = 600;

export const asks = (content: string): boolean =>
  content.length <= LONGEST_QUESTION && ENDS_ASKING.test(content);
