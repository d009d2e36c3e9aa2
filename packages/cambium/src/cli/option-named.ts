/**
 * What the library calls a field is an option to whoever typed it: `tags` is `--tag`, `validFrom` `--valid-from`.
 *
 * @module
 */
import { MEMORY_FIELDS, MEMORY_NOTES } from "@cambium/core/state-fields";

/**
 * @param field - of which the message speaks, at its beginning
 * @returns the message with the option in place of the field, if the option was typed
 */
export function withOptionNamed(message: string, field: unknown, argv: readonly string[]): string {
  if (typeof field !== "string" || !message.startsWith(`${field} `)) return message;
  const typed = optionsOf(field).find((option) =>
    argv.some((word) => word === option || word.startsWith(`${option}=`)),
  );
  return typed === undefined ? message : `${typed}${message.slice(field.length)}`;
}

function optionsOf(field: string): readonly string[] {
  const definitions: Readonly<Record<string, object>> = { ...MEMORY_FIELDS, ...MEMORY_NOTES };
  const definition = definitions[field];
  const option = definition !== undefined && "option" in definition ? definition.option : undefined;
  const { flags } = (option ?? { flags: "" }) as { readonly flags: string };
  const inWords = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return [...flags.split(" ").filter((word) => word.startsWith("--")), inWords];
}
