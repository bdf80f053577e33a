import { expect, test } from "vitest";
import { waiverOf, policyOf } from "../../plan/policies/subjects.ts";
import type { CatalogPolicy, Waiver } from "../../../src/model/catalog-policy.ts";
import { type Entity, type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { plainAsset, questionFor, readSubjects } from "../../../src/sync/policies/subjects.ts";
import { where } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import { askingCatalog } from "../read/asking.ts";
import { nothingDeclared } from "./world.ts";

const { declaring } = nothingDeclared;

function question(policies: readonly CatalogPolicy[], waivers: readonly Waiver[] = []) {
  return questionFor("Dataset", { policies, waivers }, declaring);
}

const facetsOf = ({ facets }: ReturnType<typeof question>): readonly string[] =>
  facets.map(({ name }) => name);

test("policies ask for the facets that they require or match by, those of waivers included", () => {
  const policies = [
    policyOf("described", { requirements: [{ facet: "description", present: true }] }),
    policyOf("tagged", { conditions: [where("tags", "pii")] }),
    policyOf("other", { kind: "Tag", requirements: [{ facet: "owners", present: true }] }),
  ];
  expect(new Set(facetsOf(question(policies)))).toEqual(new Set(["description", "tags"]));
  const waivers = [
    waiverOf("tagged", { conditions: [where("domain", "sales")] }),
    waiverOf("tagged", { exclusions: [[where("links", "*")], [where("deprecation", "*")]] }),
  ];
  expect(new Set(facetsOf(question(policies, waivers)))).toEqual(
    new Set(["description", "tags", "domain", "links", "deprecation"]),
  );
});

test("assets are asked for what they are matched by, which is no facet", () => {
  const policies = [
    policyOf("named", { conditions: [where("name", "o*"), where("tags", "pii")] }),
    policyOf("inside", { exclusions: [[where("container", "c")]] }),
    policyOf("other", { kind: "Chart", conditions: [where("subtype", "x")] }),
  ];
  const waivers = [
    waiverOf("tagged", { conditions: [where("env", "PROD")], exclusions: [[where("platform", "kafka")]] }),
  ];
  const keysOf = ({ conditions }: ReturnType<typeof question>): readonly string[] =>
    conditions.map(({ key }) => key);
  expect(keysOf(question(policies))).toEqual(["name", "container"]);
  expect(keysOf(question(policies, waivers))).toEqual(["name", "container", "env", "platform"]);
  expect(keysOf(questionFor("Tag", { policies, waivers }, declaring))).toEqual([]);
});

const [orders, clicks, gone] = ["orders", "clicks", "gone"].map(datasetNamed) as [Urn, Urn, Urn];
const pii = urn("urn:li:tag:pii");
const retention = urn("urn:li:structuredProperty:retention");

const world = [
  [orders, "globalTags", { tags: [{ tag: pii }] }],
  [orders, "datasetProperties", { description: "Orders.", customProperties: {} }],
  [orders, "structuredProperties", { properties: [{ propertyUrn: retention, values: [{ double: 90 }] }] }],
  [clicks, "globalTags", { tags: [] }],
] as const;

const requiring = (...facets: readonly string[]): CatalogPolicy =>
  policyOf("p", { requirements: facets.map((facet) => ({ facet, present: true })) });

/** What is read of entities of which some are known, and for which of them facets were asked for. */
async function subjectsOf(
  policy: CatalogPolicy,
  known: readonly Entity[] = [],
  failing: Parameters<typeof askingCatalog>[1] = {},
) {
  const { reader, asked } = await askingCatalog(world, failing);
  const state: State = stateOf(...known);
  const subjects = await readSubjects(reader, question([policy]), [orders, clicks, gone], {
    known: { state },
  });
  const facetsAsked = asked.filter(([query]) => query === "ReadAssets").flatMap(([, ...urns]) => urns);
  return { subjects, facetsAsked };
}

const knownAs = (of: Urn, facets: Readonly<Record<string, FacetValue>>): Entity =>
  entityOf("Dataset", of, facets);

test("entities are read with the facets that are asked for; one that is not there is left out", async () => {
  const { subjects } = await subjectsOf(requiring("tags"));
  expect([...subjects.keys()]).toEqual([orders, clicks]);
  expect(subjects.get(orders)).toMatchObject({ facets: new Map([["tags", setOf([pii])]]) });
  expect(subjects.get(orders)).not.toHaveProperty("isRemoved");
});

test("what could not be read is marked, and no more is known of it than its URN", async () => {
  const { subjects } = await subjectsOf(requiring("tags"), [], { ReadAssets: [clicks] });
  expect(subjects.get(clicks)).toEqual({
    asset: plainAsset(clicks, "Dataset"),
    isUnread: true,
    facets: new Map(),
  });
  expect(plainAsset(clicks, "Dataset")).toEqual({
    urn: clicks,
    kind: "Dataset",
    containers: [],
    subtypes: [],
  });
});

test("an entity that is known with all facets is not read again, and has no others", async () => {
  const facets = { tags: setOf([]), description: scalarOf("Known."), domain: scalarOf(null) };
  const { subjects, facetsAsked } = await subjectsOf(requiring("tags", "description"), [
    knownAs(orders, facets),
  ]);
  const { domain: _, ...asked } = facets;
  expect(subjects.get(orders)?.facets).toEqual(new Map(Object.entries(asked)));
  expect(facetsAsked).toEqual([clicks, gone]);
});

test("an entity of which a facet is not known is read with all", async () => {
  const facets = { tags: setOf([]) };
  const { subjects, facetsAsked } = await subjectsOf(requiring("tags", "description"), [
    knownAs(orders, facets),
  ]);
  expect(subjects.get(orders)?.facets.get("tags")).toEqual(setOf([pii]));
  expect(facetsAsked).toContain(orders);
});

test("what is known of values by definitions is not all, so it is read again", async () => {
  const facets: Readonly<Record<string, FacetValue>> = {
    structured_properties: { shape: "map", entries: new Map() },
    tags: setOf([]),
  };
  const { facetsAsked } = await subjectsOf(requiring("tags", "structured_properties"), [
    knownAs(orders, facets),
  ]);
  expect(facetsAsked).toContain(orders);
});

test("what is known of values of columns is not read again", async () => {
  const facets: Readonly<Record<string, FacetValue>> = {
    "columns.description": { shape: "map", entries: new Map() },
  };
  const { facetsAsked } = await subjectsOf(requiring("columns.description"), [knownAs(orders, facets)]);
  expect(facetsAsked).toEqual([clicks, gone]);
});

test("each query ends with the signal", async () => {
  const { reader } = await askingCatalog(world);
  const { signal } = new AbortController();
  const signals: unknown[] = [];
  const query: typeof reader.query = async (document, variables, stop) => {
    signals.push(stop);
    return await reader.query(document, variables, stop);
  };
  const named = policyOf("p", {
    conditions: [where("container", "c")],
    requirements: [{ facet: "tags", present: true }],
  });
  await readSubjects({ ...reader, query }, question([named]), [orders], { signal });
  expect(new Set(signals)).toEqual(new Set([signal]));
});
