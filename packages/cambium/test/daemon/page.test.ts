import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserCommand } from "../../src/cli/browser.js";
import { main } from "../../src/cli/program.js";
import { isForeignPeer } from "../../src/daemon/page/peer-user.js";
import { fakeLibrary } from "../cli/fake-library.js";
import { capturedIo } from "../cli/fixtures.js";
import { type Answered, EventReader, type Sent, startWithSpace, type TestDaemon } from "./support/daemon.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let folder: string;
let running: TestDaemon;
let nowMs = Date.now();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cambium-page-"));
  running = await startWithSpace({ pageFolder: join(folder, "page"), now: () => nowMs });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await mkdir(join(folder, "page", "assets"), { recursive: true });
  await writeFile(join(folder, "page", "index.html"), "<title>Cambium</title>");
});

const origin = (): string => `http://127.0.0.1:${running.port}`;
const byTcp = (path: string, sent: Sent = {}): Promise<Answered> =>
  running.call(path, { port: running.port, ...sent });

async function newCode(): Promise<string> {
  const { json } = await running.call("/v1/page/links", { body: {} });
  expect(json.url).toMatch(new RegExp(`^${origin()}/ui/open#[\\w-]{43}$`));
  return json.url.split("#")[1];
}

const trade = (code: string, headers: Record<string, string> = {}): Promise<Answered> =>
  byTcp("/ui/session", { body: { code }, headers: { origin: origin(), ...headers } });

interface Session {
  readonly cookie: string;
  readonly "cambium-page": string;
}

const sessionIn = ({ headers, json }: Answered): Session => ({
  cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "",
  "cambium-page": json.token,
});

const open = async (): Promise<Session> => sessionIn(await trade(await newCode()));

const codeOf = ({ status, json }: Answered): unknown[] => [status, json?.error?.code];
const ENDED = [401, "SESSION_ENDED"];
const REFUSED = [403, "ORIGIN_REFUSED"];

