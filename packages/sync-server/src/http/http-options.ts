/**
 * What the HTTP interface is built on.
 *
 * @module
 */
import type { KeepAct } from "../audit.js";
import type { OnEvent } from "../events.js";
import type { Invitations } from "../invitations.js";
import type { RelayLimits } from "../limits/limits.js";
import type { RelayLog } from "../log/relay-log.js";
import type { Appender } from "../sessions/appender.js";
import type { CloseCode } from "../sessions/close-codes.js";
import type { AnySession } from "../sessions/session-hub.js";
import type { ShownSetting } from "../settings/show-settings.js";
import type { Tokens } from "../tokens.js";
import type { InTurn } from "./request-turns.js";
import type { CallerSource } from "./requests.js";

export interface HttpApiOptions {
  readonly tokens: Tokens;
  readonly invitations: Invitations;
  /** The sessions of both protocols. */
  readonly hub: {
    inSpace(space: string): Iterable<AnySession>;
    endThoseOf(space: string, tokenId: string, why?: CloseCode): void;
  };
  readonly log: RelayLog;
  readonly appender: Pick<Appender, "isFailing" | "probe">;
  readonly limits: RelayLimits;
  readonly callers: CallerSource;
  /** When tokens were used since that was last stored. */
  readonly uses: ReadonlyMap<string, number>;
  readonly now: () => number;
  readonly isClosing: () => boolean;
  /** Lets go of what is in memory of a space that was deleted. */
  readonly forgetSpace: (space: string) => void;
  readonly keepAct: KeepAct;
  readonly inTurn: InTurn;
  readonly settings: readonly ShownSetting[];
  /** Where a copy of the log has room. */
  readonly scratchDir: string;
  readonly onEvent: OnEvent;
}
