/**
 * Words by which questions ask for a kind of memory: "what did we decide" asks for decisions.
 *
 * @module
 */
const WORDS_BY_KIND = {
  decision: "decision decisions decide decides decided deciding choice choices choose chose chosen",
  preference: "preference preferences prefer prefers preferred",
  lesson: "lesson lessons learn learned learnt",
  fact: "fact facts",
  goal: "goal goals",
  task: "task tasks todo todos",
};

const KIND_BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS_BY_KIND).flatMap(([kind, words]) =>
    words.split(" ").map((word) => [word, kind] as const),
  ),
);

/** The kind that a word of a query asks for. */
export const kindAskedBy = (word: string): string | undefined => KIND_BY_WORD.get(word.toLowerCase());
