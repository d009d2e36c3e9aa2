/**
 * What a setting of the relay is: its words, its default, and how its text is read.
 *
 * @module
 */
import { BlockList, isIP } from "node:net";
import { isAbsolute } from "node:path";
import { CambiumError } from "@cambium/core/errors";

/** One setting. Its name is that of the option, of the key in the file and, in capitals, of the variable. */
export interface Setting<Value> {
  /** Completes a sentence of the help; without a full stop. */
  readonly about: string;
  /** What stands for its value in the help. */
  readonly placeholder: string;
  /** What it is where nobody sets it. Undefined: not set. */
  readonly standard: string | undefined;
  /** It opens something: no option of the command, which others see in the list of processes, and never shown. */
  readonly isSecret?: true;
  /** What is shown of it where a part of it is secret. */
  readonly shown?: (text: string) => string;
  /** @throws {BadValue} */
  readonly read: (text: string) => Value;
}

/** Says what is wrong with a value, as the end of a sentence that begins with its setting. */
export class BadValue extends Error {}

type Words = Pick<Setting<unknown>, "about">;
type Maybe<Value, Standard> = Standard extends string ? Value : Value | undefined;

function setting<Value, Standard extends string | undefined>(
  { about }: Words,
  placeholder: string,
  standard: Standard,
  read: (text: string) => Value,
): Setting<Maybe<Value, Standard>> {
  return { about, placeholder, standard, read: read as (text: string) => Maybe<Value, Standard> };
}

export const text = <S extends string | undefined>(about: string, standard: S, placeholder = "<text>") =>
  setting({ about }, placeholder, standard, (value) => {
    if (value.trim() === "") throw new BadValue("is empty");
    return value.trim();
  });

export const secret = (about: string) => ({ ...text(about, undefined), isSecret: true as const });

/** As many as 128 random bits have in hexadecimal digits: nobody guesses them over the network. */
const LEAST_TOKEN_LENGTH = 32;
/** Longer ones are refused unread by whoever is asked. */
const MOST_TOKEN_LENGTH = 256;

/** @returns what a token that somebody chose has to be, if this one is not; it does not repeat the token */
export function tokenRule(token: string): string | undefined {
  const isOfLength = token.length >= LEAST_TOKEN_LENGTH && token.length <= MOST_TOKEN_LENGTH;
  if (isOfLength && /^[\x21-\x7e]+$/.test(token)) return undefined;
  return `has to have ${LEAST_TOKEN_LENGTH} to ${MOST_TOKEN_LENGTH} letters, digits or signs, without spaces. Make one with \`openssl rand -hex 32\``;
}

/** Something that is sent as a token. Its value is never repeated. */
export const secretToken = (about: string) => ({
  ...setting({ about }, "<token>", undefined, (value) => {
    const token = value.trim();
    const broken = tokenRule(token);
    if (broken === undefined) return token;
    throw new BadValue(broken);
  }),
  isSecret: true as const,
});

