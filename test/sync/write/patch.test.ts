import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, type Stamp } from "../../../src/sync/write/apply-edits.ts";
import { patchOf } from "../../../src/sync/write/patch.ts";
import { writesFor } from "../../../src/facets/writes.ts";
import { patchedAspect } from "../../../src/local-catalog/proposals/aspect-patch.ts";
import type { FacetChange } from "../../../src/model/change.ts";
import {
  canonicalJson,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../../src/model/json.ts";
import type { Proposal } from "../../../src/model/operation.ts";
import { counted, runsOf } from "../../support/runs.ts";
import { datasetNamed } from "../../support/states.ts";

const bySource = "attribution\u241Fsource";
const ourSource = "urn:li:dataHubAction:datahub-gitops";
const [actor, time] = ["urn:li:corpuser:ci", 7];
const fields = ["TagAssociation", "Owner", "DomainAssociation"].map((type) => `${type}.attribution`);
const stamp: Stamp = { actor, source: ourSource, detail: {}, keeps: new Set(fields), time };
const ours = { attribution: { time, actor, source: ourSource, sourceDetail: {} } };
const from = (source: string): JsonObject => ({
  attribution: { time: 1, actor: "urn:li:corpuser:x", source },
});

const [pii, old, odd] = ["urn:li:tag:pii", "urn:li:tag:old", "urn:li:tag:a/b~(c,d)"];
const [ada, ben] = ["urn:li:corpuser:ada", "urn:li:corpuser:ben"];
const [finance, sales] = ["urn:li:domain:finance", "urn:li:domain:sales"];
const typeUrn = (id: string): string => `urn:li:ownershipType:${id}`;
const technical = typeUrn("__system__technical_owner");

const leavingOthers = { covers: { elements: [], except: ["*"] } };
const tags = (...list: readonly Json[]): JsonObject => ({
  tags: list.map((tag) => (typeof tag === "string" ? { tag } : tag)),
});
const add = (path: string, value: Json): JsonObject => ({ op: "add", path, value });
const remove = (path: string): JsonObject => ({ op: "remove", path });

function proposalOf(change: object): Proposal {
  const update = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "", ...change };
  const [write] = writesFor(update as FacetChange, "conditional");
  if (write?.request.type !== "proposal") throw new Error("no proposal");
  return write.request;
}

function patchFor(change: object, stored: JsonObject | undefined, keeps: readonly string[] = fields) {
  const proposal = proposalOf(change);
  const kept = new Set(keeps);
  const after = applyEdits(proposal, stored, { ...stamp, keeps: kept });
  return after && patchOf(proposal, { stored, after }, kept);
}

const tagging = (
  added: readonly string[],
  removed: readonly string[] = [],
  more: object = leavingOthers,
) => ({
  shape: "set",
  facet: "tags",
  add: added,
  remove: removed,
  ...more,
});
const inColumn = (column: string): object => ({ facet: "columns.tags", path: [column] });
const owning = (added: readonly object[], removed: readonly object[] = [], more: object = leavingOthers) => ({
  ...tagging([], [], more),
  facet: "owners",
  add: added,
  remove: removed,
});
const setDomain = { shape: "scalar", facet: "domain", before: sales, after: finance };
const tagKeys = { arrayPrimaryKeys: { tags: [bySource, "tag"] } };
const ownerKeys = { arrayPrimaryKeys: { owners: [bySource, "owner", "typeUrn", "type"] } };
const owner = (urn: string, type: string, more: object = {}): JsonObject => ({ owner: urn, type, ...more });
const lastModified = add("/lastModified", { time, actor });

