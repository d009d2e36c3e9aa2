/**
 * Words that some models expect before a text, and search worse without. Taken from the models' own cards.
 *
 * @module
 */

export interface Prefixes {
  readonly query: string;
  readonly memory: string;
}

const NONE: Prefixes = { query: "", memory: "" };

const PREFIXES_BY_NAME: readonly (readonly [RegExp, Prefixes])[] = [
  [/\be5-(small|base|large)(?!.*instruct)/i, { query: "query: ", memory: "passage: " }],
  [/\bnomic-embed-text/i, { query: "search_query: ", memory: "search_document: " }],
  [/\bembeddinggemma/i, { query: "task: search result | query: ", memory: "title: none | text: " }],
  [
    /\bmxbai-embed-large/i,
    { query: "Represent this sentence for searching relevant passages: ", memory: "" },
  ],
];

/** Returns what the model is known to expect; nothing for a model we do not know. */
export const prefixesOf = (model: string): Prefixes =>
  PREFIXES_BY_NAME.find(([name]) => name.test(model))?.[1] ?? NONE;
