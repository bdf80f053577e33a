import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { listDefinitions } from "../../../src/run/snapshot/definitions.ts";
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
  await expect(listDefinitions({ ...reader, query }, {})).rejects.toThrow("could not be read: no");
});
