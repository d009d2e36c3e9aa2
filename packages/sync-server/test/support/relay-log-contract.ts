/**
 * What every relay log keeps to.
 *
 * @module
 */
import { describe, expect, test } from "vitest";
import type { RelayLog, StoredToken } from "../../src/log/relay-log.js";
import { withOpened } from "./opened-log.js";

/** Somewhere a log can be opened, closed, and opened again. */
export interface LogPlace extends AsyncDisposable {
  open(): Promise<RelayLog>;
}

/** Registers the suite for one kind of log; `create` gives a fresh place for each test. */
export function relayLogContract(name: string, create: () => Promise<LogPlace>): void {
  const withLog = withOpened<RelayLog, LogPlace>(create);
  describe(`relay log: ${name}`, () => {
    tokenRules(withLog);
  });
}

type WithLog = (run: (log: RelayLog, place: LogPlace) => Promise<void>) => () => Promise<void>;

function token(tokenId: string): StoredToken {
  const [label, expiresAt] = [undefined, undefined];
  return {
    tokenId,
    space: "space-a",
    role: "write",
    hash: `hash of ${tokenId}`,
    label,
    createdAt: 1,
    expiresAt,
  };
}

function tokenRules(withLog: WithLog): void {
  test(
    "[RL5] a space is made once, with its first token",
    withLog(async (log) => {
      expect(await log.createSpace("space-a", token("t1"))).toBe(true);
      expect(await log.createSpace("space-a", token("t2"))).toBe(false);
      expect(await log.hasSpace("space-a")).toBe(true);
      expect(await log.hasSpace("space-b")).toBe(false);
      expect(await log.tokensOf("space-a")).toEqual([token("t1")]);
    }),
  );

  test(
    "[RL5] tokens are found by hash, kept over a reopening, and gone once removed",
    withLog(async (log, place) => {
      const full: StoredToken = { ...token("t2"), label: "phone", expiresAt: 5 };
      await log.addToken(token("t1"));
      await log.addToken(full);
      await log.setRelayAdminHash("admin hash");
      await log.close();
      const again = await place.open();
      expect(await again.relayAdminHash()).toBe("admin hash");
      expect(await again.tokenByHash("hash of t2")).toEqual(full);
      expect(await again.tokenByHash("t2")).toBeUndefined();
      expect(await again.removeToken("space-b", "t2")).toBe(false);
      expect(await again.removeToken("space-a", "t2")).toBe(true);
      expect(await again.tokenByHash("hash of t2")).toBeUndefined();
      await again.close();
    }),
  );
}
