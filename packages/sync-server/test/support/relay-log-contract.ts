/**
 * What every relay log keeps to.
 *
 * @module
 */
import { describe, expect, test } from "vitest";
import type { RelayLog, StoredInvitation, StoredToken } from "../../src/log/relay-log.js";
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
    roleRules(withLog);
    removalRules(withLog);
    invitationRules(withLog);
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
      expect(await again.removeToken("space-b", "t2")).toBe("unknown");
      expect(await again.removeToken("space-a", "t2")).toBe("removed");
      expect(await again.tokenByHash("hash of t2")).toBeUndefined();
      await again.close();
    }),
  );
}

function roleRules(withLog: WithLog): void {
  test(
    "[RL205] a token's role changes in place, and the rest of it stays, over a reopening",
    withLog(async (log, place) => {
      const full: StoredToken = { ...token("t2"), label: "phone", cameBy: "i1", device: "c2VhbGVk" };
      await log.createSpace("space-a", { ...token("t1"), role: "admin" });
      await log.addToken(full);
      const change = { space: "space-a", tokenId: "t2", role: "read" } as const;
      expect(await log.changeRole({ ...change, space: "space-b" })).toBe("unknown");
      expect(await log.changeRole({ ...change, tokenId: "t9" })).toBe("unknown");
      expect(await log.changeRole(change)).toBe("changed");
      await log.close();
      const again = await place.open();
      expect(await again.tokenByHash("hash of t2")).toEqual({ ...full, role: "read" });
      expect((await again.tokensOf("space-a")).map(({ role }) => role)).toEqual(["admin", "read"]);
      await again.close();
    }),
  );

  test(
    "[RL205] of two admins who make each other less at once, one stays; one that has expired does not count",
    withLog(async (log) => {
      const admin = (tokenId: string): StoredToken => ({ ...token(tokenId), role: "admin" });
      await log.createSpace("space-a", admin("t1"));
      await log.addToken(admin("t2"));
      await log.addToken({ ...admin("t3"), expiresAt: 5 });
      const less = (tokenId: string) =>
        log.changeRole({ space: "space-a", tokenId, role: "write", leavesAdminAt: 5 });
      expect((await Promise.all([less("t1"), less("t2")])).sort()).toEqual(["changed", "last-admin"]);
      const [left] = (await log.tokensOf("space-a")).filter(
        ({ role, tokenId }) => role === "admin" && tokenId !== "t3",
      );
      const same = { space: "space-a", tokenId: left?.tokenId ?? "", leavesAdminAt: 5 };
      expect(await log.changeRole({ ...same, role: "admin" })).toBe("changed");
      expect(await log.changeRole({ ...same, role: "write", leavesAdminAt: undefined })).toBe("changed");
    }),
  );
}

function removalRules(withLog: WithLog): void {
  const admin = (tokenId: string): StoredToken => ({ ...token(tokenId), role: "admin" });

  test(
    "[RO12] of two admins who remove each other at once, or one removes whom the other makes less, one stays",
    withLog(async (log) => {
      await log.createSpace("space-a", admin("t1"));
      await log.addToken(admin("t2"));
      await log.addToken({ ...admin("t3"), expiresAt: 5 });
      expect([await log.standingTokens("space-a", 4), await log.standingTokens("space-a", 5)]).toEqual([
        3, 2,
      ]);
      expect(await log.standingTokens("space-b", 4)).toBe(0);
      const guard = { leavesAdminAt: 5 };
      const remove = (tokenId: string) => log.removeToken("space-a", tokenId, guard);
      expect((await Promise.all([remove("t1"), remove("t2")])).sort()).toEqual(["last-admin", "removed"]);
      const [left] = (await log.tokensOf("space-a")).filter(({ tokenId }) => tokenId !== "t3");
      await log.addToken(admin("t4"));
      const less = { space: "space-a", tokenId: "t4", role: "read", ...guard } as const;
      const both = await Promise.all([remove(left?.tokenId ?? ""), log.changeRole(less)]);
      expect(both.filter((outcome) => outcome === "last-admin")).toHaveLength(1);
      // Whoever is no admin goes, and so does one that has expired; the relay's admin asks for no guard.
      await log.addToken(token("t5"));
      expect([await remove("t5"), await remove("t3"), await remove("t9")]).toEqual([
        ...["removed", "removed", "unknown"],
      ]);
      const [last] = (await log.tokensOf("space-a")).filter(({ role }) => role === "admin");
      expect(await remove(last?.tokenId ?? "")).toBe("last-admin");
      expect(await log.removeToken("space-a", last?.tokenId ?? "")).toBe("removed");
    }),
  );

  test(
    "[RL72] an invitation does not go with the last admins who came by it, and a space without admins is no obstacle",
    withLog(async (log) => {
      const guard = { withTokens: true, leavesAdminAt: 5 };
      await log.createSpace("space-a", token("t1"));
      await log.addInvitation({ ...INVITATION, role: "admin" });
      await log.trade({ ...traded("t2"), role: "admin" });
      expect(await log.removeInvitation("space-a", "i1", guard)).toBe("last-admin");
      expect(await log.invitationByHash("hash of i1")).toBeDefined();
      expect(await log.tokenByHash("hash of t2")).toBeDefined();
      await log.addToken(admin("t3"));
      expect(await log.removeInvitation("space-a", "i1", guard)).toEqual(["t2"]);
      await log.removeToken("space-a", "t3");
      expect(await log.removeToken("space-a", "t1", { leavesAdminAt: 5 })).toBe("removed");
    }),
  );
}

