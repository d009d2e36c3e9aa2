/**
 * Where the e-mails of a person lie, as the environment says.
 *
 * @module
 */
import { readFileSync, statSync } from "node:fs";
import { CambiumError } from "@cambium/core/errors";

/** A folder on a server that speaks IMAP, and who may read it. */
export interface ImapAccount {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on. Otherwise it is begun before anything is said, unless the server is this machine. */
  readonly isSecure: boolean;
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PORTS: Readonly<Record<string, number>> = { "imaps:": 993, "imap:": 143 };
const OTHERS_MAY = 0o077;

/** Returns undefined where no server is named. @throws {CambiumError} BAD_INPUT, in words without a password */
export function imapAccount(env: Environment): ImapAccount | undefined {
  const named = env.CAMBIUM_IMAP_URL;
  if (named === undefined || named === "") return undefined;
  const url = URL.canParse(named) ? new URL(named) : undefined;
  const port = url && PORTS[url.protocol];
  if (url === undefined || port === undefined || url.username === "" || url.hostname === "")
    throw bad("CAMBIUM_IMAP_URL is no address of a mailbox.", "Write imaps://you%40example.org@host/INBOX.");
  if (url.password !== "")
    throw bad(
      "CAMBIUM_IMAP_URL holds a password.",
      "Put it into a file that only you may read, and name that in CAMBIUM_IMAP_PASSWORD_FILE.",
    );
  return {
    ...{ host: url.hostname.replace(/^\[|\]$/g, ""), port: url.port === "" ? port : Number(url.port) },
    ...{ isSecure: url.protocol === "imaps:", user: decodeURIComponent(url.username) },
    password: passwordFrom(env),
    mailbox: decodeURIComponent(url.pathname.slice(1)) || "INBOX",
  };
}

function passwordFrom({
  CAMBIUM_IMAP_PASSWORD: password,
  CAMBIUM_IMAP_PASSWORD_FILE: path,
}: Environment): string {
  if (password !== undefined && password !== "") return password;
  if (path === undefined || path === "")
    throw bad("There is no password for CAMBIUM_IMAP_URL.", "Name its file in CAMBIUM_IMAP_PASSWORD_FILE.");
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw bad("The file in CAMBIUM_IMAP_PASSWORD_FILE is not there.", "Create it.");
  if (process.platform !== "win32" && (stats.mode & OTHERS_MAY) !== 0)
    throw bad("Others may read the file in CAMBIUM_IMAP_PASSWORD_FILE.", "Run `chmod 600` on it.");
  return readFileSync(path, "utf8").replace(/\r?\n$/, "");
}

const bad = (message: string, hint: string): CambiumError => new CambiumError("BAD_INPUT", message, { hint });
