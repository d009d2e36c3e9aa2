/** A line whose every callback lands in an inbox, and whose time stands still. */

import type { CambiumError } from "@cambium/core";
import type { LogRelayFrame, WelcomeFrame } from "@cambium/core/wire";
import { type ManualTimers, manualTimers } from "../../../src/platform/timers.js";
import { RelayLine } from "../../../src/sync/relay-line.js";
import type { RelayLineOptions, RelayLink, RelayNotice } from "../../../src/sync/relay-line-options.js";
import { Inbox } from "./inbox.js";

export interface Link {
  readonly state: RelayLink;
  readonly reason: CambiumError | undefined;
}

export class LineHarness implements AsyncDisposable {
  readonly timers: ManualTimers = manualTimers();
  readonly states = new Inbox<Link>();
  readonly notices = new Inbox<RelayNotice>();
  readonly welcomes = new Inbox<WelcomeFrame>();
  readonly frames = new Inbox<LogRelayFrame>();
  readonly line: RelayLine;

  constructor(url: string, options: Partial<RelayLineOptions> = {}) {
    this.line = new RelayLine({
      url,
      token: "token-1",
      onWelcome: (welcome) => this.welcomes.put(welcome),
      onFrame: (frame) => this.frames.put(frame),
      onState: (state, reason) => this.states.put({ state, reason }),
      onNotice: (notice) => this.notices.put(notice),
      random: () => 0.5,
      timers: this.timers,
      ...options,
    });
  }

  connect(): this {
    this.line.open();
    return this;
  }

  /** Waits for this state, past all others. */
  state(state: RelayLink): Promise<Link> {
    return this.states.until((link) => link.state === state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.line.close();
  }
}
