/**
 * What a device tells the relay of itself when it joins, sealed for the members of the space: a device that only reads
 * cannot say it in the catalog.
 *
 * @module
 */
import {
  bytesFromBase64Url,
  bytesToBase64Url,
  isCambiumError,
  open,
  type Platform,
  type ReplicaId,
  type SpaceKeys,
  seal,
  sealedEpoch,
} from "@cambium/core";
import { isAbsentOr, isText, readShape } from "../platform/plain-shape.js";

/** Who a device says that it is. */
export interface StatedDevice {
  readonly replica: ReplicaId;
  readonly name: string;
  /** X25519, base64url. Earlier versions said none. */
  readonly key?: string | undefined;
}

/** With the epoch of the key under which it was said. */
export interface OpenedDevice extends StatedDevice {
  readonly epoch: number;
}

type DeviceKeys = Pick<SpaceKeys, "space" | "devices" | "epoch" | "opening">;

const MAX_BYTES = 2_048;

const placeOf = ({ space }: DeviceKeys) => ({ space, place: "devices" });

export async function sealDevice(
  platform: Platform,
  keys: DeviceKeys,
  device: StatedDevice,
): Promise<string> {
  const { replica, name, key } = device;
  const bytes = new TextEncoder().encode(JSON.stringify({ replica, name, key }));
  const at = { ...placeOf(keys), key: keys.devices() };
  return bytesToBase64Url(await seal(platform, at, bytes, keys.epoch));
}

/** @returns undefined for what no member has sealed */
export async function openDevice(
  platform: Platform,
  keys: DeviceKeys,
  text: string,
): Promise<OpenedDevice | undefined> {
  const isReplica = (value: unknown): value is ReplicaId => isText(value);
  try {
    const sealed = bytesFromBase64Url(text);
    const at = { ...placeOf(keys), key: (epoch: number) => keys.opening("devices", epoch) };
    const bytes = await open(platform, at, sealed, MAX_BYTES);
    const stated = readShape<StatedDevice>(JSON.parse(new TextDecoder().decode(bytes)), {
      ...{ replica: isReplica, name: isText, key: isAbsentOr(isText) },
    });
    return stated && { ...stated, epoch: sealedEpoch(sealed) ?? 0 };
  } catch (error) {
    if (isCambiumError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
