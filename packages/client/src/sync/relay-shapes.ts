/**
 * What the answers of a relay are made of.
 *
 * @module
 */
import { isUuid, type SpaceId } from "@cambium/core";
import * as z from "zod";

export const relayText = z.string().min(1).max(1_024);

export const tokenRole = z.enum(["read", "write", "admin"]);

export const relaySpace = z
  .string()
  .refine(isUuid)
  .transform((id) => id as SpaceId);