describe("[UI1] a link", () => {
  test("opens one session, and ends it when it comes again", async () => {
    const code = await newCode();
    const answer = await trade(code);
    expect(answer.status).toBe(200);
    expect(answer.headers["set-cookie"]?.[0]).toMatch(
      new RegExp(`^cambium-page-${running.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    const session = { ...sessionIn(answer) };
    expect((await byTcp("/v1/daemon", { headers: session })).status).toBe(200);
    expect(codeOf(await trade(code))).toEqual(ENDED);
    expect(codeOf(await byTcp("/v1/daemon", { headers: session }))).toEqual(ENDED);
  });

  test("is good for two minutes, and no other code is", async () => {
    const code = await newCode();
    nowMs += 2 * MINUTE + 1;
    expect(codeOf(await trade(code))).toEqual(ENDED);
    for (const wrong of ["", "x", code.slice(1)]) expect(codeOf(await trade(wrong))).toEqual(ENDED);
    expect(codeOf(await byTcp("/ui/session", { body: { code: 7 } }))).toEqual(ENDED);
  });

  test("stands behind a #, is taken out of the address, and opens a page of its own", async () => {
    const page = await byTcp("/ui/open");
    expect([page.status, page.headers["cache-control"]]).toEqual([200, "no-store"]);
    const script = await byTcp("/ui/open.js");
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(script.text.indexOf("replaceState")).toBeLessThan(script.text.indexOf("fetch("));
  });

  test("is not made for agents", async () => {
    const headers = { "cambium-agent": "cursor" };
    expect(codeOf(await running.call("/v1/page/links", { body: {}, headers }))).toEqual([
      403,
      "ROLE_REFUSED",
    ]);
    const closing = { method: "DELETE", headers };
    expect(codeOf(await running.call("/v1/page/sessions", closing))).toEqual([403, "ROLE_REFUSED"]);
  });

  test("is not traded with another user of the machine, where the system tells who it is", () => {
    const row = (uid: number): string =>
      `  sl  local_address rem_address\n   0: 0100007F:C350 0100007F:1F90 01 0:0 00:0 0 ${uid} 0 1\n`;
    const own = process.getuid?.() ?? 0;
    const peer = { localPort: 0x1f90, remotePort: 0xc350 } as never;
    expect(isForeignPeer(peer, () => row(own))).toBe(false);
    expect(isForeignPeer(peer, () => row(own + 1))).toBe(true);
    expect(isForeignPeer(peer, () => "")).toBe(false);
  });
});

describe("[UI2] a call of the page", () => {
  test("needs the cookie and the page's token", async () => {
    const { cookie, ...page } = await open();
    const other = await open();
    const cases: readonly [Record<string, string>, unknown][] = [
      [{ cookie, ...page }, 200],
      [{ cookie: `a=b; ${cookie}`, ...page }, 200],
      [{ cookie }, 401],
      [page, 401],
      [{ cookie, "cambium-page": other["cambium-page"] }, 401],
      [{ cookie: `x${cookie}`, ...page }, 401],
      [{}, 401],
    ];
    for (const [headers, status] of cases) {
      const answer = await byTcp("/v1/daemon", { headers });
      expect([headers, answer.status]).toEqual([headers, status]);
    }
  });

  const foreign: readonly [string, () => Sent][] = [
    ["another origin", () => ({ headers: { origin: "https://evil.example" } })],
    ["a page on another port", () => ({ headers: { origin: `http://127.0.0.1:${running.port + 1}` } })],
    ["another name of this device", () => ({ headers: { origin: `http://localhost:${running.port}` } })],
    ["the same site on another port", () => ({ headers: { "sec-fetch-site": "same-site" } })],
    ["a link in another page", () => ({ headers: { "sec-fetch-site": "cross-site" } })],
    ["a host that was made to point here", () => ({ headers: { host: `evil.example:${running.port}` } })],
    ["a write without an origin", () => ({ body: { content: "x" } })],
    [
      "a form",
      () => ({
        raw: "content=x",
        headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
      }),
    ],
  ];
  test.each(foreign)("is refused from %s", async (_name, sent) => {
    const session = await open();
    const { headers, ...rest } = sent();
    const path = "/v1/spaces/~/memories";
    expect(codeOf(await byTcp(path, { ...rest, headers: { ...session, ...headers } }))).toEqual(REFUSED);
  });

  test("sends JSON and nothing else", async () => {
    const headers = { ...(await open()), origin: origin(), "content-type": "text/plain" };
    const answer = await byTcp("/v1/spaces/~/memories", { raw: '{"content":"x"}', headers });
    expect(codeOf(answer)).toEqual([400, "BAD_INPUT"]);
  });

  test("is refused on the socket like any page", async () => {
    const headers = { ...(await open()), origin: origin() };
    expect(codeOf(await running.call("/v1/daemon", { headers }))).toEqual(REFUSED);
  });
});

test("[UI3] the page writes as the person in front of it, whatever it says of itself, and has no MCP", async () => {
  const headers = { ...(await open()), origin: origin(), "cambium-agent": "cursor", "cambium-role": "agent" };
  const { status, json } = await byTcp("/v1/spaces/~/memories", { body: { content: "By hand." }, headers });
  expect([status, json.by.agent, json.by.trigger]).toEqual([200, "web page", "web page"]);
  expect((await byTcp("/v1/spaces/~/policy", { headers })).status).toBe(200);
  expect((await byTcp("/mcp", { body: {}, headers })).status).toBe(404);
  const { response } = running.open("/v1/spaces/~/events", { port: running.port, headers });
  await using reader = new EventReader(await response);
  await reader.until(({ event }) => event === "ready");
});

describe("[UI4] a session ends", () => {
  const isOpen = async (headers: Session): Promise<boolean> =>
    (await byTcp("/v1/daemon", { headers: { ...headers } })).status === 200;

  test("after eight hours without a call", async () => {
    const session = await open();
    nowMs += 8 * HOUR;
    expect(await isOpen(session)).toBe(true);
    nowMs += 8 * HOUR + 1;
    expect(await isOpen(session)).toBe(false);
    nowMs -= 1;
    expect(await isOpen(session)).toBe(false);
  });

  test("when the page or the command says so", async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const left = await byTcp("/ui/session", { method: "DELETE", headers: { ...one, origin: origin() } });
    expect([left.status, left.headers["set-cookie"]?.[0]]).toEqual([
      200,
      expect.stringContaining("Max-Age=0"),
    ]);
    expect([await isOpen(one), await isOpen(two)]).toEqual([false, true]);
    const code = await newCode();
    const { json } = await running.call("/v1/page/sessions", { method: "DELETE" });
    expect(json.closed).toBeGreaterThanOrEqual(2);
    expect([await isOpen(two), await isOpen(three)]).toEqual([false, false]);
    expect(codeOf(await trade(code))).toEqual(ENDED);
  });
});

describe("[UI5] the page's files", () => {
  const build = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, "page", path), text);
    await utimes(join(folder, "page", "index.html"), 1, Math.random() * 1e9);
  };

  test("have their types, and are kept as long as their names say", async () => {
    await build({
      ...{
        "assets/main-Ab12_xyz.js": "1",
        "assets/main-Ab12_xyz.css": "a{}",
        "assets/font-Ab12_xyz.woff2": "f",
      },
      ...{ "icon.svg": "<svg/>", "icon.png": "p", "site.webmanifest": "{}", "LICENSES.txt": "t" },
    });
    const seen = async (path: string): Promise<unknown[]> => {
      const { status, headers } = await byTcp(`/ui/${path}`);
      return [status, headers["content-type"], headers["cache-control"]];
    };
    const forever = "public, max-age=31536000, immutable";
    expect(await seen("assets/main-Ab12_xyz.js")).toEqual([200, "text/javascript; charset=utf-8", forever]);
    expect(await seen("assets/main-Ab12_xyz.css")).toEqual([200, "text/css; charset=utf-8", forever]);
    expect(await seen("assets/font-Ab12_xyz.woff2")).toEqual([200, "font/woff2", forever]);
    expect(await seen("icon.svg")).toEqual([200, "image/svg+xml", "no-store"]);
    expect(await seen("LICENSES.txt")).toEqual([200, "text/plain; charset=utf-8", "no-store"]);
    for (const view of ["", "memories", "memories/0198a0b0", "branches/a%2Fb?at=main%402026-03-03"]) {
      expect(await seen(view)).toEqual([200, "text/html; charset=utf-8", "no-store"]);
    }
    expect((await seen("assets/gone-Ab12_xyz.js"))[0]).toBe(404);
    expect((await byTcp("/ui")).headers.location).toBe("/ui/");
    expect((await byTcp("/ui/", { method: "HEAD" })).text).toBe("");
    expect((await byTcp("/ui/", { body: {} })).status).toBe(405);
  });

  test("tell the browser to load, run and send nothing else", async () => {
    for (const path of ["/ui/", "/ui/open", "/ui/open.js", "/ui/assets/none.js", "/ui/session"]) {
      const { headers } = await byTcp(path);
      const csp = headers["content-security-policy"];
      expect(csp).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(csp).toContain("frame-ancestors 'none'");
      expect(csp).not.toMatch(/unsafe|\*|https?:/);
      expect([headers["x-content-type-options"], headers["referrer-policy"]]).toEqual([
        "nosniff",
        "no-referrer",
      ]);
    }
  });

  test("are all that is served: no path, link or kind of file leads elsewhere", async () => {
    await writeFile(join(folder, "secret.js"), "secret");
    await symlink(join(folder, "secret.js"), join(folder, "page", "assets", "linked.js")).catch(
      () => undefined,
    );
    await symlink(folder, join(folder, "page", "assets", "folder")).catch(() => undefined);
    await build({ "assets/key.pem": "secret" });
    const paths = [
      "../secret.js",
      "..%2fsecret.js",
      "%2e%2e/secret.js",
      "..\\secret.js",
      "assets/../../secret.js",
    ];
    const inside = ["assets/linked.js", "assets/folder/secret.js", "assets/key.pem", "assets", "/etc/passwd"];
    for (const path of [...paths, ...inside]) {
      const { text } = await byTcp(`/ui/${path}`);
      expect([path, text]).not.toEqual([path, expect.stringContaining("secret")]);
    }
  });

  test("are not for pages from elsewhere, nor for another host", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { host: `evil.example:${running.port}` }]) {
      expect(codeOf(await byTcp("/ui/", { headers: headers as never }))).toEqual(REFUSED);
    }
    expect((await running.call("/ui/")).status).toBe(404);
  });

  test("are missed in a sentence where the page is not built", async () => {
    await rm(join(folder, "page"), { recursive: true });
    expect(codeOf(await running.call("/v1/page/links", { body: {} }))).toEqual([503, "PAGE_NOT_BUILT"]);
    expect((await byTcp("/ui/")).json.error.hint).toContain("npm run build");
  });
});

