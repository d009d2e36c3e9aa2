/**
 * Checking the arguments of public calls before anything is done.
 *
 * @module
 */
import { type GuardedMethod, type Signature, signatureOf } from "./signature.js";

type CheckedMethod = (this: unknown, ...args: readonly unknown[]) => unknown;
/** By name of the method. Methods that have none are left unchecked. */
type Signatures = Readonly<Record<string, Signature | GuardedMethod>>;

/** Calls that answer at once, and so throw at once; all others reject. */
const AT_ONCE: ReadonlySet<string> = new Set(["as", "at", "subscribe"]);

/** Makes every instance of a class check what it is called with. */
export function checkCallsOf({ prototype }: { readonly prototype: object }, signatures: Signatures): void {
  for (const [name, method] of Object.entries(signatures)) {
    if (!Object.hasOwn(prototype, name)) continue; // its parent class has it
    Object.defineProperty(prototype, name, {
      ...Object.getOwnPropertyDescriptor(prototype, name),
      value: checking(name, signatureOf(method), Reflect.get(prototype, name) as CheckedMethod),
    });
  }
}

/** The same of an object that is no class's. */
export function withCheckedCalls<T extends object>(owner: T, signatures: Signatures): T {
  const checked = Object.entries(signatures)
    .filter(([name]) => typeof Reflect.get(owner, name) === "function")
    .map(([name, method]) => [
      name,
      checking(name, signatureOf(method), (Reflect.get(owner, name) as CheckedMethod).bind(owner)),
    ]);
  return { ...owner, ...Object.fromEntries(checked) };
}

function checking(name: string, signature: Signature, call: CheckedMethod): CheckedMethod {
  const check = (args: readonly unknown[]): void => {
    for (const [index, [argument, shape]] of signature.entries()) shape(args[index], argument);
  };
  if (AT_ONCE.has(name)) {
    return function checked(...args) {
      check(args);
      return call.apply(this, args as unknown[]);
    };
  }
  return function checked(...args) {
    try {
      check(args);
      return call.apply(this, args as unknown[]);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}
