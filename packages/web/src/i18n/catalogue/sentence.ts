export type Sentence = readonly [english: string | Plural, korean: string];

export interface Plural {
  readonly one: string;
  readonly other: string;
}

export const n = (one: string, other: string): Plural => ({ one, other });
