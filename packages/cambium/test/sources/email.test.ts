import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { afterAll, describe, expect, test } from "vitest";
import { emailFetcher } from "../../src/sources/email-fetcher.js";
import { type ImapAccount, imapAccount } from "../../src/sources/imap-account.js";
import { Dovecot, hasDovecot, PASSWORD } from "./dovecot.js";

const root = mkdtempSync(join(tmpdir(), "cambium-email-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TEXT = "The café opens at nine, and Ada has the key.";
const PLAIN = `Message-ID: <one@example.org>
Subject: The cafe
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; name=other.txt
Content-Disposition: attachment

Another text
--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/html

<p>No</p>
--c
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Hello

The caf=E9 opens at nine, and Ada has =
the key.

Bye
--c--
--b--
`;
const LONGER = PLAIN.replace("<one@example.org>", "<one@example.org.uk>").replaceAll("nine", "ten");
const HTML = `Message-ID: <html@example.org>
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

${Buffer.from("<p>\nOnly as HTML\n</p>").toString("base64")}
`;

/** For a machine that does much else. */
const LONG_MS = 30_000;

const kept = (message: string) => ({ kind: "email", thread: "t", message });

describe.skipIf(!hasDovecot)("e-mail", () => {
  test("[RT27] a pruned text is read again in the message that it came from, and nothing else counts as it", async () => {
    await using server = await Dovecot.start({ one: PLAIN, longer: LONGER, html: HTML });
    const url = `imap://ada@127.0.0.1:${server.port}/INBOX`;
    const env: Record<string, string> = { CAMBIUM_IMAP_URL: url, CAMBIUM_IMAP_PASSWORD: PASSWORD };
    const replica = await openReplica({
      ...{ dir: join(root, "home"), stateDir: join(root, "state") },
      sourceFetchers: { email: emailFetcher(() => imapAccount(env), LONG_MS) },
    });
    try {
      const space = await replica.createSpace({ name: "notes" });
      const owner = space.as({ role: "owner" });
      const ids: string[] = [];
      for (const message of ["<one@example.org>", "html@example.org", "gone@example.org"]) {
        const content = message.startsWith("html") ? "Only as HTML" : TEXT;
        const { id } = await owner.remember({ content, source: kept(message) });
        await owner.revise(id, { content: `Now it is ${message}` });
        ids.push(id);
      }
      await owner.changeSettings({ set: { "retention.contents": 1 } });
      expect((await owner.prune()).counts.versions).toBe(3);
      const of = (index: number, sources = ["email"]) => space.text(ids[index] as string, 1, { sources });

      expect(await of(0, [])).toMatchObject({ how: "none" });
      expect(await of(0)).toMatchObject({ how: "source", text: TEXT });
      expect(await of(1)).toMatchObject({ how: "source", text: "Only as HTML" });
      expect(await of(2)).toMatchObject({ how: "none", problem: "There is no text at its source." });
      server.remove("one");
      expect(await of(0)).toMatchObject({ how: "none", problem: "There is no text at its source." });
      // It offers no TLS: to another machine, nothing is said then.
      const elsewhere = () => ({ ...(imapAccount(env) as ImapAccount), host: "127.0.0.2" });
      await expect(emailFetcher(elsewhere, LONG_MS).fetch(kept("html@example.org"))).rejects.toThrow(/TLS/);
      env.CAMBIUM_IMAP_PASSWORD = "not-the-password";
      const refused = await of(0);
      expect(refused).toMatchObject({ how: "none", problem: "The mail server refused the login." });
      expect(JSON.stringify(refused)).not.toContain("not-the-password");
    } finally {
      await replica.close();
    }
  });
});

test("[RT27] a server that is silent, or not there, is waited for two seconds at most", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as AddressInfo;
  const account = { host: "127.0.0.1", port, isSecure: false, user: "ada", password: "x", mailbox: "INBOX" };
  const asking = emailFetcher(() => account).fetch(kept("m"));
  await expect(asking).rejects.toThrow();
  await new Promise((resolve) => silent.close(resolve));
  await expect(emailFetcher(() => account).fetch(kept("m"))).rejects.toThrow();
  // Nothing is asked where there is nothing to ask.
  expect(await emailFetcher(() => undefined).fetch(kept("m"))).toBeUndefined();
  expect(await emailFetcher(() => account).fetch({ kind: "email", thread: "t" })).toBeUndefined();
});

test("[RT28] the account is what the environment says, and its password is nobody else's to read", () => {
  const path = join(root, "password");
  writeFileSync(path, "secret\n", { mode: 0o600 });
  const env = { CAMBIUM_IMAP_URL: "imaps://ada%40example.org@mail.example.org/All%20Mail" };
  expect(imapAccount({})).toBeUndefined();
  expect(imapAccount({ ...env, CAMBIUM_IMAP_PASSWORD_FILE: path })).toEqual({
    ...{ host: "mail.example.org", port: 993, isSecure: true, user: "ada@example.org" },
    ...{ password: "secret", mailbox: "All Mail" },
  });
  const other = imapAccount({ CAMBIUM_IMAP_URL: "imap://ada@[::1]:1143", CAMBIUM_IMAP_PASSWORD: "p" });
  expect(other).toMatchObject({ host: "::1", port: 1143, isSecure: false, password: "p", mailbox: "INBOX" });
  expect(() => imapAccount(env)).toThrow("no password");
  expect(() => imapAccount({ ...env, CAMBIUM_IMAP_PASSWORD_FILE: `${path}-not` })).toThrow("not there");
  expect(() => imapAccount({ CAMBIUM_IMAP_URL: "https://ada@mail.example.org" })).toThrow("no address");
  expect(() => imapAccount({ CAMBIUM_IMAP_URL: "imaps://ada:hunter2@mail.example.org" })).toThrow(
    /^(?!.*hunter2).*holds a password/,
  );
  chmodSync(path, 0o640);
  if (process.platform !== "win32")
    expect(() => imapAccount({ ...env, CAMBIUM_IMAP_PASSWORD_FILE: path })).toThrow("Others may read");
});
