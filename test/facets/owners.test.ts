import { expect, test } from "vitest";
import { facetNamed } from "../../src/facets/index.ts";
import { setOf } from "../../src/model/state.ts";
import { dataset, editsOf, scalarChange, setChange } from "./changes.ts";

const system = "urn:li:ownershipType:__system__";
const ada = "urn:li:corpuser:ada";
const architect = "urn:li:ownershipType:architect";

test("owners are known from what is stored, each with the URN of its type", () => {
  const owners = [
    { owner: ada, type: "CUSTOM", typeUrn: architect, attribution: {} },
    { owner: ada, type: "DATA_STEWARD" },
    { owner: ada },
  ];
  const facet = facetNamed("owners");
  const types = [architect, `${system}data_steward`, `${system}none`];

  expect(facet.answered("Dataset").map(({ name }) => name)).toEqual(["ownership"]);
  expect(facet.observe({ ownership: { owners } }, "Dataset")).toEqual({
    value: setOf(types.map((type) => ({ owner: ada, type }))),
  });
  expect(facet.observe({}, "Dataset")).toEqual({ value: setOf([]) });
});

test("an owner is edited by the URN of its type, and by the older enum where that has it", () => {
  const owners = [architect, `${system}data_steward`].map((type) => ({ owner: ada, type }));
  const custom = { owner: ada, typeUrn: architect };
  const stored = { owner: ada, typeUrn: `${system}data_steward` };
  const older = { owner: ada, type: "DATA_STEWARD", typeUrn: null };

  expect(editsOf(setChange("owners", owners, owners))).toStrictEqual([
    {
      at: ["owners"],
      add: [
        { element: { ...custom, type: "CUSTOM" }, unless: [custom] },
        { element: { ...stored, type: "DATA_STEWARD" }, unless: [stored, older] },
      ],
      remove: [custom, stored, older],
      attribution: "Owner.attribution",
      stamp: "lastModified",
      keys: {
        template: ["owner", "type"],
        own: ["attribution\u241Fsource", "owner", "typeUrn", "type"],
      },
    },
  ]);
});

test("a domain takes the place of all in both lists, of which one is for who put it there", () => {
  const lists = (domain: string | null): readonly object[] => [
    {
      at: ["domains"],
      remove: "all",
      add: domain === null ? [] : [{ element: domain }],
      keys: { template: [] },
    },
    {
      at: ["domainAssociations"],
      remove: "all",
      add: domain === null ? [] : [{ element: { domain } }],
      attribution: "DomainAssociation.attribution",
      keys: { template: [] },
      isForAttribution: true,
    },
  ];

  for (const domain of ["urn:li:domain:a", null])
    expect(editsOf(scalarChange("domain", domain, { urn: dataset }))).toEqual(lists(domain));
});