test.each<readonly [string, Json | undefined, Json]>([
  [
    "a tag beside those of others has a place of its own, by its source",
    patchFor(tagging([pii]), tags(old)),
    { patch: [add(`/tags/${ourSource}/${pii}`, { tag: pii, ...ours })], ...tagKeys },
  ],
  [
    "a tag goes with the entries of all sources",
    patchFor(tagging([], [old]), tags(old, { tag: old, ...from("urn:li:dataPlatform:dbt") }, pii)),
    { patch: [remove(`/tags//${old}`), remove(`/tags/urn:li:dataPlatform:dbt/${old}`)], ...tagKeys },
  ],
  [
    "where nothing of others may be there, DataHub's own keys are used",
    patchFor(tagging([pii], [old], {}), tags(old)),
    [remove(`/tags/${old}`), add(`/tags/${pii}`, { tag: pii, ...ours })],
  ],
  [
    "slashes and tildes are escaped, and nothing else",
    patchFor(tagging([odd], [], {}), undefined),
    [add("/tags/urn:li:tag:a~1b~0(c,d)", { tag: odd, ...ours })],
  ],
  [
    "a column's entry comes about with its path, and its tags are found by DataHub's own keys",
    patchFor({ ...tagging([pii]), ...inColumn("[version=2.0].a/b") }, undefined),
    [
      add("/editableSchemaFieldInfo/[version=2.0].a~1b/fieldPath", "[version=2.0].a/b"),
      add(`/editableSchemaFieldInfo/[version=2.0].a~1b/globalTags/tags/${pii}`, { tag: pii, ...ours }),
    ],
  ],
  [
    "to take a tag from a column makes no entry",
    patchFor(
      { ...tagging([], [old]), ...inColumn("id") },
      {
        editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: tags(old) }],
      },
    ),
    [remove(`/editableSchemaFieldInfo/id/globalTags/tags/${old}`)],
  ],
  [
    "an owner in the older form goes, and one of a custom type comes, beside the same owner of another",
    patchFor(owning([{ owner: ada, type: typeUrn("b") }], [{ owner: ada, type: technical }]), {
      owners: [owner(ada, "TECHNICAL_OWNER"), owner(ada, "NONE", { typeUrn: typeUrn("a") })],
    }),
    {
      patch: [
        remove(`/owners//${ada}//TECHNICAL_OWNER`),
        add(
          `/owners/${ourSource}/${ada}/${typeUrn("b")}/CUSTOM`,
          owner(ada, "CUSTOM", { typeUrn: typeUrn("b"), ...ours }),
        ),
        lastModified,
      ],
      ...ownerKeys,
    },
  ],
  [
    "owners whose older types differ are found by DataHub's own keys",
    patchFor(owning([{ owner: ben, type: technical }], [], {}), { owners: [owner(ada, "NONE")] }),
    [
      add(`/owners/${ben}/TECHNICAL_OWNER`, owner(ben, "TECHNICAL_OWNER", { typeUrn: technical, ...ours })),
      lastModified,
    ],
  ],
  [
    "a domain replaces all that are stored",
    patchFor(setDomain, { domains: [sales] }),
    [add("/domains", [finance]), add("/domainAssociations", [{ domain: finance, ...ours }])],
  ],
])("%s", (_, patch, expected) => {
  expect(patch).toEqual(expected);
});

test.each<readonly [string, Json | undefined]>([
  [
    "a tag of several sources is stored, of which DataHub's own keys would leave one",
    patchFor(tagging([pii], [], {}), tags(old, { tag: old, ...from("urn:li:dataPlatform:dbt") })),
  ],
  [
    "another column has a tag of several sources",
    patchFor(
      { ...tagging([pii]), ...inColumn("id") },
      {
        editableSchemaFieldInfo: [
          { fieldPath: "x", globalTags: tags(old, { tag: old, ...from("urn:li:a:b") }) },
        ],
      },
    ),
  ],
  [
    "an owner gets a second custom type, which DataHub's own keys would not tell from the first",
    patchFor(owning([{ owner: ada, type: typeUrn("b") }], [], {}), {
      owners: [owner(ada, "CUSTOM", { typeUrn: typeUrn("a") })],
    }),
  ],
  ["the server keeps no attribution of tags", patchFor(tagging([pii]), tags(), ["Owner.attribution"])],
  ["the server keeps no attribution of domains", patchFor(setDomain, { domains: [sales] }, [])],
])("the aspect is written as a whole where %s", (_, patch) => {
  expect(patch).toBeUndefined();
});