/** Nothing of a password that is not encoded gets into the host, the port or the path: these are shown, and logged. */
const DATABASE_URL =
  /^postgres(ql)?:\/\/([^/?#\s]*@)?(\[[^\]/?#\s]*\]|[^:@/?#[\]\s]*)(:\d*)?(\/[^@?#\s]*)?(\?[^#\s]*)?$/;

/** The address of a database, which may have a password in it. */
export const databaseUrl = (about: string) => ({
  ...setting({ about }, "<url>", undefined, (value) => {
    // Without a host, as libpq takes it for a socket, it is no address to others.
    if (DATABASE_URL.test(value.trim())) return value.trim();
    // Not repeated: it may hold a password.
    throw new BadValue(
      "is not an address such as postgres://cambium@db.example.org/cambium, with %-codes for what is neither a letter nor a digit in a password",
    );
  }),
  shown: withoutPassword,
});

/** Where segments are kept: a directory, or a bucket. Keys are never a part of it. */
export const blobPlace = (about: string) =>
  setting({ about }, "<place>", undefined, (value) => {
    const place = value.trim();
    if (isAbsolute(place)) return place;
    const isBucket = URL.canParse(place) && isBucketUrl(new URL(place));
    if (isBucket) return place;
    // Not repeated: somebody may have written a secret into it.
    throw new BadValue(
      "is neither a directory such as /var/lib/cambium/segments nor a bucket such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-1, without keys",
    );
  });

function isBucketUrl({ protocol, hostname, username, password, port, hash, searchParams }: URL): boolean {
  const endpoint = searchParams.get("endpoint") ?? "https://s3.example.org";
  const { protocol: way = "", username: user } = URL.canParse(endpoint) ? new URL(endpoint) : {};
  return (
    protocol === "s3:" &&
    hostname !== "" &&
    [username, password, port, hash, user].every((part) => part === "") &&
    ["http:", "https:"].includes(way) &&
    [...searchParams.keys()].every((key) => key === "endpoint" || key === "region")
  );
}

/** Rather too much is hidden than too little. */
const withoutPassword = (text: string): string =>
  text.replace(/^(\w+:\/\/[^:@/?]*):.*@/, "$1:***@").replace(/([?&](?:ssl)?password=)[^&]*/gi, "$1***");

export const choice = <const Names extends readonly string[]>(
  about: string,
  names: Names,
  standard: Names[number],
) =>
  setting({ about }, `<${names.join("|")}>`, standard as string, (value): Names[number] => {
    const found = names.find((name) => name === value);
    if (found === undefined) throw new BadValue(`is "${value}". Give one of ${names.join(", ")}`);
    return found;
  });

/** A whole number between bounds. */
export const whole = <S extends string | undefined>(
  about: string,
  standard: S,
  { least = 1, most = Number.MAX_SAFE_INTEGER, placeholder = "<number>" } = {},
) =>
  setting({ about }, placeholder, standard, (value) => {
    const number = Number(value.replaceAll("_", ""));
    if (/^\d[\d_]*$/.test(value) && number >= least && number <= most) return number;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
    throw new BadValue(`is "${value}". Give a whole number ${range}`);
  });

export const port = <S extends string | undefined>(about: string, standard: S) =>
  setting({ about }, "<port>", standard, (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number <= 65_535) return number;
    throw new BadValue(`is "${value}", which is not a port. Give a port from 0 to 65535`);
  });

/** A most: a number, or `none` for no limit. */
export const limit = (about: string, standard: string) =>
  setting({ about }, "<number|none>", standard, (value) =>
    value === "none" ? Number.POSITIVE_INFINITY : readAmount(value, { "": 1 }, "a number, or none"),
  );

const BYTES = { B: 1, "": 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 };

export const bytes = (about: string, standard: string) =>
  setting({ about }, "<size>", standard, (value) => readAmount(value, BYTES, "a size such as 64MiB"));

export const byteLimit = (about: string, standard: string) =>
  setting({ about }, "<size|none>", standard, (value) =>
    value === "none" ? Number.POSITIVE_INFINITY : readAmount(value, BYTES, "a size such as 10GiB, or none"),
  );

const MILLISECONDS = { MS: 1, S: 1_000, M: 60_000, H: 3_600_000, D: 86_400_000 };
/** Node's timers take no more. */
const LONGEST_MS = 2 ** 31 - 1;

export const duration = (about: string, standard: string) =>
  setting({ about }, "<time>", standard, (value) => {
    const ms = readAmount(value, MILLISECONDS, "a time such as 30s, 5m or 1h");
    if (ms > LONGEST_MS) throw new BadValue(`is "${value}". Give at most 24d`);
    return ms;
  });

function readAmount(value: string, units: Readonly<Record<string, number>>, wanted: string): number {
  const [, digits = "", unit = ""] = /^([\d_]+) ?([a-z]*)$/i.exec(value.trim()) ?? [];
  const factor = units[unit.toUpperCase()];
  const amount = Number(digits.replaceAll("_", "")) * (factor ?? Number.NaN);
  if (digits !== "" && Number.isSafeInteger(amount) && amount > 0) return amount;
  throw new BadValue(`is "${value}". Give ${wanted}`);
}

/** Addresses and networks, separated by commas. */
export const addresses = (about: string) =>
  setting({ about }, "<addresses>", undefined, (value) => {
    const list = new BlockList();
    for (const part of value.split(",").map((one) => one.trim())) addAddress(list, part);
    return list;
  });

function addAddress(list: BlockList, value: string): void {
  const [address = "", prefix] = value.split("/");
  const version = isIP(address);
  const family = version === 6 ? "ipv6" : "ipv4";
  const bits = prefix === undefined ? undefined : Number(prefix);
  const isNetwork = bits !== undefined && /^\d+$/.test(prefix ?? "") && bits <= (version === 6 ? 128 : 32);
  if (version === 0 || (prefix !== undefined && !isNetwork)) {
    throw new BadValue(`has "${value}". Give addresses such as 10.0.0.2 or networks such as 10.0.0.0/8`);
  }
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, bits, family);
}

/** Names the setting, where it was set, and what to do. */
export const badSetting = (what: string, message: string, hint?: string): CambiumError =>
  new CambiumError("BAD_INPUT", `${what} ${message}.`, {
    hint:
      hint ??
      "`cambium-relay --help` lists the settings, and `cambium-relay config` shows where each comes from.",
  });
