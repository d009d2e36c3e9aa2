import { expect, test } from "vitest";
import { embedderFromEnvironment } from "../../src/models/embedder-from-environment.js";
import { DEFAULT_TRANSFORMERS_MODEL } from "../../src/models/transformers-embedder.js";

const [URL, MODEL, KEY] = ["CAMBIUM_EMBEDDINGS_URL", "CAMBIUM_EMBEDDINGS_MODEL", "CAMBIUM_EMBEDDINGS_KEY"];

test("[VE10] nothing set means no vectors, and an empty variable is not set", () => {
  expect(embedderFromEnvironment({ HOME: "/home/me" })).toBeUndefined();
  expect(embedderFromEnvironment({ [URL]: "", [MODEL]: " ", [KEY]: "" })).toBeUndefined();
});

test("[VE10] an address with a model is an endpoint, and in-process is this process", () => {
  const endpoint = embedderFromEnvironment({ [URL]: "http://localhost:11434", [MODEL]: "bge-m3" });
  expect(endpoint?.model).toBe("bge-m3");
  expect(embedderFromEnvironment({ [URL]: "in-process" })?.model).toContain(DEFAULT_TRANSFORMERS_MODEL);
  expect(embedderFromEnvironment({ [URL]: "in-process", [MODEL]: "a/b" })?.model).toContain("a/b");
});

test.each([
  [{ [MODEL]: "bge-m3" }, URL],
  [{ [KEY]: "k" }, URL],
  [{ [URL]: "http://localhost:11434" }, MODEL],
  [{ [URL]: "localhost:11434", [MODEL]: "bge-m3" }, "address"],
  [{ [URL]: "http://localhost", [MODEL]: "bge-m3", [KEY]: "two words" }, "key"],
])("[VE10] %j is refused, naming what is wrong", (environment, named) => {
  const bad = expect.objectContaining({ code: "BAD_INPUT", message: expect.stringContaining(named) });
  expect(() => embedderFromEnvironment(environment)).toThrow(bad);
});
