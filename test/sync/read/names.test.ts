import { expect, onTestFinished, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { namesDocument, readNames } from "../../../src/sync/read/names.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MadeAspect,
  metadataFile,
  startTestCatalog,
  temporaryDirectory,
} from "../../support/catalog.ts";
import { urn } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

const stamp = { time: 0, actor: "urn:li:corpuser:a" };
const world: readonly MadeAspect[] = [
  ["urn:li:domain:2fbac1a0", "domainProperties", { name: "Growth" }],
  ["urn:li:tag:t1", "tagProperties", { name: "Personal data" }],
  ["urn:li:corpuser:u1", "corpUserInfo", { active: true, displayName: "Ada" }],
  ["urn:li:corpuser:u2", "corpUserInfo", { active: true }],
  ["urn:li:corpGroup:g1", "corpGroupInfo", { displayName: "Stewards", admins: [], members: [], groups: [] }],
  [
    "urn:li:ownershipType:o1",
    "ownershipTypeInfo",
    { name: "Architect", created: stamp, lastModified: stamp },
  ],
];

async function namesFrom(url: string, urns: readonly Urn[]): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(await readNames(createReader(connectionTo(url)), urns));
}

test("names of every type that has them are read with one request; what has none is left out", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), world));
  const before = catalog.requests.length;
  const urns = [...world.map(([of]) => urn(of)), urn("urn:li:domain:missing")];
  expect(await namesFrom(catalog.url, urns)).toEqual({
    "urn:li:domain:2fbac1a0": "Growth",
    "urn:li:tag:t1": "Personal data",
    "urn:li:corpuser:u1": "Ada",
    "urn:li:corpGroup:g1": "Stewards",
    "urn:li:ownershipType:o1": "Architect",
  });
  expect(catalog.requests.length - before).toBe(1);
});

test("of what has its name in an aspect only that one is asked for", () => {
  const [, ...fragments] = namesDocument.split(" ... on ");
  const aspects = fragments.map((text) => /^(\w+) .* aspectNames: \["(\w+)"\]/.exec(text) ?? []);
  expect(Object.fromEntries(aspects.map(([, type, aspect]) => [type, aspect]))).toMatchObject({
    Domain: "domainProperties",
    Tag: "tagProperties",
    CorpUser: "corpUserInfo",
  });
});

async function stubbed(
  urns: readonly Urn[],
  answer: (request: StubRequest) => unknown,
): Promise<{ readonly names: object; readonly requests: number }> {
  let requests = 0;
  const server = await startStub((request) => {
    requests += 1;
    return answer(request);
  });
  onTestFinished(() => server.close());
  return { names: await namesFrom(server.url, urns), requests };
}

const many = Array.from({ length: 501 }, (_, index) => urn(`urn:li:tag:t${index}`));

test("a request asks for at most 250 names, and none is sent for none", async () => {
  expect(await stubbed(many, () => ({ data: { entities: [] } }))).toEqual({ names: {}, requests: 3 });
  expect(await stubbed([], () => ({ data: { entities: [] } }))).toEqual({ names: {}, requests: 0 });
});

test.each<readonly [string, unknown]>([
  ["fails as a whole", { errors: [{ message: "no" }], data: null }],
  ["is no answer", { data: { entities: "none" } }],
  [
    "holds something else",
    {
      data: {
        entities: [null, { urn: 7 }, { urn: "urn:li:tag:t0", aspects: [{ aspectName: "tagProperties" }] }],
      },
    },
  ],
  [
    "has a name of something else",
    {
      data: {
        entities: [
          { urn: "x", aspects: [{ aspectName: "tagProperties", payload: JSON.stringify({ name: "X" }) }] },
          { urn: "urn:li:tag:t0", aspects: [] },
        ],
      },
    },
  ],
])("what cannot be read has no name: the answer %s", async (_, answer) => {
  expect((await stubbed(many.slice(0, 1), () => answer)).names).toStrictEqual({});
});

test("a server that refuses the query names nothing", async () => {
  const server = await startStub((_, response) => {
    response.statusCode = 400;
    return {};
  });
  onTestFinished(() => server.close());
  expect(await namesFrom(server.url, many.slice(0, 1))).toStrictEqual({});
});

test("a signal ends it", async () => {
  const { url } = await startTestCatalog();
  const signal = AbortSignal.abort(new Error("stopped"));
  const reading = readNames(createReader(connectionTo(url)), many, { signal });
  await expect(reading).rejects.toThrow("stopped");
});
