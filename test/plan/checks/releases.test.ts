import { describe, expect, test } from "vitest";
import type { CatalogPolicy } from "../../../src/model/catalog-policy.ts";
import type { Origin } from "../../../src/model/origin.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { releaseProblems } from "../../../src/plan/checks/releases.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import { neededByPolicies, lackedByPolicies } from "../../../src/plan/policies/releases.ts";

const at = (line: number): Origin => ({ file: "catalog/a.yaml", line, column: 1 });
const a = datasetNamed("a");
const group = urn("urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)");
const labels = ["Runbook", "Wiki"].map((label) => ({ url: "https://wiki.acme.com/a", label }));
const replaced = scalarOf({ replacement: datasetNamed("b") }, at(2));

/** Of each type by which releases differ a field that all of them have. */
const oldest = ["Deprecation.note", "InstitutionalMemoryMetadata.url", "MLModelGroup.name"];
const newer = ["Deprecation.replacement", "InstitutionalMemoryMetadata.updated"];

type Facets = Readonly<Record<string, FacetValue>>;
const dataset = (facets: Facets, of = a): Entity => entityOf("Dataset", of, facets);
const found = (
  fields: readonly string[],
  ...declared: readonly Entity[]
): ReturnType<typeof releaseProblems> => releaseProblems(stateOf(...declared), { fields: new Set(fields) });

describe("what is declared and the server's release does not have is a problem at its place", () => {
  test.each<readonly [string, Entity, string, string, string]>([
    [
      "a part of a value",
      dataset({ deprecation: replaced }),
      "deprecation",
      "`replacement` in a deprecation",
      "1.0",
    ],
    [
      "a second element that differs in what is newer",
      dataset({ links: setOf(labels, at(2)) }),
      "links",
      "a second label for the same URL",
      "1.4",
    ],
    [
      "a facet of some kinds",
      entityOf("MLModelGroup", group, { links: setOf(labels.slice(0, 1), at(2)) }),
      "links",
      "a link on an ML model group",
      "1.4",
    ],
  ])("%s", (_, entity, facet, what, release) => {
    const { kind, urn: of } = entity;

    expect(found(oldest, entity)).toStrictEqual([
      {
        code: "not-in-release",
        severity: "error",
        args: { kind, urn: of, facet, what, release },
        origin: at(2),
      },
    ]);
  });

  test("once for all assets that a rule matches, and for each thing that is missing there", () => {
    const links = { links: setOf(labels, at(2)) };
    const both = entityOf("MLModelGroup", group, links);
    const declared = [both, dataset(links), dataset({ links: setOf(labels, at(3)) }, datasetNamed("c"))];

    expect(
      found(oldest, ...declared).map(({ args: { urn: of, what }, origin }) => [of, what, origin?.line]),
    ).toEqual([
      [group, "a link on an ML model group", 2],
      [group, "a second label for the same URL", 2],
      [datasetNamed("c"), "a second label for the same URL", 3],
    ]);
  });

  test("without a place where none is known", () => {
    const [problem = {}] = found(oldest, dataset({ links: setOf(labels) }));

    expect(Object.keys(problem)).toEqual(["code", "severity", "args"]);
  });
});

test.each<readonly [string, readonly string[], Facets]>([
  ["of a newer release", [...oldest, ...newer], { deprecation: replaced, links: setOf(labels, at(2)) }],
  ["of a release that is not known", [], { deprecation: replaced }],
  [
    "of values that each release has",
    oldest,
    { deprecation: scalarOf({ note: "Gone." }), links: setOf(labels.slice(1)) },
  ],
  ["of what is unset", oldest, { deprecation: scalarOf(null) }],
])("nothing is said %s", (_, fields, facets) => {
  expect(found(fields, dataset(facets))).toEqual([]);
});

describe("a policy about a facet", () => {
  const policy = (id: string, kind: string, ...facets: readonly string[]): CatalogPolicy => ({
    id,
    kind,
    severity: "error",
    conditions: [],
    exclusions: [],
    requirements: facets.map((facet) => ({ facet, present: true })),
    failOn: "introduced",
    origin: at(7),
  });
  const ofContainers = policy("no-old-containers", "Container", "deprecation", "description");

  test("needs a server that has the facet of the entities of its kind", () => {
    const needs = neededByPolicies([ofContainers, policy("no-old-tables", "Dataset", "deprecation")]);

    expect(needs).toEqual([
      {
        policy: ofContainers,
        facet: "deprecation",
        feature: { field: "Deprecation.replacement", release: "1.0", what: "a deprecation on a container" },
      },
    ]);
  });

  test("is a problem at its place where the server's release does not have that", () => {
    const needs = neededByPolicies([ofContainers]);

    expect(lackedByPolicies(needs, { fields: new Set(oldest) })).toStrictEqual([
      {
        code: "policy-not-in-release",
        severity: "error",
        args: {
          policy: "no-old-containers",
          facet: "deprecation",
          what: "a deprecation on a container",
          release: "1.0",
        },
        origin: at(7),
      },
    ]);
    expect(lackedByPolicies(needs, { fields: new Set([...oldest, ...newer]) })).toEqual([]);
  });
});
