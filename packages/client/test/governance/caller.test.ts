/** Who has which role: the table of docs/governance.md. */
import { expect, test } from "vitest";
import { callerOf } from "../../src/governance/caller.js";

const ROLES = [
  [{}, "admin", "owner"],
  [{}, "write", "operator"],
  [{ agent: "cursor" }, "admin", "agent"],
  [{ agent: "cursor" }, "write", "agent"],
  [{ agent: "cursor", role: "owner" }, "write", "owner"],
  [{ agent: "cursor", role: "operator" }, "write", "operator"],
  [{}, "read", "reader"],
  [{ agent: "cursor" }, "read", "reader"],
  [{ role: "owner" }, "read", "reader"],
] as const;

test.each(ROLES)("[GV7] %o with a token to %s is the %s", (identity, token, role) => {
  expect(callerOf(identity, token).role).toBe(role);
});
