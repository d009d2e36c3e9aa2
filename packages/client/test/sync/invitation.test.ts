import { type ChangeHash, checkName, documentIdFromHex, isCambiumError, type SpaceId } from "@cambium/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeInvitation, type Invitation, parseInvitation } from "../../src/sync/invitation.js";

const SPACE = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f" as SpaceId;
const KEY = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
const invitation: Invitation = { relay: "https://relay.example", space: SPACE, token: "t0k-en_1", key: KEY };

function refusal(text: string): string {
  try {
    parseInvitation(text);
  } catch (error) {
    if (isCambiumError(error, "BAD_INVITATION")) return error.message;
    throw error;
  }
  throw new Error(`Accepted ${text}`);
}

function isName(text: string): boolean {
  try {
    return checkName("space", text) === text;
  } catch {
    return false; // whatever is refused is none
  }
}

describe("invitations", () => {
  test("[NW12] everything secret stands behind the #", () => {
    const text = encodeInvitation({ ...invitation, name: "Ünsere Küche" });
    const [address, secrets] = text.split("#");
    expect(address).toBe(`https://relay.example/join/${SPACE}`);
    expect(secrets).toMatch(/^t0k-en_1\.[\w-]{43}\.[\w-]+$/);
    expect(parseInvitation(text)).toEqual({ ...invitation, name: "Ünsere Küche" });
  });

  test("[NW12] what was encoded is read back: any relay, token and name", () => {
    const relay = fc.constantFrom(
      "http://127.0.0.1:4000",
      "https://relay.example",
      "https://relay.example:8443/teams/join/ours",
      "http://[::1]:80/x",
    );
    const token = fc.stringMatching(/^[\x21-\x7e]{1,60}$/);
    fc.assert(
      fc.property(
        relay,
        token,
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.string({ unit: "grapheme" }).filter((text) => text === "" || isName(text)),
        (relay, token, key, name) => {
          const {
            relay: readRelay,
            name: readName = "",
            ...rest
          } = parseInvitation(`  ${encodeInvitation({ relay, space: SPACE, token, key, name })}\n`);
          expect(rest).toEqual({ space: SPACE, token, key });
          expect(readName).toBe(name);
          expect(readRelay).toBe(new URL(relay).href.replace(/\/$/, ""));
        },
      ),
      { seed: 12, numRuns: 200 },
    );
  });

  test("[NW12] what is missing is said", () => {
    const key = "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tk";
    const base = `https://relay.example/join/${SPACE}`;
    expect(refusal("")).toContain("relay's address");
    expect(refusal(`https://relay.example#t.${key}`)).toContain("/join/");
    expect(refusal(`https://relay.example/join/#t.${key}`)).toContain("id of the space");
    expect(refusal(base)).toContain("behind the #");
    expect(refusal(`${base}#`)).toContain("behind the #");
    expect(refusal(`${base}#.${key}`)).toContain("token");
    expect(refusal(`${base}#t`)).toContain("key");
    expect(refusal(`${base}#t.${key.slice(0, 20)}`)).toContain("key");
    expect(refusal(`${base}#t.${key}!`)).toContain("key");
    expect(refusal(`${base}#t%zz.${key}`)).toContain("token");
    expect(refusal(`${base}#t.${key}.__8`)).toContain("name");
    expect(refusal(`${base}#t.${key}.eA..x`)).toContain("keys");
    for (const name of ["a\0b", "x".repeat(201), "x\0".repeat(375_000), "\n"]) {
      expect(refusal(`${base}#t.${key}.${Buffer.from(name).toString("base64url")}`)).toContain("name");
    }
    expect(refusal(`${base}#t.${key}#`)).toContain("behind the #");
    expect(refusal(`ftp://relay.example/join/${SPACE}#t.${key}`)).toContain("address");
    expect(refusal(`https://me:secret@relay.example/join/${SPACE}#t.${key}`)).not.toContain("secret");
  });

  test("[NW12] any text is either read or refused with BAD_INVITATION", () => {
    const text = encodeInvitation({ ...invitation, name: "home" });
    const mangled = fc
      .array(fc.tuple(fc.nat(text.length), fc.nat(4), fc.string({ maxLength: 3 })), { maxLength: 3 })
      .map((edits) =>
        edits.reduce((all, [at, drop, put]) => all.slice(0, at) + put + all.slice(at + drop), text),
      );
    fc.assert(
      fc.property(fc.oneof(mangled, fc.string()), (any) => {
        try {
          parseInvitation(any);
        } catch (error) {
          expect(isCambiumError(error, "BAD_INVITATION")).toBe(true);
        }
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });

  test("[NW12] a letter that was lost from what it says of the space is noticed", () => {
    const head = { document: documentIdFromHex("ab".repeat(16)), hash: "cd".repeat(32) as ChangeHash };
    const seen = { at: 1_780_000_000_000, heads: [head] };
    const text = encodeInvitation({ ...invitation, seen });
    expect(parseInvitation(text)).toEqual({ ...invitation, seen });
    expect(refusal(`${text.slice(0, -4)}XXXX`)).toContain("damaged");
  });

  test("[NW12] a name that is none any more is left out", () => {
    expect(parseInvitation(encodeInvitation({ ...invitation, name: "a\0b" }))).toEqual(invitation);
  });

  test("[NW12] what cannot be an invitation is not made", () => {
    expect(() => encodeInvitation({ ...invitation, key: KEY.slice(1) })).toThrow("key");
    expect(() => encodeInvitation({ ...invitation, token: "a b" })).toThrow("token");
    expect(() => encodeInvitation({ ...invitation, relay: "relay" })).toThrow("address");
  });
});
