/**
 * Recovery kits and the relay that a space has come to: it is told of them when the space is linked to it, and where
 * that fails, at each connection until it knows them. Until then, they do not bring the space back from there.
 *
 * @module
 */
import { counted, shellWord } from "@cambium/core/text";
import type { SpaceConfig } from "../documents/space-config.js";

export interface KitUpkeepOptions {
  readonly config: () => SpaceConfig;
  /** Keeps across sessions that the relay may not know them. */
  readonly note: (isUnknown: true | undefined) => void;
  /** How many kits stand. */
  readonly standing: () => number;
  /** Tells the relay of those that it does not know. @returns how many of them it still does not know */
  readonly register: () => Promise<number>;
}

export class KitUpkeep {
  readonly #options: KitUpkeepOptions;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: KitUpkeepOptions) {
    this.#options = options;
  }

  /** Before the space comes to another relay: a process that dies on the way has said so. */
  expect(): void {
    if (this.#options.standing() > 0) this.#options.note(true);
  }

  /** Once it has come there. What fails is tried again at the next connection. */
  async register(): Promise<void> {
    const { config, note, register } = this.#options;
    if (config().isKitUnknown !== true || config().relay === null || config().role !== "admin") return;
    const unknown = await register();
    if (unknown === 0 && !this.#isClosed) note(undefined);
  }

  /** There is a line to the relay: in the background, after what is under way. */
  follow(): void {
    if (this.#options.config().isKitUnknown !== true) return;
    const ignore = (): void => {};
    this.#running = this.#running.then(() => (this.#isClosed ? undefined : this.register())).catch(ignore);
  }

  notices(): readonly string[] {
    const { config, standing } = this.#options;
    const { isKitUnknown, relay, role, name } = config();
    const count = isKitUnknown === true && relay !== null ? standing() : 0;
    if (count === 0 || relay === null) return [];
    const isAdmin = role === "admin";
    const command = isAdmin
      ? `cambium sync --space ${shellWord(name)}`
      : `cambium link ${shellWord(relay.url)} --space ${shellWord(name)} --token <admin token of the relay>`;
    const what = counted(count, "recovery kit");
    return [
      `The relay at ${new URL(relay.url).host} has not been told of ${what} yet, which so cannot bring the space back from there. To tell it: \`${command}\``,
    ];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }
}
