import { expect, test } from "vitest";
import { featuresOf, hasFeatures, hasEquivalentElements, featuresOfLeaf } from "../../src/facets/features.ts";
import { facetNamed, facets } from "../../src/facets/index.ts";
import { links } from "../../src/facets/links.ts";
import { type FacetValue, type Leaf, scalarOf, setOf } from "../../src/model/state.ts";

const wiki = "https://wiki.acme.com";
const runbook = { url: wiki, label: "Runbook" };
const model = { url: wiki, label: "Model" };

test("some values of links and deprecations are only in newer servers", () => {
  expect(facets.filter(hasFeatures).map(({ name }) => name)).toEqual(["deprecation", "links"]);
});

const [replacement, container, modelGroup, label] = [
  "`replacement` in a deprecation",
  "a deprecation on a container",
  "a link on an ML model group",
  "a second label for the same URL",
];

test.each<readonly [string, string, Leaf, readonly string[]]>([
  ["a deprecation", "Dataset", scalarOf({ replacement: "x" }), [replacement]],
  ["a deprecation", "Dataset", scalarOf({ note: "x" }), []],
  ["no deprecation", "Container", scalarOf(null), []],
  ["a deprecation", "Container", scalarOf({}), [container]],
])("%s of a %s that is %j needs %j", (_, kind, leaf, features) => {
  const whats = (found: readonly { readonly what: string }[]): readonly string[] =>
    found.map(({ what }) => what);

  expect(whats(featuresOfLeaf(facetNamed("deprecation"), kind, leaf))).toEqual(features);
  expect(whats(featuresOf(facetNamed("deprecation"), kind, leaf))).toEqual(features);
});

test.each<readonly [string, FacetValue, readonly string[]]>([
  ["Dataset", setOf([runbook]), [label]],
  ["MLModelGroup", setOf([runbook]), [modelGroup, label]],
  ["MLModelGroup", setOf([]), [label]],
])("links of a %s that are %j need %j", (kind, value, features) => {
  expect(featuresOf(links, kind, value).map(({ what }) => what)).toEqual(features);
});

test("facets of every server need nothing", () => {
  expect(featuresOf(facetNamed("tags"), "Dataset", setOf(["urn:li:tag:a"]))).toEqual([]);
  expect(featuresOf(facetNamed("domain"), "Dataset", scalarOf("urn:li:domain:a"))).toEqual([]);
});

test("an older server takes two links of one URL for one", () => {
  if (!links.alike) throw new Error("all servers tell links apart");

  expect(hasEquivalentElements(setOf([runbook, model]), links.alike)).toBe(true);
  expect(hasEquivalentElements(setOf([runbook, { url: `${wiki}/b`, label: "b" }]), links.alike)).toBe(false);
  expect(hasEquivalentElements(setOf([]), links.alike)).toBe(false);
});
