/** What a verb says: one document for programs, one text for people. */
export interface Answer {
  readonly document: unknown;
  readonly text: string;
  readonly exit: number;
}
