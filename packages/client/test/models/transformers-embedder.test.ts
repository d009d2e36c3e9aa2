import { describe, expect, test } from "vitest";
import { transformersEmbedder } from "../../src/models/transformers-embedder.js";
import { ngramVector } from "./support/ngram-embedder.js";

interface Asked {
  readonly texts: readonly string[];
  readonly options: unknown;
}

type Output = { readonly data: unknown; readonly dims: readonly number[] };

/** A package that has the shape of the real one. */
function packageDouble(
  answer: (text: string) => Output = (text) => ({ data: ngramVector(text), dims: [1, 64] }),
) {
  const loaded: unknown[][] = [];
  const asked: Asked[] = [];
  const pipeline = async (...args: unknown[]) => {
    loaded.push(args);
    return async (texts: readonly string[], options: unknown) => {
      asked.push({ texts, options });
      return answer(texts[0] ?? "");
    };
  };
  return { loaded, asked, importPackage: async () => ({ pipeline }) };
}

describe("vectors made in this process", () => {
  test("[VE11] loads the model once, at the first text, and asks for one normalised mean at a time", async () => {
    const { loaded, asked, importPackage } = packageDouble();
    const embedder = transformersEmbedder({ importPackage, cacheDir: "/models" });
    expect(loaded).toEqual([]);
    const [query] = await embedder.embed(["눈"], { purpose: "query" });
    await embedder.embed(["a", "b"], { purpose: "memory" });
    expect(query).toEqual(ngramVector("query: 눈"));
    expect(loaded).toEqual([
      ["feature-extraction", "Xenova/multilingual-e5-small", { dtype: "q8", cache_dir: "/models" }],
    ]);
    expect(asked.map(({ texts }) => texts)).toEqual([["query: 눈"], ["passage: a"], ["passage: b"]]);
    expect(asked[0]?.options).toEqual({ pooling: "mean", normalize: true });
  });

  test("[VE11] a package that is not there says how to get it", async () => {
    const importPackage = () => Promise.reject(new Error("ERR_MODULE_NOT_FOUND"));
    await expect(
      transformersEmbedder({ importPackage }).embed(["a"], { purpose: "query" }),
    ).rejects.toMatchObject({
      code: "EMBEDDER_REFUSED",
      hint: "Install it with `npm install @huggingface/transformers`.",
    });
    const other = transformersEmbedder({ importPackage: async () => ({}) });
    await expect(other.embed(["a"], { purpose: "query" })).rejects.toMatchObject({
      code: "EMBEDDER_REFUSED",
    });
  });

  test("[VE11] a model that could not be loaded is tried again", async () => {
    const good = packageDouble();
    let tries = 0;
    const importPackage = async () => {
      tries += 1;
      return tries === 1 ? { pipeline: () => Promise.reject(new Error("offline")) } : good.importPackage();
    };
    const embedder = transformersEmbedder({ importPackage });
    const first = embedder.embed(["a"], { purpose: "query" });
    await expect(first).rejects.toMatchObject({ code: "EMBEDDER_UNREACHABLE" });
    expect(await embedder.embed(["a"], { purpose: "query" })).toHaveLength(1);
  });

  test.each<[string, Output]>([
    ["no floats", { data: [1, 2], dims: [1, 2] }],
    ["one vector per token", { data: new Float32Array(6), dims: [1, 3, 2] }],
    ["not a number", { data: Float32Array.of(Number.NaN), dims: [1, 1] }],
    ["nothing", { data: new Float32Array(), dims: [1, 0] }],
  ])("[VE11] a model that gives %s is refused", async (_, output) => {
    const { importPackage } = packageDouble(() => output);
    const answer = transformersEmbedder({ importPackage }).embed(["a"], { purpose: "memory" });
    await expect(answer).rejects.toMatchObject({ code: "EMBEDDER_REFUSED" });
  });

  test("[VE11] a caller need not wait for a model that is still being loaded", async () => {
    const controller = new AbortController();
    const importPackage = () => new Promise<never>(() => undefined);
    const { signal } = controller;
    const stopped = transformersEmbedder({ importPackage }).embed(["a"], { purpose: "memory", signal });
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
  });
});
