/**
 * The relay's events as lines: JSON for programs, plain ones for a person at a terminal.
 *
 * @module
 */
import { printable } from "@cambium/core/text";
import { pino } from "pino";
import type { OnEvent, RelayEvent } from "../events.js";

export interface LoggerOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  readonly format: "json" | "plain";
  /** Takes whole lines. */
  readonly write: (line: string) => void;
}

/** Never written, whatever an event or an error has in it. */
const SECRETS = ["token", "adminToken", "authorization", "password", "secret"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);
/** In texts of errors, which may quote what was sent; and the password in the address of a database. */
const TOKENS =
  /(?<=postgres(?:ql)?:\/\/[^\s:@/]*:)[^\s@/]+(?=@)|cambium_(relay|space)_[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const HIDDEN = "(hidden)";

export function eventLogger({ level, format, write }: LoggerOptions): OnEvent {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: "event",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.errWithCause },
      redact: { paths: SECRETS, censor: HIDDEN },
    },
    {
      write: (line) => {
        const safe = line.replaceAll(TOKENS, HIDDEN);
        write(format === "json" ? safe : plainLine(safe));
      },
    },
  );
  return (event) => {
    const { level: of, type, ...fields } = event as RelayEvent & Record<string, unknown>;
    logger[of](fields, type);
  };
}

/** `13:05:09 warn quota-exceeded space=…`, in the time of this machine. */
function plainLine(line: string): string {
  const { level, time, event, error, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
  const reason =
    typeof error === "object" && error !== null && "message" in error ? [String(error.message)] : [];
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  return `${printable([clock, level, event, ...shown, ...reason].join(" ")).replaceAll("\n", " ")}\n`;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
