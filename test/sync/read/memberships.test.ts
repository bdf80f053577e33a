import { expect, onTestFinished, test } from "vitest";
import { createReader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { readFromMembers } from "../../../src/sync/read/memberships.ts";
import type { Memberships } from "../../../src/model/membership.ts";
import { setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { entityOf, memberships, stateOf, urn, withGroups } from "../../support/states.ts";
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
  return readFromMembers(await stubbed(spoil), memberships, desired);
}

test("memberships are what the aspects of declared and discovered users say", async () => {
  const { groupsOf, external, missing: gone, unreadable } = await read((_, healthy) => healthy);
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
  expect((await withGroup({ urn: fin, exists: false, aspects: [] })).missing).toEqual(new Set([fin]));
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

test("users that the group listed before are read, also where the index does not name them", async () => {
  const reader = await stubbed((_, healthy) => {
    const relationships = { total: 0, relationships: [] };
    return "corpGroup" in healthy.data ? { data: { corpGroup: { relationships } } } : healthy;
  });
  const listing = (...members: readonly Urn[]): State =>
    stateOf(entityOf("Group", fin, { members: setOf(members) }));
  const { groupsOf } = await readFromMembers(reader, memberships, listing(bob), {
    before: listing(alice, bob),
  });
  expect(groupsOf.get(alice)).toEqual(new Set([fin]));
});

const everybody = Array.from({ length: 1_100 }, (_, index) => urn(`urn:li:corpuser:u${index}`));

/** How a server pages: by its own most edges a page, and what it says of their total. */
interface Paging {
  readonly most?: number;
  readonly total?: unknown;
  readonly answerAlways?: readonly Urn[];
}

async function discovered(paging: Paging, signal?: AbortSignal): Promise<Memberships & { pages: number }> {
  let pages = 0;
  const reader = await stubbed(({ variables }, healthy) => {
    if (variables["urns"]) return healthy;
    pages += 1;
    const { most = 500, answerAlways } = paging;
    const [start, count] = [Number(variables["start"]), Number(variables["count"])];
    const users = answerAlways ?? everybody.slice(start, start + Math.min(count, most));
    const total = "total" in paging ? paging.total : everybody.length;
    const relationships = { total, relationships: users.map((user) => ({ entity: { urn: user } })) };
    return { data: { corpGroup: { relationships } } };
  });
  const listing = stateOf(entityOf("Group", fin, { members: setOf([]) }));
  return { ...(await readFromMembers(reader, memberships, listing, signal ? { signal } : {})), pages };
}

test.each<readonly [string, Paging, number]>([
  ["a total", {}, 3],
  ["no total", { total: undefined }, 4],
  ["a total that is null", { total: null }, 4],
  ["a total that is too small", { total: 500 }, 4],
  ["a total that is too large", { total: 5_000 }, 4],
  ["pages that are smaller than asked for", { most: 100 }, 11],
])("all members are discovered from a server with %s", async (_, paging, most) => {
  const { groupsOf, pages } = await discovered(paging);
  expect(groupsOf.size).toBe(everybody.length);
  expect(pages).toBe(most);
});

test("a server that answers the same page for ever is asked until nothing new comes", async () => {
  const { groupsOf, pages } = await discovered({ answerAlways: [alice, bob], total: 1_000 });
  expect([...groupsOf.keys()]).toEqual([alice, bob]);
  expect(pages).toBe(2);
});

test("nothing more is asked after an interruption between two pages", async () => {
  const interruption = new AbortController();
  let pages = 0;
  const reader = await stubbed(({ variables }, healthy) => {
    if (variables["urns"]) return healthy;
    pages += 1;
    interruption.abort(new Error("interrupted"));
    const relationships = everybody.slice(0, 500).map((user) => ({ entity: { urn: user } }));
    return { data: { corpGroup: { relationships: { total: 1_100, relationships } } } };
  });
  const listing = stateOf(entityOf("Group", fin, { members: setOf([]) }));
  await expect(
    readFromMembers(reader, memberships, listing, { signal: interruption.signal }),
  ).rejects.toThrow("interrupted");
  expect(pages).toBe(1);
});

test.each([["urn:li:corpGroup:fin"], [7], [{}], [[fin, 7]], [["fin"]]])(
  "a user whose list of groups is %j is unreadable, and in no group less",
  async (nativeGroups) => {
    const { groupsOf, unreadable } = await read(({ variables }, healthy) => {
      const urns = variables["urns"] as readonly string[] | undefined;
      const spoilt = { urn: alice, aspects: [raw("nativeGroupMembership", { nativeGroups })] };
      return urns ? { data: { entities: urns.map((of) => (of === alice ? spoilt : entity(of))) } } : healthy;
    });
    expect(groupsOf.has(alice)).toBe(false);
    expect(unreadable.get(alice)).toMatch(/malformed/);
  },
);