describe("[UI6] cambium ui", () => {
  const ui = async (line: readonly string[], browse?: (url: string) => Promise<boolean>, env = {}) => {
    const io = {
      ...capturedIo({ env: { CAMBIUM_HOME: running.home, ...env } }),
      ...(browse === undefined ? {} : { browse }),
    };
    const code = await main(["ui", ...line], io, fakeLibrary({}).library);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };

  test("opens the browser, or prints a link that works", async () => {
    const opened: string[] = [];
    const browse = async (url: string): Promise<boolean> => opened.push(url) > 0;
    expect((await ui([], browse)).stdout).toContain("Opened the web page");
    const { stdout } = await ui(["--no-open", "--json"], browse);
    expect(opened).toHaveLength(1);
    for (const url of [opened[0] ?? "", JSON.parse(stdout).url])
      expect((await trade(url.split("#")[1] ?? "")).status).toBe(200);
    const without = await ui([], async () => false);
    expect(without.stdout).toMatch(/No browser could be started here\.\n.*\nhttp:/);
    expect((await ui(["--close-all", "--json"])).stdout).toContain('{"closed":');
    expect((await ui(["--close-all"])).stdout).toBe("No page is open.\n");
  });

  test("refuses agents", async () => {
    const { code, stderr } = await ui([], undefined, { CAMBIUM_AGENT: "cursor" });
    expect([code, stderr]).toEqual([5, expect.stringContaining("cursor may not open the web page")]);
  });

  test("knows the browser's command on each system", () => {
    expect(browserCommand("darwin", {})).toEqual(["open"]);
    expect(browserCommand("win32", {})?.[0]).toBe("rundll32");
    expect(browserCommand("linux", { WSL_DISTRO_NAME: "Debian" })?.[0]).toBe("rundll32.exe");
    expect(browserCommand("linux", { DISPLAY: ":0" })).toEqual(["xdg-open"]);
    expect(browserCommand("linux", {})).toBeUndefined();
  });
});
