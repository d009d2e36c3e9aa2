/**
 * The options of a verb, with the types of what they are read as taken from how they are declared.
 *
 * @module
 */
import { Option } from "commander";

declare const read: unique symbol;

/** A command of commander, as far as options are declared on it. */
export interface OptionTable<Options = object> {
  readonly [read]?: Options;
  option<Flags extends string>(flags: Flags, about: string): OptionTable<Options & Read<Flags>>;
  /** @param parse - makes the value of the text, and of the value before where the option is repeated */
  option<Flags extends string, Value>(
    flags: Flags,
    about: string,
    parse: (text: string, earlier?: never) => Value,
  ): OptionTable<Options & Read<Flags, Value>>;
  option<Flags extends string, Value>(
    flags: Flags,
    about: string,
    parse: (text: string) => Value,
    usual: Value,
  ): OptionTable<Options & Required<Read<Flags, Value>>>;
  requiredOption<Flags extends string>(
    flags: Flags,
    about: string,
  ): OptionTable<Options & Required<Read<Flags>>>;
  addOption<More = unknown>(option: ReadOption<More>): OptionTable<Options & More>;
}

/** An option that is read as these values. */
export type ReadOption<Options> = Option & { readonly [read]?: Options };

export type DeclareOptions = (command: OptionTable, words: never) => OptionTable;

/** What the options are read as. */
export type OptionsOf<Declare extends DeclareOptions> =
  ReturnType<Declare> extends OptionTable<infer Options> ? Options : never;

export const choice = <Flags extends string, const Value extends string>(
  flags: Flags,
  about: string,
  values: readonly Value[],
): ReadOption<Read<Flags, Value>> => new Option(flags, about).choices(values);

/** As commander reads an option: `--max-bytes <n>` is `maxBytes`, `--no-priors` is `priors`. */
export type Read<Flags extends string, Value = never> = Flags extends `${string}--${infer Long}`
  ? Long extends `no-${infer Name}`
    ? { readonly [key in CamelCase<Name>]: boolean }
    : Long extends `${infer Name} <${infer Argument}>`
      ? { readonly [key in CamelCase<Name>]?: Taken<Argument, Value> }
      : Long extends `${infer Name} [${infer Argument}]`
        ? { readonly [key in CamelCase<Name>]?: Taken<Argument, Value> | true }
        : { readonly [key in CamelCase<Long>]?: true }
  : never;

type Taken<Argument, Value> = [Value] extends [never]
  ? Argument extends `${string}...`
    ? readonly string[]
    : string
  : Value;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
