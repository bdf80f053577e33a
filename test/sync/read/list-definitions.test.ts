import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { listDefinitions } from "../../../src/sync/read/list-definitions.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";

const broken = "urn:li:tag:broken";

async function readerOfTags(...ids: readonly string[]): Promise<Reader> {
  const catalog = await startTestCatalog();
  const aspects = ids.map((id) => [`urn:li:tag:${id}`, "tagProperties", { name: id }] as const);
  await catalog.load(metadataFile(temporaryDirectory(), aspects));
  return createReader(connectionTo(catalog.url));
}

test("a list has all pages of the index", async () => {
  const ids = Array.from({ length: 1500 }, (_, index) => `t${10_000 + index}`);
  const { definitions } = await listDefinitions(await readerOfTags(...ids), {});
  const tags = definitions.find(({ type }) => type === "tag");
  expect(tags).toEqual({ type: "tag", urns: ids.map((id) => `urn:li:tag:${id}`), softDeleted: [] });
});

test("a list tells soft-deleted definitions apart, and leaves out those that the index names and that do not exist", async () => {
  const reader = await readerOfTags("gone", "none", "pii");
  const [gone, none] = ["urn:li:tag:gone", "urn:li:tag:none"];
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const { urns } = variables as { readonly urns?: readonly string[] };
    if (!urns || !answer.data) return answer;
    const data: Record<string, Json> = { ...(answer.data as Record<string, Json>) };
    const entities = [...(data["entities"] as readonly Json[])];
    data[`e${urns.indexOf(none)}`] = false;
    entities[urns.indexOf(gone)] = {
      ...(entities[urns.indexOf(gone)] as JsonObject),
      aspects: [{ aspectName: "status", payload: '{"removed":true}' }],
    };
    return { ...answer, data: { ...data, entities } };
  };
  const { definitions } = await listDefinitions({ ...reader, query }, {});
  expect(definitions.find(({ type }) => type === "tag")).toEqual({
    type: "tag",
    urns: [gone, "urn:li:tag:pii"],
    softDeleted: [gone],
  });
});

test("a definition that cannot be read is listed with its error, and is no new one", async () => {
  const reader = await readerOfTags("broken", "pii");
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const index = (variables["urns"] as readonly string[] | undefined)?.indexOf(broken) ?? -1;
    return index < 0 ? answer : { ...answer, errors: [{ message: "no", path: [`e${index}`] }] };
  };
  const { definitions, unreadable } = await listDefinitions({ ...reader, query }, {});
  expect(unreadable).toEqual(new Map([[broken, "no"]]));
  expect(definitions.find(({ type }) => type === "tag")?.urns).toEqual(["urn:li:tag:pii"]);
});

test("a page of the index that cannot be read is an error, and not the end of the list", async () => {
  const reader = await readerOfTags("pii");
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    return document.includes("Discover") ? { data: null, errors: [{ message: "no", path: [] }] } : answer;
  };
  await expect(listDefinitions({ ...reader, query }, {})).rejects.toThrow(
    /could not read a page of the list of .*: no/,
  );
});
