import { expect, test } from "vitest";
import { leafAt } from "../../src/model/place.ts";
import { applyEdits, type Stamp } from "../../src/sync/write/apply-edits.ts";
import { valueInAspect, writesFor } from "../../src/facets/writes.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { datasetNamed } from "../support/states.ts";

const source = "urn:li:dataHubAction:datahub-gitops";
const [actor, time] = ["urn:li:corpuser:ci", 7];
const fields = ["TagAssociation", "Owner", "DomainAssociation"].map((type) => `${type}.attribution`);
const stamp: Stamp = { actor, source, detail: { tool: "t" }, keeps: new Set(fields), time };
const ours = { attribution: { time, actor, source, sourceDetail: { tool: "t" } } };
const theirs = { attribution: { time: 1, actor: "urn:li:corpuser:x", source: "urn:li:dataHubAction:other" } };

const [pii, old, kept] = ["urn:li:tag:pii", "urn:li:tag:old", "urn:li:tag:kept"];
const [ada, ben] = ["urn:li:corpuser:ada", "urn:li:corpuser:ben"];
const typeUrn = (id: string): string => `urn:li:ownershipType:${id}`;
const technical = typeUrn("__system__technical_owner");
const [finance, sales] = ["urn:li:domain:finance", "urn:li:domain:sales"];

const tags = (...list: readonly (string | object)[]): JsonObject => ({
  tags: list.map((tag) => (typeof tag === "string" ? { tag } : (tag as JsonObject))),
});
const setChange = (facet: string, add: readonly unknown[], remove: readonly unknown[], column?: string) =>
  ({ shape: "set", facet, add, remove, ...(column !== undefined && { path: [column] }) }) as const;

interface Case {
  readonly change: object;
  readonly stored: JsonObject | undefined;
  readonly written: JsonObject | undefined;
  readonly keeps?: readonly string[];
}

