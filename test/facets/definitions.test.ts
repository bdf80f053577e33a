import { expect, test } from "vitest";
import { facetNamed, facetsOf } from "../../src/facets/index.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type KindName, scalarOf } from "../../src/model/state.ts";
import { requestsFor, urn } from "../support/states.ts";

const alice = urn("urn:li:corpuser:alice");
const bob = urn("urn:li:corpuser:bob");
const fin = urn("urn:li:corpGroup:fin");

function change(kind: KindName, facet: string, delta: object): FacetChange {
  const shape = "add" in delta ? "set" : "scalar";
  return { action: "update", shape, kind, urn: fin, facet, fingerprint: "", ...delta } as FacetChange;
}

test.each<readonly [KindName, string, string, string]>([
  ["Domain", "name", "domainProperties", "name"],
  ["Domain", "description", "domainProperties", "description"],
  ["Domain", "parent_domain", "domainProperties", "parentDomain"],
  ["Tag", "name", "tagProperties", "name"],
  ["Tag", "description", "tagProperties", "description"],
  ["Tag", "color_hex", "tagProperties", "colorHex"],
  ["User", "display_name", "corpUserInfo", "displayName"],
  ["User", "first_name", "corpUserInfo", "firstName"],
  ["User", "last_name", "corpUserInfo", "lastName"],
  ["User", "full_name", "corpUserInfo", "fullName"],
  ["User", "email", "corpUserInfo", "email"],
  ["User", "title", "corpUserInfo", "title"],
  ["User", "manager_urn", "corpUserInfo", "managerUrn"],
  ["User", "department_id", "corpUserInfo", "departmentId"],
  ["User", "department_name", "corpUserInfo", "departmentName"],
  ["User", "country_code", "corpUserInfo", "countryCode"],
  ["User", "description", "corpUserEditableInfo", "aboutMe"],
  ["User", "slack", "corpUserEditableInfo", "slack"],
  ["User", "phone", "corpUserEditableInfo", "phone"],
  ["User", "picture_link", "corpUserEditableInfo", "pictureLink"],
  ["Group", "display_name", "corpGroupInfo", "displayName"],
  ["Group", "email", "corpGroupInfo", "email"],
  ["Group", "description", "corpGroupInfo", "description"],
  ["Group", "slack", "corpGroupInfo", "slack"],
  ["Group", "picture_link", "corpGroupEditableInfo", "pictureLink"],
])("the %s's %s is read from and written to %s.%s, and no other", (kind, name, aspect, field) => {
  const facet = facetNamed(name);
  expect(facetsOf(kind)).toContain(facet);
  expect(facet.aspects(kind)).toEqual([aspect]);
  expect(facet.observe({ [aspect]: { [field]: "x" } }, kind)).toEqual({ value: scalarOf("x") });
  for (const after of ["y", null]) {
    const requests = requestsFor(change(kind, name, { before: "x", after }));
    expect(requests).toEqual([{ type: "proposal", urn: fin, aspect, initial: {}, set: { [field]: after } }]);
  }
});

test.each<readonly [string, JsonObject]>([
  ["without the aspect", {}],
  ["with another thing in its place", { tagProperties: [] }],
  ["without the field", { tagProperties: {} }],
])("a field of an entity %s is unset", (_, aspects) => {
  expect(facetNamed("name").observe(aspects, "Tag")).toEqual({ value: scalarOf(null) });
});

test.each([[{}], [["a"]], [7], [true]])("a field that holds %j is malformed, and not unset", (name) => {
  const aspects = { tagProperties: { name } };
  expect(() => facetNamed("name").observe(aspects, "Tag")).toThrow(
    "malformed response: tagProperties.name has the wrong type",
  );
});

test("a field that has to be there is unset where it is empty, and is emptied to unset it", () => {
  const term = "urn:li:glossaryTerm:a";
  const facet = facetNamed("definition");
  const observed = (definition: string): unknown =>
    facet.observe({ glossaryTermInfo: { definition } }, "GlossaryTerm");

  expect([observed(""), observed("x")]).toEqual([{ value: scalarOf(null) }, { value: scalarOf("x") }]);
  expect(requestsFor({ ...change("GlossaryTerm", "definition", { after: null }), urn: urn(term) })).toEqual([
    { type: "proposal", urn: term, aspect: "glossaryTermInfo", initial: {}, set: { definition: "" } },
  ]);
});