const pairs = (template: readonly string[], more: object = {}) => ({
  at: ["list"],
  add: [{ element: "a/b" }],
  remove: [],
  keys: { template },
  ...more,
});
const onList = (parts: Partial<Proposal>): Proposal => ({
  type: "proposal",
  urn: datasetNamed("a"),
  aspect: "x",
  initial: {},
  set: {},
  edits: [pairs([])],
  ...parts,
});

test("a text in a list without keys is its own key", () => {
  const [stored, after] = [{ list: ["old"] }, { list: ["old", "a/b"] }];
  expect(patchOf(onList({}), { stored, after }, new Set())).toEqual([add("/list/a~1b", "a/b")]);
});

test.each<readonly [string, Partial<Proposal>]>([
  ["it has no edits", { edits: [] }],
  ["a list has no keys", { edits: [pairs([]), { at: ["other"], add: [], remove: [] }] }],
  ["it sets a field, too", { set: { name: "n" } }],
  ["it has initial fields", { initial: { name: "n" } }],
  [
    "two elements of one of its lists have the same keys",
    { edits: [pairs([]), pairs(["x"], { at: ["twice"] })] },
  ],
])("a proposal has no patch where %s", (_, parts) => {
  const proposal = onList(parts);
  const twice = [{ x: "a" }, { x: "a", y: "b" }];
  const [stored, after] = [{ twice }, { twice, list: ["a/b"] }];
  expect(patchOf(proposal, { stored, after }, new Set())).toBeUndefined();
});

test("a list that is replaced may have elements with the same keys", () => {
  const edit = pairs(["tag"], { remove: "all" });
  const stored = tags({ tag: pii, source: "a" }, { tag: pii, source: "b" });
  const list = [{ tag: old }];
  const patch = patchOf(
    onList({ edits: [edit] }),
    { stored: { list: [stored] }, after: { list } },
    new Set(),
  );
  expect(patch).toEqual([add("/list", list)]);
});

const sources = [undefined, ourSource, "urn:li:dataPlatform:dbt"];
const someTags = fc.uniqueArray(fc.tuple(fc.constantFrom(pii, old, odd), fc.constantFrom(...sources)), {
  selector: (entry) => entry.join(" "),
});
const stored = someTags.map((entries) =>
  entries.map(([tag, source]): JsonObject => ({ tag, ...(source !== undefined && from(source)) })),
);
const types = ["a", "b", "__system__technical_owner"].map(typeUrn);
const members = fc.uniqueArray(
  fc.record({ owner: fc.constantFrom(ada, ben), type: fc.constantFrom(...types) }),
  { selector: canonicalJson },
);
const storedOwners = fc.uniqueArray(
  fc.record({
    owner: fc.constantFrom(ada, ben),
    type: fc.constantFrom("NONE", "CUSTOM", "TECHNICAL_OWNER"),
    typeUrn: fc.option(fc.constantFrom(...types), { nil: undefined }),
  }),
  { selector: canonicalJson },
);
const mode = fc.constantFrom(leavingOthers, {});
const columns = ["id", "a/b"];

/** A change of some facet, and an aspect that it is made to. */
type Case = readonly [change: object, before: JsonObject | undefined];

const taggings = fc
  .tuple(fc.subarray([pii, old, odd]), fc.subarray([pii, old, odd]), mode, fc.option(stored))
  .map(([added, removed, more, list]): Case => {
    return [tagging(added, without(removed, added), more), list ? tags(...list) : undefined];
  });
const columnTaggings = fc
  .tuple(fc.subarray([pii, odd]), fc.subarray([old]), mode, fc.array(stored, { maxLength: 2 }))
  .map(([added, removed, more, lists]): Case => {
    const infos = lists.map((list, index) => ({
      fieldPath: columns[index] ?? "",
      globalTags: tags(...list),
    }));
    return [{ ...tagging(added, removed, more), ...inColumn("a/b") }, { editableSchemaFieldInfo: infos }];
  });
