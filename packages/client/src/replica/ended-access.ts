/**
 * Access that had ended and that a relay takes again, because it was set back to an earlier time: a device whose role
 * is admin ends it there once more, as soon as it is connected. What counts is what a member said in a key epoch that
 * this device writes under or that came before it, so that nobody who was removed can have others removed.
 *
 * @module
 */
import { counted } from "@cambium/core/text";
import type { SpaceConfig } from "../documents/space-config.js";

export interface EndedAccessOptions {
  readonly config: () => SpaceConfig;
  /** What had ended, as far as this device knows. */
  readonly ended: () => readonly string[];
  /** Ends it again. @returns whose access that is, by name; undefined where the relay took none of it */
  readonly endAgain: (ids: readonly string[]) => Promise<EndedAgain | undefined>;
  readonly onNotice: (message: string) => void;
}

/** What the relay took again. */
export interface EndedAgain {
  /** Of how many tokens and invitations. */
  readonly count: number;
  /** Whose, where that is known. */
  readonly names: readonly string[];
}

export class EndedAccess {
  readonly #options: EndedAccessOptions;
  /** What the relay was asked about since it let this device in. Undefined before. */
  #asked: Set<string> | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: EndedAccessOptions) {
    this.#options = options;
  }

  /** The relay has let this device in: it may be another one than before, or an earlier state of it. */
  welcome(): void {
    this.#asked = new Set();
    this.follow();
  }

  /** There may be more that has ended. In the background, after what is under way. */
  follow(): void {
    if (this.#asked === undefined || this.#open().length === 0) return;
    this.#running = this.#running.then(() => this.#ask()).catch(() => {}); // the next session asks again
  }

  #open(): readonly string[] {
    const { config, ended } = this.#options;
    const { relay, role } = config();
    if (this.#isClosed || relay === null || role !== "admin") return [];
    return ended().filter((id) => !this.#asked?.has(id));
  }

  async #ask(): Promise<void> {
    const ids = this.#open();
    if (ids.length === 0) return;
    const asked = this.#asked;
    const again = await this.#options.endAgain(ids);
    for (const id of ids) asked?.add(id);
    if (again !== undefined) this.#options.onNotice(endedAgainNotice(again));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }
}

const endedAgainNotice = ({ count, names }: EndedAgain): string => {
  const whose = names.length === 0 ? "" : ` (${names.join(", ")})`;
  return (
    `The relay took ${counted(count, "token or invitation", "tokens and invitations")} again that had been ended${whose}: it has forgotten ` +
    "that, as after a backup was restored. This device has ended them again. " +
    "Look at `cambium members` and `cambium invites`: roles that were changed since the backup are as they were."
  );
};
