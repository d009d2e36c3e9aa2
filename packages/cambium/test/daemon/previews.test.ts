/** What a preview answers, against the description that the daemon itself serves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { DEFINITIONS, type OperationName } from "../../src/operations/definitions/table.js";
import { requestSchema } from "../../src/operations/request-schema.js";
import { startWithSpace } from "./support/daemon.js";

type Described = {
  readonly responses: { readonly 200: { readonly content: Record<string, { schema: object }> } };
};

/** Calls that show what they would do: of each operation that can, but of those that ask a relay. */
const WITH_RELAY: readonly OperationName[] = ["members.changeRole", "members.revoke"];

test("[CL114] what every preview answers fits the OpenAPI document that the daemon serves", async () => {
  await using running = await startWithSpace();
  const at = "/v1/spaces/~";
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const url = path.startsWith("/v1/") ? path : `${at}${path}`;
    const { status, text } = await running.call(url, { method: "POST", body });
    expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const first = await post("/memories", { content: "The budget is 50,000 euro." });
  await post("/memories", { content: "Tea at four." });
  await post("/checkpoints", { name: "before" });
  await post("/branches", { name: "work" });
  const [id] = [String(first.id)];
  const revise = async (content: string, branch: string) =>
    await running.call(`${at}/memories/${id}`, { method: "PATCH", body: { content, branch } });
  expect((await revise("The budget is 60,000 euro.", "work")).status).toBe(200);
  expect((await revise("The budget is 70,000 euro.", "main")).status).toBe(200);
  await post("/memories", { content: "Only here.", branch: "work" });
  await post("/memories", { content: "Written since." });
  const notes = join(running.home, "notes.md");
  writeFileSync(notes, "# New\n\nText.\n");

  const archive = `${running.home}.cambium`;
  await post("/archive", { path: archive, clear: true });

  const calls: Partial<Record<OperationName, readonly object[]>> = {
    undo: [{}, { last: 3 }],
    rollback: [{ to: "main@checkpoint:before" }],
    merge: [{ from: "work" }, { from: "work", strategy: "both" }, { from: "work", strategy: "source" }],
    import: [{ path: notes }],
    "archives.import": [{ path: archive }],
    erase: [{ ids: [id] }, { query: "budget", since: "2020-01-01" }],
    prune: [{}],
    rekey: [{}],
  };
  const previewing = (Object.keys(DEFINITIONS) as OperationName[]).filter(
    (name) => "preview" in requestSchema(DEFINITIONS[name]).shape,
  );
  expect([...Object.keys(calls), ...WITH_RELAY].sort()).toEqual(previewing.sort());

  const { text } = await running.call("/openapi.json");
  const document = JSON.parse(text.replaceAll('"#/components/schemas/', '"all#/$defs/'));
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: "all", $defs: document.components.schemas });
  for (const [name, bodies] of Object.entries(calls)) {
    const { path, method } = DEFINITIONS[name as OperationName];
    const described: Described = document.paths[path][method.toLowerCase()];
    const { schema } = described.responses[200].content["application/json"] as { schema: object };
    for (const body of bodies) {
      const answer = await post(path.replace("/v1/spaces/{space}", ""), { ...body, preview: true });
      expect([name, ajv.validate(schema, answer), ajv.errorsText()]).toEqual([name, true, "No errors"]);
    }
  }
  // Nothing of it was written.
  const { text: listed } = await running.call(`${at}/memories`);
  expect(JSON.parse(listed).memories).toHaveLength(3);
});
