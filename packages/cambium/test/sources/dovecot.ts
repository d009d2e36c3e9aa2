/** A small IMAP server with one mailbox: Dovecot, where Debian's package is installed. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const PROGRAM = "/usr/sbin/dovecot";
const LONGEST_START_MS = 25_000;
/** Its processes may not be root, so there have to be the users of the package. */
export const hasDovecot = existsSync(PROGRAM) && process.getuid?.() === 0;
if (!hasDovecot) process.stdout.write("Skipped: the tests of e-mail need Debian's package dovecot-imapd.\n");

export const PASSWORD = "a-password-that-nobody-may-see";

export class Dovecot implements AsyncDisposable {
  /** Where another user may look. */
  readonly dir = mkdtempSync("/tmp/cambium-dovecot-");
  port = 0;
  #process: ChildProcess | undefined;

  /** @param messages - as they come over the wire, by the names of their files */
  static async start(messages: Readonly<Record<string, string>>): Promise<Dovecot> {
    const server = new Dovecot();
    await server.#start(messages);
    return server;
  }

  async #start(messages: Readonly<Record<string, string>>): Promise<void> {
    const { dir } = this;
    this.port = await freePort();
    for (const folder of ["cur", "new", "tmp"]) mkdirSync(join(dir, "mail", folder), { recursive: true });
    for (const [name, text] of Object.entries(messages))
      writeFileSync(join(dir, "mail", "cur", `${name}:2,S`), text.replaceAll("\n", "\r\n"));
    chmodSync(dir, 0o755);
    execFileSync("chown", ["-R", "mail:mail", join(dir, "mail")]);
    writeFileSync(join(dir, "dovecot.conf"), settings(dir, this.port));
    this.#process = spawn(PROGRAM, ["-F", "-c", join(dir, "dovecot.conf")], { stdio: "ignore" });
    const end = performance.now() + LONGEST_START_MS;
    while (!(await isAnswering(this.port))) {
      if (performance.now() > end) throw new Error(`Dovecot did not start in ${dir}.`);
      await delay(20);
    }
  }

  remove(name: string): void {
    rmSync(join(this.dir, "mail", "cur", `${name}:2,S`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#process?.once("exit", resolve));
    this.#process?.kill();
    await ended;
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const settings = (dir: string, port: number): string => `
base_dir = ${dir}/run
state_dir = ${dir}/state
log_path = ${dir}/log
protocols = imap
listen = 127.0.0.1, 127.0.0.2
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
auth_failure_delay = 0
mail_location = maildir:${dir}/mail
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${dir}/mail
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isAnswering(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("data", () => resolve(true));
  socket.once("error", () => resolve(false));
  socket.once("close", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
