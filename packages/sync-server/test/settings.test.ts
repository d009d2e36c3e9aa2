import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "../src/settings/read-settings.js";
import { settingsHelp, settingsText, shownSettings } from "../src/settings/show-settings.js";
import { SETTING_NAMES, SETTINGS, variableOf } from "../src/settings/table.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-relay-settings-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Given {
  readonly options?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
}

function read({ options = {}, env = {}, file }: Given = {}) {
  const config = join(dir, "own.toml");
  if (file !== undefined) writeFileSync(config, file);
  return readSettings({
    options: { ...options, ...(file === undefined ? {} : { config }) },
    ...{ env, userHome: dir },
  });
}

const refusalOf = (given: Given): string => {
  try {
    read(given);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message.replace(dir, "<dir>")}`;
  }
  return "taken";
};

test("[RO1] an option counts before a variable, a variable before the file, and each says where it was set", () => {
  const file = 'port = 3\nhost = "::1"\nmax-tokens-per-space = 7\n';
  const env = { CAMBIUM_RELAY_PORT: "2", CAMBIUM_RELAY_HOST: "10.0.0.1" };
  const { settings, found } = read({ options: { port: "1" }, env, file });
  expect(settings).toMatchObject({ port: 1, host: "10.0.0.1", "max-tokens-per-space": 7, heartbeat: 30_000 });
  const froms = Object.fromEntries(found.map(({ name, from }) => [name, from]));
  expect(froms).toMatchObject({
    ...{ port: "--port", host: "CAMBIUM_RELAY_HOST", heartbeat: undefined },
    "max-tokens-per-space": join(dir, "own.toml"),
  });
});

test("[RO1] the file is relay.toml of the data directory, unless another is named", () => {
  const data = join(dir, "data");
  mkdirSync(data);
  writeFileSync(join(data, "relay.toml"), 'idle-document = "90s"\ntrusted-proxies = ["10.0.0.0/8", "::1"]\n');
  const { settings, file } = readSettings({ options: { data }, env: {}, userHome: dir });
  expect([settings["idle-document"], settings.data, file]).toEqual([90_000, data, join(data, "relay.toml")]);
  expect(settings["trusted-proxies"]?.check("10.1.2.3")).toBe(true);
  expect(readSettings({ options: {}, env: { CAMBIUM_HOME: dir }, userHome: "/" }).settings.data).toBe(
    join(dir, "relay"),
  );
});

test.each<[Given, string]>([
  [{ options: { port: "x" } }, 'BAD_INPUT: --port is "x", which is not a port. Give a port from 0 to 65535.'],
  [
    { env: { CAMBIUM_RELAY_DRAIN: "soon" } },
    'BAD_INPUT: CAMBIUM_RELAY_DRAIN is "soon". Give a time such as 30s, 5m or 1h.',
  ],
  [{ env: { CAMBIUM_RELAY_DRAIN: "90d" } }, 'BAD_INPUT: CAMBIUM_RELAY_DRAIN is "90d". Give at most 24d.'],
  [
    { file: 'max-payload = "0"' },
    'BAD_INPUT: max-payload in <dir>/own.toml is "0". Give a size such as 64MiB.',
  ],
  [{ file: "log-level = true" }, "BAD_INPUT: log-level in <dir>/own.toml is neither a text nor a number."],
  [
    { file: 'log-level = "loud"' },
    'BAD_INPUT: log-level in <dir>/own.toml is "loud". Give one of debug, info, warn, error, silent.',
  ],
  [{ file: "prot = 1" }, "BAD_INPUT: prot in <dir>/own.toml is not a setting."],
  [{ file: "port 1" }, "BAD_INPUT: <dir>/own.toml is not TOML: line 1, column 6."],
  [{ env: { CAMBIUM_RELAY_PROT: "1" } }, "BAD_INPUT: CAMBIUM_RELAY_PROT is not a setting."],
  [
    { env: { CAMBIUM_RELAY_CONFIG: "/no/such" } },
    "BAD_INPUT: CAMBIUM_RELAY_CONFIG names /no/such, which is not there.",
  ],
  [
    { options: { "tls-cert": "a" } },
    "BAD_INPUT: tls-cert and tls-key belong together: one of them is not set.",
  ],
  [
    { options: { "oidc-issuer": "a" } },
    "BAD_INPUT: oidc-issuer and oidc-audience belong together: one of them is not set.",
  ],
  [
    { options: { "trusted-proxies": "10.0.0.1,all" } },
    'BAD_INPUT: --trusted-proxies has "all". Give addresses such as 10.0.0.2 or networks such as 10.0.0.0/8.',
  ],
  [
    { options: { "trusted-proxies": "::/129" } },
    'BAD_INPUT: --trusted-proxies has "::/129". Give addresses such as 10.0.0.2 or networks such as 10.0.0.0/8.',
  ],
  [
    { options: { "oidc-skew": "601" } },
    'BAD_INPUT: --oidc-skew is "601". Give a whole number from 0 to 600.',
  ],
])("[RO2] %j is refused with the name of the setting and where it was set", (given, message) => {
  expect(refusalOf(given)).toBe(message);
});

test("[RO2] every setting is in the help, and its default is taken in each of the three places", () => {
  const help = settingsHelp();
  for (const name of SETTING_NAMES) {
    const { isSecret, standard } = SETTINGS[name];
    expect(help).toContain(isSecret ? variableOf(name) : `--${name} `);
    if (standard === undefined) continue;
    const standardValue = (read().settings as Record<string, unknown>)[name];
    for (const given of [
      { options: { [name]: standard } },
      { env: { [variableOf(name)]: standard } },
      { file: `${name} = ${JSON.stringify(standard)}` },
    ])
      expect((read(given).settings as Record<string, unknown>)[name]).toEqual(standardValue);
  }
});

test("[RO2] sizes and times mean what they say, and no text ends in anything but a value or BAD_INPUT", () => {
  const units = { "": 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4_000 }),
      fc.constantFrom(...Object.keys(units)),
      (amount, unit) => {
        const { settings } = read({ options: { "max-payload": `${amount}${unit}` } });
        expect(settings["max-payload"]).toBe(amount * units[unit as keyof typeof units]);
      },
    ),
    { numRuns: 50 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...SETTING_NAMES), fc.string(), (name, text) => {
      expect(refusalOf({ options: { [name]: text } })).toMatch(/^taken$|^BAD_INPUT: /);
    }),
    { numRuns: 200 },
  );
  expect(read({ options: { "max-bytes-per-space": "none" } }).settings["max-bytes-per-space"]).toBe(
    Number.POSITIVE_INFINITY,
  );
});

test("[RO3] a secret is taken from a variable or the file, and never shown", () => {
  const { settings, found } = read({
    env: { CAMBIUM_RELAY_ADMIN_TOKEN: "open-sesame-0123456789-0123456789" },
  });
  expect(settings["admin-token"]).toBe("open-sesame-0123456789-0123456789");
  expect(JSON.stringify(shownSettings(found)) + settingsText(shownSettings(found))).not.toContain("sesame");
  expect(settingsText(shownSettings(found))).toMatch(
    /admin-token +\(set, not shown\) {2}\(CAMBIUM_RELAY_ADMIN_TOKEN\)/,
  );
});

test.each([
  ["open-sesame"],
  ["a".repeat(31)],
  ["a".repeat(257)],
  ["two words ".repeat(4)],
  ["pässword".repeat(5)],
])("[RO3] an admin token such as %j is refused with one sentence, which does not repeat it", (token) => {
  const refused = (): unknown => read({ env: { CAMBIUM_RELAY_ADMIN_TOKEN: token } });
  const sentence = /^CAMBIUM_RELAY_ADMIN_TOKEN has to have 32 to 256 .*openssl rand -hex 32`\.$/;
  expect(refused).toThrow(
    expect.objectContaining({ code: "BAD_INPUT", message: expect.stringMatching(sentence) }),
  );
  expect(refused).not.toThrow(token);
});

test("[RO2] the page about operating a relay names each limit with its default", () => {
  const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `max-"));
  const listed = rows.flatMap((row) => {
    const [names = "", defaults = ""] = row.slice(2).split(" | ");
    const values = defaults.replace(/(\d),(\d{3})/g, "$1$2").split(", ");
    return [...names.matchAll(/`([a-z-]+)`/g)].map(([, name], place) => [name, values[place]] as const);
  });
  const limits = SETTING_NAMES.filter((name) => name.startsWith("max-"));
  expect(listed.map(([name]) => name).toSorted()).toEqual(limits.toSorted());
  for (const [name, value = ""] of listed) {
    const text = value.replace(/ in ten minutes$/, "").replace(" ", "");
    expect([name, text]).toEqual([name, SETTINGS[name as (typeof limits)[number]].standard]);
  }
});
