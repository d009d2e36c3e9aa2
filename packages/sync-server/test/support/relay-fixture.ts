/**
 * A relay in a directory of its own, with spaces and tokens, on time that tests move.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  manualTimers,
  type Relay,
  type RelayEvent,
  type RelayOptions,
  type Role,
  startRelay,
} from "../../src/index.js";

export const ADMIN_TOKEN = "relay-admin-token-of-the-tests";

export class RelayFixture implements AsyncDisposable {
  readonly dataDir: string;
  readonly events: RelayEvent[] = [];
  readonly timers = manualTimers();
  /** What the relay takes for now. */
  timeMs = 1_800_000_000_000;
  #relay: Relay | undefined;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static async start(options: Partial<RelayOptions> = {}): Promise<RelayFixture> {
    const fixture = new RelayFixture(await mkdtemp(join(tmpdir(), "cambium-relay-")));
    await fixture.restart(options);
    return fixture;
  }

  get relay(): Relay {
    if (this.#relay === undefined) throw new Error("The relay has not started.");
    return this.#relay;
  }

  get url(): string {
    return this.relay.url;
  }

  async restart(options: Partial<RelayOptions> = {}): Promise<void> {
    await this.#relay?.close();
    this.#relay = await startRelay({
      ...(options.log === undefined ? { dataDir: this.dataDir } : {}),
      adminToken: ADMIN_TOKEN,
      timers: this.timers,
      clock: () => this.timeMs,
      onEvent: (event) => this.events.push(event),
      ...options,
    });
  }

  call(method: string, path: string, token: string, body?: unknown): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** @returns the space's admin token */
  async makeSpace(space: string): Promise<string> {
    const response = await this.call("POST", "/spaces", ADMIN_TOKEN, { space });
    return ((await response.json()) as { token: string }).token;
  }

  async makeToken(
    space: string,
    role: Role,
    expiresAt?: number,
  ): Promise<{ token: string; tokenId: string }> {
    const response = await this.call("POST", `/spaces/${space}/tokens`, ADMIN_TOKEN, { role, expiresAt });
    return (await response.json()) as { token: string; tokenId: string };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#relay?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