test.each<readonly [string, Case]>([
  [
    "tags are added behind those that are there, and say whose they are",
    {
      change: setChange("tags", [pii], []),
      stored: tags(kept),
      written: tags(kept, { tag: pii, ...ours }),
    },
  ],
  [
    "a tag goes with the entries of all sources, and those of other tags stay as they are",
    {
      change: setChange("tags", [], [old]),
      stored: { ...tags(old, { tag: old, ...theirs }, { tag: kept, ...theirs }), other: 1 },
      written: { ...tags({ tag: kept, ...theirs }), other: 1 },
    },
  ],
  [
    "a tag that somebody added just now stays theirs",
    {
      change: setChange("tags", [pii], [old]),
      stored: tags({ tag: pii, ...theirs }, old),
      written: tags({ tag: pii, ...theirs }),
    },
  ],
  [
    "where there is no aspect, one comes about with what is added",
    { change: setChange("tags", [pii], []), stored: undefined, written: tags({ tag: pii, ...ours }) },
  ],
  [
    "where there is no aspect, taking something away makes none",
    { change: setChange("tags", [], [old]), stored: undefined, written: undefined },
  ],
  [
    "a server that keeps no attribution of tags is sent none",
    {
      change: setChange("tags", [pii], []),
      stored: tags(),
      written: tags(pii),
      keeps: ["Owner.attribution"],
    },
  ],
  [
    "an owner is written with the older enum, and the aspect is stamped",
    {
      change: setChange(
        "owners",
        [
          { owner: ada, type: technical },
          { owner: ada, type: typeUrn("architect") },
          { owner: ada, type: typeUrn("__system__developer") },
        ],
        [],
      ),
      stored: { owners: [], ownerTypes: {}, lastModified: { time: 0, actor: "urn:li:corpuser:unknown" } },
      written: {
        owners: [
          { owner: ada, type: "TECHNICAL_OWNER", typeUrn: technical, ...ours },
          { owner: ada, type: "CUSTOM", typeUrn: typeUrn("architect"), ...ours },
          { owner: ada, type: "DEVELOPER", ...ours },
        ],
        ownerTypes: {},
        lastModified: { time, actor },
      },
    },
  ],
  [
    "an owner goes in the one role, with or without a URN of it, and stays in the others",
    {
      change: setChange("owners", [], [{ owner: ada, type: technical }]),
      stored: {
        owners: [
          { owner: ada, type: "TECHNICAL_OWNER" },
          { owner: ada, type: "NONE", typeUrn: technical },
          { owner: ada, type: "TECHNICAL_OWNER", typeUrn: typeUrn("architect") },
          { owner: ben, type: "TECHNICAL_OWNER" },
        ],
      },
      written: {
        owners: [
          { owner: ada, type: "TECHNICAL_OWNER", typeUrn: typeUrn("architect") },
          { owner: ben, type: "TECHNICAL_OWNER" },
        ],
        lastModified: { time, actor },
      },
    },
  ],
  [
    "an owner of the older type CUSTOM goes",
    {
      change: setChange("owners", [], [{ owner: ada, type: typeUrn("__system__custom") }]),
      stored: { owners: [{ owner: ada, type: "CUSTOM" }] },
      written: { owners: [], lastModified: { time, actor } },
    },
  ],
  [
    "an owner that is there in the older form is not added again",
    {
      change: setChange("owners", [{ owner: ada, type: technical }], []),
      stored: { owners: [{ owner: ada, type: "TECHNICAL_OWNER", ...theirs }] },
      written: {
        owners: [{ owner: ada, type: "TECHNICAL_OWNER", ...theirs }],
        lastModified: { time, actor },
      },
    },
  ],
  [
    "a domain takes the place of all that are stored",
    {
      change: { shape: "scalar", facet: "domain", before: sales, after: finance },
      stored: { domains: [sales, "urn:li:domain:x"], domainAssociations: [{ domain: sales, ...theirs }] },
      written: { domains: [finance], domainAssociations: [{ domain: finance, ...ours }] },
    },
  ],
  [
    "a server without attributions of domains does not hear of associations",
    {
      change: { shape: "scalar", facet: "domain", before: sales, after: finance },
      stored: { domains: [sales] },
      written: { domains: [finance] },
      keeps: [],
    },
  ],
  [
    "no domain is an empty list",
    {
      change: { shape: "scalar", facet: "domain", before: sales, after: null },
      stored: { domains: [sales], domainAssociations: [{ domain: sales }] },
      written: { domains: [], domainAssociations: [] },
    },
  ],
  [
    "tags of a column stand in its own entry, beside what else it has",
    {
      change: setChange("columns.tags", [pii], [old], "email"),
      stored: {
        editableSchemaFieldInfo: [
          { fieldPath: "id", globalTags: tags(old) },
          { fieldPath: "email", description: "d", globalTags: tags(old, kept) },
        ],
      },
      written: {
        editableSchemaFieldInfo: [
          { fieldPath: "id", globalTags: tags(old) },
          { fieldPath: "email", description: "d", globalTags: tags(kept, { tag: pii, ...ours }) },
        ],
      },
    },
  ],
  [
    "a column without an entry, and an entry without tags, get them",
    {
      change: setChange("columns.tags", [pii], [], "email"),
      stored: { editableSchemaFieldInfo: [{ fieldPath: "id" }] },
      written: {
        editableSchemaFieldInfo: [
          { fieldPath: "id" },
          { fieldPath: "email", globalTags: tags({ tag: pii, ...ours }) },
        ],
      },
    },
  ],
  [
    "taking a tag from a column without an entry makes none",
    {
      change: setChange("columns.tags", [], [old], "email"),
      stored: { editableSchemaFieldInfo: null },
      written: { editableSchemaFieldInfo: null },
    },
  ],
])("%s", (_, { change, stored, written, keeps = fields }) => {
  const whole = {
    action: "update",
    kind: "Dataset",
    urn: datasetNamed("orders"),
    fingerprint: "",
    ...change,
  } as FacetChange;
  const [write, ...more] = writesFor(whole, "conditional");
  if (write?.request.type !== "proposal") throw new Error("no proposal");

  const after = applyEdits(write.request, stored, { ...stamp, keeps: new Set(keeps) });

  expect(more).toEqual([]);
  expect(after).toEqual(written);
  if (after && whole.shape === "set") {
    const value = valueInAspect([whole], write.request.aspect, after);
    const own = value.shape === "map" ? leafAt(value, whole.path) : value;
    if (own?.shape !== "set") throw new Error("no set");
    expect(own.members).toEqual(expect.arrayContaining([...whole.add]));
    for (const gone of whole.remove) expect(own.members).not.toContainEqual(gone);
  }
});

test.each([
  ["its list is none", { editableSchemaFieldInfo: {} }],
  ["what is on the way is no mapping", { editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: 1 }] }],
  [
    "the list on the way is none",
    { editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: { tags: 1 } }] },
  ],
])("an aspect is not written where %s", (_, stored) => {
  const edits = [
    { at: ["editableSchemaFieldInfo", { fieldPath: "email" }, "globalTags", "tags"], add: [], remove: [] },
  ];
  const urn = datasetNamed("orders");
  const aspect = "editableSchemaMetadata";

  expect(() => applyEdits({ type: "proposal", urn, aspect, initial: {}, set: {}, edits }, stored)).toThrow(
    "the stored aspect has a malformed field",
  );
});
