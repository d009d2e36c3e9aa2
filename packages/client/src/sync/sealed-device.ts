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
} from "@cambium/core";
import { isText, readShape } from "../platform/plain-shape.js";

/** Who a device says that it is. */
export interface StatedDevice {
  readonly replica: ReplicaId;
  readonly name: string;
}

type DeviceKeys = Pick<SpaceKeys, "space" | "devices">;

const MAX_BYTES = 2_048;

const placeOf = ({ space, devices }: DeviceKeys) => ({ space, place: "devices", key: devices() });

export async function sealDevice(
  platform: Platform,
  keys: DeviceKeys,
  device: StatedDevice,
): Promise<string> {
  const { replica, name } = device;
  const bytes = new TextEncoder().encode(JSON.stringify({ replica, name }));
  return bytesToBase64Url(await seal(platform, placeOf(keys), bytes));
}

/** @returns undefined for what no member has sealed */
export async function openDevice(
  platform: Platform,
  keys: DeviceKeys,
  text: string,
): Promise<StatedDevice | undefined> {
  const isReplica = (value: unknown): value is ReplicaId => isText(value);
  try {
    const bytes = await open(platform, placeOf(keys), bytesFromBase64Url(text), MAX_BYTES);
    return readShape<StatedDevice>(JSON.parse(new TextDecoder().decode(bytes)), {
      replica: isReplica,
      name: isText,
    });
  } catch (error) {
    if (isCambiumError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
