import { expect, test } from "vitest";
import { countedFacets, facetNamed, listedColumns, listedFacets } from "../../src/facets/index.ts";
import type { ListOption } from "../../src/facets/facet.ts";
import type { Path } from "../../src/model/place.ts";
import type { Member, Scalar } from "../../src/model/state.ts";

const names = (facets: typeof listedFacets): readonly string[] => facets.map(({ name }) => name);

test("entities are found by some facets, of which some are shown, and some are counted", () => {
  expect(names(listedFacets)).toEqual([
    "domain",
    "owners",
    "tags",
    "glossary_terms",
    "description",
    "structured_properties",
  ]);
  expect(names(listedColumns)).toEqual(["domain", "owners", "tags", "glossary_terms"]);
  expect(names(countedFacets)).toEqual(["domain", "owners", "tags", "glossary_terms", "description"]);
});

test("what is of columns, too, is looked for there by another facet", () => {
  const ofColumns = listedFacets.map(({ listing }) => listing.columnFacet);

  expect(ofColumns).toEqual([
    undefined,
    undefined,
    "columns.tags",
    "columns.glossary_terms",
    "columns.description",
    "columns.structured_properties",
  ]);
});

function options(): readonly ListOption[] {
  return listedFacets.flatMap(({ listing }) => listing.options);
}

test("each option says what it takes", () => {
  const texts = options().map((option) => {
    const { name, argument, description, isGrouping = false, takesMe = false } = option;
    const marks = [...(isGrouping ? ["groups"] : []), ...(takesMe ? ["me"] : [])];
    return `--${name} ${argument}: ${[description, ...marks].join("; ")}`;
  });

  expect(texts).toEqual([
    "--domain <id>: in this domain; groups",
    "--owner <id>: with this owner; `me` means the token's user; groups; me",
    "--type <type>: with an owner of this type, such as DATA_STEWARD; with --owner, that owner must have this type",
    "--tag <id>: with this tag; with --columns, only columns that have it",
    "--term <id>: with this glossary term; with --columns, only columns that have it",
    "--property <id[=value]>: with this structured property, or with this value for it",
  ]);
});

const steward = { owner: "urn:li:corpuser:a", type: "urn:li:ownershipType:__system__data_steward" };
const architect = { owner: "urn:li:corpGroup:g", type: "urn:li:ownershipType:architect" };
const retention = "urn:li:structuredProperty:retention";

test.each<readonly [string, Member | Scalar, Path, readonly string[]]>([
  ["domain", "urn:li:domain:finance", [], ["urn:li:domain:finance", "finance"]],
  ["domain", null, [], []],
  ["owner", steward, [], ["urn:li:corpuser:a", "a"]],
  ["owner", null, [], []],
  ["type", steward, [], ["DATA_STEWARD", steward.type, "__system__data_steward"]],
  ["type", architect, [], [architect.type, architect.type, "architect"]],
  ["tag", "urn:li:tag:a%2Cb", [], ["urn:li:tag:a%2Cb", "a,b"]],
  ["term", "urn:li:glossaryTerm:pii", [], ["urn:li:glossaryTerm:pii", "pii"]],
  ["property", 365, [retention], [retention, `${retention}=365`, "retention", "retention=365"]],
  ["property", null, [retention], [retention, `${retention}=`, "retention", "retention="]],
  ["property", 365, [], []],
])("--%s finds %j at %j by %j", (name, value, path, texts) => {
  const option = options().find((each) => each.name === name);

  expect(option?.textsOf(value, path)).toEqual(texts);
});

test("a cell has an owner with its type", () => {
  const { listing } = facetNamed("owners");

  expect([steward, architect].map((value) => listing?.cellOf?.(value))).toEqual([
    "urn:li:corpuser:a (DATA_STEWARD)",
    "urn:li:corpGroup:g (urn:li:ownershipType:architect)",
  ]);
});

test("an ownership type is named as a manifest writes it, and by its URN", () => {
  const facet = facetNamed("owners");

  expect([steward, architect].map((value) => facet.ownershipTypeOf?.(value))).toEqual([
    ["DATA_STEWARD", steward.type],
    ["architect", architect.type],
  ]);
});
