/**
 * What a writer has seen of others, in a few bytes of a change's message: of each writer's changes in a document the
 * number of the last. Part of the format: only added to.
 *
 *     d3a1b2c4.97bb12ab.0.3f      document, device, epoch and number; the last two in base 36
 *
 * @module
 */

/** Where changes are numbered: by one run of one device, in one document. */
export interface SeenPlace {
  /** The first 8 hexadecimal digits of the document's id. */
  readonly document: string;
  /** The last 8 of the replica's. */
  readonly replica: string;
  readonly epoch: number;
}

export interface SeenNumber extends SeenPlace {
  /** Of the last change that was seen. */
  readonly seq: number;
}

const MAX_PLACES = 12;
const ENTRY =
  /^(?<document>[0-9a-f]{8})\.(?<replica>[0-9a-f]{8})\.(?<epoch>[0-9a-z]{1,4})\.(?<seq>[0-9a-z]{1,10})$/;
const BASE = 36;

/** The actor ids of a place's changes: what stands between their document and the rest is not told. */
export const actorPattern = ({ document, replica, epoch }: SeenPlace): string =>
  `${document}%${replica}${epoch.toString(16).padStart(4, "0")}`;

/** @returns undefined for an actor that no replica is */
export function placeOfActor(actor: string): SeenPlace | undefined {
  if (!/^[0-9a-f]{68}$/.test(actor) || /^0+$/.test(actor)) return undefined; // all documents begin with nobody's
  return {
    document: actor.slice(0, 8),
    replica: actor.slice(56, 64),
    epoch: Number.parseInt(actor.slice(64), 16),
  };
}

/** @returns the text, and how many of the places it names: the first ones */
export function encodeSeen(places: readonly SeenNumber[]): { readonly text: string; readonly said: number } {
  const named = places.slice(0, MAX_PLACES);
  const text = named
    .map(({ document, replica, epoch, seq }) =>
      [document, replica, epoch.toString(BASE), seq.toString(BASE)].join("."),
    )
    .join(" ");
  return { text, said: named.length };
}

/** What does not read is passed over: a later version may say more. */
export function decodeSeen(text: unknown): readonly SeenNumber[] {
  if (typeof text !== "string") return [];
  return text.split(" ").flatMap((entry) => {
    const { document, replica, epoch, seq } = ENTRY.exec(entry)?.groups ?? {};
    if (document === undefined || replica === undefined || epoch === undefined || seq === undefined)
      return [];
    return [{ document, replica, epoch: Number.parseInt(epoch, BASE), seq: Number.parseInt(seq, BASE) }];
  });
}
