/**
 * The last step before the caller: whatever is thrown inside leaves as a `CambiumError`. What is unexpected is named
 * as that, with what was thrown as its cause.
 *
 * @module
 */
import { CambiumError, isCambiumError } from "@cambium/core/errors";

type Method = (...args: unknown[]) => unknown;

/** Members that are, or return, public objects themselves. */
const INNER_ENTRY_POINTS: ReadonlySet<PropertyKey> = new Set([
  ...["createSpace", "joinSpace", "recoverSpace", "pairSpace", "openSpace"],
  ...["as", "at"],
  ...["sync", "branches", "checkpoints", "requests", "policy", "audit"],
]);

/** What an entry point makes of each answer, of its own and of the entry points that it returns, before it leaves. */
export const SHOWN: unique symbol = Symbol("shown");

/** What is shown of an answer. */
type Shown = (answer: unknown) => unknown;

/** One for each object, so that what was the same stays the same. */
const entryPoints = new WeakMap<object, object>();
/** Thrown by functions that the caller gave: his own, and left as they are. */
const thrownByCaller = new WeakSet<object>();

/** The same object, of which every method throws and rejects with errors that have a code. */
export function withCodes<EntryPoint extends object>(entryPoint: EntryPoint, above?: Shown): EntryPoint {
  const own = Reflect.get(entryPoint, SHOWN) as Shown | undefined;
  const shown = own?.bind(entryPoint) ?? above;
  const known = entryPoints.get(entryPoint);
  if (known !== undefined) return known as EntryPoint;
  const methods = new Map<Method, Method>();
  const coded = new Proxy(entryPoint, {
    get(target, key) {
      const isEntryPoint = INNER_ENTRY_POINTS.has(key);
      const member: unknown = codedCall(() => Reflect.get(target, key, target));
      if (typeof member !== "function") return isEntryPoint ? innerEntryPoint(member, shown) : member;
      const leaves = isEntryPoint ? (answer: unknown) => innerEntryPoint(answer, shown) : shown;
      const made = methods.get(member as Method) ?? codedMethod(target, member as Method, leaves);
      methods.set(member as Method, made);
      return made;
    },
  });
  entryPoints.set(entryPoint, coded);
  entryPoints.set(coded, coded);
  return coded;
}

/** Like a method of a public object, for the function that opens it. */
export async function openedWithCodes<Options extends object, EntryPoint extends object>(
  options: Options,
  open: (options: Options) => Promise<EntryPoint>,
): Promise<EntryPoint> {
  try {
    return withCodes(await open(notingThrows(options) as Options));
  } catch (error) {
    throw leaving(error);
  }
}

function codedMethod(target: object, method: Method, leaves: Shown | undefined): Method {
  return (...args) => {
    const wrapped = args.map(notingThrows);
    const result = codedCall(() => method.apply(target, wrapped));
    if (result instanceof Promise) {
      return result.then(leaves, (error: unknown) => {
        throw leaving(error);
      });
    }
    return leaves === undefined ? result : leaves(result);
  };
}

const innerEntryPoint = (value: unknown, shown: Shown | undefined): unknown =>
  typeof value === "object" && value !== null ? withCodes(value, shown) : value;

function codedCall<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw leaving(error);
  }
}

/** Options may hold functions of the caller: what they throw is distinguished from what we throw. */
function notingThrows(arg: unknown): unknown {
  if (typeof arg !== "object" || arg === null || Object.getPrototypeOf(arg) !== Object.prototype) return arg;
  const functions = Object.entries(arg).filter(([, value]) => typeof value === "function");
  if (functions.length === 0) return arg;
  const noting = functions.map(([name, value]) => [name, notingMethod(value as Method)]);
  return { ...arg, ...Object.fromEntries(noting) };
}

function notingMethod(method: Method): Method {
  const note = (error: unknown): never => {
    if (typeof error === "object" && error !== null) thrownByCaller.add(error);
    throw error;
  };
  return (...args) => {
    try {
      const result = method(...args);
      return result instanceof Promise ? result.catch(note) : result;
    } catch (error) {
      return note(error);
    }
  };
}

/** Errors of the file system that say what is wrong with the disk, and not with us. */
const DISK_CODES: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EACCES",
  "EPERM",
  "ENOENT",
  "ENOTDIR",
  "EMFILE",
  "ENFILE",
  "EISDIR",
  "EEXIST",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOTEMPTY",
  "EBUSY",
  "ETXTBSY",
  "EFBIG",
  "ENXIO",
  "ENODEV",
  "ESTALE",
  "ETIMEDOUT",
]);
/** Of SQLite: the file is malformed, or no database. */
const DAMAGED_DATABASE: ReadonlySet<unknown> = new Set([11, 26]);

function leaving(error: unknown): unknown {
  if (typeof error === "object" && error !== null && thrownByCaller.has(error)) return error;
  return codedError(error);
}

/** Whatever was thrown, as an error with a code. */
export function codedError(error: unknown): CambiumError {
  if (isCambiumError(error)) return error;
  const { name, code, errcode, message } = detailsOf(error);
  const cause = error;
  const why = message.split("\n", 1)[0] ?? "";
  if (name === "AbortError") return new CambiumError("ABORTED", "Stopped by the caller.", { cause });
  if (name === "TimeoutError")
    return new CambiumError("TIMED_OUT", "The time allowed has passed.", { cause });
  if (code === "ERR_SQLITE_ERROR" && DAMAGED_DATABASE.has(errcode)) {
    const hint = "Run `cambium verify` to see what is damaged. `cambium reindex` rebuilds the index.";
    return new CambiumError("STORE_DAMAGED", `A database of this home cannot be read: ${why}`, {
      hint,
      cause,
    });
  }
  if (code === "ERR_SQLITE_ERROR" || DISK_CODES.has(code)) {
    const hint = "Make sure that CAMBIUM_HOME is still there and yours to write, and that the disk has room.";
    return new CambiumError("STORE_FAILED", `A file cannot be read or written: ${why}`, {
      hint,
      cause,
    });
  }
  const hint = "Please report it. CAMBIUM_DEBUG=1, or the daemon's log, shows where it happened.";
  const unexpected = new CambiumError("INTERNAL", `Something unexpected went wrong: ${why}`, { hint, cause });
  // Where it was, not where it was noticed.
  if (error instanceof Error && error.stack !== undefined) unexpected.stack = error.stack;
  return unexpected;
}

interface Details {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly message: string;
}

function detailsOf(error: unknown): Details {
  if (error instanceof Error) return error as Details;
  return { message: String(error) };
}
