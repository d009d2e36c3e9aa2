/**
 * The pieces that the tools' schemas are made of. Every byte of them stands in the context of every
 * conversation, so descriptions say only what a name does not.
 *
 * @module
 */
import { z } from "zod";

/** 64 KiB is far more than a memory should say, and far less than what the library takes. */
const MAX_CONTENT = 65_536;
const MAX_LABEL = 1_000;

export const label = z.string().min(1).max(MAX_LABEL);
export const content = z.string().min(1).max(MAX_CONTENT);
export const memoryId = z.string().min(4).max(64);
const date = z.string().min(1).max(100);
const fraction = z.number().min(0).max(1);

export const place = {
  branch: label.optional(),
  space: label.optional(),
};

export const at = label
  .describe('A past state: date, "2 weeks ago", branch@date, main@checkpoint:name')
  .optional();

/** Bytes of an answer. Twice the most, as text and as data, stays below 25,000 tokens. */
const LEAST_BYTES = 2_000;
export const MOST_BYTES = 40_000;
export const USUAL_BYTES = 12_000;
export const maxBytes = z.number().int().min(LEAST_BYTES).max(MOST_BYTES).default(USUAL_BYTES);

export const limit = (usual: number, most: number) => z.number().int().min(1).max(most).default(usual);
export const cursor = z.string().min(1).max(2_000).describe("From the answer before").optional();

/** What a memory may bear besides its content. */
export const memoryFields = {
  kind: label.describe("Such as fact, decision, preference").optional(),
  area: label.optional(),
  category: label.optional(),
  tags: z.array(label).max(50).optional(),
  importance: fraction.optional(),
  confidence: fraction.optional(),
  occurredAt: date.optional(),
  validFrom: date.optional(),
  validUntil: date.optional(),
  reason: label.describe("Why it is written").optional(),
};

export const allowSecret = z.boolean().describe("Only if the user insists on storing a secret").optional();

export const confirmed = z.boolean().describe("The user agreed to what was refused before").optional();

export const filters = {
  category: label.optional(),
  tag: label.optional(),
  kind: label.optional(),
  area: label.optional(),
};

/** Answers are objects of known names whose details are described in words. */
export const texts = z.array(z.string());
export const items = z.array(z.looseObject({}));
export const count = z.number().int();