const ownings = fc.tuple(members, members, mode, storedOwners).map(([added, removed, more, list]): Case => {
  const names = new Set(added.map(canonicalJson));
  const gone = removed.filter((member) => !names.has(canonicalJson(member)));
  return [owning(added, gone, more), { owners: JSON.parse(JSON.stringify(list)) as Json }];
});

test("a patch leads to what the edit of the whole aspect leads to", counted, () => {
  const numRuns = runsOf(1000);
  let patched = 0;
  fc.assert(
    fc.property(fc.oneof(taggings, columnTaggings, ownings), ([change, before]) => {
      const proposal = proposalOf(change);
      const after = applyEdits(proposal, before, stamp);
      const patch = after && patchOf(proposal, { stored: before, after }, stamp.keeps);
      if (patch === undefined) return;
      patched += 1;
      const sent = isJsonObject(patch) ? patch : { patch };
      expect(sorted(patchedAspect(proposal.aspect, before, { sent, now: 0 }))).toEqual(sorted(after ?? {}));
    }),
    { numRuns },
  );
  expect(patched).toBeGreaterThan(numRuns * 0.3);
});

test("a patch for any version leaves what others have put there meanwhile", counted, () => {
  const theirs = [odd, pii, "urn:li:tag:theirs"].map((tag) => ({ tag, ...from("urn:li:a:them") }));
  fc.assert(
    fc.property(taggings, fc.subarray(theirs), ([change, before], added) => {
      const proposal = proposalOf({ ...change, ...leavingOthers });
      const after = applyEdits(proposal, before, stamp);
      const sent = after && patchOf(proposal, { stored: before, after }, stamp.keeps);
      if (!isJsonObject(sent)) return;
      const { tags: list = [] } = before ?? {};
      const meanwhile = { tags: [...(isJsonList(list) ? list : []), ...added] };

      const { tags: left } = patchedAspect(proposal.aspect, meanwhile, { sent, now: 0 });

      expect(left).toEqual(expect.arrayContaining(added));
    }),
    { numRuns: runsOf(300) },
  );
});

function without(from_: readonly string[], those: readonly string[]): readonly string[] {
  return from_.filter((each) => !those.includes(each));
}

/** A value whose lists are in one order, without what a template adds to a new aspect, and without lists that are empty. */
function sorted(value: Json): Json {
  if (isJsonList(value))
    return value.map(sorted).toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, part = null]): [string, Json][] =>
    key === "created" || key === "lastModified" ? [] : [[key, sorted(part)]],
  );
  return Object.fromEntries(entries);
}

test("a patch of several edits of one list does each thing once", () => {
  const property = (id: string): string => `urn:li:structuredProperty:${id}`;
  const properties = ["days", "note", "cadence"].map((id) => ({
    propertyUrn: property(id),
    values: [{ string: id }],
  }));
  const place = { facet: "structured_properties", fingerprint: "" };
  const proposals = [
    { ...place, shape: "scalar", path: [property("days")], before: "days", after: null },
    { ...place, shape: "scalar", path: [property("note")], before: "note", after: null },
    { ...place, shape: "set", path: [property("cadence")], add: [], remove: ["cadence"] },
  ].map(proposalOf);
  const [first] = proposals;
  const proposal: Proposal = { ...first, edits: proposals.flatMap(({ edits = [] }) => edits) } as Proposal;
  const keeps = new Set([...fields, "StructuredPropertiesEntry.attribution"]);
  const after = applyEdits(proposal, { properties }, { ...stamp, keeps });

  expect(after && patchOf(proposal, { stored: { properties }, after }, keeps)).toEqual(
    ["days", "note", "cadence"].map((id) => remove(`/properties/${property(id)}`)),
  );
});
