import pLimit from "p-limit";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { DeclaredGroups, Memberships } from "../model/membership.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { chunks } from "./chunks.ts";
import type { Reader } from "./client.ts";
import { rawAspects } from "./entities-document.ts";
import type { ReadOptions } from "./live-state.ts";
import { withRawAspects } from "./raw-aspects.ts";

const page = 500;

/** The query for the members of a group, by the index, which may lag: it says whom to ask, and decides nothing. */
export const membersDocument = `query ReadMembers($urn: String!, $start: Int!, $count: Int!) {
  corpGroup(urn: $urn) {
    relationships(input: { types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"], direction: INCOMING, start: $start, count: $count }) {
      total relationships { entity { urn } }
    }
  }
}`;

/** The query for the groups that users are in, and for who owns groups. */
export const membershipsDocument = `query ReadMemberships($urns: [String!]!) {
  entities(urns: $urns) {
    urn
    ... on CorpUser { ${rawAspects(["groupMembership", "nativeGroupMembership"])} }
    ... on CorpGroup { origin { type } }
  }
}`;

/**
 * Who is in the groups that are managed. Decided by the two aspects of each user (reference: corp_group_members.go of
 * the Terraform provider), of those that are declared and of those that the index names.
 */
export async function readMemberships(
  reader: Reader,
  desired: State,
  declared: ReadonlyMap<Urn, DeclaredGroups>,
  options: ReadOptions = {},
): Promise<Memberships> {
  const listed = [...desired.values()].filter(({ facets }) => facets.has("members"));
  const groupsOf = new Map<Urn, ReadonlySet<Urn>>();
  const external = new Set<Urn>();
  const unreadable = new Map<Urn, string>();
  if (listed.length + declared.size === 0) return { groupsOf, external, unreadable };
  const limit = pLimit(options.concurrency ?? 8);
  const users = new Set<Urn>(declared.keys());
  await Promise.all(
    listed.map(({ urn, facets }) =>
      limit(async () => {
        options.signal?.throwIfAborted();
        const value = facets.get("members");
        if (value?.shape === "set") for (const user of value.members) users.add(user as Urn);
        const found = await discover(reader, urn);
        if ("error" in found) unreadable.set(urn, found.error);
        else for (const user of found.users) users.add(user);
      }),
    ),
  );
  const readUser = (urn: Urn, answered: JsonObject): void => {
    groupsOf.set(urn, groupsIn(answered));
  };
  await readEach(reader, [...users], options, unreadable, readUser);
  const groups = new Set<Urn>(listed.map(({ urn }) => urn));
  for (const [user, list] of declared)
    for (const group of [...list.groups, ...(groupsOf.get(user) ?? [])]) groups.add(group);
  await readEach(reader, [...groups], options, unreadable, (urn, { origin }) => {
    if (isJsonObject(origin) && origin["type"] === "EXTERNAL") external.add(urn);
  });
  return { groupsOf, external, unreadable };
}

async function discover(
  reader: Reader,
  urn: Urn,
): Promise<{ readonly users: readonly Urn[] } | { readonly error: string }> {
  const users: Urn[] = [];
  for (let start = 0; ; start += page) {
    const { data, errors } = await reader.query(membersDocument, { urn, start, count: page });
    const group = data?.["corpGroup"];
    const found = isJsonObject(group) ? group["relationships"] : undefined;
    const edges = isJsonObject(found) ? found["relationships"] : undefined;
    if (!isJsonObject(found) || !Array.isArray(edges)) {
      return { error: errors[0]?.message ?? "the server does not say who its members are" };
    }
    for (const edge of edges) {
      const entity = isJsonObject(edge) ? edge["entity"] : undefined;
      if (isJsonObject(entity) && typeof entity["urn"] === "string") users.push(entity["urn"] as Urn);
    }
    if (edges.length === 0 || start + page >= Number(found["total"])) return { users };
  }
}

async function readEach(
  reader: Reader,
  urns: readonly Urn[],
  { concurrency = 8, batch = 100, signal }: ReadOptions,
  unreadable: Map<Urn, string>,
  take: (urn: Urn, answered: JsonObject) => void,
): Promise<void> {
  const limit = pLimit(concurrency);
  await Promise.all(
    chunks(urns, batch).map((some) =>
      limit(async () => {
        signal?.throwIfAborted();
        const { data, errors } = await reader.query(membershipsDocument, { urns: some });
        const answered = Array.isArray(data?.["entities"]) ? data["entities"].filter(isJsonObject) : [];
        for (const urn of some) {
          const entity = answered.find((each) => each["urn"] === urn);
          if (entity) take(urn, withRawAspects(entity));
          else unreadable.set(urn, errors[0]?.message ?? "the server left it out of its answer");
        }
      }),
    ),
  ).finally(() => limit.clearQueue());
}

function groupsIn({ aspects }: JsonObject): ReadonlySet<Urn> {
  const lists = isJsonObject(aspects)
    ? [listIn(aspects["groupMembership"], "groups"), listIn(aspects["nativeGroupMembership"], "nativeGroups")]
    : [];
  return new Set(lists.flat().filter((urn): urn is Urn => typeof urn === "string"));
}

function listIn(aspect: unknown, list: string): readonly unknown[] {
  const found = isJsonObject(aspect) ? aspect[list] : undefined;
  return Array.isArray(found) ? found : [];
}
