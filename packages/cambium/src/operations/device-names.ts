/**
 * Puts what devices are called beside their ids, in the answers that people and agents see. The library keeps to ids:
 * a name is of the moment.
 *
 * @module
 */
import type { Replica, Space } from "@cambium/client";

/** The parts of a space and of an agent that have methods of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set([
  ...["branches", "checkpoints", "members", "requests", "policy", "audit"],
]);
/** They give such a part, not an answer. */
const MAKERS: ReadonlySet<PropertyKey> = new Set(["as", "at"]);

/** The replica, with spaces whose answers say the names of devices. */
export function withDeviceNames<
  R extends Pick<Replica, "openSpace" | "createSpace" | "joinSpace" | "recoverSpace" | "pairSpace">,
>(replica: R): R {
  const openers: ReadonlySet<PropertyKey> = new Set([
    "openSpace",
    "createSpace",
    "joinSpace",
    "recoverSpace",
    "pairSpace",
  ]);
  return answering(replica, (name, value) =>
    openers.has(name) ? async (...args: unknown[]) => namedSpace((await value(...args)) as Space) : value,
  );
}

function namedSpace(space: Space): Space {
  const named = async (answer: unknown): Promise<unknown> => {
    if (!namesDevice(answer)) return answer;
    const devices = await space.members.devices();
    return namedIn(answer, new Map(devices.map(({ replica, name }) => [replica, name])));
  };
  const wrap = <Part extends object>(part: Part): Part =>
    answering(
      part,
      (name, value) =>
        (...args: unknown[]) => {
          const result = value(...args);
          if (MAKERS.has(name)) return wrap(result as object);
          return result instanceof Promise ? result.then(named) : result;
        },
      wrap,
    );
  return wrap(space);
}

type Method = (...args: unknown[]) => unknown;

/** @param ofMethod - what stands for a method, which is bound to its owner */
function answering<Owner extends object>(
  owner: Owner,
  ofMethod: (name: PropertyKey, value: Method) => Method,
  ofPart?: (part: object) => object,
): Owner {
  return new Proxy(owner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === "function") return ofMethod(name, value.bind(target) as Method);
      return PARTS.has(name) && ofPart !== undefined ? ofPart(value as object) : value;
    },
  });
}

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value);

/** Whether anything in it is said to be by a replica. */
function namesDevice(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesDevice);
  if (!isPlain(value)) return false;
  return namesReplica(value) || Object.values(value).some(namesDevice);
}

/** A copy in which each author has the name of its device; whatever else called itself one has not. */
function namedIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return namedList(value, names);
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) copy[key] = namedIn(item, names);
  if (!namesReplica(value)) return copy;
  const { device: _stated, ...rest } = copy;
  const device = names.get(value.replica);
  return device === undefined ? rest : { ...rest, device };
}

/** What a list says of itself stays: how sure a recall is. */
function namedList(list: readonly unknown[], names: ReadonlyMap<string, string>): readonly unknown[] {
  const copy = list.map((item) => namedIn(item, names));
  for (const [key, described] of Object.entries(Object.getOwnPropertyDescriptors(list)))
    if (!Object.hasOwn(copy, key)) Object.defineProperty(copy, key, described);
  return copy;
}

/** Devices in a list have a name already. */
const namesReplica = (value: Plain): value is Plain & { readonly replica: string } =>
  typeof value.replica === "string" && value.name === undefined;
