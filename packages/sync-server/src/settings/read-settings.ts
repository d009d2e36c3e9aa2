/**
 * The settings of a relay from the command line, the environment and one file, in this order.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import { parse as parseToml, TomlError } from "smol-toml";
import { BadValue, badSetting } from "./setting.js";
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings, variableOf } from "./table.js";

/** Looked for in the data directory where no other file is named. */
const FILE_NAME = "relay.toml";
const CONFIG_VARIABLE = variableOf("config");

type Texts = Readonly<Partial<Record<string, string>>>;

/** Where settings come from. */
export interface SettingSources {
  /** Options of the command line, by the name of the setting. */
  readonly options: Texts;
  readonly env: Texts;
  readonly userHome: string;
}

/** One setting as it was found. */
export interface FoundSetting {
  readonly name: SettingName;
  /** As it was written. Undefined: not set. */
  readonly text: string | undefined;
  /** Who set it: `--port`, a variable, a file; or nobody. */
  readonly from: string | undefined;
}

export interface ReadSettings {
  readonly settings: Settings & { readonly data: string };
  readonly found: readonly FoundSetting[];
  /** The file that was read. */
  readonly file: string | undefined;
}

/** @throws {CambiumError} BAD_INPUT, naming the setting and where it was set */
export function readSettings(sources: SettingSources): ReadSettings {
  const { options, env, userHome } = sources;
  const data = options.data ?? nonEmpty(env[variableOf("data")]);
  const home = nonEmpty(env.CAMBIUM_HOME) ?? join(userHome, ".cambium");
  const file = fileOf(sources, data ?? join(home, "relay"));
  const fromFile = file === undefined ? {} : textsOf(file);
  refuseUnknown(fromFile, file, env);
  const found = SETTING_NAMES.map((name): FoundSetting => {
    const variable = variableOf(name);
    if (options[name] !== undefined) return { name, text: options[name], from: `--${name}` };
    const inEnv = nonEmpty(env[variable]);
    if (inEnv !== undefined) return { name, text: inEnv, from: variable };
    if (fromFile[name] !== undefined) return { name, text: fromFile[name], from: file };
    return { name, text: SETTINGS[name].standard, from: undefined };
  });
  const values = Object.fromEntries(found.map((one) => [one.name, settingValue(one)])) as unknown as Settings;
  const settings = { ...values, data: resolve(values.data ?? join(home, "relay")) };
  refuseHalves(settings);
  return { settings, found, file };
}

function fileOf({ options, env }: SettingSources, dataDir: string): string | undefined {
  const named = options.config ?? nonEmpty(env[CONFIG_VARIABLE]);
  if (named === undefined) {
    const standard = join(dataDir, FILE_NAME);
    return existsSync(standard) ? standard : undefined;
  }
  if (existsSync(named)) return named;
  throw badSetting(
    options.config === undefined ? CONFIG_VARIABLE : "--config",
    `names ${named}, which is not there`,
  );
}

function textsOf(file: string): Texts {
  try {
    const entries = Object.entries(parseToml(readFileSync(file, "utf8")));
    return Object.fromEntries(entries.map(([name, value]) => [name, asText(value, `${name} in ${file}`)]));
  } catch (error) {
    if (error instanceof TomlError) {
      throw badSetting(
        file,
        `is not TOML: line ${error.line}, column ${error.column}`,
        "Write lines such as: port = 4141",
      );
    }
    if ((error as NodeJS.ErrnoException).code !== undefined && !(error instanceof TypeError))
      throw unreadable(file, error);
    throw error;
  }
}

function unreadable(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith("E") ? badSetting(file, `cannot be read (${code})`) : error;
}

function asText(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(",");
  throw badSetting(what, "is neither a text nor a number");
}

function refuseUnknown(fromFile: Texts, file: string | undefined, env: Texts): void {
  const unknown = Object.keys(fromFile).find((name) => !(name in SETTINGS));
  if (unknown !== undefined) throw badSetting(`${unknown} in ${file}`, "is not a setting");
  const known = new Set([...SETTING_NAMES.map(variableOf), CONFIG_VARIABLE, ...OTHER_VARIABLES]);
  const strange = Object.keys(env).find((name) => name.startsWith("CAMBIUM_RELAY_") && !known.has(name));
  if (strange !== undefined) throw badSetting(strange, "is not a setting");
}

/** The token of those who use a relay, and the address of one to administer: read elsewhere. */
const OTHER_VARIABLES = ["CAMBIUM_RELAY_TOKEN", "CAMBIUM_RELAY_URL"];

function settingValue({ name, text, from }: FoundSetting): unknown {
  if (text === undefined) return undefined;
  try {
    return SETTINGS[name].read(text);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    const what = from?.startsWith("--") || from === variableOf(name) ? from : `${name} in ${from}`;
    throw badSetting(what ?? name, error.message); // which repeats no secret
  }
}

function refuseHalves(settings: Settings): void {
  if ((settings["tls-cert"] === undefined) !== (settings["tls-key"] === undefined)) {
    throw badSetting("tls-cert and tls-key", "belong together: one of them is not set");
  }
  if ((settings["oidc-issuer"] === undefined) !== (settings["oidc-audience"] === undefined)) {
    throw badSetting("oidc-issuer and oidc-audience", "belong together: one of them is not set");
  }
}
