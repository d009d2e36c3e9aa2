/**
 * New names of erasures.
 *
 * @module
 */
import { bytesToHex } from "@cambium/core";
import type { ErasureServices } from "./services.js";

const ERASURE_ID_BYTES = 16;

export const newErasureId = ({ codec }: Pick<ErasureServices, "codec">): string =>
  bytesToHex(codec.platform.random(ERASURE_ID_BYTES));
