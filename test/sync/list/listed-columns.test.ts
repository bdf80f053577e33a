import { expect, test } from "vitest";
import type { ListedEntity, ListFilter } from "../../../src/model/listing.ts";
import type { UnmanagedValue } from "../../../src/model/plan.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import {
  type AssetWithColumns,
  listedColumnsOf,
  listedToRead,
} from "../../../src/sync/list/listed-columns.ts";
import { assetNamed, columnTagged, ruleOf } from "../../support/assets.ts";
import { entityOf, urn } from "../../support/states.ts";

const [pii, mail, old] = ["pii", "mail", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [never, never, never];
const asset = assetNamed("orders", { paths: ["[version=2.0].[type=string].id", "email"] });
const [id = "", email = ""] = asset.columns?.map(({ path }) => path) ?? [];

const listed: ListedEntity = {
  urn: asset.urn,
  kind: "Dataset",
  name: "orders",
  facets: new Map<string, FacetValue>([
    ["tags", setOf([old])],
    ["domain", scalarOf("urn:li:domain:sales")],
    ["description", scalarOf("of the table")],
  ]),
  violates: ["p"],
  declaredBy: { documents: true, rules: true },
};

const mapOf = (entries: Readonly<Record<string, FacetValue>>): FacetValue => ({
  shape: "map",
  entries: new Map(Object.entries(entries)),
});
const entity = (facets: Readonly<Record<string, FacetValue>>) => entityOf("Dataset", asset.urn, facets);

/** The columns with what is at them, as plain data. */
function columnsWith(more: Partial<AssetWithColumns>): Record<string, unknown> {
  const columns = listedColumnsOf({
    listed,
    asset,
    live: entity({}),
    declared: undefined,
    rules: [],
    ingested: [],
    ...more,
  });
  return Object.fromEntries(
    columns.map(({ column = "", facets, declaredBy }) => {
      const values = [...facets].map(([name, value]) => [
        name,
        value.shape === "set" ? value.members : value.shape === "scalar" ? value.value : undefined,
      ]);
      return [column, { ...Object.fromEntries(values), ...declaredBy }];
    }),
  );
}

const none = { documents: false, rules: false };
const domain = "urn:li:domain:sales";

test("a column has of tags and descriptions what is at it, and all else of its table", () => {
  const live = entity({
    "columns.tags": mapOf({ [email]: setOf([pii]) }),
    "columns.description": mapOf({ [email]: scalarOf("a mail"), other: scalarOf("o") }),
  });
  expect(columnsWith({ live })).toEqual({
    [id]: { domain, ...none },
    [email]: { domain, tags: [pii], description: "a mail", ...none },
  });
});

test("what ingestion wrote of a column is listed with it, and nothing of another column or facet", () => {
  const ingestedAt = (facet: string, path: string, value: string): UnmanagedValue =>
    ({ urn: asset.urn, facet, path: [path], value }) as never;
  const ingested = [
    ingestedAt("columns.tags", email, mail),
    ingestedAt("columns.tags", id, old),
    ingestedAt("columns.glossary_terms", email, "urn:li:glossaryTerm:t"),
    ingestedAt("columns.description", email, "ingested"),
  ];
  const live = entity({
    "columns.tags": mapOf({ [email]: setOf([pii]) }),
    "columns.description": mapOf({ [email]: scalarOf("edited") }),
  });
  expect(columnsWith({ live, ingested })).toMatchObject({
    [id]: { domain, ...none },
    [email]: { tags: [mail, pii], description: "edited", ...none },
  });
});

test("documents declare a column by its path or by its plain name, and rules by a part that matches it", () => {
  const byName = entity({ "columns.tags": mapOf({ id: setOf([pii]) }), tags: setOf([pii]) });
  expect(columnsWith({ declared: byName })).toMatchObject({
    [id]: { documents: true, rules: false },
    [email]: { documents: false, rules: false },
  });
  const byPath = entity({ "columns.description": mapOf({ [id]: scalarOf("d") }) });
  expect(columnsWith({ declared: byPath })).toMatchObject({ [id]: { documents: true }, [email]: none });
  const rules = [
    ruleOf("a", { columns: [columnTagged("x*", "pii"), columnTagged("em*", "pii")] }),
    ruleOf("b", { columns: [columnTagged("x*", "pii")] }),
  ];
  expect(columnsWith({ rules })).toMatchObject({ [id]: none, [email]: { documents: false, rules: true } });
});

test("a table without known columns lists none", () => {
  const { columns: _, ...bare } = asset;
  expect(columnsWith({ asset: bare })).toEqual({});
});

/** The facets to read of an asset, with the columns of those that are read of columns. */
function toRead(more: Partial<ListFilter>): object {
  const facets = listedToRead(asset, { conditions: [], values: new Map(), missing: [], ...more }).flatMap(
    (each) => [...each.facets],
  );
  return Object.fromEntries(
    facets.map(([name, value]) => [name, value.shape === "map" ? [...value.entries.keys()] : []]),
  );
}

test("an asset is read with what is listed always, and with what costs more where the filter needs it", () => {
  const usual = toRead({});
  expect(Object.keys(usual)).toEqual(expect.arrayContaining(["domain", "owners", "tags"]));
  expect(usual).not.toHaveProperty("structured_properties");
  expect(toRead({ missing: ["structured_properties"] })).toEqual({ ...usual, structured_properties: [] });
  expect(toRead({ values: new Map([["structured_properties", new Map()]]) })).toEqual({
    ...usual,
    structured_properties: [],
  });
});

test("where columns are listed, what is listed of them is read at each of them, and else of none", () => {
  expect(Object.keys(toRead({})).filter((name) => name.startsWith("columns."))).toEqual([]);
  expect(toRead({ byColumn: true })).toMatchObject({
    "columns.tags": [id, email],
    "columns.description": [id, email],
    "columns.glossary_terms": [id, email],
  });
});
