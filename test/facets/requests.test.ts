import { describe, expect, test } from "vitest";
import { facetNamed, facets } from "../../src/facets/index.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { KindName, Member } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { datasetNamed, requestsFor, urn } from "../support/states.ts";

const a = datasetNamed("a");
const group = urn("urn:li:corpGroup:fin");
const [alice, bob] = ["urn:li:corpuser:alice", "urn:li:corpuser:bob"];
const system = "urn:li:ownershipType:__system__";

function requests(facet: string, delta: object, kind: KindName = "Dataset", of: Urn = a): readonly unknown[] {
  const shape = "add" in delta ? "set" : "scalar";
  const change = { action: "update", shape, kind, urn: of, facet, fingerprint: "", ...delta };
  return requestsFor(change as FacetChange);
}

const mutation = (field: string, type: string, value: object): object => {
  return { type: "mutation", field, args: [{ name: "input", type, value }] };
};

describe("what is sent for a change of", () => {
  test("a domain sets it, or unsets it", () => {
    const entityUrn = { name: "entityUrn", type: "String!", value: a };
    const domainUrn = { name: "domainUrn", type: "String!", value: "urn:li:domain:d" };

    expect(requests("domain", { before: null, after: "urn:li:domain:d" })).toEqual([
      { type: "mutation", field: "setDomain", args: [entityUrn, domainUrn] },
    ]);
    expect(requests("domain", { before: "urn:li:domain:d", after: null })).toEqual([
      { type: "mutation", field: "unsetDomain", args: [entityUrn] },
    ]);
  });

  test("tags adds all at once, and removes each by itself", () => {
    expect(requests("tags", { add: ["x", "y"], remove: ["z", "w"] })).toEqual([
      mutation("addTags", "AddTagsInput!", { tagUrns: ["x", "y"], resourceUrn: a }),
      mutation("removeTag", "TagAssociationInput!", { tagUrn: "z", resourceUrn: a }),
      mutation("removeTag", "TagAssociationInput!", { tagUrn: "w", resourceUrn: a }),
    ]);
  });

  test("tags of a column names the column", () => {
    const column = { subResourceType: "DATASET_FIELD", subResource: "email" };

    expect(requests("columns.tags", { path: ["email"], add: ["x"], remove: ["y"] })).toEqual([
      mutation("addTags", "AddTagsInput!", { tagUrns: ["x"], resourceUrn: a, ...column }),
      mutation("removeTag", "TagAssociationInput!", { tagUrn: "y", resourceUrn: a, ...column }),
    ]);
    expect(() => requests("columns.tags", { path: ["email"], before: null, after: "x" })).toThrow(
      "unexpected shape of a change to columns.tags: scalar",
    );
  });

  test("owners adds each by itself, and removes at once those of a type", () => {
    const steward = `${system}data_steward`;
    const add: readonly Member[] = [
      { owner: alice, type: steward },
      { owner: group, type: "urn:li:ownershipType:x" },
    ];
    const remove: readonly Member[] = [
      { owner: alice, type: "t" },
      { owner: alice, type: "u" },
      { owner: bob, type: "t" },
    ];

    expect(requests("owners", { add, remove })).toEqual([
      mutation("addOwner", "AddOwnerInput!", {
        ownerUrn: alice,
        ownerEntityType: "CORP_USER",
        resourceUrn: a,
        type: "DATA_STEWARD",
        ownershipTypeUrn: steward,
      }),
      mutation("addOwner", "AddOwnerInput!", {
        ownerUrn: group,
        ownerEntityType: "CORP_GROUP",
        resourceUrn: a,
        ownershipTypeUrn: "urn:li:ownershipType:x",
      }),
      mutation("batchRemoveOwners", "BatchRemoveOwnersInput!", {
        ownerUrns: [alice, bob],
        ownershipTypeUrn: "t",
        resources: [{ resourceUrn: a }],
      }),
      mutation("batchRemoveOwners", "BatchRemoveOwnersInput!", {
        ownerUrns: [alice],
        ownershipTypeUrn: "u",
        resources: [{ resourceUrn: a }],
      }),
    ]);
  });

  test.each([
    ["technical_owner", { type: "TECHNICAL_OWNER", ownershipTypeUrn: `${system}technical_owner` }],
    ["business_owner", { type: "BUSINESS_OWNER", ownershipTypeUrn: `${system}business_owner` }],
    ["data_steward", { type: "DATA_STEWARD", ownershipTypeUrn: `${system}data_steward` }],
    ["none", { type: "NONE", ownershipTypeUrn: `${system}none` }],
    ["dataowner", { type: "DATAOWNER" }],
    ["developer", { type: "DEVELOPER" }],
    ["delegate", { type: "DELEGATE" }],
    ["producer", { type: "PRODUCER" }],
    ["stakeholder", { type: "STAKEHOLDER" }],
    ["consumer", { type: "CONSUMER" }],
  ])("an owner of the type %s names it as the server knows it", (id, type) => {
    const about = { ownerUrn: alice, ownerEntityType: "CORP_USER", resourceUrn: a };

    expect(requests("owners", { add: [{ owner: alice, type: `${system}${id}` }], remove: [] })).toEqual([
      mutation("addOwner", "AddOwnerInput!", { ...about, ...type }),
    ]);
  });

  test("members adds and removes one user at a time, and takes each that goes out of the older aspect too", () => {
    expect(requests("members", { add: [alice], remove: [bob] }, "Group", group)).toEqual([
      mutation("addGroupMembers", "AddGroupMembersInput!", { groupUrn: group, userUrns: [alice] }),
      mutation("removeGroupMembers", "RemoveGroupMembersInput!", { groupUrn: group, userUrns: [bob] }),
      {
        type: "proposal",
        urn: bob,
        aspect: "groupMembership",
        initial: {},
        set: {},
        edits: [{ at: ["groups"], add: [], remove: [group] }],
      },
    ]);
  });

  test("what is soft-deleted restores it", () => {
    const tag = urn("urn:li:tag:t");

    expect(requests("removed", { before: true, after: false }, "Tag", tag)).toEqual([
      { type: "proposal", urn: tag, aspect: "status", initial: {}, set: { removed: false } },
    ]);
  });

  const ofOneShape = facets.filter(({ scalar, set }) => !(scalar && set));

  test.each(ofOneShape.map(({ name, set }) => [name, set ? "set" : "scalar"] as const))(
    "%s in another shape than %s is a fault of ours",
    (name, shape) => {
      const delta = shape === "scalar" ? { add: ["x"], remove: ["y"] } : { before: "x", after: "y" };

      expect(() => requests(name, delta, facetNamed(name).kinds[0])).toThrow(
        `unexpected shape of a change to ${name}: ${shape === "scalar" ? "set" : "scalar"}`,
      );
    },
  );
});
