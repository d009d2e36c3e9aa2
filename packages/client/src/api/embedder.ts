/**
 * What turns texts into vectors whose angle says how near their meanings are.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";

/** Turns texts into vectors, in the process or by asking an endpoint. What a replica uses is yours to implement. */
export interface Embedder {
  /** Changes whenever vectors stop being comparable: the model's name, and what else shapes its vectors. */
  readonly model: string;
  /**
   * Returns one vector per text, in the order of the texts, all of one length.
   *
   * @throws {CambiumError} EMBEDDER_UNREACHABLE (trying later may help), EMBEDDER_REFUSED, ABORTED
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
}

/** How texts are embedded. */
export interface EmbedOptions {
  /** Many models want questions marked apart from what is searched. */
  readonly purpose: "query" | "memory";
  /** Stops waiting: the call rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
}

/** HTTP statuses by which an endpoint refuses what it was sent, not who sent it. */
const STATUSES_ABOUT_TEXTS: readonly unknown[] = [400, 413, 422];

/** Whether an embedder refused the texts themselves, so that others may still go through. */
export const isAboutTexts = (error: unknown): boolean =>
  isCambiumError(error, "EMBEDDER_REFUSED") && STATUSES_ABOUT_TEXTS.includes(error.details?.status);