const INVITATION: StoredInvitation = {
  ...{ invitationId: "i1", space: "space-a", role: "read", hash: "hash of i1", createdAt: 1 },
  ...{ expiresAt: 9, accessUntil: undefined, mostUses: 2, uses: 0 },
};

const traded = (tokenId: string) => ({ ...token(tokenId), cameBy: "i1", device: "c2VhbGVk" });

function invitationRules(withLog: WithLog): void {
  test(
    "[RL70] an invitation is no token; it is found by its hash, listed, and kept over a reopening",
    withLog(async (log, place) => {
      await log.createSpace("space-a", token("t1"));
      await log.addInvitation(INVITATION);
      const more: StoredInvitation = {
        ...INVITATION,
        invitationId: "i2",
        hash: "hash of i2",
        accessUntil: 7,
      };
      await log.addInvitation({ ...more, expiresAt: undefined });
      await log.close();
      const again = await place.open();
      expect(await again.invitationByHash("hash of i1")).toEqual(INVITATION);
      expect(await again.invitationByHash("hash of t1")).toBeUndefined();
      expect(await again.tokenByHash("hash of i1")).toBeUndefined();
      expect((await again.invitationsOf("space-a")).map(({ invitationId }) => invitationId)).toEqual([
        "i1",
        "i2",
      ]);
      expect(await again.invitationsOf("space-b")).toEqual([]);
      await again.close();
    }),
  );

  test(
    "[RL71] a trade is one however often it is sent, counts a use, and stops at the most",
    withLog(async (log) => {
      await log.createSpace("space-a", token("t1"));
      await log.addInvitation(INVITATION);
      expect(await log.trade(traded("t2"))).toEqual({ kind: "made" });
      expect(await log.trade({ ...traded("t3"), hash: "hash of t2" })).toEqual({
        ...{ kind: "known", token: traded("t2") },
      });
      expect(await log.trade({ ...traded("t3"), hash: "hash of t1" })).toEqual({ kind: "taken" });
      expect(await log.trade({ ...traded("t3"), hash: "hash of t2", space: "space-b" })).toEqual({
        kind: "taken",
      });
      expect(await log.trade({ ...traded("t3"), cameBy: "i9" })).toEqual({ kind: "unknown" });
      expect(await log.trade({ ...traded("t3"), space: "space-b" })).toEqual({ kind: "unknown" });
      const both = await Promise.all([log.trade(traded("t4")), log.trade(traded("t5"))]);
      expect(both.map(({ kind }) => kind).sort()).toEqual(["made", "used-up"]);
      expect(await log.tokenByHash("hash of t2")).toEqual(traded("t2"));
      // What was removed was used all the same.
      await log.removeToken("space-a", "t2");
      expect(await log.trade(traded("t6"))).toEqual({ kind: "used-up" });
      expect(await log.invitationByHash("hash of i1")).toEqual({ ...INVITATION, uses: 2 });
    }),
  );

  test(
    "[RL72] an invitation is removed alone or with the tokens that came by it, also those after it",
    withLog(async (log) => {
      await log.createSpace("space-a", token("t1"));
      await log.addInvitation(INVITATION);
      await log.trade(traded("t2"));
      expect(await log.removeInvitation("space-b", "i1", { withTokens: true })).toBeUndefined();
      expect(await log.removeInvitation("space-a", "i1", { withTokens: false })).toEqual([]);
      expect(await log.trade(traded("t3"))).toEqual({ kind: "unknown" });
      expect(await log.trade(traded("t2"))).toMatchObject({ kind: "known" });
      expect(await log.removeInvitation("space-a", "i1", { withTokens: false })).toBeUndefined();
      expect(await log.removeInvitation("space-a", "i1", { withTokens: true })).toEqual(["t2"]);
      expect(await log.tokenByHash("hash of t2")).toBeUndefined();
      expect(await log.removeInvitation("space-a", "i1", { withTokens: true })).toBeUndefined();
      await log.addInvitation(INVITATION);
      await log.trade(traded("t4"));
      await log.deleteSpace("space-a");
      expect(await log.invitationByHash("hash of i1")).toBeUndefined();
      expect(await log.tokenByHash("hash of t4")).toBeUndefined();
    }),
  );
}
