import { expect, onTestFinished, test } from "vitest";
import { createReader } from "../../../src/datahub/client/client.ts";
import { connectionTo } from "../../../src/datahub/client/connection.ts";
import { readExistence } from "../../../src/datahub/read/existence.ts";
import { readMemberships } from "../../../src/datahub/read/memberships.ts";
import type { Memberships } from "../../../src/model/membership.ts";
import { setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { entityOf, stateOf, urn, withGroups } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

const alice = urn("urn:li:corpuser:alice");
const bob = urn("urn:li:corpuser:bob");
const fin = urn("urn:li:corpGroup:fin");
const origin = { file: "catalog/a.yaml", line: 1, column: 1 };

function raw(aspectName: string, value: object): object {
  return { aspectName, payload: JSON.stringify(value) };
}

/** What a healthy server says: alice is in fin, which is native. */
function entity(of: string): Record<string, unknown> {
  if (of === fin) return { urn: of, exists: true, aspects: [raw("origin", { type: "NATIVE" })] };
  const groups = of === alice ? [fin] : [];
  return { urn: of, aspects: [raw("nativeGroupMembership", { nativeGroups: groups })] };
}

type Spoil = (request: StubRequest, healthy: { data: Record<string, unknown>; errors?: unknown }) => unknown;

async function stubbed(spoil: Spoil): Promise<ReturnType<typeof createReader>> {
  const server = await startStub((request) => {
    const urns = request.variables["urns"] as readonly string[] | undefined;
    const relationships = { total: 1, relationships: [{ entity: { urn: alice } }] };
    const data = urns ? { entities: urns.map(entity) } : { corpGroup: { relationships } };
    return spoil(request, { data });
  });
  onTestFinished(() => server.close());
  return createReader(connectionTo(server.url));
}

async function read(spoil: Spoil): Promise<Memberships> {
  const listing = stateOf(entityOf("Group", fin, { members: setOf([bob]) }));
  const desired = withGroups(listing, new Map([[alice, { origin, groups: new Set([fin]) }]]));
  return readMemberships(await stubbed(spoil), desired);
}

test("memberships are what the aspects of declared and discovered users say", async () => {
  const { groupsOf, external, gone, unreadable } = await read((_, healthy) => healthy);
  expect(groupsOf).toEqual(
    new Map([
      [alice, new Set([fin])],
      [bob, new Set()],
    ]),
  );
  expect([external.size, gone.size, unreadable.size]).toEqual([0, 0, 0]);
});

test("a group of an identity provider is external, one that does not exist is gone", async () => {
  const withGroup = (group: object): Promise<Memberships> =>
    read(({ variables }, healthy) => {
      const urns = variables["urns"] as readonly string[] | undefined;
      return urns?.includes(fin) ? { data: { entities: [group] } } : healthy;
    });
  const origins = {
    urn: fin,
    exists: true,
    aspects: [raw("origin", { type: "EXTERNAL", externalType: "okta" })],
  };
  expect((await withGroup(origins)).external).toEqual(new Set([fin]));
  expect((await withGroup({ urn: fin, exists: false, aspects: [] })).gone).toEqual(new Set([fin]));
});

test.each<readonly [string, Spoil, Urn]>([
  [
    "a user whose aspects could not be read",
    ({ variables }, healthy) => {
      const index = (variables["urns"] as readonly string[] | undefined)?.indexOf(alice) ?? -1;
      if (index < 0) return healthy;
      const entities = (variables["urns"] as readonly string[]).map(entity);
      entities[index] = { urn: alice, aspects: null };
      return { data: { entities }, errors: [{ message: "no", path: ["entities", index, "aspects"] }] };
    },
    alice,
  ],
  [
    "a user without aspects in the answer, though no error is told",
    ({ variables }, healthy) => {
      const urns = variables["urns"] as readonly string[] | undefined;
      if (!urns?.includes(alice)) return healthy;
      return {
        data: {
          entities: urns.map((each) => (each === alice ? { urn: each, aspects: null } : entity(each))),
        },
      };
    },
    alice,
  ],
  [
    "a user with an aspect that is no JSON",
    ({ variables }, healthy) => {
      const urns = variables["urns"] as readonly string[] | undefined;
      if (!urns?.includes(alice)) return healthy;
      const aspects = [{ aspectName: "nativeGroupMembership", payload: "{" }];
      return {
        data: { entities: urns.map((each) => (each === alice ? { urn: each, aspects } : entity(each))) },
      };
    },
    alice,
  ],
  [
    "a user that fails its whole batch",
    ({ variables }, healthy) => {
      const urns = variables["urns"] as readonly string[] | undefined;
      return urns?.includes(alice) ? { data: { entities: null }, errors: [{ message: "no" }] } : healthy;
    },
    alice,
  ],
  [
    "a group whose origin could not be read",
    ({ variables }, healthy) =>
      (variables["urns"] as readonly string[] | undefined)?.includes(fin)
        ? {
            data: { entities: [{ urn: fin, exists: true, aspects: null }] },
            errors: [{ message: "no", path: ["entities", 0, "aspects"] }],
          }
        : healthy,
    fin,
  ],
  [
    "a group whose members could not be discovered",
    ({ variables }, healthy) =>
      variables["urns"] ? healthy : { data: { corpGroup: null }, errors: [{ message: "no" }] },
    fin,
  ],
])("%s is unreadable, never without memberships, and the others are read", async (_, spoil, culprit) => {
  const { groupsOf, unreadable } = await read(spoil);
  expect([...unreadable.keys()]).toEqual([culprit]);
  expect(groupsOf.has(culprit)).toBe(false);
  expect(groupsOf.has(bob)).toBe(true);
});

const tag = urn("urn:li:tag:t");
const domain = urn("urn:li:domain:d");

test.each<readonly [string, object, object]>([
  ["present", { e0: true, e1: true, entities: [{ urn: tag, aspects: [] }] }, { status: "present" }],
  ["absent", { e0: false, e1: true, entities: [{ urn: tag, aspects: [] }] }, { status: "absent" }],
  [
    "soft-deleted",
    { e0: true, e1: true, entities: [{ urn: tag, aspects: [raw("status", { removed: true })] }] },
    { status: "soft-deleted" },
  ],
  [
    "unreadable without its aspects",
    { e0: true, e1: true, entities: [{ urn: tag, aspects: null }] },
    { status: "unreadable" },
  ],
  [
    "unreadable without its alias",
    { e0: null, e1: true, entities: [{ urn: tag, aspects: [] }] },
    { status: "unreadable" },
  ],
  [
    "unreadable with a status that is no JSON",
    { e0: true, e1: true, entities: [{ urn: tag, aspects: [{ aspectName: "status", payload: "{" }] }] },
    { status: "unreadable" },
  ],
  ["unreadable without its entity", { e0: true, e1: true, entities: [null] }, { status: "unreadable" }],
])("a reference can be %s", async (_, data, expected) => {
  const reader = await stubbed(() => ({ data }));
  const existence = await readExistence(reader, [tag, domain]);
  expect(existence.get(tag)).toMatchObject(expected);
  expect(existence.get(domain)).toEqual({ status: "present" });
});

test("an error at the status of a reference makes that one unreadable, whatever stands beside it", async () => {
  const reader = await stubbed(() => ({
    data: { e0: true, e1: true, entities: [{ urn: tag, aspects: [] }] },
    errors: [{ message: "no", path: ["entities", 0, "aspects"] }],
  }));
  const existence = await readExistence(reader, [domain, tag]);
  expect(existence.get(tag)).toEqual({ status: "unreadable", error: "no" });
  expect(existence.get(domain)).toEqual({ status: "present" });
});
