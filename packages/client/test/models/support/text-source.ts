import { type ContentKey, contentKeyOf } from "../../../src/models/content-key.js";
import type { VectorSource } from "../../../src/models/vector-maker.js";

/** The texts of an index, without the index. */
export interface TextSource extends VectorSource {
  readonly texts: Map<ContentKey, string>;
  add(...texts: readonly string[]): readonly ContentKey[];
}

export function textSource(...initial: readonly string[]): TextSource {
  const texts = new Map<ContentKey, string>();
  const source: TextSource = {
    texts,
    keys: () => texts.keys(),
    textOf: (key) => texts.get(key),
    add: (...added) =>
      added.map((text) => {
        texts.set(contentKeyOf(text), text);
        return contentKeyOf(text);
      }),
  };
  source.add(...initial);
  return source;
}
