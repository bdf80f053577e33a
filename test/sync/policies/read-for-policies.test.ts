import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  evaluateCatalog,
  evaluatePolicies,
  type PolicyInput,
} from "../../../src/sync/policies/evaluate-policies.ts";
import { where } from "../../support/assets.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import {
  alice,
  change,
  clicks,
  hasDomain,
  isDescribed,
  isOwned,
  nothingDeclared,
  ofDomain,
  orders,
  origin,
  owners,
  pii,
  readerOfWorld,
  sales,
  summary,
  team,
} from "./world.ts";

test("policies match by what assets are, and waivers do", async () => {
  const onKafka = { ...hasDomain, id: "kafka", conditions: [where("platform", "kafka")] };
  const onSnowflake = { ...hasDomain, conditions: [where("platform", "snow*")] };
  const waiver = {
    policy: "domain",
    reason: "r",
    expires: "2027-01-01",
    conditions: [where("env", "PROD")],
    exclusions: [[where("name", "clicks")]],
    origin,
  };
  const changes = [ofDomain(orders, null), ofDomain(clicks, null)];
  const given = { ...nothingDeclared, policies: [onKafka, onSnowflake], waivers: [waiver] };
  const results = await evaluatePolicies(await readerOfWorld(), { changes }, given, {});
  expect(summary(results)).toEqual({
    domain: { passes: 0, existing: [clicks] },
    kafka: { passes: 0 },
  });
  expect(results.map(({ waived }) => waived.map(({ urn: of }) => of))).toEqual([[orders], []]);
});

test.each(["ReadAssets", "ReadAssetFacts"])(
  "whether an entity violates a policy is not known where %s fails",
  async (name) => {
    const changes = [ofDomain(orders, null), ofDomain(clicks, sales)];
    const given = { ...nothingDeclared, policies: [hasDomain], waivers: [] };
    const reader = await readerOfWorld({ [name]: [clicks] });
    expect(summary(await evaluatePolicies(reader, { changes }, given, {}))).toEqual({
      domain: { passes: 0, introduced: [`${orders} line 1`], unknown: [clicks] },
    });
  },
);

test("whether an owner is active is not known where the owner cannot be read", async () => {
  const changes = [ofDomain(orders, null)];
  const given = { ...nothingDeclared, policies: [isOwned], waivers: [] };
  const reader = await readerOfWorld({ ReadPeople: [alice] });
  expect(summary(await evaluatePolicies(reader, { changes }, given, {}))).toEqual({
    owned: { passes: 0, unknown: [orders] },
  });
});

test("no more is read than the policies at hand name, and of an owner once", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      [orders, "ownership", owners(team)],
      [clicks, "ownership", owners(team)],
    ]),
  );
  const reader = createReader(connectionTo(catalog.url));
  const people: unknown[] = [];
  const query: Reader["query"] = async (document, variables, signal) => {
    if (document.includes("ReadPeople")) people.push(variables["urns"]);
    return await reader.query(document, variables, signal);
  };
  const base = { policies: [isOwned], waivers: [] };
  const given = { ...nothingDeclared, waivers: [], base };
  const changes = [ofDomain(orders, null), change(sales, "Domain", { shape: "scalar", facet: "name" })];
  await evaluatePolicies({ ...reader, query }, { changes }, { ...given, policies: [hasDomain] }, {});
  expect(people).toEqual([]);
  expect(catalog.requests.some(({ body }) => JSON.stringify(body).includes(sales))).toBe(false);
  const pages = (): readonly (readonly Urn[])[] => [[orders], [clicks]];
  await evaluateCatalog(
    { reader: { ...reader, query }, pages },
    { changes },
    { ...given, policies: [isOwned] },
    {},
  );
  expect(people).toEqual([[team]]);
});

test("what was read before is not read again", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), [[pii, "tagProperties", { name: "pii" }]]));
  const reader = createReader(connectionTo(catalog.url));
  const known = new Map([
    [pii, { urn: pii, kind: "Tag", facets: new Map([["description", { shape: "scalar", value: "d" }]]) }],
  ]) as NonNullable<PolicyInput["known"]>;
  const changes = [change(pii, "Tag", { shape: "scalar", facet: "name", before: "pii", after: "p" })];
  const given = { ...nothingDeclared, policies: [isDescribed], waivers: [] };
  const before = catalog.requests.length;
  expect(summary(await evaluatePolicies(reader, { changes, known }, given, {}))).toEqual({
    described: { passes: 1 },
  });
  expect(catalog.requests.length).toBe(before);
});
