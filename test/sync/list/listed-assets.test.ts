import { expect, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import type { ListedEntity, ListFilter } from "../../../src/model/listing.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { listEntities, type ListOptions } from "../../../src/sync/list/list-entities.ts";
import { where } from "../../support/assets.ts";
import { metadataFile, startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { hasDomain, nothingDeclared } from "../policies/world.ts";

const [orders, clicks, broken] = ["orders", "clicks", "broken"].map(datasetNamed) as [Urn, Urn, Urn];
const [job, gone] = [urn("urn:li:chart:(looker,1)"), urn("urn:li:tag:gone")];
const container = urn("urn:li:container:c");

async function readerOfWorld(): Promise<Reader> {
  const catalog = await startTestCatalog();
  await catalog.load(
    metadataFile(temporaryDirectory(), [
      [orders, "schemaMetadata", schemaWith("id", "email")],
      [orders, "container", { container }],
      [container, "containerProperties", { name: "c" }],
      [clicks, "schemaMetadata", schemaWith("id")],
      [broken, "status", { removed: false }],
      [job, "chartInfo", { title: "t", description: "", lastModified: {} }],
      [gone, "tagProperties", { name: "gone" }],
      [gone, "status", { removed: true }],
      ["urn:li:tag:pii", "tagProperties", { name: "Personal" }],
    ]),
  );
  return createReader(connectionTo(catalog.url));
}

interface Listing {
  readonly entities: readonly ListedEntity[];
  readonly unreadable: ReadonlyMap<Urn, string>;
}

const pages = ({ name }: { readonly name: string }): readonly (readonly Urn[])[] => {
  if (name === "Dataset") return [[orders, clicks, broken]];
  if (name === "Chart") return [[job]];
  return name === "Tag" ? [[gone, urn("urn:li:tag:pii")]] : [];
};

async function listed(
  more: Partial<ListFilter>,
  options: ListOptions = {},
  reader?: Reader,
  policies: readonly CatalogPolicy[] = [],
): Promise<Listing> {
  const filter: ListFilter = { kinds: ["Dataset"], conditions: [], values: new Map(), missing: [], ...more };
  const source = { reader: reader ?? (await readerOfWorld()), pages };
  const given = { ...nothingDeclared, policies, waivers: [] };
  const entities: ListedEntity[] = [];
  const unreadable = new Map<Urn, string>();
  for await (const batch of listEntities(source, given, filter, options)) {
    entities.push(...batch.entities);
    for (const [of, reason] of batch.unreadable) unreadable.set(of, reason);
  }
  return { entities, unreadable };
}

const namesOf = ({ entities }: Listing): readonly string[] =>
  entities.map(({ name, column }) => (column === undefined ? name : `${name} ${column}`));

test("assets are listed by what they are, whatever the index names", async () => {
  expect(namesOf(await listed({ conditions: [where("name", "o*", "b*")] }))).toEqual(["orders", "broken"]);
  const both = [where("name", "*"), where("platform", "kafka")];
  expect(namesOf(await listed({ conditions: both }))).toEqual([]);
});

test("a listed asset has its platform and environment where it has them, and its container where that is asked for", async () => {
  const [first] = (await listed({})).entities;
  expect(first).toMatchObject({
    urn: orders,
    kind: "Dataset",
    platform: "snowflake",
    env: "PROD",
    violates: [],
  });
  expect(first).not.toHaveProperty("within");
  const [asked] = (await listed({}, { readsContaining: true })).entities;
  expect(asked?.within).toBe(container);
  const [chart] = (await listed({ kinds: ["Chart"] })).entities;
  expect(chart).toMatchObject({ urn: job, platform: "looker" });
  expect(chart).not.toHaveProperty("env");
});

test("where columns are listed, each asset is listed by its columns", async () => {
  expect(namesOf(await listed({ byColumn: true }))).toEqual(["orders id", "orders email", "clicks id"]);
});

test("definitions are listed by their display names, without those that are soft-deleted", async () => {
  expect(namesOf(await listed({ kinds: ["Tag"] }))).toEqual(["Personal"]);
  expect(namesOf(await listed({ kinds: ["Tag"], conditions: [where("name", "pii")] }))).toEqual(["Personal"]);
  expect(namesOf(await listed({ kinds: ["Tag"], conditions: [where("name", "x")] }))).toEqual([]);
});

test("what cannot be read is not listed, and the reason is told", async () => {
  const reader = await readerOfWorld();
  const query: Reader["query"] = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const index = ((variables["urns"] ?? []) as readonly string[]).indexOf(broken);
    const errors = index < 0 ? [] : [{ message: "no", path: ["entities", index] }];
    return { ...answer, errors: [...answer.errors, ...errors] };
  };
  for (const policies of [[], [hasDomain]]) {
    const found = await listed({}, {}, { ...reader, query }, policies);
    expect(namesOf(found)).toEqual(["orders", "clicks"]);
    expect([...found.unreadable.keys()]).toEqual([broken]);
  }
});
