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

let asked: Promise<string | undefined> = Promise.resolve(undefined);

/** Undefined where it was not given. One call after the other: there is one dialog, and each call has its answer. */
export function askedOwnerCode(): Promise<string | undefined> {
  asked = asked.then(() => asker?.());
  return asked;
}