test("a field of a kind that does not have it is a fault of ours", () => {
  const facet = facetNamed("color_hex");
  const fault = "a Domain has no field color_hex";
  const unknown = change("Domain", "color_hex", { before: null, after: "#fff" });
  expect(() => facet.aspects("Domain")).toThrow(fault);
  expect(() => facet.observe({}, "Domain")).toThrow(fault);
  expect(() => requestsFor(unknown)).toThrow(fault);
});

test("a field as a set is a fault of ours", () => {
  const asSet = change("Tag", "color_hex", { add: [], remove: [] });
  expect(() => requestsFor(asSet)).toThrow("unexpected shape of a change to color_hex: set");
});

test.each<readonly [string, Json, unknown]>([
  ["parent_domain", "corporate", "urn:li:domain:corporate"],
  ["manager_urn", "boss", "urn:li:corpuser:boss"],
  ["manager_urn", "urn:li:corpuser:boss", "urn:li:corpuser:boss"],
  ["department_id", 7, 7],
  ["color_hex", "#C0392B", "#C0392B"],
  ["color_hex", "#fff", "#fff"],
  ["members", "alice", alice],
  ["members", { id: "alice", title: "x" }, alice],
  ["owners", "alice", { owner: alice, type: "urn:li:ownershipType:__system__technical_owner" }],
])("%s takes %j", (name, written, value) => {
  expect(facetNamed(name).parse(written)).toMatchObject({ value });
});

test.each<readonly [string, Json, string, readonly string[]]>([
  ["parent_domain", "urn:li:tag:x", "wrong-reference", []],
  ["manager_urn", "urn:li:corpGroup:x", "wrong-reference", []],
  ["color_hex", "red", "malformed-colour", []],
  ["color_hex", "#12345", "malformed-colour", []],
  ["members", "urn:li:corpGroup:x", "wrong-reference", []],
  ["members", { id: "urn:li:corpGroup:x" }, "wrong-reference", ["id"]],
])("%s refuses %j", (name, written, code, at) => {
  expect(facetNamed(name).parse(written)).toMatchObject({ refusal: { code, at } });
});

test("a member is added by one mutation, removed by one and by an edit of the older aspect", () => {
  const requests = requestsFor(change("Group", "members", { add: [alice], remove: [bob] }));
  const input = (user: string): object => ({ groupUrn: fin, userUrns: [user] });
  expect(requests).toMatchObject([
    { field: "addGroupMembers", args: [{ value: input(alice) }] },
    { field: "removeGroupMembers", args: [{ value: input(bob) }] },
    {
      type: "proposal",
      urn: bob,
      aspect: "groupMembership",
      edits: [{ at: ["groups"], add: [], remove: [fin] }],
    },
  ]);
  const asScalar = change("Group", "members", { before: null, after: null });
  expect(() => requestsFor(asScalar)).toThrow("unexpected shape of a change to members: scalar");
});

test.each<readonly [JsonObject, boolean]>([
  [{ status: { removed: true } }, true],
  [{ status: { removed: false } }, false],
  [{}, false],
])("%j is soft-deleted: %s", (aspects, removed) => {
  expect(facetNamed("removed").observe(aspects, "Tag")).toEqual({ value: scalarOf(removed) });
});

test("what is declared is never soft-deleted, and is restored by its status", () => {
  const facet = facetNamed("removed");
  expect(facet.schema).toBeUndefined();
  expect(facet.parse(true)).toMatchObject({ value: false });
  expect([facet.implied?.for, facet.implied?.value("t"), facet.blank]).toEqual([
    "every-entity",
    false,
    false,
  ]);
  expect(facet.kinds).toEqual([
    "Tag",
    "GlossaryNode",
    "GlossaryTerm",
    "StructuredProperty",
    "User",
    "Group",
    "DataProduct",
  ]);
  const [request] = requestsFor(change("Tag", "removed", { before: true, after: false }));
  expect(request).toMatchObject({ aspect: "status", set: { removed: false } });
  const asSet = change("Tag", "removed", { add: [], remove: [] });
  expect(() => requestsFor(asSet)).toThrow("unexpected shape of a change to removed: set");
});
