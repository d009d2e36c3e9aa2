/**
 * The owner's code, where one is set: asked for when a call needs it, sent with that call, and kept nowhere.
 *
 * @module
 */
type Asker = () => Promise<string | undefined>;

let asker: Asker | undefined;

/** Who asks the person; undefined: nobody does. */
export function askOwnerCodeWith(next: Asker | undefined): void {
  asker = next;
}

/** Undefined where it was not given. */
export const askedOwnerCode = async (): Promise<string | undefined> => await asker?.();
