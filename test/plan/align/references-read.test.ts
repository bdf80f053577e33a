import { expect, test } from "vitest";
import { edgesOfMembers } from "../../../src/facets/index.ts";
import type { Deletable, Live, Referring } from "../../../src/model/live.ts";
import { noMemberships } from "../../../src/model/membership.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { deletionFields, referenceHash } from "../../../src/plan/align/deletion.ts";
import { withMembersRead, withReferencesRead } from "../../../src/plan/align/references-read.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [pii, domain, parent] = ["tag:pii", "domain:d", "domain:parent"].map((id) => urn(`urn:li:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [group, user, friend] = ["corpGroup:g", "corpuser:u", "corpuser:friend"].map((id) =>
  urn(`urn:li:${id}`),
) as [Urn, Urn, Urn];

const indexed = (...referring: readonly Referring[]): Deletable => ({
  aspects: {},
  referring,
  assignments: referring.length,
});

function read(
  found: Deletable,
  live: Partial<Live>,
  [of, kind]: readonly [Urn, string] = [pii, "Tag"],
): Deletable {
  const { state = new Map(), ...rest } = live;
  const all = withReferencesRead(new Map([[of, found]]), [{ urn: of, kind }], { state, ...rest });
  return all.get(of) as Deletable;
}

const tagging = (from: Urn): Referring => ({ type: "TaggedWith", urn: from });
const tagged = entityOf("Dataset", a, { tags: setOf([pii]) });
const untagged = entityOf("Dataset", a, { tags: setOf([]) });

test.each<readonly [string, Partial<Live>]>([
  ["an asset", { state: stateOf(tagged) }],
  ["a soft-deleted asset", { softDeleted: stateOf(tagged) }],
])("a reference of %s that was read by URN counts where the index lacks it, once", (_, live) => {
  const expected = { ...indexed(tagging(b), tagging(a)), assignments: 2 };
  expect(read(indexed(tagging(b)), live)).toEqual(expected);
  expect(read(indexed(tagging(b), tagging(a)), live)).toEqual(expected);
});

test("a reference that the index shows and an asset no longer has is stale: it is known and not counted", () => {
  const found = read(indexed(tagging(a), tagging(b)), { state: stateOf(untagged) });
  expect(found).toEqual({ ...indexed(tagging(a), tagging(b)), stale: [tagging(a)], assignments: 1 });
  expect(deletionFields(found, "Tag")).toMatchObject({
    references: [a, b].map((from) => referenceHash("TaggedWith", from)).toSorted(),
    assignments: 1,
    assignedTo: [b],
  });
});

test.each<readonly [string, Referring, Partial<Live>]>([
  ["whose facet was not read", tagging(a), { state: stateOf(entityOf("Dataset", a, {})) }],
  ["that was not read", tagging(a), { state: stateOf() }],
  ["of a column that left the schema", tagging(a), { state: stateOf(untagged), dormant: stateOf(tagged) }],
  ["as ingestion wrote it", { type: "SchemaFieldTaggedWith", urn: a }, { state: stateOf(untagged) }],
])("a reference %s is taken from the index", (_, edge, live) => {
  expect(read(indexed(edge), live)).toEqual(indexed(edge));
});

test("of several values that are stored each is a reference", () => {
  const edge = { type: "AssociatedWith", urn: a };
  const state = stateOf(entityOf("Dataset", a, { domain: scalarOf(parent) }));
  const several = [{ urn: a, facet: "domain", values: [parent, domain] }];
  expect(read(indexed(edge), { state, several }, [domain, "Domain"])).toEqual(indexed(edge));
});

test("a group can refer to a user in another aspect than the one that was read", () => {
  const edge = { type: "OwnedBy", urn: group };
  const state = stateOf(entityOf("Group", group, { owners: setOf([]) }));
  expect(read(indexed(edge), { state }, [user, "User"])).toEqual(indexed(edge));
});

test("a child is no assignment", () => {
  const edge = { type: "IsPartOf", urn: domain };
  const state = stateOf(entityOf("Domain", domain, { parent_domain: scalarOf(null) }));
  expect(read(indexed(edge), { state }, [parent, "Domain"])).toEqual(indexed(edge));
});

test("where there are more than the index counts, nothing is corrected", () => {
  const crowded = { ...indexed(), assignments: undefined };
  expect(read(crowded, { state: stateOf(tagged) })).toEqual(crowded);
});

test("members of a group that were read by URN count, and those that have left it do not", () => {
  const [edges] = edgesOfMembers;
  const native = (from: Urn): Referring => ({ type: "IsMemberOfNativeGroup", urn: from });
  const groupsOf = new Map([
    [user, new Set([group])],
    [friend, new Set<Urn>()],
  ]);
  const found = withMembersRead(indexed(native(friend)), group, edges!, { ...noMemberships, groupsOf });
  expect(found).toEqual({
    ...indexed(native(friend), native(user)),
    stale: [native(friend)],
    assignments: 1,
  });
  const known = indexed({ type: "IsMemberOfGroup", urn: user });
  expect(withMembersRead(known, group, edges!, { ...noMemberships, groupsOf })).toEqual(known);
});
