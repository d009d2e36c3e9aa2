/**
 * Vectors made in this process by `@huggingface/transformers`, an optional package. The first use downloads the
 * model; after that nothing leaves the device.
 *
 * @module
 */
import { CambiumError, throwIfAborted } from "@cambium/core";
import type { Embedder } from "../api/embedder.js";
import { prefixesOf } from "./model-prefixes.js";
import { preparedText, vectorModelName } from "./prepared-text.js";
import { unlessAborted } from "./waiting.js";

/** Which model to run, and how. */
export interface TransformersEmbedderOptions {
  /** A model for feature extraction with ONNX weights. Default: `DEFAULT_TRANSFORMERS_MODEL`. */
  readonly model?: string | undefined;
  /** Precision of the weights. Default: `q8`, which takes a quarter of `fp32`. */
  readonly dtype?: string | undefined;
  /** What to put before questions and memories. Default: what the model is known to expect. */
  readonly queryPrefix?: string | undefined;
  /** See `queryPrefix`. */
  readonly memoryPrefix?: string | undefined;
  /** Where models are kept. Default: the package's own place. */
  readonly cacheDir?: string | undefined;
  /** Longer texts are cut, in UTF-16 units. Default: 2,000, about the 512 tokens that small models read. */
  readonly maxTextLength?: number | undefined;
  /** Imports the package; a test may bring its own. */
  readonly importPackage?: (() => Promise<unknown>) | undefined;
}

/** 94 languages, 384 numbers a vector, 118 MB in 8 bits, MIT. */
export const DEFAULT_TRANSFORMERS_MODEL = "Xenova/multilingual-e5-small";

const DTYPE = "q8";
const MAX_TEXT_LENGTH = 2_000;

/** What we use of the package; it need not be installed for our types to hold. */
interface TransformersPackage {
  pipeline(
    task: "feature-extraction",
    model: string,
    options: { readonly dtype: string; readonly cache_dir?: string },
  ): Promise<FeatureExtraction>;
}

type FeatureExtraction = (
  texts: readonly string[],
  options: { readonly pooling: "mean"; readonly normalize: boolean },
) => Promise<{ readonly data: unknown; readonly dims: readonly number[] }>;

/** Loads nothing until it is asked for the first vector. */
export function transformersEmbedder(options: TransformersEmbedderOptions = {}): Embedder {
  const { model = DEFAULT_TRANSFORMERS_MODEL, dtype = DTYPE, maxTextLength = MAX_TEXT_LENGTH } = options;
  const known = prefixesOf(model);
  const prefixes = {
    query: options.queryPrefix ?? known.query,
    memory: options.memoryPrefix ?? known.memory,
  };
  let loading: Promise<FeatureExtraction> | undefined;
  const load = (): Promise<FeatureExtraction> => {
    loading ??= loadPipeline({ ...options, model, dtype }).catch((error: unknown) => {
      loading = undefined; // the network may be back, or the package installed, at the next try
      throw error;
    });
    return loading;
  };
  return {
    model: vectorModelName(model, { dtype, memoryPrefix: prefixes.memory }),
    async embed(texts, { purpose, signal }) {
      throwIfAborted(signal);
      const extract = await unlessAborted(load(), signal);
      const vectors: Float32Array[] = [];
      // One at a time: the model computes on the thread that calls it, and recalls want a turn between two texts.
      for (const text of texts) {
        throwIfAborted(signal);
        const prepared = preparedText(text, { prefix: prefixes[purpose], maxTextLength });
        vectors.push(await unlessAborted(extractOne(extract, prepared, model), signal));
      }
      return vectors;
    },
  };
}

async function loadPipeline({
  model,
  dtype,
  cacheDir,
  importPackage = importTransformers,
}: TransformersEmbedderOptions & {
  readonly model: string;
  readonly dtype: string;
}): Promise<FeatureExtraction> {
  const { pipeline } = await importPackage().then(asTransformers, (cause: unknown) => {
    throw new CambiumError(
      "EMBEDDER_REFUSED",
      "Vectors in this process need a package that cannot be loaded.",
      {
        hint: "Install it with `npm install @huggingface/transformers`.",
        cause,
      },
    );
  });
  try {
    const place = cacheDir === undefined ? {} : { cache_dir: cacheDir };
    return await pipeline("feature-extraction", model, { dtype, ...place });
  } catch (cause) {
    throw new CambiumError("EMBEDDER_UNREACHABLE", `The model ${model} cannot be loaded.`, {
      hint: "It is downloaded from huggingface.co at first use; check its name and the network.",
      cause,
    });
  }
}

async function extractOne(extract: FeatureExtraction, text: string, model: string): Promise<Float32Array> {
  let output: Awaited<ReturnType<FeatureExtraction>>;
  try {
    output = await extract([text], { pooling: "mean", normalize: true });
  } catch (cause) {
    throw new CambiumError("EMBEDDER_REFUSED", `The model ${model} failed on a text.`, { cause });
  }
  const { data, dims } = output;
  const isVector = data instanceof Float32Array && data.length > 0 && dims.at(-1) === data.length;
  if (!isVector || !data.every(Number.isFinite)) {
    throw new CambiumError("EMBEDDER_REFUSED", `The model ${model} does not give one vector for a text.`);
  }
  return data;
}

/** Named by a variable, because neither types nor bundlers shall look for what may not be there. */
const PACKAGE: string = "@huggingface/transformers";

const importTransformers = (): Promise<unknown> => import(PACKAGE);

function asTransformers(found: unknown): TransformersPackage {
  if (typeof (found as Partial<TransformersPackage> | undefined)?.pipeline === "function") {
    return found as TransformersPackage;
  }
  throw new CambiumError("EMBEDDER_REFUSED", "The installed @huggingface/transformers has no pipelines.", {
    hint: "Install a current one with `npm install @huggingface/transformers`.",
  });
}
